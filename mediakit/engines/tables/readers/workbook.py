"""Workbooks: XLSX, XLSM, XLSB, XLS and ODS."""

import io
from collections.abc import Sequence
from typing import Any

from mediakit.engines.tables.bounds import check_size
from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.columns.plain import text_of
from mediakit.engines.tables.delimited.header import has_header
from mediakit.engines.tables.model import MAX_CELLS, Document, Facts, Table
from mediakit.engines.tables.naming import numbered_names, unique_names
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.readers.archive import check_archive
from mediakit.engines.tables.readers.protection import is_protected
from mediakit.engines.tables.readers.sheet_gaps import Gaps, gaps_of
from mediakit.errors import InvalidInput

_ALL_SHEETS = "*"


def read_workbook(content: bytes, options: ReadOptions, facts: Facts) -> Document:
    """Return the table of one sheet, or of every visible sheet where the option is `*`.

    Raises:
        InvalidInput: The workbook is protected or damaged, there is no such sheet, or it is too large.
    """
    if content.startswith(b"PK"):
        check_archive(content, options.field)
    book = _Book(_opened(content, options.field), options.field)
    facts.sheets = book.names
    names = _chosen(book, options)
    is_grid = options.header is False and options.types == "text" and len(names) == 1
    tables = {}
    for name in names:
        cells = _Sheet(book.sheet(name), gaps_of(content, name), options, facts)
        tables[name] = cells.grid() if is_grid else cells.table()
    facts.sheet = names[0] if len(names) == 1 else None
    _note_hidden(book, names, options, facts)
    return Document(facts, tables, is_grid=is_grid)


def _opened(content: bytes, field: str) -> Any:
    import python_calamine

    if is_protected(content):
        raise InvalidInput(f"{field}: this workbook is protected with a password.")
    try:
        return python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    except python_calamine.PasswordError:
        raise InvalidInput(f"{field}: this workbook is protected with a password.") from None
    except Exception as error:  # a damaged file raises nearly anything
        raise InvalidInput(f"{field}: is a damaged workbook: {str(error)[:120]}.") from error


def _chosen(book: "_Book", options: ReadOptions) -> list[str]:
    """Return the names of the sheets to read."""
    sheets = book.worksheets
    if options.sheet == _ALL_SHEETS:
        return book.visible
    if options.sheet is None:
        usual = (book.visible or sheets or [""])[0]
        return [next((name for name in book.visible if book.sheet(name).height), usual)]
    if options.sheet in sheets:
        return [options.sheet]
    if options.sheet.isdecimal() and 1 <= int(options.sheet) <= len(sheets):
        return [sheets[int(options.sheet) - 1]]
    known = ", ".join(f'"{name}"' for name in sheets[:20])
    raise InvalidInput(f'sheet: "{options.sheet[:80]}" is not there; there are {known}.')


class _Book:
    """An opened workbook, each sheet of which is parsed once."""

    def __init__(self, workbook: Any, field: str) -> None:
        self._workbook, self._field = workbook, field
        self._loaded: dict[str, Any] = {}
        self.names = list(workbook.sheet_names)
        kinds = {meta.name: str(meta.typ) for meta in workbook.sheets_metadata}
        worksheets = [name for name in self.names if kinds.get(name, "").endswith("WorkSheet")]
        self.worksheets = worksheets or self.names
        """Sheets that have cells, which charts and macros have not."""
        self.visible = [
            meta.name
            for meta in workbook.sheets_metadata
            if meta.name in self.worksheets and str(meta.visible).endswith(".Visible")
        ]

    def sheet(self, name: str) -> Any:
        """Return a parsed sheet."""
        if name not in self._loaded:
            try:
                self._loaded[name] = self._workbook.get_sheet_by_name(name)
            except Exception as error:  # a damaged file raises nearly anything
                raise InvalidInput(
                    f'{self._field}: the sheet "{name[:80]}" cannot be read: {str(error)[:120]}.'
                ) from error
        return self._loaded[name]


def _note_hidden(book: _Book, read: Sequence[str], options: ReadOptions, facts: Facts) -> None:
    hidden = [name for name in book.worksheets if name not in book.visible and name not in read]
    if hidden:
        shown = ", ".join(f'"{name}"' for name in hidden[:10])
        facts.warn(f"Hidden sheets were not read: {shown}.")
    if options.sheet is None and len(book.visible) > 1:
        facts.warn(f'Only the sheet "{read[0]}" was read; set sheet to read another one.')


class _Sheet:
    """One sheet of a workbook."""

    def __init__(self, sheet: Any, gaps: Gaps, options: ReadOptions, facts: Facts) -> None:
        self._sheet, self._gaps, self._options, self._facts = sheet, gaps, options, facts
        self._check_area()

    def grid(self) -> Table:
        """Return the cells from A1 as texts, in columns without names of their own."""
        rows = self._filled(skip_empty_area=False)
        for (row, place), text in self._gaps.errors.items():
            if row < len(rows) and place < len(rows[row]) and rows[row][place] is None:
                rows[row][place] = text
        rows = rows[: self._options.row_limit()]
        return Table(self._typed(numbered_names(max(map(len, rows), default=0)), rows))

    def table(self) -> Table:
        """Return the cells as a table, the first row of which may be a header."""
        rows = [row for row in self._filled(skip_empty_area=True) if row]
        rows = _trimmed(rows)
        if not rows:
            return Table([])
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

    def _filled(self, *, skip_empty_area: bool) -> list[list[Any]]:
        """Return the rows of values; an empty cell is None, and a merged range repeats its value where wanted."""
        rows = [[_value(cell) for cell in row] for row in self._sheet.to_python(skip_empty_area=skip_empty_area)]
        if self._options.merged == "fill":
            top, left = (0, 0) if not skip_empty_area or self._sheet.start is None else self._sheet.start
            for start, end in self._sheet.merged_cell_ranges or []:
                _fill(rows, (start[0] - top, start[1] - left), (end[0] - top, end[1] - left))
        return rows

    def _check_area(self) -> None:
        """Refuse a sheet whose used area is too large before its rows are built."""
        rows, columns = self._sheet.total_height + 1, self._sheet.total_width + 1
        if self._options.max_rows is None and rows * columns > MAX_CELLS:
            check_size(rows, columns, self._options)

    def _warn(self) -> None:
        if self._gaps.errors:
            self._facts.warn(f"{_counted(len(self._gaps.errors), 'cell')} with an error such as #N/A: null.")
        if self._gaps.formulas:
            self._facts.warn(f"{_counted(self._gaps.formulas, 'formula')} without a saved value: null.")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _value(cell: Any) -> Any:
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:  # exact up to here
        return int(cell)
    return None if cell == "" else cell


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
    """Return the rows without empty ones at the end and empty columns at the right."""
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    width = max((_used(row) for row in rows), default=0)
    return [row[:width] for row in rows]


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
    from mediakit.engines.tables.delimited.looks import YEAR

    texts = ["" if cell is None else text_of(cell) for cell in rows[0]]
    return (
        isinstance(rows[0][0], str)
        and has_header([texts, *([text_of(c) for c in row] for row in rows[1:100])])
        and all(
            isinstance(cell, str) or YEAR.fullmatch(text) for cell, text in zip(rows[0], texts, strict=True) if text
        )
    )
