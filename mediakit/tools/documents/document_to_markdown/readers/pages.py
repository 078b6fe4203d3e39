"""HTML pages, notebooks and PDFs, whose content engines read."""

import re
from binascii import Error as Base64Error
from contextlib import suppress
from dataclasses import replace
from urllib.parse import parse_qs, urljoin

import pybase64
from lxml.html import HtmlElement

from mediakit.engines.charsets import decode
from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html.elements import tag_name
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.notebooks import Cell, CellWriter, read_image, read_notebook
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted, WarningCounter
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
"""The charset of a page (WHATWG HTML 4.2.5.4). It counts in the first 1024 bytes."""

_REDIRECTS = re.compile(
    r"https?://(?:[\w-]+\.)*(?:bing\.com/ck/a|google\.com/url|duckduckgo\.com/l/|l\.facebook\.com/l\.php|"
    r"youtube\.com/redirect|safelinks\.protection\.outlook\.com/)\?([^#]{1,10000})",
)
"""Addresses in pages of search results and mails that lead to the address in a field of their query."""

_URL_SAFE = str.maketrans("-_", "+/")
_TARGET_FIELDS = ("u", "q", "url", "uddg")
_OMITTED = {
    **dict.fromkeys(("audio", "video"), Omitted.MEDIA),
    **dict.fromkeys(("object", "embed", "applet"), Omitted.EMBEDDED_FILES),
    **dict.fromkeys(("iframe", "frame"), Omitted.LINKED_DOCUMENTS),
}
"""Warnings by the name of an element."""

_DATA_URI = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL | re.IGNORECASE)
_CREATED = ("dcterms.created", "dc.date.created", "article:published_time", "date", "dc.date")
_MODIFIED = ("dcterms.modified", "dc.date.modified", "article:modified_time", "last-modified")
_AUTHOR = ("author", "dc.creator", "dcterms.creator", "article:author")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")


def read_page(content: bytes, options: Request, outer: Reading | None = None) -> Document:
    """Read a page as a browser without scripts displays it."""
    reading = Reading(options, outer=outer)
    root = parse_html(_decoded(content))
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        if name and (value := " ".join((meta.get("content") or "").split())):
            names.setdefault(name, value)
    body = body_of(root)
    for link in body.iter("a"):
        if address := link.get("href"):
            link.set("href", _target_of(address))
    if options.images != "none":
        _name_embedded_images(body, reading)
    warn_of_omitted(body, reading.warnings)
    titles = (" ".join(each.text_content().split()) for each in (*root.iter("title"), *root.iter("h1")))
    return Document(
        body=body,
        title=next(filter(None, titles), None),
        author=_first(names, _AUTHOR),
        created=_first(names, _CREATED, _ISO_DATE),
        modified=_first(names, _MODIFIED, _ISO_DATE),
        images=reading.images,
        warnings=reading.warnings.sentences,
    )


def warn_of_omitted(body: HtmlElement, warnings: WarningCounter) -> None:
    """Count the media and the embedded files and pages of a page, which are not written."""
    for element in body.iter(*_OMITTED):
        if next(element.iterancestors("audio", "video", "object"), None) is None:
            warnings.warn(_OMITTED[tag_name(element)])


def _target_of(address: str) -> str:
    """Return the address that a redirect leads to. Any other address is returned unchanged."""
    match = _REDIRECTS.match(address)
    query: dict[str, list[str]] = parse_qs(match[1]) if match else {}
    for text in (query[name][0] for name in _TARGET_FIELDS if name in query):
        # Bing writes "a1" and the address in base64.
        target = _base64(text[2:] + "=" * (-len(text[2:]) % 4)).decode("utf-8", "replace") if text[:2] == "a1" else text
        if target.startswith(("https://", "http://", "/", "javascript:")):
            with suppress(ValueError):  # an invalid host
                return urljoin(address, target)
    return address


