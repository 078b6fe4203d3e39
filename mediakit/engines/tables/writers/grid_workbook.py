"""Grids as XLSX: each cell has its own type, and cells may be merged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from mediakit.engines.tables.writers.sheet_cells import EMPTY_CELL, number_cell, text_cell
from mediakit.engines.tables.writers.workbook import MAX_TEXT, letters
from mediakit.engines.tables.writers.workbook_package import MAIN_NAMESPACE, package, sheet_names

Value = str | int | float | Decimal | None


@dataclass(frozen=True)
class Filled:
    """A value in a cell with a background color."""

    value: Value
    fill: Literal["green", "red", "yellow"]

    def __str__(self) -> str:
        return str(self.value or "")


WIDEST, NARROWEST = 60, 8
"""Widths of columns in characters."""


@dataclass(frozen=True)
class Grid:
    """Rows of values, all of the same length."""

    rows: Sequence[Sequence[Value | Filled]]
    header_rows: int = 0
    """Rows at the top that are bold and frozen."""
    merged: Sequence[tuple[int, int, int, int]] = field(default=())
    """First row, first column, last row and last column of merged cells, from 0."""


def grid_workbook(grids: Mapping[str, Grid]) -> bytes:
    """Return an XLSX workbook with a sheet for each grid; texts are never formulas, and cut at the limit of Excel."""
    return package(sheet_names(list(grids)), map(_sheet, grids.values()))


def _sheet(grid: Grid) -> Iterator[str]:
    yield f'<worksheet xmlns="{MAIN_NAMESPACE}"><sheetViews><sheetView workbookViewId="0">'
    if grid.header_rows:
        top = f"A{grid.header_rows + 1}"
        yield f'<pane ySplit="{grid.header_rows}" topLeftCell="{top}" activePane="bottomLeft" state="frozen"/>'
    yield f"</sheetView></sheetViews>{_widths(grid)}<sheetData>"
    for index, row in enumerate(grid.rows):
        style = "bold" if index < grid.header_rows else ""
        yield f"<row>{''.join(_cell(value, style) for value in row)}</row>"
    yield f"</sheetData>{_merges(grid)}</worksheet>"


def _cell(value: Value | Filled, style: str) -> str:
    if isinstance(value, Filled):
        return _cell(value.value, value.fill) if value.value != "" else number_cell(None, value.fill)
    if isinstance(value, str):
        return text_cell(value[:MAX_TEXT], style) if value else EMPTY_CELL
    return number_cell(value, style)


def _widths(grid: Grid) -> str:
    if not grid.rows:
        return ""
    longest = [max(len(str(value or "")) for value in column) for column in zip(*grid.rows, strict=True)]
    widths = [max(NARROWEST, min(WIDEST, length + 2)) for length in longest]
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>' for place, width in enumerate(widths, 1)
    )
    return f"<cols>{columns}</cols>"


def _merges(grid: Grid) -> str:
    if not grid.merged:
        return ""
    areas = "".join(
        f'<mergeCell ref="{letters(left)}{top + 1}:{letters(right)}{bottom + 1}"/>'
        for top, left, bottom, right in grid.merged
    )
    return f'<mergeCells count="{len(grid.merged)}">{areas}</mergeCells>'
