"""The blocks of a part of a Word document: paragraphs, headings, lists, code, quotes, tables and text boxes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import Omitted
from mediakit.tools.documents.document_to_markdown.readers.docx.embedded import WordReading, read_chunk
from mediakit.tools.documents.document_to_markdown.readers.docx.inline import InlineReader
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
    prepend_text,
)

MAX_COLUMNS = 63
"""The most columns that Word allows."""
MAX_CELLS = 200_000
_FIRST_ROW = 0x20
"""The bit of a table's look that says that its first row is a header."""

_DELETED = (f"{W}del", f"{W}cellDel", f"{W}moveFrom")
_NO_PROPERTIES = etree.Element(f"{W}pPr")
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote", f"{W}commentReference": "comment"}


class BlockReader:
    """Reads the blocks of one part."""

    def __init__(self, reading: WordReading, part: str) -> None:
        self._reading, self._part = reading, part
        self._inline = InlineReader(reading, part, self._note)
        self._waiting: list[Piece] = []
        """Content that the next paragraph begins with: drop caps, and text before a deleted paragraph mark."""
        self._remaining = MAX_CELLS
        self._readers: Mapping[object, Callable[[Element, BlockBuilder], None]] = {
            PARAGRAPH: self._paragraph,
            TABLE: self._table,
            **dict.fromkeys(TRANSPARENT, self._read_children),
            f"{W}bookmarkStart": lambda mark, _: reading.anchors.bookmark(mark.get(f"{W}name") or "", self._waiting),
            f"{MC}AlternateContent": lambda choices, builder: self._read_children(next(iter(choices), ()), builder),
            f"{W}altChunk": self._chunk,
            f"{W}subDoc": lambda *_: reading.warnings.warn(Omitted.LINKED_DOCUMENTS),
            **dict.fromkeys((f"{M}oMath", f"{M}oMathPara"), self._paragraph),  # a formula between paragraphs is one
        }

    def read(self, parent: Element, root: HtmlElement) -> None:
        """Read the blocks of an element into an HTML element."""
        builder = BlockBuilder(root, self._reading.anchors)
        outer, self._waiting = self._waiting, []
        self._read_children(parent, builder)
        if self._waiting:
            append_pieces(builder.block("p"), self._waiting)
        self._waiting = outer

    def _read_children(self, parent: Iterable[Element], builder: BlockBuilder) -> None:
        for child in parent:
            if read := self._readers.get(child.tag):
                read(child, builder)

    def _chunk(self, element: Element, builder: BlockBuilder) -> None:
        content = read_chunk(self._reading, self._part, element)
        if content is not None:
            builder.append_point().append(content)

    def _paragraph(self, paragraph: Element, builder: BlockBuilder) -> None:
        """Write a paragraph, and the boxes in it after it."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            properties = _NO_PROPERTIES
        if paragraph.tag == PARAGRAPH:
            font = self._reading.styles.paragraph(child_value(properties, f"{W}pStyle")).font
            pieces, boxes = self._inline.read(paragraph, font)
        else:
            pieces, boxes = self._inline.read([paragraph], "")
        pieces, self._waiting = [*self._waiting, *pieces], []
        frame = properties.find(f"{W}framePr")
        is_drop_cap = frame is not None and frame.get(f"{W}dropCap") in ("drop", "margin")
        if pieces and (is_drop_cap or _has_child(properties.find(f"{W}rPr"), _DELETED)):
            self._waiting = pieces
        else:
            self._waiting = self._write(pieces, properties, builder)
        for box in boxes:
            target = builder.block_in_item()
            if isinstance(box, HtmlElement):
                target.append(box)
            else:
                self.read(box, etree.SubElement(target, "div"))

    def _write(self, pieces: list[Piece], properties: Element, builder: BlockBuilder) -> list[Piece]:
        """Append a paragraph, and return what the next paragraph begins with."""
        style_name = child_value(properties, f"{W}pStyle")
        style = self._reading.styles.paragraph(style_name)
        direct = left_indent(properties)
        level = style.heading or (1 if style.role == "title" else 0)
        if not (builder.is_in_list and direct):  # indented text after an item belongs to the item
            level = outline_level(properties) or level
        item = self._reading.numbering.count(properties, style_name, is_labeled=level > 0)
        if level and item and self._reading.options.heading_numbers and has_content(pieces):
            pieces = [((), item.label), *pieces]
        elif item and item.is_checked is not None and not level:
            pieces = [((), check_box(is_checked=item.is_checked)), *pieces]
        indent = style.indent if direct is None and style.role != "list" else direct
        return builder.write_paragraph(pieces, style.role, level, item, indent)

    def _note(self, mark: Element) -> HtmlElement | None:
        """Return the reference to the note of a mark. None if it does not exist or is not read."""
        kind, identifier = _NOTES[str(mark.tag)], mark.get(f"{W}id") or ""
        is_comment, options = kind == "comment", self._reading.options
        is_read = options.comments if is_comment else options.notes
        note = self._reading.note_element(kind, identifier) if is_read else None
        if note is None:
            return None
        read = partial(self._read_note, kind, note)
        return self._reading.note(f"{kind} {identifier}", read, "c" if is_comment else "")

    def _read_note(self, kind: str, note: Element, item: HtmlElement) -> None:
        package = self._reading.package
        BlockReader(self._reading, package.related(package.main, f"{kind}s") or "").read(note, item)
        if author := note.get(f"{W}author"):
            prepend_text(item, f"{author}: ")

    def _table(self, table: Element, builder: BlockBuilder) -> None:
        rows = [row for row in _wrapped(table, f"{W}tr") if not _has_child(row.find(f"{W}trPr"), _DELETED)]
        if len(rows) == 1 and len(cells := list(_cells(rows[0]))) == 1:  # a frame around its content
            self._read_children(cells[0], builder)
        elif rows:
            found, indent = table.find(f"{W}tblPr/{W}tblInd"), 0
            if found is not None and found.get(f"{W}type", "dxa") == "dxa":  # twentieths of a point
                indent = integer(found.get(f"{W}w"))
            target = builder.continuation(indent, "table") if indent > 0 else builder.block("table")
            self._write_rows(rows, table, target)

    def _write_rows(self, rows: Sequence[Element], table: Element, target: HtmlElement) -> None:
        """Write the rows of a table. A merged cell is only in the first of its rows."""
        open_merges: dict[int, HtmlElement] = {}
        has_headers = any(map(_is_header, rows))
        is_head = True
        for row in rows:
            is_head = is_head and (_is_header(row) if has_headers else row is rows[0] and _has_header_look(table, rows))
            line, tag = etree.SubElement(target, "tr"), "th" if is_head else "td"
            column = max(0, min(MAX_COLUMNS, integer(child_value(row.find(f"{W}trPr"), f"{W}gridBefore"))))
            for _ in range(column):
                etree.SubElement(line, tag)
            for cell in _cells(row):
                self._remaining -= 1
                if self._remaining < 0:
                    return
                column += self._cell(cell, line, tag, column, open_merges)

    def _cell(
        self, cell: Element, line: HtmlElement, tag: str, column: int, open_merges: dict[int, HtmlElement]
    ) -> int:
        """Write a cell, or let the merged cell above it take its place, and return how many columns it has."""
        properties = cell.find(f"{W}tcPr")
        span = max(1, min(MAX_COLUMNS, integer(child_value(properties, f"{W}gridSpan"), 1)))
        merge = None if properties is None else properties.find(f"{W}vMerge")
        above = None if merge is None or merge.get(VAL) == "restart" else open_merges.get(column)
        if above is not None and int(above.get("colspan", "1")) == span:
            above.set("rowspan", str(int(above.get("rowspan", "1")) + 1))
            return span
        for covered in range(column, column + span):
            open_merges.pop(covered, None)
        element = etree.SubElement(line, tag)
        if span > 1:
            element.set("colspan", str(span))
        if merge is not None:
            open_merges[column] = element
        self.read(cell, element)
        return span


def _has_child(properties: Element | None, tags: Sequence[str]) -> bool:
    return properties is not None and next(properties.iterchildren(*tags), None) is not None


def _cells(row: Element) -> Iterator[Element]:
    """Yield the cells of a row without deleted ones."""
    return (cell for cell in _wrapped(row, f"{W}tc") if not _has_child(cell.find(f"{W}tcPr"), _DELETED))


def _is_header(row: Element) -> bool:
    header = row.find(f"{W}trPr/{W}tblHeader")
    return header is not None and is_on(header)


def _has_header_look(table: Element, rows: Sequence[Element]) -> bool:
    """Return whether the style of a table of several rows shows its first row as a header."""
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None or len(rows) == 1:
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
