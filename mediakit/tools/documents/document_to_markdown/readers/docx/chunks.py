"""Documents of other formats that Word shows in place: alternative format chunks (ISO/IEC 29500-1, 17.17.2)."""

import re
from email import message_from_bytes, policy
from pathlib import PurePosixPath

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.charsets import decode
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document
from mediakit.tools.documents.document_to_markdown.readers import identify, read_document
from mediakit.tools.documents.document_to_markdown.readers.docx.drawings import WordReading
from mediakit.tools.documents.document_to_markdown.readers.office import Element, R
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element

MAX_CHUNKS = 100
MAX_ARCHIVE_PARTS = 20
MAX_CHUNK_DEPTH = 2
"""Documents around a chunk, whose own chunks are read."""

UNREAD_CHUNKS = "Inserted documents that could not be read: {}."
_ARCHIVE_TYPES = ("message/rfc822", "multipart/related", "application/x-mimearchive")
_CHUNK_KINDS = ("docx", "html", "rtf")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow, other than separators of lines."""


def read_chunk(reading: WordReading, part: str, chunk: Element) -> HtmlElement | None:
    """Return an element with the blocks of a chunk: DOCX, HTML, MHTML, RTF or text.

    None if it cannot be read, which is a warning. Its notes and images become those of the document around it.

    Args:
        reading: The document.
        part: Name of the part with the chunk.
        chunk: The element.
    """
    relationship = reading.package.relationships(part).get(chunk.get(f"{R}id") or "")
    reading.chunks += 1
    document = None
    is_wanted = reading.chunks <= MAX_CHUNKS and reading.depth < MAX_CHUNK_DEPTH
    if is_wanted and relationship and relationship.target in reading.package:
        document = _read(relationship.target, reading)
    if document is None or document.body is None:
        reading.warnings.warn(UNREAD_CHUNKS)
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
            return _read_text(content)
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


def _read_text(content: bytes) -> Document:
    text = _CONTROLS.sub("", decode(content, "auto", "file")[0])
    body = new_element("div")
    for line in filter(str.strip, text.splitlines()):
        etree.SubElement(body, "p").text = line
    return Document(body)
