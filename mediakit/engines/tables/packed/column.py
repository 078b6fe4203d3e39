"""A column whose values are created when they are needed, and which rows of two of them differ."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.model import Column, ColumnType
from mediakit.engines.tables.packed.cells import WORD_BYTES, Arrays, Floats, Integers, Mask, PackedCells
from mediakit.engines.tables.packed.recognition import Recognized


class PackedColumn(Column):
    """A column with packed cells.

    The cells of integers are canonical, and so are dates; datetimes may have a space for their T.
    """

    def __init__(
        self, name: str, kind: ColumnType, packed: PackedCells, arrays: Arrays, *, keeps_cells: bool = False
    ) -> None:
        self.name, self.type = name, kind
        self.packed = packed
        """The cells as the source has them."""
        self.arrays = arrays
        """The values of numbers and booleans, and which values are null."""
        self.keeps_cells = keeps_cells

    @property
    def row_count(self) -> int:
        """Number of values."""
        return len(self.packed)

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]  # created when it is needed
        """A value per row."""
        found = self._values()
        if self.arrays.is_null is not None:
            for place in np.flatnonzero(self.arrays.is_null).tolist():
                found[place] = None
        return found

    @cached_property
    def cells(self) -> list[Any] | None:  # type: ignore[override]
        """The cells as the source has them."""
        if not self.keeps_cells:
            return None
        is_same = self.type in ("date", "text") and self.arrays.is_null is None
        return self.values if is_same else self.packed.texts()

    def part(self, rows: slice) -> "PackedColumn":
        """Return a column of some rows."""
        return PackedColumn(
            self.name, self.type, self.packed.part(rows), self.arrays.part(rows), keeps_cells=self.keeps_cells
        )

    def at(self, rows: Sequence[int]) -> list[Any]:
        """Return the values of these rows, from 0."""
        if "values" in self.__dict__:
            return super().at(rows)
        places = np.array(rows, np.intp)
        return PackedColumn(self.name, self.type, self.packed.part(places), self.arrays.part(places)).values

    def renamed(self, name: str) -> "PackedColumn":
        """Return the column with another name."""
        return PackedColumn(name, self.type, self.packed, self.arrays, keeps_cells=self.keeps_cells)

    def _values(self) -> list[Any]:
        arrays = self.arrays
        if arrays.booleans is not None:
            return list(arrays.booleans.tolist())
        if arrays.floats is not None and arrays.has_point is not None:
            return _numbers(arrays.floats, arrays.has_point, arrays.integers)
        if arrays.integers is not None:
            return list(arrays.integers.tolist())
        texts = self.packed.texts()
        return [text.replace(" ", "T") for text in texts] if self.type == "datetime" else texts


def _numbers(floats: Floats, has_point: Mask, integers: Integers | None) -> list[Any]:
    found = list(floats.tolist())
    if integers is not None:
        places = np.flatnonzero(~has_point)
        for place, value in zip(places.tolist(), integers[places].tolist(), strict=True):
            found[place] = value
    return found


def typed_column(name: str, cells: PackedCells, found: Recognized, *, keeps_cells: bool) -> PackedColumn:
    """Return a column of the type that was found."""
    return PackedColumn(name, found.type, cells, found.arrays, keeps_cells=keeps_cells)


def text_column(name: str, cells: PackedCells, empty: set[str], *, keeps_cells: bool) -> PackedColumn:
    """Return a column of text in which these texts are null, the empty one among them."""
    is_null: Mask = cells.lengths == 0
    for word in empty - {""}:
        is_null |= cells.equal_to(word)
    return PackedColumn(name, "text", cells, Arrays(is_null if is_null.any() else None), keeps_cells=keeps_cells)


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
