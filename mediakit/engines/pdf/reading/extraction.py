"""Extracts the content of a PDF, and its embedded images; runs in a worker.

JPEG and JPEG 2000 images stay as they are, others become PNG, with their masks applied.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from html import unescape
from io import BytesIO
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Name
from PIL import Image, ImageChops
from pymupdf import mupdf

from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.objects import dictionary, iso_of
from mediakit.engines.pdf.opening import Source, warn_of_late_damage, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.reading import Extracted, ExtractOptions, MadeFile, What
from mediakit.engines.pdf.reading.pages import PdfFile, read_links
from mediakit.engines.pdf.reading.text import PAGE_BREAK, Furniture, layout_text, page_text, read_words, truncate
from mediakit.engines.pdf.reading.writing import extract_markdown, extract_tables
from mediakit.engines.png import encode_photo, is_photographic
from mediakit.results.files import FileResult
from mediakit.results.saving import zip_content

MAX_PIXELS = 50_000_000
"""Pixels of an image."""

MAX_TOTAL_BYTES = 300_000_000
"""Bytes of all images."""

MAX_IMAGES = 2000

COMPRESS_LEVEL = 4
"""Level of zlib for graphics: a third larger than the best, in a fifth of the time."""

AS_THEY_ARE = {mupdf.FZ_IMAGE_JPEG: "jpg", mupdf.FZ_IMAGE_JPX: "jp2"}
"""Extensions of the compressed images that are files themselves."""

MODES = {1: "L", 3: "RGB"}
"""Modes of Pillow by the number of colors."""


class ImageReader:
    """Reads the images of pages, each once: a logo that all pages show is an image of the first one."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self.warnings: list[str] = []
        self._images: dict[int, mupdf.FzImage] = {}
        self._digests: set[bytes] = set()
        self._bytes = 0

    def read(self, page: pymupdf.Page) -> Iterator[FileResult]:
        """Yield the new images of a page, in the order in which it draws them."""
        number = 0
        text = self._file.text(page, pymupdf.TEXT_PRESERVE_IMAGES)  # its blocks live as long as it
        for block in text.this:
            if block.m_internal.type != mupdf.FZ_STEXT_BLOCK_IMAGE:
                continue
            image = block.i_image()
            if self._images.setdefault(image.m_internal_value(), image) is not image:
                continue
            if image.w() * image.h() > MAX_PIXELS:
                self.warnings.append(
                    f"Page {page.number + 1} has an image of {image.w() * image.h() // 1_000_000} megapixels, which is"
                    f" omitted; the most is {MAX_PIXELS // 1_000_000}."
                )
                continue
            try:
                content, extension = _file_of(image)
            except mupdf.FzErrorBase:
                self.warnings.append(f"Page {page.number + 1} has a damaged image, which is omitted.")
                continue
            if not self._accept(content):
                continue
            number += 1
            yield FileResult(content, f"image/{extension}", f"page-{page.number + 1}-image-{number}.{extension}")

    def _accept(self, content: bytes) -> bool:
        digest = hashlib.sha256(content).digest()
        if digest in self._digests:
            return False
        if len(self._digests) >= MAX_IMAGES or self._bytes + len(content) > MAX_TOTAL_BYTES:
            limit = f"{MAX_IMAGES:,} images or {MAX_TOTAL_BYTES // 1_000_000} MB"
            if (sentence := f"The PDF has more images; those after {limit} are omitted.") not in self.warnings:
                self.warnings.append(sentence)
            return False
        self._digests.add(digest)
        self._bytes += len(content)
        return True


