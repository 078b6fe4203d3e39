"""OpenDocument spreadsheets (ODS): their sheets as tables of what the cells show."""

import re
from collections.abc import Iterator

from lxml import etree

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.grids import Grid
from mediakit.tools.documents.document_to_markdown.readers.office.package import describe
from mediakit.tools.documents.document_to_markdown.readers.sheet_blocks import (
    SheetBlocks,
    SheetName,
    chosen_sheets,
    warn_of_missing_values,
)
from mediakit.tools.documents.document_to_markdown.readers.workbook.cell_values import iso_text, plain_number, time_text

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"

MAX_COLUMNS = 16_384
MAX_ROWS = 1_048_576

_ROW_GROUPS = (f"{TABLE}table-row-group", f"{TABLE}table-header-rows", f"{TABLE}table-rows")
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_DURATION = re.compile(r"-?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a spreadsheet.

    Raises:
        InvalidInput: It is damaged, or has no sheet of a name.
    """
    container = Container(content)
    if "content.xml" not in container:
        raise InvalidInput("file: is damaged; it has no content.xml.")
    root = parse_xml(container.read("content.xml"), "content.xml")
    document = Document()
    describe(container, document)
    sheets = {_name(table): table for table in root.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet/{TABLE}table")}
    hidden_styles = set(_hidden_styles(root))
    names = [SheetName(name, table.get(f"{TABLE}style-name") in hidden_styles) for name, table in sheets.items()]
    blocks = SheetBlocks(document, options)
    missing = 0
    for sheet in chosen_sheets(names, options, document):
        grid = blocks.new_grid()
        missing += _add_rows(grid, sheets[sheet.name])
        blocks.add(sheet.name, grid)
    warn_of_missing_values(document, missing)
    return document


def _name(table: etree._Element) -> str:
    return table.get(f"{TABLE}name") or ""


def _hidden_styles(root: etree._Element) -> Iterator[str]:
    """Yield the names of the styles of tables that are not displayed."""
    for style in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style"):
        properties = style.find(f"{STYLE}table-properties")
        if properties is not None and properties.get(f"{TABLE}display") == "false":
            yield style.get(f"{STYLE}name") or ""


def _add_rows(grid: Grid, table: etree._Element) -> int:
    """Add the rows of a sheet to a grid, and return how many formulas have no value."""
    place = missing = 0
    for row in _rows(table):
        cells: dict[int, str] = {}
        column = 0
        for cell in row.iterchildren(*_CELLS):
            repeated = min(_count(cell, "columns", MAX_COLUMNS), MAX_COLUMNS - column)
            text = _text(cell)
            if text:
                cells.update(dict.fromkeys(range(column, column + repeated), text))
            elif cell.get(f"{TABLE}formula") and cell.get(f"{OFFICE}value-type") is None:
                missing += 1
            column += repeated
        repeated = _count(row, "rows", MAX_ROWS)
        for index in range(repeated if cells else 0):
            if not grid.add(place + index, cells):
                return missing
        place += repeated
    return missing


def _rows(element: etree._Element) -> Iterator[etree._Element]:
    for child in element:
        if child.tag == f"{TABLE}table-row":
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from _rows(child)


def _count(element: etree._Element, what: str, limit: int) -> int:
    value = element.get(f"{TABLE}number-{what}-repeated") or "1"
    return max(1, min(limit, int(value))) if value.isdecimal() and len(value) < 10 else 1


def _text(cell: etree._Element) -> str:
    """Return the text of a cell."""
    kind = cell.get(f"{OFFICE}value-type")
    if kind == "float" and _NUMBER.fullmatch(value := cell.get(f"{OFFICE}value") or ""):
        return plain_number(value)
    if kind == "date":
        return iso_text(cell.get(f"{OFFICE}date-value") or "")
    if kind == "time" and (match := _DURATION.fullmatch(cell.get(f"{OFFICE}time-value") or "")):
        days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
        return time_text(round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000))
    if kind == "boolean":
        return (cell.get(f"{OFFICE}boolean-value") or "").upper()
    text = "\n".join(paragraph_text(paragraph) for paragraph in cell.iterchildren(f"{TEXT}p", f"{TEXT}h")).strip()
    return text or cell.get(f"{OFFICE}string-value") or cell.get(f"{OFFICE}value") or ""


def paragraph_text(element: etree._Element) -> str:
    """Return the text of a paragraph, with its spaces, tabs and line breaks."""
    pieces = [element.text or ""]
    for child in element:
        tag = child.tag
        if tag == f"{TEXT}s":
            count = child.get(f"{TEXT}c") or "1"
            pieces.append(" " * (min(int(count), 1000) if count.isdecimal() and len(count) < 5 else 1))
        elif tag == f"{TEXT}tab":
            pieces.append("\t")
        elif tag == f"{TEXT}line-break":
            pieces.append("\n")
        elif isinstance(tag, str) and tag not in (f"{OFFICE}annotation", f"{TEXT}note"):
            pieces.append(paragraph_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
