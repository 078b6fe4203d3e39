"""Tables as XLSX: bold header in a frozen row, widths by content, typed cells, texts never formulas.

The parts are written here rather than by a library: a sheet of a million cells takes a second, and the same tables
give the same bytes.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence

from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.fragments import as_text
from mediakit.engines.tables.writers.sheet_cells import EMPTY_CELL, STYLES, number_cell, text_cell
from mediakit.engines.tables.writers.workbook_package import MAIN_NAMESPACE, package, sheet_names
from mediakit.errors import InvalidInput

MAX_TEXT = 32_767
"""Characters of a cell."""

_MAX_ROWS, _MAX_COLUMNS = 1_048_576, 16_384
_WIDEST, _NARROWEST = 60, 8
_ROWS_MEASURED = 1000
_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001  # workbooks have no time zones
_FIRST_DAY = dt.datetime(1900, 3, 1)  # noqa: DTZ001  # Excel counts a 29 February 1900 before
_PLAIN = re.compile(r"(?:[^\W_][^\x00-\x1f&<>_\x7f-\x9f]*+(?<! )\n)*+[^\W_][^\x00-\x1f&<>_\x7f-\x9f]*+(?<! )")
"""Texts that XML can have as they are."""

_ID_LIKE = re.compile(r"[-+]?[\d ]{2,}")


def workbook(tables: Mapping[str, Table]) -> bytes:
    """Return an XLSX workbook with a sheet per table.

    Raises:
        InvalidInput: A text is too long for a cell, or a table has more rows than a sheet.
    """
    names = sheet_names(list(tables))
    return package(names, map(_sheet, names, tables.values()))


def _sheet(name: str, table: Table) -> Iterator[str]:
    _check_sheet(name, table)
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' if table.columns else ""
    yield f'<worksheet xmlns="{MAIN_NAMESPACE}"><sheetViews><sheetView workbookViewId="0">'
    yield f"{pane}</sheetView></sheetViews>{_widths(table)}<sheetData>"
    if table.columns:
        yield f"<row>{''.join(text_cell(column.name, 'bold') for column in table.columns)}</row>"
    styles = ["text" if _has_ids(column) else "" for column in table.columns]
    for part in table.chunks():
        cells = [_cells(column, style) for column, style in zip(part.columns, styles, strict=True)]
        yield "".join(map("<row>{}</row>".format, map("".join, zip(*cells, strict=True))))
    yield "</sheetData></worksheet>"


def _has_ids(column: Column) -> bool:
    """Return whether a column of text has cells of digits, which Excel would take for numbers once they are edited."""
    return column.type == "text" and any(text is not None and _ID_LIKE.fullmatch(text) for text in column.values)


def _cells(column: Column, style: str) -> list[str]:
    """Return the cells of a column as XML."""
    if column.type in ("date", "datetime", "time"):
        return [_moment_cell(value, column.type) for value in column.values]
    if column.type in ("integer", "number"):
        return [number_cell(value) for value in column.values]
    if column.type == "boolean":
        return [EMPTY_CELL if value is None else f'<c t="b"><v>{int(value)}</v></c>' for value in column.values]
    texts = column.values if column.type == "text" else as_text(column)
    if _PLAIN.fullmatch("\n".join(filter(None, texts))):
        mark = f' s="{STYLES[style]}"' if style else ""
        return [EMPTY_CELL if text is None else f'<c{mark} t="inlineStr"><is><t>{text}</t></is></c>' for text in texts]
    return [EMPTY_CELL if text is None else text_cell(text, style) for text in texts]


def _check_sheet(name: str, table: Table) -> None:
    """Refuse a table that is larger than a sheet, or has a text that is longer than a cell."""
    if len(table) >= _MAX_ROWS or len(table.columns) > _MAX_COLUMNS:
        raise InvalidInput(f"to: a sheet of xlsx has at most {_MAX_ROWS - 1:,} rows below its header; use csv.")
    for place, column in enumerate(table.columns):
        if column.type in ("text", "json"):
            _check_lengths(column.values if column.type == "text" else as_text(column), letters(place), name)


def _check_lengths(texts: Sequence[str | None], letters: str, sheet: str) -> None:
    for row, text in enumerate(texts, 2):
        if text is not None and len(text) > MAX_TEXT:
            raise InvalidInput(
                f"to: a cell of xlsx holds at most {MAX_TEXT:,} characters, got {len(text):,} in {letters}{row} of "
                f'"{sheet}".'
            )


def _moment_cell(text: str | None, kind: str) -> str:
    """Return a moment as a number of days; as text where it has an offset or is before workbooks' calendar."""
    if text is None:
        return EMPTY_CELL
    serial = _serial(text, kind)
    return text_cell(text, "") if serial is None else f'<c s="{STYLES[kind]}"><v>{serial}</v></c>'


def _serial(text: str, kind: str) -> str | None:
    try:
        moment = dt.datetime.fromisoformat(f"1899-12-30T{text}" if kind == "time" else text)
    except ValueError:
        return None
    if moment.tzinfo is not None or (kind != "time" and moment < _FIRST_DAY):
        return None
    since = moment - _EPOCH
    return str(since.days) if kind == "date" else repr(since / dt.timedelta(days=1))


def _widths(table: Table) -> str:
    if not table.columns:
        return ""
    parts = []
    for place, column in enumerate(table.columns, 1):
        head = Column(column.name, column.type, column.values[:_ROWS_MEASURED])
        longest = max([len(column.name) + 1, *(len(text) for text in as_text(head))])
        width = max(_NARROWEST, min(_WIDEST, longest + 2))
        parts.append(f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>')
    return f"<cols>{''.join(parts)}</cols>"


def letters(place: int) -> str:
    """Return the letters of a column counted from 0: A, B, ..., Z, AA."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
