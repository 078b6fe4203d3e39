"""Workbooks in binary formats (XLS, XLSB), whose cells calamine reads."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any

import python_calamine

from mediakit.engines.archives.container import check_archive, check_unpacked_sizes
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers import ENCRYPTED
from mediakit.tools.documents.document_to_markdown.readers.sheets.grids import SheetName, SheetWriter
from mediakit.tools.documents.document_to_markdown.readers.sheets.number_formats import duration_text, time_text

_EXACT = 1e15


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a workbook.

    Raises:
        InvalidInput: It is encrypted or damaged, or has no sheet of a name.
    """
    if content.startswith(b"PK"):
        check_archive(content, "file")
    with _errors(content, "is a damaged workbook"):
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    sheets = [
        SheetName(sheet.name, is_hidden=not str(sheet.visible).endswith(".Visible"))
        for sheet in book.sheets_metadata
        if str(sheet.typ).endswith("WorkSheet")
    ]
    document = Document()
    writer = SheetWriter(document, options)
    for sheet in writer.chosen(sheets):
        grid = writer.new_grid()
        with _errors(content, f'the sheet "{sheet.name[:80]}" cannot be read'):
            rows = book.get_sheet_by_name(sheet.name).iter_rows()
        for place, row in enumerate(rows):
            cells = {column: value_text(value) for column, value in enumerate(row) if value not in ("", None)}
            if not grid.add(place, {column: text for column, text in cells.items() if text.strip()}):
                break
        writer.add(sheet.name, grid)
    if options.comments:
        document.warnings.append("Comments on cells are not read from XLS and XLSB files; save the workbook as XLSX.")
    return document


@contextmanager
def _errors(content: bytes, what: str) -> Iterator[None]:
    """Raise the errors of calamine, of which a damaged file causes nearly any, as `InvalidInput`."""
    try:
        yield
    except MemoryError:
        raise
    except python_calamine.PasswordError:
        raise InvalidInput(ENCRYPTED) from None
    except BaseException as error:  # a panic of Rust code does not derive from Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        if content.startswith(b"PK"):
            check_unpacked_sizes(content, "file")
        raise InvalidInput(f"file: {what}: {str(error)[:120]}.") from error


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