def _file_of(image: mupdf.FzImage) -> tuple[bytes, str]:
    """Return an image as a file, and its extension."""
    mask = image.mask()
    compressed = mupdf.ll_fz_compressed_image_buffer(image.m_internal)
    extension = AS_THEY_ARE.get(image.fz_compressed_image_type())
    if compressed and extension and not mask.m_internal:
        buffer = mupdf.FzBuffer(mupdf.ll_fz_keep_buffer(compressed.buffer))
        return bytes(buffer.fz_buffer_extract_copy()), extension
    if image.imagemask():  # a stencil, which the page fills with a color, in black
        gray = _gray(image)
        decoded = _with_mask(Image.new("L", gray.size, 0), gray)
    else:
        decoded = _pixels(image)
    if mask.m_internal:
        decoded = _with_mask(decoded, _gray(mask))
    is_bilevel = image.bpc() == 1 and decoded.mode == "L"
    if not is_bilevel and is_photographic(decoded):
        return encode_photo(decoded), "png"
    target = BytesIO()
    (decoded.convert("1") if is_bilevel else decoded).save(target, "PNG", compress_level=COMPRESS_LEVEL)
    return target.getvalue(), "png"


def _pixels(image: mupdf.FzImage) -> Image.Image:
    """Return the colors of an image as gray or RGB."""
    pixmap = _pixmap(image)
    if pixmap.n - pixmap.alpha not in MODES:
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixmap)  # type: ignore[no-untyped-call]
    mode = MODES[pixmap.n - pixmap.alpha] + ("A" if pixmap.alpha else "")
    return Image.frombytes(mode, (pixmap.width, pixmap.height), pixmap.samples)


def _gray(mask: mupdf.FzImage) -> Image.Image:
    """Return a mask: 255 where the image is seen."""
    pixmap = _pixmap(mask)
    return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)


def _pixmap(image: mupdf.FzImage) -> pymupdf.Pixmap:
    return pymupdf.Pixmap("raw", image.fz_get_unscaled_pixmap_from_image())  # type: ignore[no-untyped-call]


def _with_mask(decoded: Image.Image, mask: Image.Image) -> Image.Image:
    """Return an image with an alpha channel; the smaller of the two is enlarged."""
    if mask.width * mask.height > decoded.width * decoded.height:
        decoded = decoded.resize(mask.size, Image.Resampling.BICUBIC)
    elif mask.size != decoded.size:
        mask = mask.resize(decoded.size, Image.Resampling.BICUBIC)
    opaque = decoded.convert("LA" if decoded.mode in ("L", "LA") else "RGBA")
    opaque.putalpha(ImageChops.multiply(opaque.getchannel("A"), mask))
    return opaque


def extract_text(options: ExtractOptions, file: PdfFile) -> Extracted:
    """Return the text in reading order, a form feed between pages."""
    pages = [file.lines(page) for page in file.pages()]
    if not options.headers:
        furniture = Furniture(file, dict(zip(file.selected, pages, strict=True)))
        pages = [furniture.remove(index, lines) for index, lines in zip(file.selected, pages, strict=True)]
    write = layout_text if options.layout else page_text
    content, truncated = truncate(PAGE_BREAK.join(map(write, pages)), options.max_chars)
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
    made = MadeFile(zip_content(each._saved() for each in found), f"{options.stem}-images.zip", "application/zip")
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
    extracted.title = _title(source) or None
    extracted.author = _entry(source, Name.Author) or None
    extracted.created = iso_of(_entry(source, Name.CreationDate)) or None
    extracted.modified = iso_of(_entry(source, Name.ModDate)) or None
    extracted.pages_without_text = file.pages_without_text
    extracted.unmapped = file.unmapped
    warn_of_late_damage(source)
    extracted.warnings = [*source.warnings, *file.warnings, *extracted.warnings]
    return extracted


def _title(source: Source) -> str:
    """Return the title of the document, that of its metadata stream where the older dictionary has none."""
    title, metadata = _entry(source, Name.Title), source.root.get(Name.Metadata)
    if not title and isinstance(metadata, pikepdf.Stream):
        with suppress(pikepdf.PdfError):
            found = _TITLE.search(metadata.read_bytes().decode("utf-8", "replace"))
            title = unescape(found[1]).strip() if found else ""
    return title


def _entry(source: Source, name: Name) -> str:
    """Return a text of the document information dictionary; empty if it is missing."""
    text = dictionary(source.pdf.trailer.get(Name.Info)).get(name)
    return str(text).strip() if isinstance(text, pikepdf.String) else ""
