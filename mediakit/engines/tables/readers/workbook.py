"""Workbooks: XLSX, XLSM, XLSB, XLS and ODS."""

import io
from collections.abc import Sequence
from typing import Any

from mediakit.engines.archives.container import check_archive, check_unpacked_sizes
from mediakit.engines.tables.model import Document, Facts
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.readers.protection import is_protected
from mediakit.engines.tables.readers.sheet import Sheet
from mediakit.engines.tables.readers.sheet_gaps import gaps_of
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
        cells = Sheet(book.sheet(name), gaps_of(content, name), options, facts)
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
        if content.startswith(b"PK"):
            check_unpacked_sizes(content, field)
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
