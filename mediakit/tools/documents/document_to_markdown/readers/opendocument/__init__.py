"""OpenDocument texts and presentations: ODT, OTT, ODP and OTP (OpenDocument 1.3)."""

import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document
from mediakit.tools.documents.document_to_markdown.readers.office import Element
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import Box, in_reading_order
from mediakit.tools.documents.document_to_markdown.readers.office.package import describe, part_xml
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    DRAW,
    OFFICE,
    STYLE,
    SVG,
    TEXT,
    XLINK,
    OpenStyles,
)
from mediakit.tools.documents.document_to_markdown.readers.opendocument.text import OpenReading, TextReader
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
CLASS = f"{PRESENTATION}class"
MAX_SLIDES = 5000

_FURNITURE = ("date-time", "footer", "header", "page-number")
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|px|pc)?")
_POINTS = {"cm": 28.346, "mm": 2.8346, "in": 72, "pt": 1, "px": 0.75, "pc": 12, None: 1}


def read(content: bytes, options: Request) -> Document:
    """Read a text or a presentation. Tracked changes are accepted; scripts and linked files are not opened.

    Raises:
        InvalidInput: It is damaged or encrypted.
    """
    container = Container(content)
    root, common = part_xml(container, "content.xml"), part_xml(container, "styles.xml")
    body = None if root is None else root.find(f"{OFFICE}body")
    text = None if body is None else next(body.iterchildren(f"{OFFICE}text", f"{OFFICE}presentation"), None)
    if root is None or text is None:
        raise InvalidInput("file: is a damaged OpenDocument file that has neither a text nor slides.")
    addresses = (link.get(f"{XLINK}href") or "" for link in text.iter(f"{TEXT}a"))
    linked = [address[1:].split("|")[0] for address in addresses if address.startswith("#")]
    linked += [each.get(f"{TEXT}ref-name") or "" for each in text.iter(f"{TEXT}bookmark-ref", f"{TEXT}reference-ref")]
    styles = OpenStyles([root] if common is None else [common, root])
    reading = OpenReading(container, root, styles, options, linked)
    tree = new_element("div")
    titles: list[str] = []
    if text.tag == f"{OFFICE}text":
        reader = TextReader(reading)
        masters = [] if common is None or not options.headers else list(common.iter(f"{STYLE}master-page"))
        for part in (*_edges(masters, "header"), text, *_edges(masters, "footer")):
            reader.read(part, tree)
    else:
        slides = SlideReader(reading, tree)
        for number, slide in enumerate(text.findall(f"{DRAW}page")[:MAX_SLIDES], 1):
            titles.append(slides.append(slide, is_first=number == 1) or f"Slide {number}")
    document = reading.finish(tree)
    document.parts = titles
    describe(container, document)
    return document


def _edges(masters: list[Element], kind: str) -> Iterator[Element]:
    """Yield the headers or footers of the pages, each text once."""
    written: set[str] = set()
    for master in masters:
        for element in master.iterchildren(f"{STYLE}{kind}", f"{STYLE}{kind}-first", f"{STYLE}{kind}-left"):
            text = "".join(element.itertext()).strip()
            if text and text not in written:
                written.add(text)
                yield element


class SlideReader:
    """Reads the slides of one presentation, each in visual reading order, as the blocks of a text."""

    def __init__(self, reading: OpenReading, root: HtmlElement) -> None:
        self._text, self._options, self._root = TextReader(reading), reading.options, root

    def append(self, slide: Element, *, is_first: bool) -> str:
        """Append a slide and return its title. Empty if it has none."""
        omitted = () if self._options.headers else _FURNITURE
        shapes = [each for each in slide if str(each.tag).startswith(DRAW) and each.get(CLASS) not in omitted]
        titles = ((shape, self._line(shape)) for shape in shapes if shape.get(CLASS) == "title")
        title_shape, title = next(((shape, text) for shape, text in titles if text), (None, ""))
        if title:
            etree.SubElement(self._root, "h2").text = title
        elif not is_first:
            etree.SubElement(self._root, "hr")
        for shape in in_reading_order([shape for shape in shapes if shape is not title_shape], _box):
            self._append_shape(shape, etree.SubElement(self._root, "div"))
        notes = slide.find(f"{PRESENTATION}notes")
        if notes is not None and self._options.notes:
            content = new_element("div")
            for frame in [each for each in notes.iterchildren(f"{DRAW}frame") if each.get(CLASS) == "notes"]:
                self._append_shape(frame, content)
            if content.text_content().strip():
                etree.SubElement(self._root, "h3").text = "Notes"
                self._root.append(content)
        return title

    def _line(self, shape: Element) -> str:
        """Return the text of a shape as one line."""
        target = new_element("div")
        self._text.read(shape, target)
        for line in target.iter("p", "br", "li"):
            line.tail = f" {line.tail or ''}"
        return " ".join(target.text_content().split())

    def _append_shape(self, shape: Element, target: HtmlElement) -> None:
        holder = etree.Element("holder")
        holder.append(shape)
        self._text.read(holder, target)


def _box(shape: Element) -> Box:
    """Return the position of a shape; of a group, that of its first shape."""
    if shape.get(f"{SVG}x") is None and shape.tag == f"{DRAW}g":
        positioned = next((each for each in shape.iterdescendants() if each.get(f"{SVG}x") is not None), None)
        return Box() if positioned is None else _box(positioned)
    lengths = (_LENGTH.fullmatch(shape.get(f"{SVG}{name}") or "") for name in ("x", "y", "width", "height"))
    return Box(*(float(length[1]) * _POINTS[length[2]] if length else 0 for length in lengths))
