"""Rows as a whole: which repeat, which are empty."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.tools.data.data_profile.observed import Observed

_SEED = 0x9E3779B97F4A7C15
_FIRST_MULTIPLIER, _SECOND_MULTIPLIER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The constants of SplitMix64, a mixing function that spreads neighboring numbers."""

Hashes = npt.NDArray[np.uint64]


def duplicate_rows(columns: Sequence[Observed]) -> int:
    """Return the number of rows that are equal to an earlier one in all columns."""
    return repeats(columns, len(columns[0].values)) if columns else 0


def empty_rows(columns: Sequence[Observed]) -> int:
    """Return the number of rows without any value."""
    if not columns:
        return 0
    is_empty = np.ones(len(columns[0].values), np.bool_)
    for column in columns:
        is_empty &= column.codes < 0
    return int(np.count_nonzero(is_empty))


def repeats(columns: Sequence[Observed], rows: int) -> int:
    """Return how many of the first rows are equal to an earlier one in these columns.

    Rows are compared by a hash; those whose hash repeats are compared themselves, so that the number is exact.
    """
    hashes = np.zeros(rows, np.uint64)
    for place, column in enumerate(columns):
        hashes = _mixed(hashes ^ _mixed(column.codes[:rows].astype(np.int64).view(np.uint64) + np.uint64(place + 1)))
    ordered = np.sort(hashes)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(repeated):
        return 0
    places = np.flatnonzero(np.isin(hashes, repeated))
    rows_found = list(zip(*(column.codes[places].tolist() for column in columns), strict=True))
    return len(rows_found) - len(set(rows_found))


def _mixed(values: Hashes) -> Hashes:
    with np.errstate(over="ignore"):
        values = values + np.uint64(_SEED)
        values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST_MULTIPLIER)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND_MULTIPLIER)
        return values ^ (values >> np.uint64(31))


def sample_rows(columns: Sequence[Observed], count: int) -> list[dict[str, Any]]:
    """Return the first rows by column name."""
    from mediakit.tools.data.data_profile.numbers import plain

    rows = zip(*(column.values[:count] for column in columns), strict=True)
    names = [column.name for column in columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in rows]
