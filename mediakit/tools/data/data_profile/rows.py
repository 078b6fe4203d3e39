"""Rows as a whole: which repeat, which are empty, and which columns identify them."""

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.tools.data.data_profile.column_values import Observed, names_identifier

_SEED = 0x9E3779B97F4A7C15
_FIRST_MULTIPLIER, _SECOND_MULTIPLIER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The constants of SplitMix64, a mixing function that spreads neighboring numbers."""

Hashes = npt.NDArray[np.uint64]


def duplicate_rows(columns: Sequence[Observed]) -> list[int]:
    """Return the places of the rows that are equal to an earlier one in all columns."""
    if not columns:
        return []
    seen: set[tuple[int, ...]] = set()
    found = []
    places = _repeated_hashes(columns, len(columns[0].values))
    for place, row in zip(
        places, zip(*(column.codes[places].tolist() for column in columns), strict=True), strict=True
    ):
        if row in seen:
            found.append(int(place))
        seen.add(row)
    return found


def empty_rows(columns: Sequence[Observed]) -> int:
    """Return the number of rows without any value."""
    if not columns:
        return 0
    is_empty = np.ones(len(columns[0].values), np.bool_)
    for column in columns:
        is_empty &= column.codes < 0
    return int(np.count_nonzero(is_empty))


def repeats(columns: Sequence[Observed], rows: int) -> int:
    """Return how many of the first rows are equal to an earlier one in these columns."""
    places = _repeated_hashes(columns, rows)
    rows_found = list(zip(*(column.codes[places].tolist() for column in columns), strict=True))
    return len(rows_found) - len(set(rows_found))


def _repeated_hashes(columns: Sequence[Observed], rows: int) -> npt.NDArray[np.intp]:
    """Return the places of rows whose hash repeats; only these are compared, so that the result is exact."""
    hashes = np.zeros(rows, np.uint64)
    for place, column in enumerate(columns):
        hashes = _mixed(hashes ^ _mixed(column.codes[:rows].astype(np.int64).view(np.uint64) + np.uint64(place + 1)))
    ordered = np.sort(hashes)
    return np.flatnonzero(np.isin(hashes, np.unique(ordered[1:][ordered[1:] == ordered[:-1]])))


def _mixed(values: Hashes) -> Hashes:
    with np.errstate(over="ignore"):
        values = values + np.uint64(_SEED)
        values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST_MULTIPLIER)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND_MULTIPLIER)
        return values ^ (values >> np.uint64(31))


def sample_rows(columns: Sequence[Observed], count: int) -> list[dict[str, Any]]:
    """Return the first rows by column name."""
    from mediakit.tools.data.data_profile.statistics import plain

    rows = zip(*(column.values[:count] for column in columns), strict=True)
    names = [column.name for column in columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in rows]


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
