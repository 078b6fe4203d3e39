"""Word documents: DOCX, DOCM, DOTX and DOTM (ISO/IEC 29500-1)."""

import re

from lxml.html import HtmlElement

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document
from mediakit.tools.documents.document_to_markdown.readers.docx.body import BlockReader
from mediakit.tools.documents.document_to_markdown.readers.docx.embedded import WordReading
from mediakit.tools.documents.document_to_markdown.readers.office import Element, R, W
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_WORD = re.compile(r"[^\s\"\\]+")


def read(content: bytes, options: Request, outer: Reading | None = None) -> Document:
    """Read a Word document. Tracked changes are accepted; macros, linked files and templates are not opened.

    Raises:
        InvalidInput: The document is damaged.
    """
    package = OfficePackage(content, "word/document.xml")
    main = package.xml(package.main)
    body = None if main is None else main.find(f"{W}body")
    if body is None:
        raise InvalidInput("file: is a damaged Word document that has no text.")
    linked = [link.get(f"{W}anchor") or "" for link in body.iter(f"{W}hyperlink")]
    instructions = [instruction.text or "" for instruction in body.iter(f"{W}instrText")]
    instructions += [f" {field.get(f'{W}instr')} " for field in body.iter(f"{W}fldSimple")]
    linked += _WORD.findall("".join(instructions))  # names of bookmarks, among other words
    reading = WordReading(package, options, linked, outer)
    root = new_element("div")
    if reading.reads_headers:
        _read_edges(reading, body, root, "headerReference")
    BlockReader(reading, package.main).read(body, root)
    if reading.reads_headers:
        _read_edges(reading, body, root, "footerReference")
    document = reading.finish(root)
    package.describe(document)
    return document


def _read_edges(reading: WordReading, body: Element, root: HtmlElement, kind: str) -> None:
    """Read the headers or the footers of all sections, each part and each text once."""
    relationships = reading.package.relationships(reading.package.main)
    parts = (relationships.get(reference.get(f"{R}id") or "") for reference in body.iter(f"{W}{kind}"))
    written: set[str] = set()
    for part in dict.fromkeys(part.target for part in parts if part and not part.is_external):
        edge, block = reading.package.xml(part), new_element("div")
        if edge is not None:
            BlockReader(reading, part).read(edge, block)
        text = block.text_content().strip()
        if text and text not in written:
            written.add(text)
            root.append(block)
