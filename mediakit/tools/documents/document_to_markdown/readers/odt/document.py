"""OpenDocument texts: ODT and OTT (OpenDocument 1.3)."""

from collections.abc import Iterator

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.odt.blocks import BlockReader, OpenContext
from mediakit.tools.documents.document_to_markdown.readers.odt.names import OFFICE, STYLE, TEXT, XLINK, Element
from mediakit.tools.documents.document_to_markdown.readers.odt.styles import OpenStyles
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import describe


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a text. Tracked changes are accepted; scripts and linked files are not opened.

    Raises:
        InvalidInput: It is damaged or encrypted.
    """
    container = Container(content)
    root = _part(container, "content.xml")
    text = None if root is None else root.find(f"{OFFICE}body/{OFFICE}text")
    if root is None or text is None:
        raise InvalidInput("file: is a damaged OpenDocument text that has no text part.")
    styles = _part(container, "styles.xml")
    context = OpenContext(
        container, OpenStyles([root] if styles is None else [styles, root]), options, Anchors(_linked_names(text))
    )
    body = new_element("div")
    reader = BlockReader(context)
    masters = [] if styles is None or not options.headers else list(styles.iter(f"{STYLE}master-page"))
    for header in _edges(masters, "header"):
        reader.read(header, body)
    reader.read(text, body)
    for footer in _edges(masters, "footer"):
        reader.read(footer, body)
    context.notes.append_to(body)
    context.anchors.resolve(body)
    document = Document(body, images=context.images.images)
    describe(container, document)
    return document


def _part(container: Container, name: str) -> Element | None:
    return parse_xml(container.read(name), name) if name in container else None


def _edges(masters: list[Element], kind: str) -> Iterator[Element]:
    """Yield the headers or footers of the pages, each text once."""
    written: set[str] = set()
    for master in masters:
        for element in master.iterchildren(f"{STYLE}{kind}", f"{STYLE}{kind}-first", f"{STYLE}{kind}-left"):
            text = "".join(element.itertext()).strip()
            if text and text not in written:
                written.add(text)
                yield element


def _linked_names(text: Element) -> Iterator[str]:
    """Yield the names of the bookmarks that links point to."""
    for link in text.iter(f"{TEXT}a"):
        address = link.get(f"{XLINK}href") or ""
        if address.startswith("#"):
            yield address[1:].split("|")[0]
    for reference in text.iter(f"{TEXT}bookmark-ref", f"{TEXT}reference-ref"):
        yield reference.get(f"{TEXT}ref-name") or ""
