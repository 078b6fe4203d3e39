"""OpenDocument presentations (ODP, OTP): slides in visual reading order, read as the blocks of a text."""

import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.odt.blocks import BlockReader, OpenContext
from mediakit.tools.documents.document_to_markdown.readers.odt.names import DRAW, OFFICE, SVG, TEXT, Element
from mediakit.tools.documents.document_to_markdown.readers.odt.styles import OpenStyles
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import Box, in_reading_order
from mediakit.tools.documents.document_to_markdown.readers.office.package import describe
from mediakit.tools.documents.document_to_markdown.readers.sheets.opendocument import paragraph_text

PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
CLASS = f"{PRESENTATION}class"
MAX_SLIDES = 5000

_FURNITURE = ("date-time", "footer", "header", "page-number")
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|px|pc)?")
_POINTS = {"cm": 28.346, "mm": 2.8346, "in": 72, "pt": 1, "px": 0.75, "pc": 12, None: 1}


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a presentation.

    Raises:
        InvalidInput: It is damaged.
    """
    container = Container(content)
    root = parse_xml(container.read("content.xml"), "content.xml") if "content.xml" in container else None
    slides = None if root is None else root.find(f"{OFFICE}body/{OFFICE}presentation")
    if root is None or slides is None:
        raise InvalidInput("file: is a damaged OpenDocument presentation that has no slides.")
    styles = parse_xml(container.read("styles.xml"), "styles.xml") if "styles.xml" in container else None
    context = OpenContext(container, OpenStyles([root] if styles is None else [styles, root]), options, Anchors(()))
    body = new_element("div")
    document = Document(body, images=context.images.images)
    describe(container, document)
    reader = SlideReader(context, options)
    for number, slide in enumerate(slides.findall(f"{DRAW}page")[:MAX_SLIDES], 1):
        title = reader.append(slide, body, is_first=number == 1)
        document.parts.append(title or f"Slide {number}")
    context.notes.append_to(body)
    return document


class SlideReader:
    """Reads the slides of one presentation."""

    def __init__(self, context: OpenContext, options: ReadOptions) -> None:
        self._blocks, self._options = BlockReader(context), options

    def append(self, slide: Element, body: HtmlElement, *, is_first: bool) -> str:
        """Append a slide and return its title. Empty if it has none."""
        shapes = [shape for shape in slide if str(shape.tag).startswith(DRAW) and self._is_read(shape)]
        titles = [shape for shape in shapes if shape.get(CLASS) == "title" and _text(shape)]
        title = _text(titles[0]) if titles else ""
        if title:
            etree.SubElement(body, "h2").text = title
        elif not is_first:
            etree.SubElement(body, "hr")
        for shape in in_reading_order([shape for shape in shapes if shape not in titles[:1]], _box):
            self._append_shape(shape, etree.SubElement(body, "div"))
        notes = slide.find(f"{PRESENTATION}notes")
        if notes is not None and self._options.notes:
            self._append_notes(notes, body)
        return title

    def _is_read(self, shape: Element) -> bool:
        return self._options.headers or shape.get(CLASS) not in _FURNITURE

    def _append_shape(self, shape: Element, target: HtmlElement) -> None:
        holder = etree.Element("holder")
        holder.append(shape)
        self._blocks.read(holder, target)

    def _append_notes(self, notes: Element, body: HtmlElement) -> None:
        frames = [frame for frame in notes.iterchildren(f"{DRAW}frame") if frame.get(CLASS) == "notes"]
        content = new_element("div")
        for frame in frames:
            self._append_shape(frame, content)
        if content.text_content().strip():
            etree.SubElement(body, "h3").text = "Notes"
            body.append(content)


def _text(shape: Element) -> str:
    lines = (paragraph_text(paragraph) for paragraph in shape.iter(f"{TEXT}p", f"{TEXT}h"))
    return " ".join(" ".join(lines).split())


def _box(shape: Element) -> Box:
    """Return the position of a shape; of a group, that of its first shape."""
    if shape.get(f"{SVG}x") is None and shape.tag == f"{DRAW}g":
        return next((_box(child) for child in _positioned(shape)), Box())
    left, top, width, height = (_points(shape.get(f"{SVG}{name}")) for name in ("x", "y", "width", "height"))
    return Box(left, top, width, height)


def _positioned(group: Element) -> Iterator[Element]:
    return (shape for shape in group.iterdescendants() if shape.get(f"{SVG}x") is not None)


def _points(length: str | None) -> float:
    match = _LENGTH.fullmatch(length or "")
    return float(match[1]) * _POINTS[match[2]] if match else 0
