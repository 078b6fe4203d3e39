"""Which rows of two packed columns have different values."""

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.packed.arrays import Arrays, Floats
from mediakit.engines.tables.packed.cells import WORD_BYTES, Mask
from mediakit.engines.tables.packed.column import PackedColumn

_EXACT = 2**53
"""Integers below are exact as floats."""

_NUMBERS = ("integer", "number")
_SEPARATOR_WORD, _SEPARATOR_BYTE = divmod(len("2024-05-31"), WORD_BYTES)
"""The place of the T or space in a datetime."""

Places = npt.NDArray[np.intp]


def differences(first: PackedColumn, second: PackedColumn, places: Places, places2: Places) -> list[int] | None:
    """Return the indexes of the pairs of places whose values differ; None where only the values themselves show it."""
    rows, rows2 = first.arrays.part(places), second.arrays.part(places2)
    kinds = {first.type, second.type}
    if kinds <= set(_NUMBERS):
        differ = _differing_numbers(rows, rows2)
    elif len(kinds) > 1:
        return None
    elif rows.booleans is not None and rows2.booleans is not None:
        differ = rows.booleans != rows2.booleans
    else:
        differ = _differing_cells(first, second, places, places2)
    if differ is None:
        return None
    null, null2 = (np.zeros(len(differ), np.bool_) if one.is_null is None else one.is_null for one in (rows, rows2))
    return list(np.flatnonzero(np.where(null | null2, null != null2, differ)).tolist())


def _differing_numbers(rows: Arrays, rows2: Arrays) -> Mask | None:
    if rows.floats is None and rows2.floats is None:
        return np.asarray(rows.integers != rows2.integers)
    floats, floats2 = _floats(rows), _floats(rows2)
    return None if floats is None or floats2 is None else floats != floats2


def _floats(rows: Arrays) -> Floats | None:
    """Return numbers as floats; None where a float is not exactly an integer."""
    if rows.integers is None:
        return rows.floats
    if rows.floats is None:
        return rows.integers.astype(np.float64) if _are_exact(rows.integers) else None
    is_exact = rows.has_point is None or _are_exact(rows.integers[~rows.has_point])
    return rows.floats if is_exact else None


def _are_exact(integers: npt.NDArray[np.int64]) -> bool:
    return bool((np.abs(integers) < _EXACT).all())


def _differing_cells(first: PackedColumn, second: PackedColumn, places: Places, places2: Places) -> Mask | None:
    """Compare texts, dates or datetimes by their bytes."""
    if first.packed.has_doubled_quotes or second.packed.has_doubled_quotes:
        return None
    width = max(first.packed.width, second.packed.width)
    differ: Mask = np.zeros(len(places), np.bool_)
    step = max(1, _PART_BYTES // max(1, width))
    for start in range(0, len(places), step):
        part = slice(start, start + step)
        words, words2 = first.packed.part(places[part]).words(width), second.packed.part(places2[part]).words(width)
        if first.type == "datetime":
            for one in (words, words2):
                one.view(np.uint8)[:, _SEPARATOR_WORD * WORD_BYTES + _SEPARATOR_BYTE] = 0
        differ[part] = (words != words2).any(axis=1)
    return differ


_PART_BYTES = 8_000_000
"""Bytes of cells that are compared at once."""
