"""What can be extracted: one function for each value of `what`."""

from collections.abc import Callable, Mapping
from typing import Any

from mediakit.engines.pdf.reading.furniture import Furniture
from mediakit.engines.pdf.reading.images import ImageReader
from mediakit.engines.pdf.reading.layout import layout_text
from mediakit.engines.pdf.reading.links import read_links
from mediakit.engines.pdf.reading.markdown import write_markdown
from mediakit.engines.pdf.reading.options import Extracted, ExtractOptions, MadeFile, What
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.reading.tables import extract_tables
from mediakit.engines.pdf.reading.text import PAGE_BREAK, page_text, truncate
from mediakit.engines.pdf.reading.words import read_words
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
