"""One sheet of a workbook, as a table or as its grid of cells."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from mediakit.engines.tables.bounds import check_size
from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.columns.plain import text_of
from mediakit.engines.tables.delimited.header import has_header
from mediakit.engines.tables.delimited.looks import YEAR
from mediakit.engines.tables.model import MAX_CELLS, Facts, Table
from mediakit.engines.tables.naming import numbered_names, unique_names
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.readers.sheet_gaps import Gaps

MAX_BLANK_ROWS = 1000
"""Consecutive blank rows that are kept. Longer gaps, above a lone cell far below, are omitted."""

_ROWS_ABOVE = 100
"""Rows beyond the wanted ones that are read: a title and the header."""

_EXACT = 1e15
"""Whole numbers below are exact in a workbook."""


class Sheet:
    """One sheet of a workbook."""

    def __init__(self, sheet: Any, gaps: Gaps, options: ReadOptions, facts: Facts) -> None:
        self._sheet, self._gaps, self._options, self._facts = sheet, gaps, options, facts

    def grid(self) -> Table:
        """Return the cells from A1 as texts, in columns without names of their own."""
        rows = self._all_rows()
        for (row, place), text in self._gaps.errors.items():
            if row < len(rows) and place < len(rows[row]) and rows[row][place] is None:
                rows[row][place] = text
        rows = rows[: self._options.row_limit()]
        return Table(self._typed(numbered_names(max(map(len, rows), default=0)), rows))

    def table(self) -> Table:
        """Return the cells as a table, the first row of which may be a header."""
        rows = list(islice(self._rows_with_cells(), self._options.row_limit() + _ROWS_ABOVE))
        if not rows:
            return Table([])
        rows = _trimmed(rows)
        above = _rows_above(rows)
        self._facts.skipped_lines += above
        rows = rows[above:]
        is_headed = self._is_headed(rows)
        width = len(rows[0])
        head = ["" if cell is None else text_of(cell) for cell in rows.pop(0)] if is_headed else []
        check_size(len(rows), width, self._options)
        names = unique_names(head) if is_headed else numbered_names(width)
        self._warn()
        return Table(self._typed(names, rows[: self._options.row_limit(width)]))

    def _is_headed(self, rows: list[list[Any]]) -> bool:
        if self._options.header != "auto":
            return self._options.header
        if not all(isinstance(cell, str) or cell is None for cell in rows[0]):
            return _are_year_names(rows)
        return has_header([["" if cell is None else text_of(cell) for cell in row] for row in rows[:500]])

    def _typed(self, names: list[str], rows: list[list[Any]]) -> Any:
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
        return typed_values(names, columns, self._options, self._facts, has_dates=True)

    def _all_rows(self) -> list[list[Any]]:
        """Return the rows from A1 on; an empty cell is None, and a merged range repeats its value where wanted."""
        self._check_area()
        rows = [_values(row) for row in self._sheet.to_python(skip_empty_area=False)]
        if self._options.merged == "fill":
            for start, end in self._sheet.merged_cell_ranges or []:
                _fill(rows, start, end)
        return rows

    def _rows_with_cells(self) -> Iterator[list[Any]]:
        """Iterate over the rows with cells, and the blank rows between them unless they are very many."""
        blank = 0
        is_begun = False
        rows = self._all_rows() if self._options.merged == "fill" else map(_values, self._sheet.iter_rows())
        for row in rows:
            if row.count(None) == len(row):
                blank += is_begun
                continue
            if blank > MAX_BLANK_ROWS:
                self._facts.warn(f"{_counted(blank, 'blank row')} between rows with cells were omitted.")
                blank = 0
            for _ in range(blank):
                yield [None] * len(row)
            blank, is_begun = 0, True
            yield row

    def _check_area(self) -> None:
        """Refuse a sheet whose used area is too large before all of its rows are built."""
        rows, columns = self._sheet.total_height + 1, self._sheet.total_width + 1
        if rows * columns > MAX_CELLS:
            check_size(rows, columns, replace(self._options, max_rows=None))

    def _warn(self) -> None:
        if self._gaps.errors:
            self._facts.warn(f"{_counted(len(self._gaps.errors), 'cell')} with an error such as #N/A: null.")
        if self._gaps.formulas:
            self._facts.warn(f"{_counted(self._gaps.formulas, 'formula')} without a saved value: null.")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _values(row: list[Any]) -> list[Any]:
    """Return the cells of a row; whole numbers are integers, which workbooks do not have."""
    return [int(cell) if type(cell) is float and cell.is_integer() and -_EXACT < cell < _EXACT
            else None if cell == "" else cell for cell in row]  # fmt: skip


def _fill(rows: list[list[Any]], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Repeat the value of a merged range in all of its cells."""
    top, left = start
    if not (0 <= top < len(rows) and 0 <= left < len(rows[top])):
        return
    value = rows[top][left]
    for row in rows[top : end[0] + 1]:
        last = min(end[1] + 1, len(row))
        row[left:last] = [value] * (last - left)


def _trimmed(rows: list[list[Any]]) -> list[list[Any]]:
    """Return the rows without empty columns at the left and the right."""
    right = max((_used(row) for row in rows), default=0)
    left = min((_unused(row) for row in rows), default=0)
    return rows if (left, right) == (0, len(rows[0])) else [row[left:right] for row in rows]


def _unused(row: list[Any]) -> int:
    """Return the number of empty cells at the left of a row."""
    return next((place for place, cell in enumerate(row) if cell is not None), len(row))


def _used(row: list[Any]) -> int:
    return next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)


def _rows_above(rows: list[list[Any]]) -> int:
    """Count the titles and blank rows above the table: rows with one cell above rows with several."""
    filled = [sum(cell is not None for cell in row) for row in rows[:50]]
    usual = sorted(filled)[len(filled) // 2]
    if usual <= 2:  # a narrow table has rows of one cell
        return 0
    return next((place for place, count in enumerate(filled) if count > 1), 0)


def _are_year_names(rows: list[list[Any]]) -> bool:
    """Return whether the first row is texts and years, which name columns."""
    texts = ["" if cell is None else text_of(cell) for cell in rows[0]]
    return (
        isinstance(rows[0][0], str)
        and has_header([texts, *([text_of(c) for c in row] for row in rows[1:100])])
        and all(
            isinstance(cell, str) or YEAR.fullmatch(text) for cell, text in zip(rows[0], texts, strict=True) if text
        )
    )
