"""The blocks of an OpenDocument text: paragraphs, headings, lists, code, quotes, tables, frames and notes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.tools.documents.document_to_markdown.document import ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.odt.frames import (
    formula_element,
    image_element,
    object_root,
)
from mediakit.tools.documents.document_to_markdown.readers.odt.inline import Inline, InlineReader
from mediakit.tools.documents.document_to_markdown.readers.odt.lists import ListNumbers, ListWriter, list_style
from mediakit.tools.documents.document_to_markdown.readers.odt.names import (
    CHART,
    DC,
    DRAW,
    MATHML,
    OFFICE,
    STYLE_NAME,
    TABLE,
    TEXT,
    Element,
    count,
)
from mediakit.tools.documents.document_to_markdown.readers.odt.styles import OpenStyles
from mediakit.tools.documents.document_to_markdown.readers.odt.tables import write_table
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    BlockBuilder,
    Marks,
    NoteList,
    Piece,
    append_code,
    append_pieces,
    has_content,
    prepend_text,
    without_strong,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList

MAX_HEADING_LEVEL = 6
_WRAPPERS = frozenset(
    f"{TEXT}{name}" for name in ("section", "bibliography", "index-body", "numbered-paragraph", "index-title")
)
"""Elements that only wrap blocks. Indexes other than bibliographies repeat the headings and are not read."""


@dataclass
class OpenContext:
    """What the readers of a text share."""

    container: Container
    styles: OpenStyles
    options: ReadOptions
    anchors: Anchors
    notes: NoteList = field(default_factory=NoteList)
    images: ImageList = field(default_factory=ImageList)
    numbers: ListNumbers = field(default_factory=ListNumbers)


class BlockReader:
    """Reads blocks. It is also the reader of frames and notes in paragraphs."""

    def __init__(self, context: OpenContext) -> None:
        self.context = context
        self._inline = InlineReader(context.styles, context.anchors, self)
        self._list: tuple[str, int] = ("", 0)
        """Style and level of the list around the current block."""
        self._handlers: dict[object, Callable[[Element, BlockBuilder], None]] = {
            f"{TEXT}p": self._paragraph,
            f"{TEXT}h": self._heading,
            f"{TEXT}list": self._read_list,
            f"{TABLE}table": self._table,
        }

    def read(self, parent: Element, root: HtmlElement) -> None:
        """Read the blocks of an element into an HTML element."""
        outer, self._list = self._list, ("", 0)
        self._children(parent, BlockBuilder(root))
        self._list = outer

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
                self._write(inline, "", builder)

    def _paragraph(self, element: Element, builder: BlockBuilder) -> None:
        name = element.get(STYLE_NAME) or ""
        marks = self.context.styles.paragraph_marks(name)
        if marks is not None:  # not hidden
            self._write(self._inline.read(element, marks), name, builder)

    def _write(self, inline: Inline, style: str, builder: BlockBuilder) -> None:
        role = self.context.styles.role(style)
        if role == "code" and (has_content(inline.pieces) or builder.is_in_code):
            append_code(builder.code_lines(), inline.pieces)
        elif has_content(inline.pieces):
            self._write_pieces(inline.pieces, role, builder)
        for box in inline.boxes:
            self._box(box, builder)

    def _write_pieces(self, pieces: list[Piece], role: str, builder: BlockBuilder) -> None:
        if role == "title":
            append_pieces(builder.block("h1"), without_strong(pieces))
        elif role == "quote":
            append_pieces(builder.grouped("blockquote", "p"), pieces)
        else:
            append_pieces(builder.block("p"), pieces)

    def _heading(self, element: Element, builder: BlockBuilder) -> None:
        inline = self._inline.read(element)
        if has_content(inline.pieces):
            level = max(1, min(MAX_HEADING_LEVEL, count(element.get(f"{TEXT}outline-level"))))
            heading = builder.block(f"h{level}")
            append_pieces(heading, without_strong(inline.pieces))
            self.context.anchors.move_to_heading(heading)
        for box in inline.boxes:
            self._box(box, builder)

    def _read_list(self, element: Element, builder: BlockBuilder) -> None:
        outer = self._list
        style, level = list_style(element, outer[0]), outer[1] + 1
        self._list = style, level
        start = self.context.styles.list_level(style, level).start
        first = self.context.numbers.first(element, style, level, start)
        writer = ListWriter(builder.append_point(), self.context.styles, style, level, first)
        for child in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            self._children(child, BlockBuilder(writer.item(child)))
        self.context.numbers.end(element, style, level, writer.number)
        self._list = outer

    def _table(self, element: Element, builder: BlockBuilder) -> None:
        write_table(element, builder.block("table"), self.read)

    def _box(self, box: Element | HtmlElement, builder: BlockBuilder) -> None:
        if isinstance(box, HtmlElement):
            builder.append_point().append(box)
        elif box.tag == f"{TABLE}table":
            self._table(box, builder)
        else:
            self.read(box, etree.SubElement(builder.append_point(), "div"))

    def frame(self, element: Element, inline: Inline, marks: Marks) -> None:
        """Read a frame or a shape."""
        root = object_root(element, self.context.container)
        if element.tag == f"{DRAW}a":
            for child in element:
                self.frame(child, inline, marks)
        elif root is None or not self._object(root, inline):
            self._shape(element, inline, marks)

    def _shape(self, element: Element, inline: Inline, marks: Marks) -> None:
        """Read an image, a text box, a shape with text or a group of them."""
        box = element.find(f"{DRAW}text-box")
        if box is not None:
            inline.boxes.append(box)
        elif element.find(f"{DRAW}image") is not None:
            if self.context.options.images == "none":
                return
            image = image_element(element, self.context.container, self.context.images)
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
