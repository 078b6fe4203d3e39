"""The blocks of a part of a Word document: paragraphs, headings, lists, code, quotes, tables and text boxes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import LINKED_DOCUMENTS
from mediakit.tools.documents.document_to_markdown.readers.docx.inline import InlineReader, NoteReader
from mediakit.tools.documents.document_to_markdown.readers.docx.parts import Drawing, WordContext, read_chunk
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import (
    PARAGRAPH,
    REMOVED,
    TABLE,
    TRANSPARENT,
    VAL,
    child_value,
    is_on,
    left_indent,
    outline_level,
)
from mediakit.tools.documents.document_to_markdown.readers.office import MC, Element, M, W, integer
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    BlockBuilder,
    Piece,
    append_pieces,
    check_box,
    has_content,
)

_DELETED_MARKS = (f"{W}del", f"{W}moveFrom")
_NO_PROPERTIES = etree.Element(f"{W}pPr")


class BlockReader:
    """Reads the blocks of one part."""

    def __init__(self, context: WordContext, part: str, notes: NoteReader | None = None) -> None:
        self.context = context
        self.inline = InlineReader(context, part, notes)
        self._waiting: list[Piece] = []
        """Content that the next paragraph begins with: drop caps, and text before a deleted paragraph mark."""

    def read(self, parent: Element, root: HtmlElement) -> None:
        """Read the blocks of an element into an HTML element."""
        builder = BlockBuilder(root, self.context.anchors)
        outer, self._waiting = self._waiting, []
        self._read_children(parent, builder)
        if self._waiting:
            append_pieces(builder.block("p"), self._waiting)
        self._waiting = outer

    def _read_children(self, parent: Element, builder: BlockBuilder) -> None:
        for child in parent:
            tag = child.tag
            if tag == PARAGRAPH:
                self._paragraph(child, builder)
            elif tag == TABLE:
                self._table(child, builder)
            elif tag in TRANSPARENT:
                self._read_children(child, builder)
            elif tag == f"{W}bookmarkStart":
                self.inline.read_bookmark(child, self._waiting)
            else:
                self._read_rare(child, builder)

    def _read_rare(self, child: Element, builder: BlockBuilder) -> None:
        tag = child.tag
        if tag == f"{MC}AlternateContent" and len(child):
            self._read_children(child[0], builder)
        elif tag == f"{W}altChunk":
            content = read_chunk(self.context, self.inline.part, child)
            if content is not None:
                builder.append_point().append(content)
        elif tag == f"{W}subDoc":
            self.context.warnings.warn(LINKED_DOCUMENTS)
        elif tag in (f"{M}oMath", f"{M}oMathPara"):
            self._paragraph_of(child, builder)

    def _paragraph_of(self, formula: Element, builder: BlockBuilder) -> None:
        wrapper = etree.Element(PARAGRAPH)
        parent = formula.getparent()
        index = 0 if parent is None else parent.index(formula)
        wrapper.append(formula)
        self._paragraph(wrapper, builder)
        if parent is not None:
            parent.insert(index, wrapper)

    def _paragraph(self, paragraph: Element, builder: BlockBuilder) -> None:
        properties = paragraph.find(f"{W}pPr")
        style_name = child_value(properties, f"{W}pStyle")
        inline = self.inline.read(paragraph, self.context.styles.paragraph(style_name).font)
        pieces = [*self._waiting, *inline.pieces] if self._waiting else inline.pieces
        self._waiting = []
        if properties is None:
            properties = _NO_PROPERTIES
        if pieces and (_is_drop_cap(properties) or _is_mark_deleted(properties)):
            self._waiting = pieces
        else:
            self._waiting = self._write(pieces, properties, style_name, builder)
        for box in inline.boxes:
            self._box(box, builder)

    def _write(
        self, pieces: list[Piece], properties: Element, style_name: str | None, builder: BlockBuilder
    ) -> list[Piece]:
        """Append a paragraph, and return what the next paragraph begins with."""
        style = self.context.styles.paragraph(style_name)
        direct = left_indent(properties)
        level = style.heading or (1 if style.role == "title" else 0)
        if not (builder.is_in_list and direct):  # indented text after an item belongs to the item
            level = outline_level(properties) or level
        item = self.context.numbering.count(properties, style_name, is_labeled=level > 0)
        if level and item and self.context.options.heading_numbers and has_content(pieces):
            pieces = [((), item.label), *pieces]
        elif item and item.is_checked is not None and not level:
            pieces = [((), check_box(is_checked=item.is_checked)), *pieces]
        indent = style.indent if direct is None and style.role != "list" else direct
        return builder.write_paragraph(pieces, style.role, level, item, indent)

    def _table(self, table: Element, builder: BlockBuilder) -> None:
        rows = table_rows(table)
        if len(rows) == 1 and len(rows[0].cells) == 1:  # a frame around its content
            self._read_children(rows[0].cells[0].element, builder)
        elif rows:
            indent = table_indent(table)
            target = builder.continuation(indent, "table") if indent > 0 else builder.block("table")
            write_table(rows, target, self.read)

    def _box(self, box: Drawing, builder: BlockBuilder) -> None:
        if box.block is not None:
            builder.block_in_item().append(box.block)
        elif box.text_box is not None:
            root = etree.SubElement(builder.block_in_item(), "div")
            self.read(box.text_box, root)


def _is_drop_cap(properties: Element) -> bool:
    frame = properties.find(f"{W}framePr")
    return frame is not None and frame.get(f"{W}dropCap") in ("drop", "margin")


def _is_mark_deleted(properties: Element) -> bool:
    marks = properties.find(f"{W}rPr")
    return marks is not None and next(marks.iterchildren(*_DELETED_MARKS), None) is not None


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
