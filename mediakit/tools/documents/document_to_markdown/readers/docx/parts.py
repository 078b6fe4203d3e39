"""What the readers of a Word document share, and the documents of other formats that Word shows in place."""

import re
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from functools import partial
from pathlib import PurePosixPath

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.charsets import decode
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions, WarningCounter
from mediakit.tools.documents.document_to_markdown.readers import identify, import_reader
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import Numbering
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import Styles
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, NoteList, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList, OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, R

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
            return import_reader("html").read(_archived_page(content), options)
        if content_type == "text/plain" or suffix == ".txt":
            return _read_text(content)
        is_page = content_type in ("text/html", "application/xhtml+xml") or suffix in (".html", ".htm", ".xhtml")
        kind = "html" if is_page else identify(content, options.name)
        return import_reader(kind).read(content, options) if kind in _CHUNK_KINDS else None
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
