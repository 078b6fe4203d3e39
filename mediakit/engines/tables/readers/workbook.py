"""Workbooks: XLSX, XLSM, XLSB, XLS and ODS."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from mediakit.core.messages import counted
from mediakit.engines.archives.container import check_archive, check_unpacked_sizes
from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.layout import has_header, rows_above
from mediakit.engines.tables.model import (
    MAX_CELLS,
    Document,
    Facts,
    ReadOptions,
    Table,
    check_size,
    numbered_names,
    unique_names,
)
from mediakit.engines.tables.readers.sheet_xml import SheetXml, read_sheet_xml, without_new_errors
from mediakit.errors import InvalidInput

MAX_BLANK_ROWS = 1000
"""Consecutive blank rows that are kept. Longer gaps, above a lone cell far below, are omitted."""

_ALL_SHEETS = "*"
_ROWS_ABOVE = 200
"""Rows beyond the wanted ones that are read: what is above the table, and the header."""

_EXACT = 1e15
"""Whole numbers below are exact in a workbook."""

_ISO_DURATION = re.compile(r"(-?)PT(\d{1,7})H(\d{1,7})M(\d{1,7}(?:\.\d+)?)S")
"""A duration of 24 hours and more, or below zero, in ODS."""

_ERROR_TEXT = re.compile(r"#(?:N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)|Err:\d{3}")
"""An error in a cell of XLS, XLSB and ODS."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKAGE = "EncryptedPackage".encode("utf-16-le")
"""Name of the stream that holds an encrypted XLSX or XLSB."""

_FILE_PASS = re.compile(
    rb"\x09\x08[\x08\x10]\x00\x00[\x05\x06].{6,14}?(?:\x86\x00\x00\x00)?\x2f\x00[\x04-\xff][\x00-\x02]", re.DOTALL
)
"""The record that follows the beginning of an encrypted XLS."""

_MANIFEST = "META-INF/manifest.xml"


def read_workbook(content: bytes, options: ReadOptions, facts: Facts) -> Document:
    """Return the table of one sheet, or of every visible sheet where the option is `*`.

    Raises:
        InvalidInput: The workbook is protected or damaged, there is no such sheet, or it is too large.
    """
    if content.startswith(b"PK"):
        check_archive(content, options.field)
    try:
        return _read(content, content, options, facts)
    except _NewErrorError:  # calamine does not know the errors of newer versions of Excel
        return _read(without_new_errors(content), content, options, Facts(facts.input_format))


def _read(content: bytes, original: bytes, options: ReadOptions, facts: Facts) -> Document:
    book = _Book(_opened(content, options.field), options.field)
    facts.sheets = book.names
    names = _chosen(book, options)
    is_grid = options.header is False and options.types == "text" and len(names) == 1 and options.skip is None
    tables = {}
    for name in names:
        cells = _Sheet(book.sheet(name), read_sheet_xml(original, name), options, facts)
        tables[name] = cells.grid() if is_grid else cells.table()
    facts.sheet = names[0] if len(names) == 1 else None
    hidden = [name for name in book.worksheets if name not in book.visible and name not in names]
    if hidden:
        shown = ", ".join(f'"{name}"' for name in hidden[:10])
        facts.warn(f"Hidden sheets were not read: {shown}.")
    if options.sheet is None and len(book.visible) > 1:
        facts.warn(f'Only the sheet "{names[0]}" was read; set sheet to read another one.')
    return Document(facts, tables, is_grid=is_grid)


def _opened(content: bytes, field: str) -> Any:
    import python_calamine

    if is_protected(content):
        raise InvalidInput(f"{field}: this workbook is protected with a password.")
    try:
        return python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    except python_calamine.PasswordError:
        raise InvalidInput(f"{field}: this workbook is protected with a password.") from None
    except BaseException as error:  # a damaged file raises nearly anything, also pyo3's PanicException
        _raise_unless_damage(error)
        if content.startswith(b"PK"):
            check_unpacked_sizes(content, field)
        raise InvalidInput(f"{field}: is a damaged workbook: {_first_line(error)}.") from error


class _NewErrorError(Exception):
    """A cell has an error that the reader does not know."""


def _raise_unless_damage(error: BaseException) -> None:
    """Raise what is not about the file: the end of the process, and a lack of memory."""
    if isinstance(error, MemoryError) or not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):
        raise error


def _first_line(error: BaseException) -> str:
    return str(error)[:120] if isinstance(error, Exception) else "its records do not fit together"


def is_protected(content: bytes) -> bool:
    """Return whether a workbook is encrypted."""
    if content.startswith(_OLE):
        return _PACKAGE in content or _FILE_PASS.search(content) is not None
    if not content.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            manifest = archive.read(_MANIFEST) if _MANIFEST in archive.namelist() else b""
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError):
        return False
    return b"encryption-data" in manifest


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
            except BaseException as error:  # a damaged file raises nearly anything, also pyo3's PanicException
                _raise_unless_damage(error)
                if "Unsupported cell error" in str(error):
                    raise _NewErrorError from error
                raise InvalidInput(
                    f'{self._field}: the sheet "{name[:80]}" cannot be read: {_first_line(error)}.'
                ) from error
        return self._loaded[name]


