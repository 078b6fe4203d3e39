"""The package document of an EPUB: its metadata, the chapters in reading order, and their titles (EPUB 3.3, 5)."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml.etree import _Element as Element

from mediakit.engines.archives.container import Container
from mediakit.engines.markdown.html.parser import parse_html
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.readers.epub.xhtml import decode_page

MAX_CHAPTERS = 5000
_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/xml", "application/x-dtbook+xml"))


@dataclass
class Package:
    """What a package document lists."""

    title: str | None = None
    author: str | None = None
    created: str | None = None
    modified: str | None = None
    chapters: list[str] = field(default_factory=list)
    """Paths of the pages in reading order, without the navigation document."""
    titles: dict[str, str] = field(default_factory=dict)
    """Titles of the pages by path, as far as the table of contents has them."""


@dataclass(frozen=True, slots=True)
class _Item:
    path: str
    media_type: str
    properties: str


def read_package(container: Container) -> Package:
    """Read the package document and the table of contents.

    Raises:
        InvalidInput: There is no package document, or it is damaged.
    """
    path = _package_path(container)
    root = parse_xml(container.read(path), path)
    folder = posixpath.dirname(path)
    items = {item.get("id") or "": _item(item, folder) for item in root.iterfind(".//{*}manifest/{*}item")}
    found = Package()
    _read_metadata(root, found)
    references = [items.get(each.get("idref") or "") for each in root.iterfind(".//{*}spine/{*}itemref")]
    pages = [item for item in references if item and item.media_type in _PAGES and "nav" not in item.properties.split()]
    found.chapters = list(dict.fromkeys(item.path for item in pages if item.path in container))[:MAX_CHAPTERS]
    found.titles = _titles(container, items, root)
    return found


def resolve(folder: str, reference: str) -> str:
    """Return the path in the container that a relative reference without a fragment points to."""
    return posixpath.normpath(posixpath.join(folder, unquote(reference))).lstrip("/")


def _package_path(container: Container) -> str:
    name = "META-INF/container.xml"
    root = parse_xml(container.read(name), name) if name in container else None
    files = () if root is None else root.iter("{*}rootfile")
    paths = [each.get("full-path") or "" for each in files]
    paths += [name for name in container.names if name.lower().endswith(".opf")]
    found = next((path for path in paths if path in container), None)
    if found is None:
        raise InvalidInput("file: is a damaged EPUB that has no package document.")
    return found


def _item(item: Element, folder: str) -> _Item:
    path = resolve(folder, item.get("href") or "")
    return _Item(path, item.get("media-type") or "", item.get("properties") or "")


def _read_metadata(root: Element, found: Package) -> None:
    def texts(name: str) -> list[str]:
        elements = root.iterfind(f".//{{*}}metadata//{{http://purl.org/dc/elements/1.1/}}{name}")
        return [text for element in elements if (text := " ".join("".join(element.itertext()).split()))]

    found.title = next(iter(texts("title")), None)
    found.author = ", ".join(texts("creator")) or None
    found.created = next(iter(texts("date")), None)
    for meta in root.iterfind(".//{*}metadata/{*}meta"):
        if meta.get("property") == "dcterms:modified" and meta.text:
            found.modified = meta.text.strip()


def _titles(container: Container, items: dict[str, _Item], root: Element) -> dict[str, str]:
    """Return the titles of pages in the table of contents. The first entry of a page counts."""
    spine = root.find(".//{*}spine")
    navigation = [item.path for item in items.values() if "nav" in item.properties.split()]
    contents = items.get("" if spine is None else spine.get("toc") or "")
    titles: dict[str, str] = {}
    for path in navigation:
        if path in container:
            for target, title in _navigation_entries(container.read(path), path):
                titles.setdefault(target, title)
    if contents and contents.path in container:
        for target, title in _ncx_entries(container.read(contents.path), contents.path):
            titles.setdefault(target, title)
    return titles


def _navigation_entries(content: bytes, path: str) -> Iterator[tuple[str, str]]:
    root = parse_html(decode_page(content))
    lists = [nav for nav in root.iter("nav") if "toc" in (nav.get("epub:type") or nav.get("role") or "toc")]
    for nav in lists[:1]:
        for link in nav.iter("a"):
            target = (link.get("href") or "").partition("#")[0]
            title = " ".join(link.text_content().split())
            if target and title:
                yield resolve(posixpath.dirname(path), target), title


def _ncx_entries(content: bytes, path: str) -> Iterator[tuple[str, str]]:
    for point in parse_html(decode_page(content)).iter("navpoint"):
        label, target = point.find("navlabel"), point.find("content")
        if label is None or target is None:
            continue
        source = (target.get("src") or "").partition("#")[0]
        yield resolve(posixpath.dirname(path), source), " ".join(label.text_content().split())
