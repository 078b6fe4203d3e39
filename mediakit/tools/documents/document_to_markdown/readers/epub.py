"""EPUB publications: their chapters in reading order, with links between them and notes (EPUB 3.3 and EPUB 2)."""

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from urllib.parse import unquote

from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.engines.charsets import decode
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import heading_slugs, move_content, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import part_xml
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.readers.pages import warn_of_omitted
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

MAX_CHAPTERS = 5000

_ENCRYPTION = "META-INF/encryption.xml"
_FONT_ALGORITHMS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
"""Ways to obfuscate fonts, which do not encrypt the text."""

_CHARACTERS_PER_MARKUP = 4
"""How much longer pages may be than the content that is returned, before the rest of the chapters is not read."""

_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/xml", "application/x-dtbook+xml"))

_VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_SELF_CLOSING = re.compile(rf"<(?!(?:{_VOID})[\s/>])([a-zA-Z][\w:.-]*+)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?)/>")
_PREFIXED = re.compile(r"(</?)(?:m|mml|svg|html|xhtml|h):(?=[a-z])")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)

_FOOTNOTES = frozenset(("footnote", "note"))
"""Kinds of notes beside the text. Endnotes are in chapters or sections of their own, where they stay."""

_REFERENCES = frozenset(("noteref",))
_ENDNOTES = frozenset(("endnote", "rearnote"))
_SECTIONS = ("section", "article", "header")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def read(content: bytes, options: Request) -> Document:
    """Read a publication. Scripts, styles, fonts and remote resources are not opened.

    Raises:
        InvalidInput: It is damaged, or protected by DRM.
    """
    container = Container(content)
    encryption = container.read(_ENCRYPTION) if _ENCRYPTION in container else b""
    obfuscated = sum(encryption.count(algorithm) for algorithm in _FONT_ALGORITHMS)
    if encryption.count(b"EncryptionMethod ") > obfuscated:
        raise InvalidInput("file: is an EPUB that is protected by DRM, which cannot be read.")
    reading, body = Reading(options), new_element("div")
    document = Document(body, images=reading.images)
    chapters, titles = _read_package(container, document)
    links = Links(reading)
    length = 0
    for path in chapters:
        if length > _CHARACTERS_PER_MARKUP * options.max_chars:
            document.truncated = True
            break
        page = body_of(parse_html(decode_page(container.read(path))))
        length += len(page.text_content())
        page.tag = "div"
        page.attrib.pop("hidden", None)
        if options.images != "none":
            _name_images(page, path, container, reading)
        warn_of_omitted(page, reading.warnings)
        links.add_chapter(path, page)
        heading = next(page.iter("h1", "h2", "h3"), None)
        title = "" if heading is None else " ".join(heading.text_content().split())
        document.parts.append(titles.get(path) or title or posixpath.basename(path))
        body.append(page)
    links.finish(body)
    document.warnings = reading.warnings.sentences
    return document


def _name_images(page: HtmlElement, path: str, container: Container, reading: Reading) -> None:
    """Let the images of a page refer to the list of images. Those outside of the container are not written."""
    folder = posixpath.dirname(path)
    for image in list(page.iter("image")):  # of SVG, often the cover
        image.tag = "img"
        image.set("src", image.get("xlink:href") or image.get("href") or "")
    for svg in list(page.iter("svg")):
        if svg.find(".//img") is not None:
            svg.tag = "div"
    for image in page.iter("img"):
        source = image.get("src") or ""
        for attribute in ("srcset", "src", "width", "height"):
            image.attrib.pop(attribute, None)
        alt = " ".join((image.get("alt") or "").split())
        name = None if "://" in source else reading.image_name(container, resolve(folder, source), alt)
        if name:
            image.set("src", name)
        else:
            reading.warnings.warn(Omitted.LINKED_IMAGES if "://" in source else Omitted.MISSING_IMAGES)


