"""PDF pages as images. PyMuPDF runs no scripts of a PDF and fetches no resources."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PIL import Image

from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.errors import InvalidInput
from mediakit.installation import required

MAX_PAGES = 20
"""Maximum number of pages per call."""

HEADER_BYTES = 1024
"""Bytes that contain the header of a PDF (PDF 1.7, appendix H, note 13)."""


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF."""
    return b"%PDF-" in content[:HEADER_BYTES]


class Document:
    """An open PDF."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def page_numbers(self, pages: str | None) -> list[int]:
        """Return the numbers of the pages to read, from 1.

        Raises:
            InvalidInput: A page does not exist, or there are too many.
        """
        count = int(self._document.page_count)
        if pages is None:
            if count > MAX_PAGES:
                raise InvalidInput(
                    f"pages: is required, because the PDF has {count} pages. Select up to {MAX_PAGES}, as in 1-3,5."
                )
            return list(range(1, count + 1))
        selected = [index + 1 for index in indices(pages, count)]
        if len(selected) > MAX_PAGES:
            raise InvalidInput(f"pages: must select at most {MAX_PAGES} pages, got {len(selected)}.")
        return selected

    def check_size(self, number: int, scale: float) -> None:
        """Reject a page whose image would be too large.

        Raises:
            InvalidInput: The image would have more than 50 megapixels, or the page has no size.
        """
        pixels = self.pixels(number, scale)
        if not 0 < pixels <= MAX_PIXELS:
            size = f"{pixels / 1e6:.0f} megapixels" if math.isfinite(pixels) and pixels > 0 else "no size"
            raise InvalidInput(
                f"file: page {number} would have {size} at scale {scale:g}; the limit is {MAX_PIXELS // 1_000_000} "
                "megapixels. Use a lower scale or omit the page."
            )

    def pixels(self, number: int, scale: float) -> float:
        """Return the number of pixels of a page image."""
        rect = self._document[number - 1].rect
        return float(rect.width) * scale * float(rect.height) * scale

    def size(self, number: int, scale: float) -> tuple[int, int]:
        """Return width and height of a page image in pixels."""
        rect = self._document[number - 1].rect
        return round(rect.width * scale), round(rect.height * scale)

    def render(self, number: int, scale: float) -> Image.Image:
        """Render a page in gray; a scale of 1 is 72 dpi."""
        import pymupdf

        matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
        pixels = self._document[number - 1].get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples, "raw", "L", pixels.stride, 1)


@contextmanager
def open_pdf(content: bytes) -> Iterator[Document]:
    """Open a PDF.

    Raises:
        InvalidInput: The PDF is encrypted, damaged beyond repair or empty.
        MissingPackage: PyMuPDF is not installed.
    """
    with required("file: reading a PDF", "PyMuPDF"):
        import pymupdf
    # Exceptions of MuPDF share no base class with those of PyMuPDF.
    unreadable = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)
    try:
        document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
    except unreadable as error:
        raise _damaged() from error
    with document:
        try:
            if document.needs_pass:
                raise InvalidInput("file: is encrypted. Remove the password first.")
            if not document.is_pdf or not document.page_count:
                raise _damaged()
            yield Document(document)
        except unreadable as error:
            raise error if isinstance(error, InvalidInput) else _damaged() from error


def _damaged() -> InvalidInput:
    return InvalidInput("file: is damaged and cannot be decoded as PDF.")
