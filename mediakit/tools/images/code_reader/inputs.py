"""Input files as images: decoded, upright, on a white background; the pages of a TIFF, and of a PDF.

PyMuPDF runs no scripts of a PDF and fetches no resources.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from PIL import Image, ImageStat

from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.raster import resize, source
from mediakit.engines.raster.color import flatten, to_eight_bit
from mediakit.engines.raster.formats import detect_format
from mediakit.engines.raster.source import MAX_PIXELS, SourceImage
from mediakit.errors import InvalidInput
from mediakit.installation import required
from mediakit.tools.images.code_reader.decoder import MAX_SIDE

MIN_LIGHT_INK = 128
"""Gray value above which the pixels of a transparent image are meant for a dark background."""

MAX_PAGES = 20
"""Maximum number of pages per call."""

HEADER_BYTES = 1024
"""Bytes that contain the header of a PDF (PDF 1.7, appendix H, note 13)."""


def read_header(content: bytes) -> SourceImage:
    """Read the header of an image.

    Raises:
        InvalidInput: The file has none of the six formats, has more than 50 megapixels, or is damaged.
    """
    try:
        detect_format(content)
    except InvalidInput:
        raise InvalidInput("file: is neither a PNG, JPEG, WebP, AVIF, GIF or TIFF image nor a PDF.") from None
    return source.read_header(content)


def decode(header: SourceImage) -> Image.Image:
    """Decode the first frame of an image to gray or RGB.

    Raises:
        InvalidInput: The file is damaged.
    """
    with source.damage_as_invalid_input(header.format, content=header.content):
        return _readable(resize.decode(header, header.size).image)


def decode_tiff_page(content: bytes, number: int) -> Image.Image:
    """Decode a page of a TIFF to gray or RGB, from 1.

    Raises:
        InvalidInput: The page is damaged or has more than 50 megapixels.
    """
    with source.damage_as_invalid_input("tiff", content=content):
        image = source.TiffPage(BytesIO(content))
        image.seek(number - 1)
        source.check_pixels(image.width * image.height, "file")
        image.load()
        return _readable(to_eight_bit(image))


def select_pages(pages: str | None, count: int, what: str) -> list[int]:
    """Return the numbers of the requested pages, from 1; `what` names the file in a message.

    Raises:
        InvalidInput: A page does not exist, or there are too many.
    """
    if pages is None:
        if count > MAX_PAGES:
            raise InvalidInput(
                f"pages: is required, because the {what} has {count} pages. Select up to {MAX_PAGES}, as in 1-3,5."
            )
        return list(range(1, count + 1))
    selected = [index + 1 for index in indices(pages, count)]
    if len(selected) > MAX_PAGES:
        raise InvalidInput(f"pages: must select at most {MAX_PAGES} pages, got {len(selected)}.")
    return selected


def _readable(image: Image.Image) -> Image.Image:
    if max(image.size) > MAX_SIDE:
        size = f"{image.width} x {image.height}"
        raise InvalidInput(f"file: has {size} pixels; a side must have at most {MAX_SIDE}. Resize or crop the image.")
    if image.mode not in ("LA", "RGBA"):
        return image if image.mode in ("L", "RGB") else image.convert("RGB")
    # On white, or on black if all its visible pixels are light.
    alpha = image.getchannel("A")
    visible = alpha.point([0] * 128 + [255] * 128)
    if visible.getbbox() and visible.getextrema() != (255, 255):
        gray = image.convert("RGB").convert("L")
        if ImageStat.Stat(gray, visible).extrema[0][0] > MIN_LIGHT_INK:
            dark = Image.new("L", image.size, 0)
            dark.paste(gray, mask=alpha)
            return dark
    return flatten(image)


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF."""
    return b"%PDF-" in content[:HEADER_BYTES]


def check_size(page: Any, scale: float) -> None:
    """Reject a page of a PDF whose image would be too large.

    Raises:
        InvalidInput: The image would have more than 50 megapixels, or the page has no size.
    """
    count = pixels(page, scale)
    if not 0 < count <= MAX_PIXELS:
        size = f"{count / 1e6:.0f} megapixels" if math.isfinite(count) and count > 0 else "no size"
        raise InvalidInput(
            f"file: page {page.number + 1} would have {size} at scale {scale:g}; the limit is "
            f"{MAX_PIXELS // 1_000_000} megapixels. Use a lower scale or omit the page."
        )


def pixels(page: Any, scale: float) -> float:
    """Return the number of pixels of a page image."""
    return float(page.rect.width) * scale * float(page.rect.height) * scale


def render(page: Any, scale: float) -> Image.Image:
    """Render a page of a PDF in gray; a scale of 1 is 72 dpi."""
    import pymupdf

    matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
    drawn = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    return Image.frombytes("L", (drawn.width, drawn.height), drawn.samples, "raw", "L", drawn.stride, 1)


@contextmanager
def open_pdf(content: bytes) -> Iterator[Any]:
    """Open a PDF.

    Raises:
        InvalidInput: The PDF is encrypted, damaged beyond repair or empty.
        MissingPackage: PyMuPDF is not installed.
    """
    with required("file: reading a PDF", "PyMuPDF"):
        import pymupdf
    from mediakit.engines.pdf.document import open_to_read
    from mediakit.engines.pdf.mupdf import has_stated_pages, open_pages

    # Exceptions of MuPDF share no base class with those of PyMuPDF.
    unreadable = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)
    try:
        document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
        if document.is_pdf and not document.needs_pass and not has_stated_pages(document, content):
            document = open_pages(open_to_read(content), content)
    except unreadable as error:
        raise _damaged() from error
    with document:
        try:
            if document.needs_pass:
                raise InvalidInput("file: is encrypted. Remove the password first.")
            if not document.is_pdf or not document.page_count:
                raise _damaged()
            yield document
        except unreadable as error:
            raise error if isinstance(error, InvalidInput) else _damaged() from error


def _damaged() -> InvalidInput:
    return InvalidInput("file: is damaged and cannot be decoded as PDF.")
