"""The blocks of OpenDocument: paragraphs, headings, lists, code, quotes, tables, frames and notes."""

from collections.abc import Callable, Iterator
from functools import partial

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import EMBEDDED_FILES, LINKED_DOCUMENTS, MEDIA
from mediakit.tools.documents.document_to_markdown.readers.office import MAX_HEADING_LEVEL, Element, Role
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    BlockBuilder,
    Marks,
    Piece,
    check_box,
    has_content,
    prepend_text,
)
from mediakit.tools.documents.document_to_markdown.readers.opendocument.inline import (
    Inline,
    InlineReader,
    OpenContext,
    formula_element,
    image_element,
    object_root,
)
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    CHART,
    DC,
    DRAW,
    MATHML,
    OFFICE,
    STYLE_NAME,
    TABLE,
    TEXT,
    UNORDERED,
    XLINK,
    ListWriter,
    TextFormat,
    count,
    label,
)

MAX_COLUMNS = 100
MAX_CELLS = 200_000

_WRAPPERS = frozenset(
    f"{TEXT}{name}" for name in ("section", "bibliography", "index-body", "numbered-paragraph", "index-title")
)
"""Elements that only wrap blocks. Indexes other than bibliographies repeat the headings and are not read."""

_ROW_GROUPS = (f"{TABLE}table-header-rows", f"{TABLE}table-row-group", f"{TABLE}table-rows")
_OMITTED = {
    f"{DRAW}object": EMBEDDED_FILES,
    f"{DRAW}object-ole": EMBEDDED_FILES,
    f"{DRAW}plugin": MEDIA,
    f"{DRAW}applet": EMBEDDED_FILES,
    f"{DRAW}floating-frame": LINKED_DOCUMENTS,
}
"""What is in a frame and not read, and the warning of it."""


