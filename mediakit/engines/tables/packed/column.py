"""A column whose values are created when they are needed."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mediakit.engines.tables.model import Column, ColumnType
from mediakit.engines.tables.packed.arrays import Arrays, Floats, Integers
from mediakit.engines.tables.packed.cells import Mask, PackedCells
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
