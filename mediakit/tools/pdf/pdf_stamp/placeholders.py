"""Placeholders of text and QR codes, such as `{page}` and `{n:06}`."""

import re
from collections.abc import Mapping

from mediakit.core.suggestions import similar

NAMES = ("page", "pages", "label", "n", "filename", "date", "title")

MAX_DIGITS = 20
"""Digits of a Bates number."""

_PART = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|\{")
_NUMBER = re.compile(r"n(?::0?(\d{1,2}))?", re.ASCII)


def check_placeholders(text: str) -> None:
    """Check the placeholders of a text.

    Raises:
        ValueError: One is unknown, or a brace opens none.
    """
    for part in _PART.finditer(text):
        if part[0] == "{":
            raise ValueError("a brace opens a placeholder such as {page}; write {{ for a brace.")
        if part[1] is not None:
            _check(part[1])


def uses(text: str, name: str) -> bool:
    """Return whether a text has a placeholder."""
    return any(part[1] == name for part in _PART.finditer(text))


def expand(text: str, values: Mapping[str, str], number: int) -> str:
    """Return a text with the values of its placeholders.

    Args:
        text: A text that `check_placeholders` accepts.
        values: Value of each placeholder but `n`.
        number: The Bates number, which `{n:06}` fills up with zeros.
    """

    def value(part: re.Match[str]) -> str:
        if part[1] is None:
            return part[0][0]
        digits = _NUMBER.fullmatch(part[1])
        return str(number).zfill(int(digits[1] or 0)) if digits else values[part[1]]

    return _PART.sub(value, text)


def _check(name: str) -> None:
    digits = _NUMBER.fullmatch(name)
    if digits and int(digits[1] or 0) > MAX_DIGITS:
        raise ValueError(f"a number has at most {MAX_DIGITS} digits, got {{{name}}}.")
    if digits or name in NAMES:
        return
    known = similar(name.partition(":")[0], NAMES)
    listed = ", ".join(f"{{{each}}}" for each in NAMES)
    hint = f"did you mean {{{known}}}?" if known else f"known placeholders are {listed}."
    raise ValueError(f"unknown placeholder {{{name}}}; {hint}")
