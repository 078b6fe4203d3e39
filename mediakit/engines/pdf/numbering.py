"""Page numbers in the styles of page labels (ISO 32000-2, 12.4.2)."""

from typing import Literal

NumberFormat = Literal["1", "i", "I", "a", "A"]

HIGHEST_ROMAN = 3999
MOST_LETTERS = 10
"""Letters of one number; `aaaaaaaaaa` is 235."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def format_number(number: int, style: NumberFormat) -> str:
    """Return a number: decimal, as Roman numerals, or as letters (a to z, then aa to zz, as in page labels).

    A number that the style cannot write is decimal: 0, Roman numerals over 3999, more than ten letters.
    """
    match style:
        case "i" | "I" if 1 <= number <= HIGHEST_ROMAN:
            text = _roman(number)
        case "a" | "A" if 1 <= number <= 26 * MOST_LETTERS:
            text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        case _:
            return str(number)
    return text.upper() if style.isupper() else text


def _roman(number: int) -> str:
    parts = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        parts.append(letters * count)
    return "".join(parts)
