"""Full ASCII in Code 39 (ISO/IEC 16388, annex A): pairs of a shift character and a letter.

A code does not declare whether it uses full ASCII. Plain text contains `$`, `%` and `/` before letters, as in `N/A`,
but hardly ever `+`, except as the first character of a health industry code (ANSI/HIBC 2). Text is therefore returned
as printed unless it contains lowercase letters, which are pairs of `+`. If it starts with `+`, they must form words.
"""

import re
from itertools import chain

_PAIR = re.compile(r"([$%+/])(.)", re.DOTALL)

PERCENT = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ", chain(range(27, 32), b";<=>?[\\]^_{|}~", (127, 0), b"@`", (127,) * 3), strict=True
    )
)


def decode_full_ascii(text: str) -> str | None:
    """Decode full ASCII if the text most likely uses it; None for plain Code 39."""
    if "+" not in text or any(not "A" <= match[2] <= "Z" for match in _PAIR.finditer(text)):
        return None
    decoded = _PAIR.sub(lambda match: _character(match[1], match[2]), text)
    if not decoded.isprintable() or (text.startswith("+") and not _is_word(decoded)):
        return None
    return decoded


def _is_word(decoded: str) -> bool:
    lowercase, uppercase = (sum(test(mark) for mark in decoded) for test in (str.islower, str.isupper))
    return lowercase >= 2 and lowercase > uppercase


def _character(shift: str, letter: str) -> str:
    index = ord(letter) - ord("A")
    match shift:
        case "+":
            return letter.lower()
        case "$":
            return chr(index + 1)
        case "/":
            return ":" if letter == "Z" else chr(ord("!") + index)
        case _:
            return chr(PERCENT[letter])
