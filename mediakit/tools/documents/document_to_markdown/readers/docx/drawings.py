"""Drawings of Word: images, text boxes, charts and diagrams, in DrawingML and VML."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.document import (
    EMBEDDED_FILES,
    EMPTY_GRAPHICS,
    LINKED_DOCUMENTS,
    LINKED_IMAGES,
    MEDIA,
    MISSING_IMAGES,
)
from mediakit.tools.documents.document_to_markdown.readers.docx.parts import WordContext
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import OFFICE, WP, V
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element, table_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import chart_rows, chart_title, diagram_list
from mediakit.tools.documents.document_to_markdown.readers.office.package import Relationship
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import CHART, DIAGRAM, MC, A, Element, R, W

_DESCRIBED = (f"{WP}docPr", f"{V}shape", f"{V}rect")
_ALTERNATIVE_TEXTS = ("descr", "alt")
_MEDIA = (
    *(f"{A}{name}" for name in ("videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "audioCd")),
    "{http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing}webVideoPr",
)
"""Elements of audio and video in a file or on the web."""


@dataclass(slots=True)
class Drawing:
    """A part of a drawing: one of its fields is set."""

    image: HtmlElement | None = None
    text_box: Element | None = None
    """The element with the paragraphs of a text box."""
    block: HtmlElement | None = None
    """A chart or a diagram."""


def read_drawing(context: WordContext, part: str, drawing: Element) -> Iterator[Drawing]:
    """Yield what a drawing shows, in order.

    Args:
        context: The document.
        part: Name of the part with the drawing, which its identifiers belong to.
        drawing: The element.
    """
    yield from _read(context, part, drawing, _alternative_text(drawing))


def _read(context: WordContext, part: str, parent: Element, alt: str) -> Iterator[Drawing]:
    for element in parent:
        read = _READERS.get(element.tag)
        if read:
            yield from read(context, part, element, alt)
        elif element.tag == f"{MC}AlternateContent":
            yield from _read(context, part, element[0], alt) if len(element) else ()
        elif len(element):
            yield from _read(context, part, element, _alternative_text(element) or alt)


def _text_box(_context: WordContext, _part: str, element: Element, _alt: str) -> Iterator[Drawing]:
    yield Drawing(text_box=element)


def _blip(context: WordContext, part: str, element: Element, alt: str) -> Iterator[Drawing]:
    return _image(context, part, element.get(f"{R}embed"), element.get(f"{R}link"), alt)


def _vml_image(context: WordContext, part: str, element: Element, alt: str) -> Iterator[Drawing]:
    alt = alt or element.get(f"{OFFICE}title") or ""
    return _image(context, part, element.get(f"{R}id"), element.get(f"{R}href"), alt)


def _alternative_text(element: Element) -> str:
    described = element if element.tag in _DESCRIBED else next(element.iterchildren(*_DESCRIBED), None)
    if described is None:
        return ""
    return next((text for name in _ALTERNATIVE_TEXTS if (text := described.get(name))), "")


def _image(context: WordContext, part: str, embedded: str | None, linked: str | None, alt: str) -> Iterator[Drawing]:
    if context.options.images == "none":
        return
    relationships = context.package.relationships(part)
    relationship = relationships.get(embedded or "") or relationships.get(linked or "")
    if relationship is None:
        return
    if relationship.is_external:
        context.warnings.warn(LINKED_IMAGES)
        source: str | None = relationship.target
    else:
        source = _embedded_image(context, relationship, alt)
    if source:
        element = new_element("img")
        element.set("src", source)
        element.set("alt", alt)
        yield Drawing(image=element)


def _embedded_image(context: WordContext, relationship: Relationship, alt: str) -> str | None:
    known = context.images.known(relationship.target)
    if known:
        return known
    if relationship.target not in context.package:
        context.warnings.warn(MISSING_IMAGES)
        return None
    return context.images.add(relationship.target, context.package.read(relationship.target), alt)


def _chart(context: WordContext, part: str, element: Element, _alt: str) -> Iterator[Drawing]:
    chart = context.related_xml(part, element.get(f"{R}id"))
    rows = [] if chart is None else chart_rows(chart)
    if chart is not None and (title := chart_title(chart)):
        yield Drawing(block=_paragraph(title))
    if rows:
        yield Drawing(block=table_element(rows))
    else:
        context.warnings.warn(EMPTY_GRAPHICS)


def _diagram(context: WordContext, part: str, element: Element, _alt: str) -> Iterator[Drawing]:
    """Yield the texts of a SmartArt diagram as a list."""
    model = context.related_xml(part, element.get(f"{R}dm"))
    listed = None if model is None else diagram_list(model)
    if listed is not None:
        yield Drawing(block=listed)
    else:
        context.warnings.warn(EMPTY_GRAPHICS)


def _omitted(context: WordContext, _part: str, element: Element, _alt: str) -> Iterator[Drawing]:
    """Count a file or a recording that is not read. Its preview image is elsewhere in the drawing."""
    if element.tag in _MEDIA:
        context.warnings.warn(MEDIA)
    elif element.get("Type") == "Link" or element.tag == f"{W}objectLink":
        context.warnings.warn(LINKED_DOCUMENTS)
    else:
        context.warnings.warn(EMBEDDED_FILES)
    return iter(())


def _paragraph(text: str) -> HtmlElement:
    paragraph = new_element("p")
    paragraph.text = text
    return paragraph


_READERS: dict[object, Callable[[WordContext, str, Element, str], Iterator[Drawing]]] = {
    f"{W}txbxContent": _text_box,
    f"{A}blip": _blip,
    f"{V}imagedata": _vml_image,
    f"{CHART}chart": _chart,
    f"{DIAGRAM}relIds": _diagram,
    f"{OFFICE}OLEObject": _omitted,
    f"{W}objectEmbed": _omitted,
    f"{W}objectLink": _omitted,
    f"{W}control": _omitted,
    **dict.fromkeys(_MEDIA, _omitted),
}
