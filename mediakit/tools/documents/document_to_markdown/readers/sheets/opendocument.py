"""OpenDocument spreadsheets (ODS): their sheets as tables of what the cells show."""

import re
from collections.abc import Iterator

from lxml import etree

from mediakit.engines.archives.container import Container
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted
from mediakit.tools.documents.document_to_markdown.readers.office import integer
from mediakit.tools.documents.document_to_markdown.readers.office.package import describe, part_xml
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    DC,
    DRAW,
    OFFICE,
    STYLE,
    TABLE,
    TEXT,
    XLINK,
)
from mediakit.tools.documents.document_to_markdown.readers.opendocument.text import table_rows
from mediakit.tools.documents.document_to_markdown.readers.sheets import (
    MAX_COMMENTS,
    Comment,
    Grid,
    Place,
    SheetName,
    SheetWriter,
)
from mediakit.tools.documents.document_to_markdown.readers.sheets.number_formats import (
    has_currency_sign,
    iso_text,
    plain_number,
    time_text,
)
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

HREF = f"{XLINK}href"
MAX_COLUMNS = 16_384
MAX_ROWS = 1_048_576

_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_DURATION = re.compile(r"-?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_CODE = re.compile(r"[-+]?0\d[\d.,]*|[-+(]?\d[\d() ]*[-/:()+][-\d() /:+]*")
"""How codes look: with zeros before the number, or with signs in it."""


def read(content: bytes, options: Request) -> Document:
    """Read a spreadsheet.

    Raises:
        InvalidInput: It is damaged, or has no sheet of a name.
    """
    container = Container(content)
    root = part_xml(container, "content.xml")
    if root is None:
        raise InvalidInput("file: is damaged; it has no content.xml.")
    document = Document()
    describe(container, document)
    tables = {
        table.get(f"{TABLE}name") or "": table
        for table in root.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet/{TABLE}table")
    }
    hidden = set()  # the names of the styles of tables that are not displayed
    for style in root.iterfind(f"{OFFICE}automatic-styles/{STYLE}style"):
        properties = style.find(f"{STYLE}table-properties")
        if properties is not None and properties.get(f"{TABLE}display") == "false":
            hidden.add(style.get(f"{STYLE}name") or "")
    sheets = [SheetName(name, table.get(f"{TABLE}style-name") in hidden) for name, table in tables.items()]
    writer = SheetWriter(document, options)
    missing = 0
    for sheet in writer.chosen(sheets):
        table, grid, comments = tables[sheet.name], Grid(writer.room), dict[Place, list[Comment]]()
        missing += _add_rows(grid, table, comments)
        writer.add(sheet.name, grid, comments if options.comments else None)
        for warning in _omitted(container, table, options):
            writer.warnings.warn(warning)
    writer.finish(missing)
    return document


def _add_rows(grid: Grid, table: etree._Element, comments: dict[Place, list[Comment]]) -> int:
    """Add the rows of a sheet to a grid, collect its comments, and return how many formulas have no value."""
    place = missing = 0
    for row, _ in table_rows(table):
        cells: dict[int, str] = {}
        links: dict[int, str] = {}
        column = 0
        for cell in row.iterchildren(*_CELLS):
            repeated = min(_count(cell, "columns", MAX_COLUMNS), MAX_COLUMNS - column)
            text = _text(cell)
            missing += not text and bool(cell.get(f"{TABLE}formula")) and cell.get(f"{OFFICE}value-type") is None
            if text:
                cells.update(dict.fromkeys(range(column, column + repeated), text))
            if link := _link(cell):
                links.update(dict.fromkeys(range(column, column + repeated), link))
            annotation = cell.find(f"{OFFICE}annotation")
            if len(comments) <= MAX_COMMENTS and annotation is not None:
                lines = (paragraph_text(paragraph) for paragraph in annotation.iter(*_PARAGRAPHS))
                author = " ".join((annotation.findtext(f"{DC}creator") or "").split())
                comments[place, column] = [Comment(author, " ".join(lines))]
            column += repeated
        repeated = _count(row, "rows", MAX_ROWS)
        for index in range(repeated if cells else 0):
            if not grid.add(place + index, cells):
                return missing
            grid.links.update({(place + index, column): link for column, link in links.items()})
        place += repeated
    return missing


def _link(cell: etree._Element) -> str:
    """Return the address of the links in a cell. Empty if they have several: Markdown links the whole cell."""
    paragraphs = cell.iterchildren(*_PARAGRAPHS)  # without comments
    addresses = {link.get(HREF) or "" for paragraph in paragraphs for link in paragraph.iter(f"{TEXT}a")}
    return addresses.pop() if len(addresses) == 1 else ""


def _count(element: etree._Element, what: str, limit: int) -> int:
    return max(1, min(limit, integer(element.get(f"{TABLE}number-{what}-repeated"), 1)))


def _text(cell: etree._Element) -> str:
    """Return the text of a cell."""
    kind = cell.get(f"{OFFICE}value-type")
    text = "\n".join(paragraph_text(paragraph) for paragraph in cell.iterchildren(*_PARAGRAPHS)).strip()
    if kind == "float" and _NUMBER.fullmatch(value := cell.get(f"{OFFICE}value") or ""):
        number = plain_number(value)
        is_word = text and not any(map(str.isdecimal, text))  # such as `TRUE`
        return text if is_word or has_currency_sign(text) or _is_code(text, number) else number
    if kind == "date":
        return iso_text(cell.get(f"{OFFICE}date-value") or "")
    if kind == "time" and (match := _DURATION.fullmatch(cell.get(f"{OFFICE}time-value") or "")):
        days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
        return time_text(round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000))
    if kind == "boolean":
        return (cell.get(f"{OFFICE}boolean-value") or "").upper()
    return text or cell.get(f"{OFFICE}string-value") or cell.get(f"{OFFICE}value") or ""


def _is_code(text: str, number: str) -> bool:
    """Return whether a cell shows a whole number with zeros before it or signs in it, such as `00042` and `12-34`."""
    digits = "".join(filter(str.isdecimal, text))
    return number.lstrip("-").isdecimal() and digits.lstrip("0") == number.lstrip("-0") and bool(_CODE.fullmatch(text))


def _omitted(container: Container, table: etree._Element, options: Request) -> Iterator[Omitted]:
    """Yield the warnings for images, charts, embedded objects and linked sheets."""
    for frame in table.iter(f"{DRAW}frame"):
        target = next(frame.iterchildren(f"{DRAW}object", f"{DRAW}object-ole", f"{DRAW}image"), None)
        if target is None:
            continue
        address = (target.get(HREF) or "").removeprefix("./")
        if target.tag != f"{DRAW}image":
            part = f"{address}/content.xml"
            is_chart = part in container and b"office:chart" in container.read(part)
            yield Omitted.SHEET_CHARTS if is_chart else Omitted.EMBEDDED_FILES
        elif options.images != "none":
            yield Omitted.LINKED_IMAGES if "://" in address else Omitted.SHEET_IMAGES
    yield from (Omitted.LINKED_DOCUMENTS for _ in table.iter(f"{TABLE}table-source", f"{TABLE}cell-range-source"))


def paragraph_text(element: etree._Element) -> str:
    """Return the text of a paragraph, with its spaces, tabs and line breaks."""
    pieces = [element.text or ""]
    for child in element:
        tag = child.tag
        if tag == f"{TEXT}s":
            pieces.append(" " * min(integer(child.get(f"{TEXT}c"), 1), 1000))
        elif tag == f"{TEXT}tab":
            pieces.append("\t")
        elif tag == f"{TEXT}line-break":
            pieces.append("\n")
        elif isinstance(tag, str) and tag not in (f"{OFFICE}annotation", f"{TEXT}note"):
            pieces.append(paragraph_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
