"""The readings of a value that may be a phone number."""

import re
from collections.abc import Iterator

_TRUNK_ZERO = re.compile(r"\(\s*0\s*\)")
_REMARK = re.compile(r"\([^\W\d_][^\d()]*\)")
_SEPARATOR = re.compile(r"\s*[/|;,\n\t&]+\s*|\s+(?:or|and|oder|und|ou|et|o|y|e)\s+", re.IGNORECASE)
_EXTENSION = re.compile(r"\s*(?:e?xt|x|#|int|anexo|доб|;?\s*phone-context)", re.IGNORECASE)
_STRAY_LETTERS = re.compile(r"(?:\d[^\W\d_]{1,2}$)|(?:^[^\W\d_]{1,2}\d)")
MIN_DIGITS = 5
"""Digits from which a part of a cell counts as a number of its own."""


def readings(value: str) -> Iterator[str]:
    """Yield the value as written, then without remarks and trunk zero in brackets, and with `+` in place of `00`."""
    yield value
    plain = _TRUNK_ZERO.sub("", _REMARK.sub("", value))
    if plain != value:
        yield plain
    start = plain.lstrip("( ")
    if _digits(start[:2]) == "00" and len(start) > MIN_DIGITS:
        yield "+" + start[2:].lstrip("). -")


def parts(value: str) -> list[str]:
    """Return the parts of a cell that may be numbers of their own; one if the cell has no separator."""
    found = [part for part in _SEPARATOR.split(value) if part and not _EXTENSION.match(part)]
    return [part for part in found if count_digits(part) >= MIN_DIGITS]


def has_stray_letters(value: str) -> bool:
    """Return whether one or two letters follow the last digit, or precede the first, without a space."""
    return _STRAY_LETTERS.search(value) is not None


def count_digits(value: str) -> int:
    """Return the number of digits of any script."""
    return sum(map(str.isdecimal, value))


def _digits(value: str) -> str:
    return "".join(str(int(character)) for character in value if character.isdecimal())
