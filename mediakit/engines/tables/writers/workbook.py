"""Tables as XLSX: cells with types, widths by content, a frozen header."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape
from typing import Literal

from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.values import as_text, number
from mediakit.errors import InvalidInput

EMPTY_CELL = "<c/>"
STYLES = {"bold": 1, "date": 2, "datetime": 3, "time": 4, "text": 5, "green": 6, "red": 7, "yellow": 8}
"""Indexes of the formats in the style sheet."""

_EXACT_INTEGER = 10**15
"""Excel rounds longer integers, so they are text."""

_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""Characters that XML cannot have, and the carriage return, which it would change."""

_ESCAPED = re.compile("_x[0-9A-Fa-f]{4}_")


def text_cell(text: str, style: str = "") -> str:
    """Return a cell of text, which is never a formula."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: f"_x005F{match[0]}", text)
    xml = escape(text, quote=False)
    if not xml.isprintable():
        xml = _NOT_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", xml)
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    mark = f' s="{STYLES[style]}"' if style else ""
    return f'<c{mark} t="inlineStr"><is><t{space}>{xml}</t></is></c>'


def number_cell(value: object, style: str = "") -> str:
    """Return a cell of a number, as text where Excel would round it; an empty cell for None."""
    mark = f' s="{STYLES[style]}"' if style else ""
    if value is None:
        return f"<c{mark}/>" if style else EMPTY_CELL
    if isinstance(value, int) and abs(value) >= _EXACT_INTEGER:
        return text_cell(str(value), style or "text")
    return f"<c{mark}><v>{number(value)}</v></c>"


_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
_MAX_SHEET_NAME = 31
_NOT_IN_A_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f]")


def package(names: Sequence[str], sheets: Iterable[Iterable[str]]) -> bytes:
    """Return a workbook of sheets, each given as the pieces of its XML; equal sheets give equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
        _add(archive, "[Content_Types].xml", [_content_types(len(names))])
        _add(archive, "_rels/.rels", [_RELS])
        _add(archive, "xl/workbook.xml", [_book(names)])
        _add(archive, "xl/_rels/workbook.xml.rels", [_book_rels(len(names))])
        _add(archive, "xl/styles.xml", [_STYLE_SHEET])
        for place, sheet in enumerate(sheets, 1):
            _add(archive, f"xl/worksheets/sheet{place}.xml", sheet)
    return file.getvalue()


def sheet_names(names: list[str]) -> list[str]:
    """Return names that a workbook can have: at most 31 characters, none of `[]:*?/` or a backslash, no two alike."""
    found: list[str] = []
    for name in names:
        clean = _NOT_IN_A_NAME.sub("_", name).strip("' ")[:_MAX_SHEET_NAME] or "data"
        unique, number = clean, 2
        while unique.lower() in (each.lower() for each in found):
            end = f" ({number})"
            unique, number = clean[: _MAX_SHEET_NAME - len(end)] + end, number + 1
        found.append(unique)
    return found