class BlockReader:
    """Reads blocks. It is also the reader of frames and notes in paragraphs."""

    def __init__(self, context: OpenContext) -> None:
        self.context = context
        self._inline = InlineReader(context, self)
        self._list_style = ""
        self._list_numbers: tuple[int, ...] = ()
        """The numbers of the items around the current block, from the outermost list."""
        self._label: str | None = None
        """What the item shows that the next heading is. None: it is not in a list."""
        self._waiting: list[Piece] = []
        """Anchors that the next paragraph begins with."""
        self._handlers: dict[object, Callable[[Element, BlockBuilder], None]] = {
            f"{TEXT}p": self._paragraph,
            f"{TEXT}h": self._heading,
            f"{TEXT}list": self._read_list,
            f"{TABLE}table": self._table,
            f"{TEXT}section": self._section,
        }

    def read(self, parent: Element, root: HtmlElement) -> None:
        """Read the blocks of an element into an HTML element."""
        outer = self._list_style, self._list_numbers, self._label, self._waiting
        self._list_style, self._list_numbers, self._label, self._waiting = "", (), None, []
        self._children(parent, BlockBuilder(root, self.context.anchors))
        self._list_style, self._list_numbers, self._label, self._waiting = outer

    def _children(self, parent: Element, builder: BlockBuilder) -> None:
        for child in parent:
            handler = self._handlers.get(child.tag)
            if handler:
                handler(child, builder)
            elif child.tag in _WRAPPERS:
                self._children(child, builder)
            elif str(child.tag).startswith(DRAW):
                inline = Inline()
                self.frame(child, inline, ())
                self._write(inline, builder)

    def _section(self, element: Element, builder: BlockBuilder) -> None:
        source = element.find(f"{TEXT}section-source")
        if source is not None and source.get(f"{XLINK}href") and len(element) == 1:
            self.context.warnings.warn(LINKED_DOCUMENTS)
        self._children(element, builder)

    def _paragraph(self, element: Element, builder: BlockBuilder) -> None:
        name = element.get(STYLE_NAME) or ""
        text_format = self.context.styles.paragraph_format(name)
        if text_format is not None:  # not hidden
            self._write(self._inline.read(element, text_format), builder, self.context.styles.role(name))

    def _heading(self, element: Element, builder: BlockBuilder) -> None:
        styles, name = self.context.styles, element.get(STYLE_NAME) or ""
        level = max(1, count(element.get(f"{TEXT}outline-level")))
        shown, self._label = self._label, None
        if shown is None:
            shown = self.context.numbers.heading_label(element, level, styles.heading_levels(name))
        font = (styles.paragraph_format(name) or TextFormat()).font
        inline = self._inline.read(element, TextFormat(font=font))
        if shown and self.context.options.heading_numbers and has_content(inline.pieces):
            inline.pieces.insert(0, ((), shown))
        self._write(inline, builder, level=min(MAX_HEADING_LEVEL, level))

    def _write(self, inline: Inline, builder: BlockBuilder, role: Role = "", level: int = 0) -> None:
        self._waiting = builder.write_paragraph([*self._waiting, *inline.pieces], role, level)
        for box in inline.boxes:
            self._box(box, builder)

    def _read_list(self, element: Element, builder: BlockBuilder) -> None:
        outer = self._list_style, self._list_numbers
        style = self._list_style = element.get(STYLE_NAME) or outer[0]
        level = len(outer[1]) + 1
        levels = self.context.styles.list_levels(style)
        own = levels.get(level, UNORDERED)
        root = builder.append_point()
        writer = ListWriter(root, own, self.context.numbers.first(element, style, level, own.start))
        for child in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            number = writer.count(child)
            self._list_numbers = (*outer[1], number)
            if child.find(f"{TEXT}h") is not None:  # a heading that a list numbers
                self._label = label(levels, self._list_numbers) if child.tag == f"{TEXT}list-item" else ""
                writer.interrupt()
                self._children(child, builder)
                self._label = None
            else:
                item = writer.append(number)
                if own.is_checked is not None:
                    item.append(check_box(is_checked=own.is_checked))
                self._children(child, BlockBuilder(item, self.context.anchors))
        self.context.numbers.end(element, style, level, writer.number)
        self._list_style, self._list_numbers = outer

    def _table(self, element: Element, builder: BlockBuilder) -> None:
        """Read a table with its repeated rows and cells (OpenDocument 1.3, 9.1)."""
        target = builder.block("table")
        remaining = MAX_CELLS
        for row, is_header in _rows(element, is_header=False):
            is_empty = not any(text.strip() for text in row.itertext())
            for _ in range(count(row.get(f"{TABLE}number-rows-repeated"), 1, 1 if is_empty else 1000)):
                remaining -= self._row(row, target, "th" if is_header else "td")
                if remaining < 0:
                    return

    def _row(self, row: Element, target: HtmlElement, tag: str) -> int:
        line = etree.SubElement(target, "tr")
        written = 0
        for cell in row.iterchildren(f"{TABLE}table-cell"):
            repeated = count(cell.get(f"{TABLE}number-columns-repeated"), 1, MAX_COLUMNS)
            for _ in range(min(repeated, MAX_COLUMNS - written)):
                element = etree.SubElement(line, tag)
                for name, attribute in (("colspan", "columns"), ("rowspan", "rows")):
                    span = count(cell.get(f"{TABLE}number-{attribute}-spanned"), 1, 1000)
                    if span > 1:
                        element.set(name, str(span))
                self.read(cell, element)
                written += 1
        return written

    def _box(self, box: Element | HtmlElement, builder: BlockBuilder) -> None:
        if isinstance(box, HtmlElement):
            builder.append_point().append(box)
        elif box.tag == f"{TABLE}table":
            self._table(box, builder)
        else:
            self.read(box, etree.SubElement(builder.append_point(), "div"))

    def frame(self, element: Element, inline: Inline, marks: Marks) -> None:
        """Read a frame, a shape or a control of a form."""
        if element.tag == f"{DRAW}a":
            for child in element:
                self.frame(child, inline, marks)
        elif element.tag == f"{DRAW}control":
            inline.pieces.append((marks, self.context.control_text(element)))
        else:
            root = object_root(element, self.context)
            if root is None or not self._object(root, inline):
                self._shape(element, inline, marks)

    def _shape(self, element: Element, inline: Inline, marks: Marks) -> None:
        """Read an image, a text box, a shape with text or a group of them."""
        for child in element.iterchildren(*_OMITTED):
            self.context.warnings.warn(_OMITTED[str(child.tag)])
        box = element.find(f"{DRAW}text-box")
        if box is not None:
            inline.boxes.append(box)
        elif element.find(f"{DRAW}image") is not None:
            image = None if self.context.options.images == "none" else image_element(element, self.context)
            if image is not None:
                inline.pieces.append((marks, image))
        elif next(element.iter(f"{TEXT}p"), None) is not None:
            inline.boxes.append(element)

    def _object(self, root: Element, inline: Inline) -> bool:
        """Read a formula or a chart, and return whether the object is one."""
        if root.tag == f"{MATHML}math":
            inline.pieces.append(((), formula_element(root)))
            return True
        chart = next(root.iter(f"{CHART}chart"), None)
        table = None if chart is None else chart.find(f"{TABLE}table")
        if chart is None or table is None:
            return False
        inline.boxes += [*chart.iterchildren(f"{CHART}title"), table]
        return True

    def note(self, element: Element) -> HtmlElement | None:
        """Return the reference to a footnote or an endnote. None if notes are not read."""
        body = element.find(f"{TEXT}note-body")
        if not self.context.options.notes or body is None:
            return None
        key = f"note {element.get(f'{TEXT}id') or id(element)}"
        return self.context.notes.reference(key, partial(self.read, body))

    def comment(self, element: Element) -> HtmlElement | None:
        """Return the reference to a comment. None if comments are not read."""
        if not self.context.options.comments:
            return None
        key = f"comment {element.get(f'{OFFICE}name') or id(element)}"
        return self.context.notes.reference(key, partial(self._read_comment, element), "c")

    def _read_comment(self, element: Element, item: HtmlElement) -> None:
        self.read(element, item)
        author = element.findtext(f"{DC}creator")
        if author:
            prepend_text(item, f"{author}: ")


def _rows(parent: Element, *, is_header: bool) -> Iterator[tuple[Element, bool]]:
    for child in parent:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in _ROW_GROUPS:
            yield from _rows(child, is_header=is_header or child.tag == _ROW_GROUPS[0])
