"""What a Word document holds beside its text: parts, notes, drawings, and documents that Word shows in place."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from email import message_from_bytes, policy
from pathlib import PurePosixPath

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.charsets import decode
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted
from mediakit.tools.documents.document_to_markdown.readers import identify, read_document
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import Numbering
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import OFFICE, WP, Styles, V
from mediakit.tools.documents.document_to_markdown.readers.office import CHART, DIAGRAM, MC, A, Element, R, W
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.graphics import chart_blocks, diagram_list
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_DESCRIBED = (f"{WP}docPr", f"{V}shape", f"{V}rect")
_MEDIA = (
    *(f"{A}{name}" for name in ("videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "audioCd")),
    "{http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing}webVideoPr",
)
"""Elements of audio and video in a file or on the web."""


class WordReading(Reading):
    """The state of reading one Word document."""

    def __init__(self, package: OfficePackage, options: Request, linked: Iterable[str], outer: Reading | None) -> None:
        super().__init__(options, linked, outer)
        self.package = package
        self.styles = Styles(self._related_xml("styles"))
        self.numbering = Numbering(self._related_xml("numbering"), self.styles)
        self._notes: dict[str, Mapping[str, Element]] = {}
        """The notes of each kind by identifier."""

    def _related_xml(self, kind: str) -> Element | None:
        return self.package.xml(self.package.related(self.package.main, kind) or "")

    def note_element(self, kind: str, identifier: str) -> Element | None:
        """Return a note by its kind, `footnote`, `endnote` or `comment`. None if it does not exist."""
        if kind not in self._notes:
            root = self._related_xml(f"{kind}s")
            found = () if root is None else root.iter(f"{W}{kind}")
            self._notes[kind] = {note.get(f"{W}id") or "": note for note in found}
        return self._notes[kind].get(identifier)


def read_drawing(reading: WordReading, part: str, drawing: Element, alt: str = "") -> Iterator[Element | HtmlElement]:
    """Yield what a drawing shows, in order: images, charts and diagrams, and the elements of text boxes.

    Its identifiers belong to the part that it is in. `alt` is the alternative text of what is around it.
    """
    described = drawing if drawing.tag in _DESCRIBED else next(drawing.iterchildren(*_DESCRIBED), None)
    if described is not None:
        alt = described.get("descr") or described.get("alt") or alt
    for element in drawing:
        if element.tag == f"{W}txbxContent":
            yield element
        elif read := _READERS.get(element.tag):
            yield from read(reading, part, element, alt)
        elif element.tag == f"{MC}AlternateContent":
            yield from read_drawing(reading, part, element[0], alt) if len(element) else ()
        elif len(element):
            yield from read_drawing(reading, part, element, alt)


def _image(reading: WordReading, part: str, element: Element, alt: str) -> Iterator[HtmlElement]:
    """Yield an image of DrawingML or VML."""
    relationships = reading.package.relationships(part)
    names = ("embed", "link") if element.tag == f"{A}blip" else ("id", "href")
    identifiers = (element.get(f"{R}{name}") for name in names)
    found = next((relationships[each] for each in identifiers if each in relationships), None)
    alt = alt or element.get(f"{OFFICE}title") or ""
    image = None if found is None else reading.image(reading.package, found.target, alt, is_external=found.is_external)
    if image is not None:
        yield image


def _graphic(reading: WordReading, part: str, element: Element, _alt: str) -> Iterator[HtmlElement]:
    """Yield the title and the values of a chart, or the texts of a SmartArt diagram as a list."""
    is_chart = element.tag == f"{CHART}chart"
    root = reading.package.related_xml(part, element.get(f"{R}id" if is_chart else f"{R}dm"))
    blocks: list[HtmlElement] = []
    if root is not None and is_chart:
        blocks = chart_blocks(root)
    elif root is not None and (listed := diagram_list(root)) is not None:
        blocks = [listed]
    if not any(block.tag in ("table", "ul") for block in blocks):
        reading.warnings.warn(Omitted.EMPTY_GRAPHICS)
    yield from blocks


def _omitted(reading: WordReading, _part: str, element: Element, _alt: str) -> Iterator[HtmlElement]:
    """Count a file or a recording that is not read. Its preview image is elsewhere in the drawing."""
    if element.tag in _MEDIA:
        reading.warnings.warn(Omitted.MEDIA)
    elif element.get("Type") == "Link" or element.tag == f"{W}objectLink":
        reading.warnings.warn(Omitted.LINKED_DOCUMENTS)
    else:
        reading.warnings.warn(Omitted.EMBEDDED_FILES)
    return iter(())


_READERS: dict[object, Callable[[WordReading, str, Element, str], Iterator[HtmlElement]]] = {
    **dict.fromkeys((f"{A}blip", f"{V}imagedata"), _image),
    **dict.fromkeys((f"{CHART}chart", f"{DIAGRAM}relIds"), _graphic),
    **dict.fromkeys((f"{OFFICE}OLEObject", f"{W}objectEmbed", f"{W}objectLink", f"{W}control", *_MEDIA), _omitted),
}


MAX_CHUNKS = 100
MAX_ARCHIVE_PARTS = 20
MAX_CHUNK_DEPTH = 2
"""Documents around a chunk, whose own chunks are read."""

_ARCHIVE_TYPES = ("message/rfc822", "multipart/related", "application/x-mimearchive")
_CHUNK_KINDS = ("docx", "html", "rtf")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow, other than separators of lines."""


