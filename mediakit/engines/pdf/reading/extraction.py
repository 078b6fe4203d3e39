"""Extracts the content of a PDF; runs in a worker."""

import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Any

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.dates import iso_of
from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.opening import damage, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.reading import Extracted, ExtractOptions, MadeFile, What
from mediakit.engines.pdf.reading.images import ImageReader
from mediakit.engines.pdf.reading.markdown import write_markdown
from mediakit.engines.pdf.reading.pages import PdfFile, read_links
from mediakit.engines.pdf.reading.tables import extract_tables
from mediakit.engines.pdf.reading.text import PAGE_BREAK, Furniture, layout_text, page_text, read_words, truncate
from mediakit.engines.pdf.source import Source
from mediakit.results.files import FileResult, zip_of

ZIP = "application/zip"


def extract_text(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the text in reading order, a form feed between pages."""
    pages = [file.lines(page) for page in file.pages()]
    if not options.headers:
        furniture = Furniture(file, dict(zip(file.selected, pages, strict=True)))
        pages = [furniture.remove(index, lines) for index, lines in zip(file.selected, pages, strict=True)]
    write = layout_text if options.layout else page_text
    content, truncated = truncate(PAGE_BREAK.join(map(write, pages)), options.max_chars)
    return Extracted(content=content, length=len(content), truncated=truncated)


def extract_markdown(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the document as Markdown."""
    content, truncated = write_markdown(file, keeps_headers=options.headers, max_chars=options.max_chars)
    return Extracted(content=content, length=len(content), truncated=truncated)


def extract_words(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the words and their boxes."""
    items: list[dict[str, Any]] = []
    left, truncated = options.max_chars, False
    for page in file.pages():
        words = read_words(file.text(page))
        file.note(page, "".join([word.text for word in words]))
        for word in words:
            left -= len(word.text)
            if left < 0:
                truncated = True
                break
            items.append({"text": word.text, "page": page.number + 1, **_box(word)})
    return Extracted(items=items, length=len(items), truncated=truncated)


def extract_links(_options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the links, where they lead, and the text on them."""
    items: list[dict[str, Any]] = []
    for page in file.pages():
        words = read_words(file.text(page))
        file.note(page, "".join([word.text for word in words]))
        for link in read_links(file.document, page):
            target = {"url": link.url} if link.url else {"target_page": link.target_page}
            text = " ".join(word.text for word in words if word.is_in(link.x0, link.y0, link.x1, link.y1))
            items.append({"page": page.number + 1, **_box(link), **target, "text": text})
    return Extracted(items=items, length=len(items))


def extract_images(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the embedded images as a ZIP file."""
    reader = ImageReader(file)
    found = []
    for page in file.pages():
        file.lines(page)
        found += list(reader.read(page))
    archive = zip_of([FileResult(image.content, f"image/{image.name}", image.name) for image in found])
    made = MadeFile(archive, f"{options.stem}-images.zip", ZIP)
    return Extracted(file=made, length=len(found), warnings=reader.warnings)


def _box(item: Any) -> dict[str, float]:
    return {name: round(getattr(item, name), 2) for name in ("x0", "y0", "x1", "y1")}


CONTENTS: Mapping[What, Callable[[ExtractOptions, PdfFile], Extracted]] = {
    "text": extract_text,
    "markdown": extract_markdown,
    "tables": extract_tables,
    "words": extract_words,
    "links": extract_links,
    "images": extract_images,
}


_TITLE = re.compile(r"<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]*>([^<]*)</rdf:li>")
"""The title in XMP (ISO 16684-1)."""


def extract(content: bytes, options: ExtractOptions) -> Extracted:
    """Extract text, Markdown, tables, words, links or images.

    Raises:
        InvalidInput: The file is not a PDF that can be read, or a page does not exist.
    """
    source = open_to_read(content, options.password)
    refuse_dynamic_xfa(source)
    selected = indices(options.pages, len(source.pages))
    if source.pdf.is_encrypted:
        warn_of_lost_protection(source)
    document = open_pages(source, content, options.password)
    file = PdfFile(source, document, selected)
    extracted = CONTENTS[options.what](options, file)
    extracted.pages = len(source.pages)
    extracted.title = _title(source)
    extracted.author = _entry(source, Name.Author)
    extracted.created = _date(source, Name.CreationDate)
    extracted.modified = _date(source, Name.ModDate)
    extracted.pages_without_text = file.pages_without_text
    extracted.unmapped = file.unmapped
    extracted.warnings = [*_warnings(source), *file.warnings, *extracted.warnings]
    return extracted


def _title(source: Source) -> str | None:
    """Return the title of the document, that of its metadata stream where the older dictionary has none."""
    title = _entry(source, Name.Title)
    if title:
        return title
    metadata = source.root.get(Name.Metadata)
    if not isinstance(metadata, pikepdf.Stream):
        return None
    try:
        found = _TITLE.search(metadata.read_bytes().decode("utf-8", "replace"))
    except pikepdf.PdfError:
        return None
    return unescape(found[1]).strip() or None if found else None


def _entry(source: Source, name: Name) -> str | None:
    """Return a text of the document information dictionary. None if it is missing or blank."""
    info = source.pdf.trailer.get(Name.Info)
    text = info.get(name) if isinstance(info, pikepdf.Dictionary) else None
    return str(text).strip() or None if isinstance(text, pikepdf.String) else None


def _date(source: Source, name: Name) -> str | None:
    text = _entry(source, name)
    return iso_of(text) if text else None


def _warnings(source: Source) -> Sequence[str]:
    """Return the warnings of the file, also of damage that was found while it was read."""
    late = "" if source.repaired else damage(source.pdf)
    if late:
        source.warn(f"The file was damaged and has been repaired: {late}.")
    return source.warnings
