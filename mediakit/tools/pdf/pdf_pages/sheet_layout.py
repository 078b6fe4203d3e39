"""The layout of sheets: rows and columns, and where each page lies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pikepdf

from mediakit.engines.pdf.geometry import Placement, seen_size, user_unit, visible_box

GRIDS: Mapping[int, tuple[int, int]] = {2: (2, 1), 4: (2, 2), 6: (3, 2), 9: (3, 3), 16: (4, 4)}
"""Columns and rows, or rows and columns, by the number of pages on a sheet."""

Size = tuple[float, float]


@dataclass(frozen=True)
class SheetLayout:
    """A sheet of cells, filled from left to right and from top to bottom."""

    width: float
    """Points."""
    height: float
    columns: int
    rows: int

    def place(self, page: pikepdf.Page, cell: int) -> Placement:
        """Return how a page moves into a cell, as large as fits and centered."""
        across, down = self.width / self.columns, self.height / self.rows
        scale = _scale(seen_size(page), (across, down))
        turned = Placement(scale * user_unit(page.obj), 0, 0, page.rotation // 90 * 90 % 360)
        left, bottom, right, top = turned.box(visible_box(page))
        row, column = divmod(cell, self.columns)
        return Placement(
            turned.scale,
            (column + 0.5) * across - (left + right) / 2,
            self.height - (row + 0.5) * down - (bottom + top) / 2,
            turned.turn,
        )

    def area(self, sizes: Sequence[Size]) -> float:
        """Return the area that pages of these sizes cover."""
        cell = self.width / self.columns, self.height / self.rows
        return sum((_scale(size, cell) ** 2) * size[0] * size[1] for size in sizes)


def best_layout(count: int, sheet: Size, sizes: Sequence[Size]) -> SheetLayout:
    """Return the layout in which pages are largest; the sheet is turned only if that makes them larger.

    Args:
        count: Pages on a sheet.
        sheet: Width and height of the sheet in points.
        sizes: Width and height of each page.
    """
    return max(_layouts(count, sheet), key=lambda layout: round(layout.area(sizes)))


def _layouts(count: int, sheet: Size) -> Iterator[SheetLayout]:
    many, few = GRIDS[count]
    for width, height in (sheet, sheet[::-1]):
        for columns, rows in ((many, few), (few, many)):
            yield SheetLayout(width, height, columns, rows)


def _scale(size: Size, cell: Size) -> float:
    return min(cell[0] / size[0], cell[1] / size[1])