def _decoded(content: bytes) -> str:
    declared = _DECLARED.search(content[:1024])
    if declared and not content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii").lower()
        with suppress(LookupError, UnicodeDecodeError):
            return content.decode("cp1252" if name in ("iso-8859-1", "latin1", "ascii") else name)
    with suppress(ValueError):
        return decode(content, "auto", "file")[0]
    return content.decode("utf-8", "replace")


def _first(names: dict[str, str], wanted: tuple[str, ...], pattern: re.Pattern[str] | None = None) -> str | None:
    """Return the first of the wanted values; None if it does not match the pattern."""
    found = next((names[name] for name in wanted if name in names), None)
    return found if not pattern or pattern.fullmatch(found or "") else None


def _name_embedded_images(body: HtmlElement, reading: Reading) -> None:
    """Add the images in data URIs to those of the document, and write their names as their addresses."""
    for number, element in enumerate(body.iter("img")):
        match = _DATA_URI.fullmatch((element.get("src") or "").strip())
        content = _base64(match[1]) if match else b""
        alt = " ".join((element.get("alt") or "").split())
        name = reading.add_image(f"image {number}", content, alt) if content else None
        if name:
            element.set("src", name)


def _base64(text: str) -> bytes:
    try:
        return pybase64.b64decode("".join(text.split()).translate(_URL_SAFE), validate=True)
    except (Base64Error, ValueError):
        return b""


_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\n]*\)")
_EMBEDDED = re.compile(r"!\[([^\]\n]*)\]\(<?data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+?)>?(?=[)\s\"])")


def read_notebook_cells(content: bytes, options: Request) -> Document:
    """Read a notebook: Markdown cells as they are, code in fences, outputs as text, tables and images. Nothing is run.

    Raises:
        InvalidInput: It is damaged, too large, or of a version before 3.
    """
    notebook = read_notebook(content)
    reading = Reading(options)

    def add_image(content: bytes, extension: str, alt: str) -> str:
        if options.images == "none":
            return ""
        return reading.add_image(f"{len(reading.images)}.{extension}", content, alt) or ""

    def embedded(match: re.Match[str]) -> str:
        image = read_image(match[2])
        return f"![{match[1]}]({add_image(image.content, image.extension, match[1]) if image else ''}"

    def prepared(cell: Cell) -> Cell:
        """Return a cell without images in data URIs, or without images."""
        if cell.kind != "markdown" or "![" not in cell.source:
            return cell
        without = options.images == "none"
        return replace(cell, source=_IMAGE.sub("", cell.source) if without else _EMBEDDED.sub(embedded, cell.source))

    writer = CellWriter(notebook, add_image, plain=options.plain)
    return Document(
        blocks=[block for cell in notebook.cells for block in writer.blocks(prepared(cell))],
        title=notebook.title or notebook.first_heading or None,
        author=", ".join(notebook.authors) or None,
        images=reading.images,
        warnings=list(notebook.warnings),
    )


MAX_LISTED_PAGES = 20


def read_pdf(content: bytes, options: Request) -> Document:
    """Read a PDF as `pdf_extract` reads it.

    Raises:
        InvalidInput: It is damaged, has too many pages, or its password is missing or wrong.
    """
    from mediakit.engines.pdf.reading import ExtractOptions
    from mediakit.engines.pdf.reading.extraction import extract

    wanted = ExtractOptions(
        what="text" if options.plain else "markdown",
        headers=options.headers,
        max_chars=options.max_chars,
        password=options.password,
    )
    extracted = extract(content, wanted)
    document = Document(
        blocks=[Block("text", extracted.content or "")],
        title=extracted.title,
        author=extracted.author,
        created=extracted.created,
        modified=extracted.modified,
        warnings=extracted.warnings,
        truncated=extracted.truncated,
    )
    if pages := extracted.pages_without_text:
        shown = ", ".join(map(str, pages[:MAX_LISTED_PAGES])) + (" ..." if len(pages) > MAX_LISTED_PAGES else "")
        document.warnings.append(f"Pages without text, such as scans: {shown}.")
    return document
