"""Tables of Word: their rows, header rows and merged cells (ISO/IEC 29500-1, 17.4)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.docx.names import (
    REMOVED,
    TRANSPARENT,
    VAL,
    child_value,
    integer,
    is_on,
)
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W

MAX_COLUMNS = 63
"""The most columns that Word allows."""
MAX_CELLS = 200_000
_DELETED = (f"{W}del", f"{W}cellDel", f"{W}moveFrom")
_FIRST_ROW = 0x20
"""The bit of a table's look that says that its first row is a header."""

ReadCell = Callable[[Element, HtmlElement], None]
"""Reads the blocks of a cell into an element."""


@dataclass(slots=True)
class Cell:
    """A cell, and the cells below that are merged with it."""

    element: Element
    column_span: int = 1
    row_span: int = 1


@dataclass(slots=True)
class Row:
    """A row with the cells that begin in it, and the number of grid columns before the first of them."""

    cells: list[Cell] = field(default_factory=list)
    skipped: int = 0
    is_header: bool = False


def table_rows(table: Element) -> list[Row]:
    """Return the rows of a table without deleted ones. Merged cells are only in the first of their rows."""
    rows: list[Row] = []
    open_merges: dict[int, Cell] = {}
    remaining = MAX_CELLS
    for element in _wrapped(table, f"{W}tr"):
        properties = element.find(f"{W}trPr")
        if properties is not None and next(properties.iterchildren(*_DELETED), None) is not None:
            continue
        row = _read_row(element, properties, open_merges)
        remaining -= len(row.cells)
        if remaining < 0:
            break
        rows.append(row)
    if rows and not any(row.is_header for row in rows):
        rows[0].is_header = len(rows) > 1 and _has_header_look(table)
    return rows


def write_table(rows: list[Row], table: HtmlElement, read_cell: ReadCell) -> None:
    """Write the rows of a table."""
    in_head = True
    for row in rows:
        in_head = in_head and row.is_header
        line = etree.SubElement(table, "tr")
        tag = "th" if in_head else "td"
        for _ in range(row.skipped):
            etree.SubElement(line, tag)
        for cell in row.cells:
            target = etree.SubElement(line, tag)
            if cell.column_span > 1:
                target.set("colspan", str(cell.column_span))
            if cell.row_span > 1:
                target.set("rowspan", str(cell.row_span))
            read_cell(cell.element, target)


def table_indent(table: Element) -> int:
    """Return the indentation of a table in twentieths of a point; 0 if it is not stated so."""
    indent = table.find(f"{W}tblPr/{W}tblInd")
    if indent is None or indent.get(f"{W}type", "dxa") != "dxa":
        return 0
    return integer(indent.get(f"{W}w"))


def _read_row(element: Element, properties: Element | None, open_merges: dict[int, Cell]) -> Row:
    before = integer(child_value(properties, f"{W}gridBefore"))
    row = Row(skipped=max(0, min(MAX_COLUMNS, before)), is_header=_is_header(properties))
    column = row.skipped
    for cell_element in _wrapped(element, f"{W}tc"):
        cell_properties = cell_element.find(f"{W}tcPr")
        if cell_properties is not None and next(cell_properties.iterchildren(*_DELETED), None) is not None:
            continue
        span = max(1, min(MAX_COLUMNS, integer(child_value(cell_properties, f"{W}gridSpan"), 1)))
        merge = None if cell_properties is None else cell_properties.find(f"{W}vMerge")
        opened = open_merges.get(column)
        if merge is not None and merge.get(VAL) != "restart" and opened and opened.column_span == span:
            opened.row_span += 1
        else:
            cell = Cell(cell_element, span)
            row.cells.append(cell)
            _merge(open_merges, column, span, None if merge is None else cell)
        column += span
    return row


def _merge(open_merges: dict[int, Cell], column: int, span: int, cell: Cell | None) -> None:
    """Let a cell that begins a merged one take its columns; any other cell ends the merged cells above it."""
    for covered in range(column, column + span):
        open_merges.pop(covered, None)
    if cell is not None:
        open_merges[column] = cell


def _is_header(properties: Element | None) -> bool:
    header = None if properties is None else properties.find(f"{W}tblHeader")
    return header is not None and is_on(header)


def _has_header_look(table: Element) -> bool:
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return False
    first_row = look.get(f"{W}firstRow")
    if first_row is not None:
        return first_row in ("1", "true", "on")
    try:
        return bool(int(look.get(VAL) or "0", 16) & _FIRST_ROW)
    except ValueError:
        return False


def _wrapped(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, also in content controls and insertions."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in TRANSPARENT and child.tag not in REMOVED:
            yield from _wrapped(child, tag)
