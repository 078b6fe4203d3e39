"""Workbooks in binary formats (XLS, XLSB), whose cells calamine reads."""

import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import python_calamine

from mediakit.engines.archives.container import check_archive
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers import ENCRYPTED
from mediakit.tools.documents.document_to_markdown.readers.grids import Grid
from mediakit.tools.documents.document_to_markdown.readers.sheet_blocks import SheetBlocks, SheetName, chosen_sheets
from mediakit.tools.documents.document_to_markdown.readers.workbook.cell_values import duration_text, time_text

_EXACT = 1e15


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a workbook.

    Raises:
        InvalidInput: It is encrypted or damaged, or has no sheet of a name.
    """
    if content.startswith(b"PK"):
        check_archive(content, "file")
    book = _opened(content)
    document = Document()
    blocks = SheetBlocks(document, options)
    for sheet in chosen_sheets(_sheets(book), options, document):
        grid = blocks.new_grid()
        _add_cells(grid, _rows(book, sheet.name))
        blocks.add(sheet.name, grid)
    return document


def _opened(content: bytes) -> Any:
    try:
        return python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    except python_calamine.PasswordError:
        raise InvalidInput(ENCRYPTED) from None
    except Exception as error:  # a damaged file raises nearly anything
        raise InvalidInput(f"file: is a damaged workbook: {str(error)[:120]}.") from error


def _sheets(book: Any) -> list[SheetName]:
    return [
        SheetName(sheet.name, is_hidden=not str(sheet.visible).endswith(".Visible"))
        for sheet in book.sheets_metadata
        if str(sheet.typ).endswith("WorkSheet")
    ]


def _rows(book: Any, name: str) -> Iterable[Sequence[Any]]:
    try:
        sheet = book.get_sheet_by_name(name)
        rows: Iterable[Sequence[Any]] = sheet.iter_rows()
    except Exception as error:  # a damaged file raises nearly anything
        raise InvalidInput(f'file: the sheet "{name[:80]}" cannot be read: {str(error)[:120]}.') from error
    return rows


def _add_cells(grid: Grid, rows: Iterable[Sequence[Any]]) -> None:
    for place, row in enumerate(rows):
        cells = {column: text for column, value in enumerate(row) if (text := value_text(value)).strip()}
        if not grid.add(place, cells):
            return


def value_text(value: Any) -> str:  # noqa: PLR0911  # one return per type
    """Return a value as text: dates in ISO 8601, whole numbers without a fraction."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        case datetime():
            clock = value.time()
            return _date(value) if clock == time() else f"{_date(value)} {_time(clock)}"
        case date():
            return _date(value)
        case time():
            return _time(value)
        case timedelta():
            return duration_text(value / timedelta(days=1))
        case None:
            return ""
    return str(value)


def _date(value: date) -> str:
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def _time(value: time) -> str:
    return time_text((value.hour * 3600 + value.minute * 60 + value.second) * 1000 + round(value.microsecond / 1000))
