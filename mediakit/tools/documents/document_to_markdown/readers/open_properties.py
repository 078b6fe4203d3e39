"""The properties of OpenDocument files: title, author and times (OASIS OpenDocument 1.3, part 3, 4.3)."""

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document

_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_DC = "{http://purl.org/dc/elements/1.1/}"

_ELEMENTS = (
    (f"{_DC}title", "title"),
    (f"{_DC}creator", "author"),
    (f"{_META}initial-creator", "author"),
    (f"{_META}creation-date", "created"),
    (f"{_DC}date", "modified"),
)
"""Elements and the attributes of a document. Of the two authors, the first one counts."""


def describe(container: Container, document: Document) -> None:
    """Set the title, the author and the times of a document."""
    if "meta.xml" not in container:
        return
    try:
        root = parse_xml(container.read("meta.xml"), "meta.xml")
    except InvalidInput:  # the properties are not needed
        return
    for tag, attribute in reversed(_ELEMENTS):
        text = " ".join((root.findtext(f".//{tag}") or "").split())
        if text:
            setattr(document, attribute, text)
