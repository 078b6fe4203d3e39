"""GS1 element strings: application identifiers and their values (GS1 General Specifications, chapter 3)."""

import re
from collections.abc import Iterator

SEPARATOR = "\x1d"

FIXED_LENGTHS = {
    "00": 18, "01": 14, "02": 14, "03": 14, "04": 16, "11": 6, "12": 6, "13": 6, "14": 6, "15": 6, "16": 6, "17": 6,
    "18": 6, "19": 6, "20": 2, "41": 13,
    **{str(prefix): 6 for prefix in range(31, 37)},
}  # fmt: skip
"""Length of values that need no separator, by the first two digits of the identifier (figure 7.8.5-2)."""

FOUR_DIGIT_PREFIXES = ("31", "32", "33", "34", "35", "36", "39", "43", "70", "72", "80", "81", "82")
THREE_DIGIT_PREFIXES = ("23", "24", "25", "40", "41", "42", "71")
"""First two digits of identifiers with four and with three digits; all others have two."""

TITLES = {
    "00": "SSCC", "01": "GTIN", "02": "CONTENT", "10": "BATCH/LOT", "11": "PROD DATE", "12": "DUE DATE",
    "13": "PACK DATE", "15": "BEST BEFORE", "16": "SELL BY", "17": "USE BY", "20": "VARIANT", "21": "SERIAL",
    "22": "CPV", "30": "VAR. COUNT", "37": "COUNT", "240": "ADDITIONAL ID", "241": "CUST. PART No.",
    "250": "SECONDARY SERIAL", "400": "ORDER NUMBER", "401": "GINC", "402": "GSIN", "403": "ROUTE",
    "410": "SHIP TO LOC", "414": "LOC No.", "415": "PAY TO", "420": "SHIP TO POST", "421": "SHIP TO POST",
    "422": "ORIGIN", "8003": "GRAI", "8004": "GIAI", "8005": "PRICE PER UNIT", "8008": "PROD TIME", "8018": "GSRN",
    "8020": "REF No.", "8200": "PRODUCT URL",
}  # fmt: skip
"""Data titles by application identifier, as printed beside codes."""

_DIGITS = re.compile(r"\d+", re.ASCII)


def parse(text: str) -> list[dict[str, str | None]] | None:
    """Return the application identifiers, titles and values of an element string; None if the text is not valid.

    Args:
        text: Encoded text, without parentheses; U+001D ends a value of variable length.
    """
    try:
        return [{"ai": ai, "title": _title(ai), "value": value} for ai, value in _parse(text)]
    except ValueError:
        return None


def _parse(text: str) -> Iterator[tuple[str, str]]:
    rest = text.removeprefix(SEPARATOR)
    while rest:
        ai = rest[: _identifier_length(rest[:2])]
        if not _DIGITS.fullmatch(ai):
            raise ValueError(ai)
        rest = rest[len(ai) :]
        length = FIXED_LENGTHS.get(ai[:2])
        value, _, after = rest.partition(SEPARATOR)
        if length is not None:
            value, after = rest[:length], rest[length:].removeprefix(SEPARATOR)
        if not value or (length is not None and len(value) < length):
            raise ValueError(ai)
        yield ai, value
        rest = after


def _identifier_length(start: str) -> int:
    if start in FOUR_DIGIT_PREFIXES:
        return 4
    return 3 if start in THREE_DIGIT_PREFIXES else 2


def _title(ai: str) -> str | None:
    if ai[:2] in FOUR_DIGIT_PREFIXES and ai[:3] in ("310", "320"):
        return "NET WEIGHT (kg)" if ai[:3] == "310" else "NET WEIGHT (lb)"
    return TITLES.get(ai)