def read_chunk(reading: WordReading, part: str, chunk: Element) -> HtmlElement | None:
    """Return an element with the blocks of a chunk in a part: DOCX, HTML, MHTML, RTF or text.

    None if it cannot be read, which is a warning. Its notes and images become those of the document around it.
    """
    relationship = reading.package.relationships(part).get(chunk.get(f"{R}id") or "")
    reading.chunks += 1
    document = None
    is_wanted = reading.chunks <= MAX_CHUNKS and reading.depth < MAX_CHUNK_DEPTH
    if is_wanted and relationship and relationship.target in reading.package:
        document = _read(relationship.target, reading)
    if document is None or document.body is None:
        reading.warnings.warn(Omitted.UNREAD_DOCUMENTS)
        return None
    document.body.tag = "div"
    return document.body


def _read(name: str, outer: WordReading) -> Document | None:
    """Return the document in a part. None if it cannot be read."""
    content, options = outer.package.read(name), outer.options
    content_type = outer.package.content_type(name).partition(";")[0].strip()
    suffix = PurePosixPath(name).suffix.lower()
    try:
        if content_type in _ARCHIVE_TYPES or suffix in (".mht", ".mhtml"):
            return read_document("html", _archived_page(content), options, outer)
        if content_type == "text/plain" or suffix == ".txt":
            text = _CONTROLS.sub("", decode(content, "auto", "file")[0])
            body = new_element("div")
            for line in filter(str.strip, text.splitlines()):
                etree.SubElement(body, "p").text = line
            return Document(body)
        is_page = content_type in ("text/html", "application/xhtml+xml") or suffix in (".html", ".htm", ".xhtml")
        kind = "html" if is_page else identify(content, name)
        return read_document(kind, content, options, outer) if kind in _CHUNK_KINDS else None
    except (InvalidInput, RecursionError):
        return None


def _archived_page(content: bytes) -> bytes:
    """Return the page of an archive of a page, in UTF-8 (RFC 2557).

    Raises:
        InvalidInput: It has no page.
    """
    if content.lower().count(b"multipart") > MAX_ARCHIVE_PARTS:  # the parser takes quadratic time
        raise InvalidInput(f"file: has an MHTML archive with more than {MAX_ARCHIVE_PARTS} nested parts.")
    page = message_from_bytes(content, policy=policy.default).get_body(("html",))
    try:
        text = None if page is None else page.get_content()
    except (LookupError, ValueError) as error:
        raise InvalidInput("file: has a damaged MHTML archive.") from error
    if not isinstance(text, str):
        raise InvalidInput("file: has an MHTML archive without a page.")
    return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
