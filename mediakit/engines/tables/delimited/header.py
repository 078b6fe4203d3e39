"""Decides whether the first row of a table names its columns."""

from collections.abc import Sequence

from mediakit.engines.tables.columns.cells import NULL_WORDS
from mediakit.engines.tables.delimited.looks import YEAR, looks_typed

_ROWS_LOOKED_AT = 500


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns.

    Each column whose other cells look typed votes: its first cell is a name or one more value. Without such a column
    the first row is a header unless a column has its first cell again further down.
    """
    first, body = rows[0], rows[1:_ROWS_LOOKED_AT]
    if not body:
        return not any(looks_typed(cell) for cell in first)
    votes = [_vote(cell, _below(body, place)) for place, cell in enumerate(first)]
    if any(votes):
        return sum(votes) > 0 or _are_years(first, body)
    return not any(cell and cell in _below(body, place) for place, cell in enumerate(first))


def _below(body: Sequence[Sequence[str]], place: int) -> list[str]:
    cells = (row[place].strip() for row in body if place < len(row))
    return [cell for cell in cells if cell and cell not in NULL_WORDS]


def _vote(cell: str, below: list[str]) -> int:
    """Return 1 for a name above values, -1 for a value above values, 0 where neither can be said."""
    if not below or not cell.strip() or not all(map(looks_typed, below)):
        return 0
    return -1 if looks_typed(cell) or cell.strip() in NULL_WORDS else 1


def _are_years(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether the typed cells of the first row are different years, above values that are not."""
    years = {place: cell for place, cell in enumerate(first) if YEAR.fullmatch(cell.strip())}
    if not years or len(set(years.values())) < len(years) or _has_other_values(first, set(years)):
        return False
    return not all(YEAR.fullmatch(cell) for place in years for cell in _below(body, place))


def _has_other_values(first: Sequence[str], years: set[int]) -> bool:
    return any(looks_typed(cell) for place, cell in enumerate(first) if place not in years and cell.strip())
