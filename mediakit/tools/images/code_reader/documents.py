"""The pages of a PDF as pictures. PyMuPDF runs no script of a PDF and fetches nothing that it names."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PIL import Image

from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.errors import InvalidInput
from mediakit.tools.images.code_reader.page_list import ranges

MOST_PAGES = 20

HEAD = 1024
"""Bytes within which a PDF says that it is one (PDF 1.7, appendix H, note 13)."""


def is_pdf(content: bytes) -> bool:
    """Tell a PDF by its first bytes."""
    return b"%PDF-" in content[:HEAD]


class Document:
    """An open PDF."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def chosen(self, pages: str | None) -> list[int]:
        """Give the numbers of the pages to read, from 1.

        Raises:
            InvalidInput: There is no such page, or they are too many.
        """
        count = int(self._document.page_count)
        if pages is None:
            if count > MOST_PAGES:
                raise InvalidInput(
                    f"pages: is required, because the PDF has {count} pages; name up to {MOST_PAGES}, as in 1-3,5."
                )
            return list(range(1, count + 1))
        chosen = sorted({number for first, last in ranges(pages) for number in _within(first, last, count)})
        if len(chosen) > MOST_PAGES:
            raise InvalidInput(f"pages: names {len(chosen)} pages; at most {MOST_PAGES} are read in one call.")
        return chosen

    def check(self, number: int, scale: float) -> None:
        """Refuse a page whose picture would be too large.

        Raises:
            InvalidInput: It would have more than 50 megapixels, or has no size.
        """
        pixels = self.pixels(number, scale)
        if not 0 < pixels <= MAX_PIXELS:
            size = f"{pixels / 1e6:.0f} megapixels" if math.isfinite(pixels) and pixels > 0 else "no size"
            raise InvalidInput(
                f"file: page {number} would have {size} at scale {scale:g}; at most {MAX_PIXELS // 1_000_000} "
                "megapixels are read. Give a lower scale or leave the page out."
            )

    def pixels(self, number: int, scale: float) -> float:
        """Count the pixels of a page's picture."""
        paper = self._document[number - 1].rect
        return float(paper.width) * scale * float(paper.height) * scale

    def size(self, number: int, scale: float) -> tuple[int, int]:
        """Give the width and height of a page's picture, in pixels."""
        paper = self._document[number - 1].rect
        return round(paper.width * scale), round(paper.height * scale)

    def drawn(self, number: int, scale: float) -> Image.Image:
        """Draw a page in grey; a scale of 1 is 72 pixels an inch."""
        import pymupdf

        matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
        pixels = self._document[number - 1].get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples, "raw", "L", pixels.stride, 1)


@contextmanager
def opened(content: bytes) -> Iterator[Document]:
    """Open a PDF.

    Raises:
        InvalidInput: It is encrypted, damaged beyond repair or without pages.
    """
    try:
        import pymupdf
    except ImportError:
        raise InvalidInput("file: PDFs need PyMuPDF, which is not installed here: pip install pymupdf") from None
    # What MuPDF itself throws is of no common kind.
    unreadable = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)
    try:
        document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
    except unreadable as error:
        raise _damaged() from error
    with document:
        try:
            if document.needs_pass:
                raise InvalidInput("file: is encrypted; remove the PDF's password first.")
            if not document.is_pdf or not document.page_count:
                raise _damaged()
            yield Document(document)
        except unreadable as error:
            raise error if isinstance(error, InvalidInput) else _damaged() from error


def _within(first: int, last: int, count: int) -> range:
    if last > count:
        raise InvalidInput(f"pages: must be from 1 to {count}, got {last}.")
    return range(first, last + 1)


def _damaged() -> InvalidInput:
    return InvalidInput("file: is damaged and cannot be read as PDF.")
