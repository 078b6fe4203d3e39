"""The smallest sets of columns that identify a row."""

from collections.abc import Sequence
from itertools import combinations
from math import prod

from mediakit.tools.data.data_profile.names import names_identifier
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.rows import repeats

MAX_COLUMNS = 3
"""Columns of a key."""

MAX_CANDIDATES = 20
_MOST_COMBINED = 24
"""Columns that are combined: those with the most distinct values."""

_FIRST_ROWS = 2000
"""Rows by which most sets are ruled out."""


def key_candidates(columns: Sequence[Observed], duplicates: int) -> list[list[str]]:
    """Return the names of the smallest sets of columns without nulls in which no two rows are equal.

    Args:
        columns: The columns.
        duplicates: The number of rows that repeat; with any of them there is no key.
    """
    rows = len(columns[0].values) if columns else 0
    full = [column for column in columns if column.count == rows]
    if not rows or duplicates:
        return []
    single = [[column] for column in full if column.is_unique]
    single.sort(key=lambda found: (not names_identifier(found[0].words), found[0].type == "number"))
    return _names(single or _combined(full, rows))


def _combined(full: Sequence[Observed], rows: int) -> list[list[Observed]]:
    varied = sorted(full, key=lambda column: -len(column.distinct))[:_MOST_COMBINED]
    pool = [column for column in full if column in varied and len(column.distinct) > 1]
    for size in range(2, MAX_COLUMNS + 1):
        found = [list(some) for some in combinations(pool, size) if _is_key(some, rows)]
        if found:
            return found
    return []


def _is_key(columns: Sequence[Observed], rows: int) -> bool:
    if prod(len(column.distinct) for column in columns) < rows:
        return False
    return not repeats(columns, min(rows, _FIRST_ROWS)) and not repeats(columns, rows)


def _names(found: Sequence[Sequence[Observed]]) -> list[list[str]]:
    return [[column.name for column in columns] for columns in found[:MAX_CANDIDATES]]
