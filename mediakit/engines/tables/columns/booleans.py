"""Booleans as words, in the languages that spreadsheets write them in."""

from mediakit.engines.tables.columns.cells import Cells

_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("sí", "no"),
    ("si", "no"),
    ("oui", "non"),
    ("ja", "nein"),
)
WORDS = frozenset(word for pair in _PAIRS for word in pair)
_MOST_SPELLINGS = 12
"""Distinct cells of a column of booleans: each of two words in a few forms of capitals."""


def parse(cells: Cells) -> dict[str, bool] | None:
    """Return the value of each cell; None where the cells are not the two words of a pair.

    `true` or `false` may stand alone; the other words need their counterpart, for `no` is also a country.
    """
    if len(cells.trimmed) > _MOST_SPELLINGS:
        return None
    words = {text.casefold() for text in cells.contents}
    for yes, no in _PAIRS:
        if words == {yes, no} or (yes == "true" and words and words <= {yes, no}):
            return {cell: text.casefold() == yes for cell, text in cells.trimmed.items()}
    return None


def parse_any(text: str) -> bool | None:
    """Return the value of one cell of a column that is declared to be boolean."""
    word = text.strip().casefold()
    if word == "1" or any(word == yes for yes, _ in _PAIRS):
        return True
    return False if word == "0" or any(word == no for _, no in _PAIRS) else None
