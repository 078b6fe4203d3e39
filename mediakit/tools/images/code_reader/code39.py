"""Full ASCII in Code 39 (ISO/IEC 16388, annex A): pairs of a shift character and a letter.

Nothing in a code says that it is meant so, and part numbers have such pairs by chance: they are read as printed
unless the pairs make words.
"""

import re
from itertools import chain

_PAIR = re.compile(r"([$%+/])(.)", re.DOTALL)

PERCENT = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ", chain(range(27, 32), b";<=>?[\\]^_{|}~", (127, 0), b"@`", (127,) * 3), strict=True
    )
)


def words(text: str) -> str | None:
    """Give the text in full ASCII, if it is most likely meant so; None where it is plain Code 39."""
    if "+" not in text or any(not "A" <= match[2] <= "Z" for match in _PAIR.finditer(text)):
        return None
    meant = _PAIR.sub(lambda match: _character(match[1], match[2]), text)
    small, capital = (sum(test(mark) for mark in meant) for test in (str.islower, str.isupper))
    return meant if meant.isprintable() and small >= 2 and small > capital else None


def _character(shift: str, letter: str) -> str:
    place = ord(letter) - ord("A")
    match shift:
        case "+":
            return letter.lower()
        case "$":
            return chr(place + 1)
        case "/":
            return ":" if letter == "Z" else chr(ord("!") + place)
        case _:
            return chr(PERCENT[letter])