def _read_package(container: Container, document: Document) -> tuple[list[str], dict[str, str]]:
    """Return the paths of the pages in reading order, and the titles of pages in the table of contents."""
    files = part_xml(container, "META-INF/container.xml")
    names = [each.get("full-path") or "" for each in (() if files is None else files.iter("{*}rootfile"))]
    names += [name for name in container.names if name.lower().endswith(".opf")]
    package = next((name for name in names if name in container), None)
    if package is None:
        raise InvalidInput("file: is a damaged EPUB that has no package document.")
    root = parse_xml(container.read(package), package)
    _read_metadata(root, document)
    items = {item.get("id") or "": item for item in root.iterfind(".//{*}manifest/{*}item")}
    paths = {name: resolve(posixpath.dirname(package), item.get("href") or "") for name, item in items.items()}
    navigation = {name: None for name, item in items.items() if "nav" in (item.get("properties") or "").split()}
    spine = [each.get("idref") or "" for each in root.iterfind(".//{*}spine/{*}itemref")]
    pages = (name for name in spine if name in items and items[name].get("media-type") in _PAGES)
    chapters = dict.fromkeys(paths[name] for name in pages if name not in navigation and paths[name] in container)
    titles: dict[str, str] = {}
    listed = [paths[name] for name in navigation]
    listed += [paths.get(each.get("toc") or "", "") for each in root.iterfind(".//{*}spine")]
    for path in listed:
        for target, title in _contents_entries(container.read(path)) if path in container else ():
            titles.setdefault(resolve(posixpath.dirname(path), target), title)
    return list(chapters)[:MAX_CHAPTERS], titles


def resolve(folder: str, reference: str) -> str:
    """Return the path in the container that a relative reference without a fragment points to."""
    return posixpath.normpath(posixpath.join(folder, unquote(reference))).lstrip("/")


def _read_metadata(root: Element, document: Document) -> None:
    def texts(name: str) -> list[str]:
        elements = root.iterfind(f".//{{*}}metadata//{{http://purl.org/dc/elements/1.1/}}{name}")
        return [text for element in elements if (text := " ".join("".join(element.itertext()).split()))]

    document.title = next(iter(texts("title")), None)
    document.author = ", ".join(texts("creator")) or None
    document.created = next(iter(texts("date")), None)
    for meta in root.iterfind(".//{*}metadata/{*}meta"):
        if meta.get("property") == "dcterms:modified" and meta.text:
            document.modified = meta.text.strip()