def _add(archive: zipfile.ZipFile, path: str, parts: Iterable[str]) -> None:
    """Add an XML part, which is written piece by piece."""
    entry = zipfile.ZipInfo(path, _TIMESTAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    with archive.open(entry, "w") as file:
        file.write(b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n')
        for part in parts:
            file.write(part.encode())


FILLS = {"green": "D7F0DD", "red": "FBDADA", "yellow": "FFF2C4"}
"""Background colors of cells, by the name of their style."""

MAIN_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_RELS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_STYLE_SHEET = (
    f'<styleSheet xmlns="{MAIN_NAMESPACE}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/>'
    '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    f'<fills count="{2 + len(FILLS)}"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    + "".join(
        f'<fill><patternFill patternType="solid"><fgColor rgb="FF{color}"/><bgColor indexed="64"/></patternFill></fill>'
        for color in FILLS.values()
    )
    + '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="{6 + len(FILLS)}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    + "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for number in (164, 165, 166, 49)
    )
    + "".join(
        f'<xf numFmtId="0" fontId="0" fillId="{number}" borderId="0" xfId="0" applyFill="1"/>'
        for number in range(2, 2 + len(FILLS))
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _content_types(sheets: int) -> str:
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{place}.xml" ContentType="{_SPREADSHEET}.worksheet+xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SPREADSHEET}.styles+xml"/>{parts}</Types>'
    )


def _book(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name="{escape(name)}" sheetId="{place}" r:id="rId{place}"/>' for place, name in enumerate(names, 1)
    )
    return f'<workbook xmlns="{MAIN_NAMESPACE}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _book_rels(sheets: int) -> str:
    parts = "".join(
        f'<Relationship Id="rId{place}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{place}.xml"/>'
        for place in range(1, sheets + 1)
    )
    styles = f'<Relationship Id="rId{sheets + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{parts}{styles}</Relationships>'


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
    return package(names, map(_table_sheet, names, tables.values()))


def _table_sheet(name: str, table: Table) -> Iterator[str]:
    if len(table) >= _MAX_ROWS or len(table.columns) > _MAX_COLUMNS:
        raise InvalidInput(f"to: a sheet of xlsx has at most {_MAX_ROWS - 1:,} rows below its header; use csv.")
    for place, column in enumerate(table.columns):
        texts = column.values if column.type == "text" else as_text(column) if column.type == "json" else ()
        for row, text in enumerate(texts, 2):
            if text is not None and len(text) > MAX_TEXT:
                raise InvalidInput(
                    f"to: a cell of xlsx holds at most {MAX_TEXT:,} characters, got {len(text):,} in "
                    f'{letters(place)}{row} of "{name}".'
                )
    heads = [Column(each.name, each.type, each.values[:_ROWS_MEASURED]) for each in table.columns]
    lengths = [max([len(head.name) + 1, *map(len, as_text(head))]) for head in heads]
    return _sheet(lengths, _rows(table), header_rows=1 if table.columns else 0)


def _sheet(lengths: Sequence[int], rows: Iterable[str], *, header_rows: int, merges: str = "") -> Iterator[str]:
    """Yield the XML of a sheet; `lengths` are the characters of the longest text of each column."""
    yield f'<worksheet xmlns="{MAIN_NAMESPACE}"><sheetViews><sheetView workbookViewId="0">'
    if header_rows:
        top = f"A{header_rows + 1}"
        yield f'<pane ySplit="{header_rows}" topLeftCell="{top}" activePane="bottomLeft" state="frozen"/>'
    yield "</sheetView></sheetViews>"
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{max(_NARROWEST, min(_WIDEST, length + 2))}" customWidth="1"/>'
        for place, length in enumerate(lengths, 1)
    )
    yield f"<cols>{columns}</cols>" if columns else ""
    yield "<sheetData>"
    yield from rows
    yield f"</sheetData>{merges}</worksheet>"


def _rows(table: Table) -> Iterator[str]:
    if table.columns:
        yield f"<row>{''.join(text_cell(column.name, 'bold') for column in table.columns)}</row>"
    # Excel would take cells of digits for numbers once they are edited.
    have_ids = (
        column.type == "text" and any(text is not None and _ID_LIKE.fullmatch(text) for text in column.values)
        for column in table.columns
    )
    styles = ["text" if has_ids else "" for has_ids in have_ids]
    for part in table.chunks():
        cells = [_cells(column, style) for column, style in zip(part.columns, styles, strict=True)]
        yield "".join(map("<row>{}</row>".format, map("".join, zip(*cells, strict=True))))


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


def _moment_cell(text: str | None, kind: str) -> str:
    """Return a moment as a number of days; as text where it has an offset or is before workbooks' calendar."""
    if text is None:
        return EMPTY_CELL
    try:
        moment = dt.datetime.fromisoformat(f"1899-12-30T{text}" if kind == "time" else text)
    except ValueError:
        return text_cell(text)
    if moment.tzinfo is not None or (kind != "time" and moment < _FIRST_DAY):
        return text_cell(text)
    since = moment - _EPOCH
    serial = str(since.days) if kind == "date" else repr(since / dt.timedelta(days=1))
    return f'<c s="{STYLES[kind]}"><v>{serial}</v></c>'


def letters(place: int) -> str:
    """Return the letters of a column counted from 0: A, B, ..., Z, AA."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


Value = str | int | float | Decimal | None


@dataclass(frozen=True)
class Filled:
    """A value in a cell with a background color."""

    value: Value
    fill: Literal["green", "red", "yellow"]

    def __str__(self) -> str:
        return str(self.value or "")


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
    return package(sheet_names(list(grids)), map(_grid_sheet, grids.values()))


def _grid_sheet(grid: Grid) -> Iterator[str]:
    lengths = [max(len(str(value or "")) for value in column) for column in zip(*grid.rows, strict=True)]
    rows = (
        f"<row>{''.join(_cell(value, 'bold' if index < grid.header_rows else '') for value in row)}</row>"
        for index, row in enumerate(grid.rows)
    )
    areas = [
        f'<mergeCell ref="{letters(left)}{top + 1}:{letters(right)}{bottom + 1}"/>'
        for top, left, bottom, right in grid.merged
    ]
    merges = f'<mergeCells count="{len(areas)}">{"".join(areas)}</mergeCells>' if areas else ""
    return _sheet(lengths, rows, header_rows=grid.header_rows, merges=merges)


def _cell(value: Value | Filled, style: str) -> str:
    if isinstance(value, Filled):
        return _cell(value.value, value.fill) if value.value != "" else number_cell(None, value.fill)
    if isinstance(value, str):
        return text_cell(value[:MAX_TEXT], style) if value else EMPTY_CELL
    return number_cell(value, style)
