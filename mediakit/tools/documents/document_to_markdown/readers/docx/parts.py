"""What the readers of a Word document share, drawings, and the documents of other formats that Word shows in place."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from functools import partial
from pathlib import PurePosixPath

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.charsets import decode
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import (
    EMBEDDED_FILES,
    EMPTY_GRAPHICS,
    LINKED_DOCUMENTS,
    LINKED_IMAGES,
    MEDIA,
    MISSING_IMAGES,
    Document,
    ReadOptions,
    WarningCounter,
)
from mediakit.tools.documents.document_to_markdown.readers import identify, read_document
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import Numbering
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import OFFICE, WP, Styles, V
from mediakit.tools.documents.document_to_markdown.readers.office import CHART, DIAGRAM, MC, A, Element, R, W
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    NoteList,
    new_element,
    table_element,
)
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import chart_rows, chart_title, diagram_list
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList, OfficePackage, Relationship

MAX_CHUNKS = 100
MAX_ARCHIVE_PARTS = 20
MAX_CHUNK_DEPTH = 2
"""Documents around a chunk, whose own chunks are read."""

UNREAD_CHUNKS = "Inserted documents that could not be read: {}."
_ARCHIVE_TYPES = ("message/rfc822", "multipart/related", "application/x-mimearchive")
_CHUNK_KINDS = ("docx", "html", "rtf")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow, other than separators of lines."""


@dataclass
class WordContext:
    """The state of reading one document."""

    package: OfficePackage
    styles: Styles
    numbering: Numbering
    options: ReadOptions
    anchors: Anchors
    notes: NoteList = field(default_factory=NoteList)
    images: ImageList = field(default_factory=ImageList)
    warnings: WarningCounter = field(default_factory=WarningCounter)
    chunks: int = 0
    """Chunks of other formats that were read."""

    def related_xml(self, part: str, identifier: str | None) -> Element | None:
        """Return the root of the part that an identifier in a part refers to. None if there is none."""
        relationship = self.package.relationships(part).get(identifier or "")
        return None if relationship is None or relationship.is_external else self.package.xml(relationship.target)


def read_chunk(context: WordContext, part: str, chunk: Element) -> HtmlElement | None:
    """Return the content of an alternative format chunk: DOCX, HTML, MHTML, RTF or text (ISO/IEC 29500-1, 17.17.2).

    Its notes and images become those of the document around it.

    Args:
        context: The document.
        part: Name of the part with the chunk.
        chunk: The element.

    Returns:
        An element with the blocks of the chunk. None if it cannot be read, which is a warning.
    """
    relationship = context.package.relationships(part).get(chunk.get(f"{R}id") or "")
    context.chunks += 1
    document = None
    if relationship and relationship.target in context.package and context.chunks <= MAX_CHUNKS:
        options = replace(context.options, name=relationship.target, headers=False, depth=context.options.depth + 1)
        if options.depth <= MAX_CHUNK_DEPTH:
            content_type = context.package.content_type(relationship.target).partition(";")[0].strip()
            document = _read(context.package.read(relationship.target), content_type, options)
    if relationship is None or document is None or document.body is None:
        context.warnings.warn(UNREAD_CHUNKS)
        return None
    for sentence in document.warnings:
        context.warnings.warn(sentence)
    _adopt_images(context, relationship.target, document)
    _adopt_notes(context, relationship.target, document.body)
    document.body.tag = "div"
    return document.body


def _read(content: bytes, content_type: str, options: ReadOptions) -> Document | None:
    suffix = PurePosixPath(options.name).suffix.lower()
    try:
        if content_type in _ARCHIVE_TYPES or suffix in (".mht", ".mhtml"):
            return read_document("html", _archived_page(content), options)
        if content_type == "text/plain" or suffix == ".txt":
            return _read_text(content)
        is_page = content_type in ("text/html", "application/xhtml+xml") or suffix in (".html", ".htm", ".xhtml")
        kind = "html" if is_page else identify(content, options.name)
        return read_document(kind, content, options) if kind in _CHUNK_KINDS else None
    except (InvalidInput, RecursionError):
        return None


def _archived_page(content: bytes) -> bytes:
    """Return the page of an archive of a page, in UTF-8 (RFC 2557).

    Raises:
        InvalidInput: It has no page.
    """
    if content.lower().count(b"multipart") > MAX_ARCHIVE_PARTS:  # the parser takes quadratic time
        raise InvalidInput(f"file: has an MHTML archive with more than {MAX_ARCHIVE_PARTS} nested parts.")
    message = message_from_bytes(content, policy=policy.default)
    page = message.get_body(("html",))
    try:
        text = None if page is None else page.get_content()
    except (LookupError, ValueError) as error:
        raise InvalidInput("file: has a damaged MHTML archive.") from error
    if not isinstance(text, str):
        raise InvalidInput("file: has an MHTML archive without a page.")
    return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")


def _read_text(content: bytes) -> Document:
    text = _CONTROLS.sub("", decode(content, "auto", "file")[0])
    body = new_element("div")
    for line in filter(str.strip, text.splitlines()):
        etree.SubElement(body, "p").text = line
    return Document(body)


def _adopt_images(context: WordContext, chunk: str, document: Document) -> None:
    """Add the images of a chunk to those of the document, under their new names."""
    images = {image.name: image for image in document.images}
    for element in () if document.body is None else document.body.iter("img"):
        image = images.get(element.get("src") or "")
        if image:
            key = f"{chunk}#{image.name}"
            name = context.images.known(key) or context.images.add(key, image.content, image.alt)
            element.set("src", name or image.name)


def _adopt_notes(context: WordContext, chunk: str, body: HtmlElement) -> None:
    """Add the notes of a chunk to those of the document, under their new labels."""
    lists = [each for each in body.iterchildren("ol") if each.get("class") == "footnotes"]
    notes = {f"#{item.get('id')}": item for listed in lists for item in listed if item.get("data-label")}
    for listed in lists:
        listed.drop_tree()
    for link in list(body.iter("a")) if notes else ():
        note = notes.get(link.get("href") or "")
        mark = link.getparent()
        if note is None or mark is None or mark.tag != "sup":
            continue
        label = note.get("data-label") or ""
        key = f"{chunk} {context.chunks} {label}"
        reference = context.notes.reference(key, partial(_move_content, note), "c" if label.startswith("c") else "")
        if reference is not None:
            link.text = reference[0].text
            link.set("href", reference[0].get("href") or "")


def _move_content(source: HtmlElement, target: HtmlElement) -> None:
    target.text = source.text
    target.extend(list(source))


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
    yield from _read_children(context, part, drawing, _alternative_text(drawing))


def _read_children(context: WordContext, part: str, parent: Element, alt: str) -> Iterator[Drawing]:
    for element in parent:
        read = _READERS.get(element.tag)
        if read:
            yield from read(context, part, element, alt)
        elif element.tag == f"{MC}AlternateContent":
            yield from _read_children(context, part, element[0], alt) if len(element) else ()
        elif len(element):
            yield from _read_children(context, part, element, _alternative_text(element) or alt)


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
