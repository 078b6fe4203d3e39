"""One slide: its title as a heading, its shapes in reading order, and its notes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import BlockBuilder, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import table_element as rows_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import (
    Box,
    chart_rows,
    chart_title,
    diagram_list,
    in_reading_order,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList, OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.slides.names import (
    CHART,
    DIAGRAM,
    MC,
    A,
    Element,
    P,
    R,
    is_true,
)
from mediakit.tools.documents.document_to_markdown.readers.slides.placeholders import (
    FURNITURE,
    TITLES,
    Layouts,
    placeholder_of,
    stated_box,
)
from mediakit.tools.documents.document_to_markdown.readers.slides.tables import table_element
from mediakit.tools.documents.document_to_markdown.readers.slides.text_body import TextReader, plain_text

MAX_GROUPS = 30
"""Levels of nested groups."""

_SHAPES = (f"{P}sp", f"{P}pic", f"{P}graphicFrame", f"{P}grpSp", f"{P}cxnSp")


@dataclass(frozen=True)
class Shape:
    """A shape and where it is."""

    element: Element
    box: Box
    kind: str | None
    """Type of a placeholder; None for other shapes."""


@dataclass
class DeckContext:
    """What the readers of the slides of one presentation share."""

    package: OfficePackage
    layouts: Layouts
    options: ReadOptions
    images: ImageList = field(default_factory=ImageList)
    warnings: list[str] = field(default_factory=list)


class SlideReader:
    """Reads one slide."""

    def __init__(self, context: DeckContext, part: str) -> None:
        self._context, self._part = context, part
        self._layout = context.layouts.of_slide(part)
        self._relationships = context.package.relationships(part)
        self._text = TextReader(self._relationships)
        self._readers: dict[object, Callable[[Element, BlockBuilder], None]] = {
            f"{P}sp": self._append_text,
            f"{P}cxnSp": self._append_text,
            f"{P}pic": self._append_image,
            f"{P}graphicFrame": self._append_frame,
        }

    def append_to(self, root: HtmlElement, slide: Element, *, is_first: bool) -> str:
        """Append the slide and return its title. Empty if it has none."""
        tree = slide.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else list(self._shapes(tree))
        titles = [shape for shape in shapes if shape.kind in TITLES and self._title(shape.element)]
        builder = BlockBuilder(root)
        title = self._title(titles[0].element) if titles else ""
        if title:
            builder.block("h2").text = title
        elif not is_first:
            builder.block("hr")
        for shape in in_reading_order([shape for shape in shapes if shape not in titles[:1]], lambda each: each.box):
            self._append(shape.element, builder, MAX_GROUPS)
        if self._context.options.notes:
            self._append_notes(builder)
        return title

    def _title(self, shape: Element) -> str:
        return " ".join(plain_text(self._text.pieces(line)) for line in shape.iterfind(f"{P}txBody/{A}p")).strip()

    def _shapes(self, tree: Element) -> Iterator[Shape]:
        """Yield the shapes of a slide or a group that are visible."""
        for element in _alternatives(tree):
            placeholder = placeholder_of(element)
            kind = None if placeholder is None else placeholder.get("type") or ""
            properties = element.find(f"*/{P}cNvPr")
            is_hidden = properties is not None and is_true(properties.get("hidden"))
            if not is_hidden and (self._context.options.headers or kind not in FURNITURE):
                box = self._layout.box(element) if placeholder is not None else stated_box(element)
                yield Shape(element, box or Box(), kind)

    def _append(self, element: Element, builder: BlockBuilder, levels: int) -> None:
        if element.tag == f"{P}grpSp":
            shapes = list(self._shapes(element)) if levels else []
            for shape in in_reading_order(shapes, lambda each: each.box):
                self._append(shape.element, builder, levels - 1)
        else:
            self._readers[element.tag](element, builder)

    def _append_text(self, shape: Element, builder: BlockBuilder) -> None:
        body = shape.find(f"{P}txBody")
        if body is not None:
            self._text.append(body, builder, str(id(shape)), lambda level: self._layout.has_bullet(shape, level))

    def _append_frame(self, frame: Element, builder: BlockBuilder) -> None:
        """Append a table, a chart, a diagram or the image of an embedded object."""
        data = frame.find(f"{A}graphic/{A}graphicData")
        content = None if data is None or not len(data) else data[0]
        if content is None:
            return
        if content.tag == f"{A}tbl":
            builder.block("div").append(table_element(content, self._text))
        elif content.tag == f"{CHART}chart":
            self._append_chart(content, builder)
        elif content.tag == f"{DIAGRAM}relIds":
            diagram = self._related_xml(content.get(f"{R}dm"))
            listed = None if diagram is None else diagram_list(diagram)
            if listed is not None:
                builder.block("div").append(listed)
        else:
            for image in list(data.iter(f"{P}pic"))[:1] if data is not None else ():
                self._append_image(image, builder)

    def _append_chart(self, reference: Element, builder: BlockBuilder) -> None:
        chart = self._related_xml(reference.get(f"{R}id"))
        if chart is None:
            return
        if title := chart_title(chart):
            etree.SubElement(builder.block("p"), "strong").text = title
        if rows := chart_rows(chart):
            builder.block("div").append(rows_element(rows))

    def _append_image(self, shape: Element, builder: BlockBuilder) -> None:
        blip = shape.find(f"{P}blipFill/{A}blip")
        relationship = None if blip is None else self._relationships.get(blip.get(f"{R}embed") or "")
        if self._context.options.images == "none" or relationship is None:
            return
        properties = shape.find(f"{P}nvPicPr/{P}cNvPr")
        alt = "" if properties is None else " ".join((properties.get("descr") or properties.get("title") or "").split())
        name = None if relationship.is_external else self._image_name(relationship.target, alt)
        if name is None:
            self._context.warnings.append("Images that the file only links to, or lacks, were not loaded.")
            return
        image = etree.SubElement(builder.block("p"), "img")
        image.set("src", name)
        image.set("alt", alt)

    def _image_name(self, part: str, alt: str) -> str | None:
        content = self._context.package.read(part)
        return self._context.images.known(part) or (self._context.images.add(part, content, alt) if content else None)

    def _append_notes(self, builder: BlockBuilder) -> None:
        part = self._context.package.related(self._part, "notesSlide")
        notes = self._context.package.xml(part) if part else None
        if part is None or notes is None:
            return
        text = TextReader(self._context.package.relationships(part))
        content = BlockBuilder(new_element("div"))
        for shape in notes.iter(f"{P}sp"):
            placeholder, body = placeholder_of(shape), shape.find(f"{P}txBody")
            if placeholder is not None and placeholder.get("type") == "body" and body is not None:
                text.append(body, content, "notes", lambda _level: False)
        if len(content.root):
            builder.block("h3").text = "Notes"
            builder.root.append(content.root)

    def _related_xml(self, identifier: str | None) -> Element | None:
        relationship = self._relationships.get(identifier or "")
        return (
            None if relationship is None or relationship.is_external else self._context.package.xml(relationship.target)
        )


def _alternatives(tree: Element) -> Iterator[Element]:
    """Yield the shapes in a tree, and of alternatives the first ones that are shapes."""
    for element in tree:
        if element.tag in _SHAPES:
            yield element
        elif element.tag == f"{MC}AlternateContent":
            choices = ([shape for shape in choice if shape.tag in _SHAPES] for choice in element)
            yield from next(filter(None, choices), [])