class _Sheet:
    """One sheet of a workbook."""

    def __init__(self, sheet: Any, xml: SheetXml, options: ReadOptions, facts: Facts) -> None:
        self._sheet, self._xml, self._options, self._facts = sheet, xml, options, facts
        self._errors = 0

    def grid(self) -> Table:
        """Return the cells from A1 as texts, in columns without names of their own."""
        rows = self._all_rows()
        for (row, place), text in self._xml.errors.items():
            if row < len(rows) and place < len(rows[row]) and rows[row][place] is None:
                rows[row][place] = text
        rows = rows[: self._options.row_limit()]
        return Table(self._typed(numbered_names(max(map(len, rows), default=0)), rows))

    def table(self) -> Table:
        """Return the cells as a table, the first row of which may be a header."""
        rows = list(islice(self._rows_with_cells(), self._options.row_limit() + _ROWS_ABOVE))
        if not rows:
            if self._options.skip and self._sheet.height:
                raise InvalidInput(f"skip: must be less than the number of rows, got {self._options.skip:,}.")
            return Table([])
        used = [any(row[place] is not None for row in rows) for place in range(len(rows[0]))]
        left, right = used.index(True), len(used) - used[::-1].index(True)
        rows = rows if (left, right) == (0, len(used)) else [row[left:right] for row in rows]
        rows = rows[rows_above(rows, self._options, self._facts) :]
        is_headed = has_header(rows) if self._options.header == "auto" else self._options.header
        width = len(rows[0])
        head = ["" if cell is None else text_of(cell) for cell in rows.pop(0)] if is_headed else []
        check_size(len(rows), width, self._options)
        names = unique_names(head) if is_headed else numbered_names(width)
        if count := len(self._xml.errors) + self._errors:
            self._facts.warn(f"{counted(count, 'cell')} with an error such as #N/A: null.")
        if self._xml.formulas:
            self._facts.warn(f"{counted(self._xml.formulas, 'formula')} without a saved value: null.")
        return Table(self._typed(names, rows[: self._options.row_limit(width)]))

    def _typed(self, names: list[str], rows: list[list[Any]]) -> Any:
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
        for name, values in () if self._xml.is_searched else zip(names, columns, strict=True):
            midnights = [place for place, each in enumerate(values) if type(each) is dt.time and each == dt.time()]
            if midnights and any(isinstance(each, dt.date) for each in values):  # days before 1900 in XLS and XLSB
                self._facts.warn(f'Column "{name}": {counted(len(midnights), "cell")} with a date before 1900: null.')
                for place in midnights:
                    values[place] = None
        return typed_values(names, columns, self._options, self._facts, has_dates=True)

    def _all_rows(self) -> list[list[Any]]:
        """Return the rows from A1 on; an empty cell is None, and a merged range repeats its value where wanted."""
        area = self._sheet.total_height + 1, self._sheet.total_width + 1
        if area[0] * area[1] > MAX_CELLS:  # before all rows are built
            check_size(*area, replace(self._options, max_rows=None))
        rows = list(self._values(self._sheet.to_python(skip_empty_area=False)))
        ranges = self._sheet.merged_cell_ranges if self._options.merged == "fill" else None
        for (top, left), (bottom, right) in ranges or ():
            if 0 <= top < len(rows) and 0 <= left < len(rows[top]):
                value = rows[top][left]
                for row in rows[top : bottom + 1]:
                    last = min(right + 1, len(row))
                    row[left:last] = [value] * (last - left)
        return rows

    def _rows_with_cells(self) -> Iterator[list[Any]]:
        """Iterate over the rows with cells, and the blank rows between them unless they are very many."""
        blank = 0
        is_begun = False
        rows = self._all_rows() if self._options.merged == "fill" else self._values(self._sheet.iter_rows())
        skip = self._options.skip or 0
        self._facts.skipped_lines += skip
        for row in islice(rows, skip, None):
            if row.count(None) == len(row):
                blank += is_begun
                continue
            if blank > MAX_BLANK_ROWS:
                self._facts.warn(f"{counted(blank, 'blank row')} between rows with cells were omitted.")
                blank = 0
            for _ in range(blank):
                yield [None] * len(row)
            blank, is_begun = 0, True
            yield row

    def _values(self, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the values of the rows, the first of which is the first row of the sheet. An empty cell is None.

        Whole numbers are integers, which workbooks do not have, and errors are empty.
        """
        shown: dict[int, dict[int, Any]] = {}
        for at, value in self._xml.shown.items():
            shown.setdefault(at[0], {})[at[1]] = value
        for place, row in enumerate(rows):
            values: list[Any] = [
                int(cell)
                if type(cell) is float and cell.is_integer() and -_EXACT < cell < _EXACT
                else None if cell == "" else cell
                for cell in row
            ]  # fmt: skip
            for column, moment_or_text in shown.get(place, {}).items():
                values[column] = moment_or_text
            yield values if self._xml.is_searched else list(map(self._special, values))

    def _special(self, cell: Any) -> Any:
        """Return what a text stands for that calamine returns in place of an error or a duration of XLS and ODS."""
        if type(cell) is not str or cell[0] not in "#EP-":
            return cell
        if _ERROR_TEXT.fullmatch(cell):
            self._errors += 1
            return None
        match = _ISO_DURATION.fullmatch(cell)
        if not match:
            return cell
        seconds = int(match[2]) * 3600 + int(match[3]) * 60 + float(match[4])
        return dt.timedelta(seconds=-seconds if match[1] else seconds)