def _contents_entries(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the addresses and titles in a navigation document (EPUB 3) or a table of contents of EPUB 2."""
    root = parse_html(decode_page(content))
    lists = (nav for nav in root.iter("nav") if "toc" in (nav.get("epub:type") or nav.get("role") or "toc"))
    for link in (link for nav in islice(lists, 1) for link in nav.iter("a")):
        target = (link.get("href") or "").partition("#")[0]
        title = " ".join(link.text_content().split())
        if target and title:
            yield target, title
    for point in root.iter("navpoint"):
        label, place = point.find("navlabel"), point.find("content")
        if label is not None and place is not None:
            yield (place.get("src") or "").partition("#")[0], " ".join(label.text_content().split())


def decode_page(content: bytes) -> str:
    """Return the text of an XHTML page with empty elements in the syntax of HTML.

    Raises:
        InvalidInput: The text is not in the charset that it begins with.
    """
    text, _ = decode(content, "auto", "file")
    if "/>" in text:
        text = _SELF_CLOSING.sub(r"<\1\2></\1>", text)
    if "CDATA" in text:
        text = _CDATA.sub(lambda match: match[1].replace("&", "&amp;").replace("<", "&lt;"), text)
    return _PREFIXED.sub(r"\1", text)


_MARK = re.compile(r"\s*[\[(]?(?:\d{1,4}|[a-z]|[*†‡§¶]{1,4})[\])]?\s*")
"""The text of a reference to a note, also if its link does not say that it is one."""


class Links:
    """Collects the targets of all chapters, and then sets the addresses of links to them."""

    def __init__(self, reading: Reading) -> None:
        self._reads_notes, self._notes = reading.options.notes, reading.notes
        self._targets: dict[str, HtmlElement] = {}
        """Elements by path, and by path and fragment."""
        self._links: list[tuple[HtmlElement, str]] = []
        """Links inside the publication, and the key of their target."""
        self._moved: set[HtmlElement] = set()
        """Notes that are written at the end, because a reference to them is written, or that are omitted."""

    def add_chapter(self, path: str, page: HtmlElement) -> None:
        """Collect the links and targets of a chapter."""
        self._targets[path] = page
        for element in page.iter():
            name = element.get("id") if isinstance(element.tag, str) else None
            if name:
                self._targets[f"{path}#{name}"] = element
        for link in page.iter("a"):
            name = link.get("name")
            if name:
                self._targets.setdefault(f"{path}#{name}", link)
            reference = link.get("href") or ""
            target, _, fragment = reference.partition("#")
            if reference and ":" not in target and not target.startswith("//"):
                key = resolve(posixpath.dirname(path), target) if target else path
                self._links.append((link, f"{key}#{fragment}" if fragment else key))

    def finish(self, body: HtmlElement) -> None:
        """Set the addresses of all links, and move the notes to the end. Those without a reference stay."""
        links = [(link, key) for link, key in self._links if not self._is_note_reference(link, key)]
        if not self._reads_notes:
            self._moved.update(each for each in self._targets.values() if _is_note(each, _FOOTNOTES | _ENDNOTES))
        for element in self._moved:
            if element.getparent() is not None:
                element.drop_tree()
        self._notes.append_to(body)
        slugs = heading_slugs(body)
        written: set[str] = set()
        for link, key in links:
            self._set_address(link, key, slugs, written)

    def _is_note_reference(self, link: HtmlElement, key: str) -> bool:
        """Replace a reference to a note, and return whether the link was one."""
        target = self._targets.get(key)
        if target is None or not (_is_note(target) or (not self._reads_notes and _is_note(target, _ENDNOTES))):
            return False
        if not _is_note(link, _REFERENCES) and not _MARK.fullmatch(link.text_content()):
            return False
        if target in link.iterancestors():  # the number of the note itself
            return False
        self._moved.add(target)
        reference = self._notes.reference(key, partial(move_content, target)) if self._reads_notes else None
        if reference is not None:
            link.addprevious(reference)
        link.text = None
        for child in list(link):
            link.remove(child)
        link.drop_tree()
        return True

    def _set_address(self, link: HtmlElement, key: str, slugs: dict[HtmlElement, str], written: set[str]) -> None:
        target = self._targets.get(key)
        if target is None or target in self._moved:
            link.attrib.pop("href", None)
            return
        path, _, fragment = key.partition("#")
        heading = _heading_of(target, is_chapter=not fragment)
        if heading is not None and heading in slugs:
            link.set("href", f"#{slugs[heading]}")
            return
        name = f"{posixpath.basename(path)}_{fragment}" if fragment else posixpath.basename(path)
        link.set("href", f"#{name}")
        if name in written:
            return
        written.add(name)
        anchor = new_element("a")
        anchor.set("data-anchor", name)
        if target.tag == "a" and not len(target) and not (target.text or "").strip():
            target.addprevious(anchor)
        else:
            anchor.tail, target.text = target.text, None
            target.insert(0, anchor)


def _is_note(element: HtmlElement, kinds: frozenset[str] = _FOOTNOTES) -> bool:
    """Return whether an element is a note by its type (EPUB 3) or its role (DPUB-ARIA)."""
    found = {*(element.get("epub:type") or "").split(), (element.get("role") or "").removeprefix("doc-")}
    return not kinds.isdisjoint(found)


def _heading_of(target: HtmlElement, *, is_chapter: bool) -> HtmlElement | None:
    """Return the heading that a target is, is in, or begins with."""
    for element in (target, *target.iterancestors()):
        if element.tag in _HEADINGS:
            return element
    first = next(target.iter(*_HEADINGS), None)
    return first if is_chapter or target.tag in _SECTIONS else None
