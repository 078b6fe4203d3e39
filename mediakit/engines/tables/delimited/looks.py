"""What a single cell looks like, for the guesses that are made before the types of columns are known."""

import re

_LOOKS = re.compile(
    r"""\s*(?:
      [-+\u2212]?(?:\d+(?:[.,'\u00a0\u202f]\d+)*(?:[eE][-+]?\d+)?|[.,]\d+)\ ?%?   # numbers, grouped or not
    | \d{4}[-/]\d\d?[-/]\d\d?(?:[T ,]+\d\d?:\d\d.*)?                              # dates, year first
    | \d\d?([./-])\d\d?\1\d{2,4}(?:[T ,]+\d\d?:\d\d.*)?                           # dates, year last
    | \d\d?[- ][A-Za-z]{3,9}[- ,.]+\d{4}                                          # dates with the month's name
    | \d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\ ?[AaPp][Mm])?                          # times
    | (?i:true|false|yes|no|oui|non|ja|nein|s\u00ed)                              # booleans
    | [$\u20ac\u00a3]\ ?\d[\d.,]*|\d[\d.,]*\ ?[$\u20ac\u00a3]                     # money
    )\s*""",
    re.VERBOSE,
)
YEAR = re.compile(r"(?:19|20)\d\d")


def looks_typed(cell: str) -> bool:
    """Return whether a cell looks like a number, a moment or a boolean rather than a name or a text."""
    return _LOOKS.fullmatch(cell) is not None
