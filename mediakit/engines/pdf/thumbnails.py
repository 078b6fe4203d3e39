"""Small images of pages, for forms. Importing this module does not import PyMuPDF."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO

MAX_SCALE = 4.0
"""Pixels in a point; small pages are not enlarged more."""


@dataclass(frozen=True)
class Thumbnail:
    """An image of a page."""

    content: bytes = field(repr=False)
    """WebP."""
    width: float
    """Width of the page as it is seen, in points."""
    height: float


@dataclass(frozen=True)
class Thumbnails:
    """Images of some pages of a PDF."""

    count: int
    """Pages of the PDF."""
    pages: list[Thumbnail]


def thumbnails(
    content: bytes, password: str | None, side: int, pages: Sequence[int] = (), *, most: int = 0
) -> Thumbnails:
    """Return images of pages of a PDF; call it in a worker.

    Args:
        content: The PDF.
        password: Opens an encrypted PDF.
        side: Longest side of an image, in pixels.
        pages: Pages, from 0. Pages that the PDF does not have are omitted.
        most: Without `pages`, the number of first pages.

    Raises:
        InvalidInput: The file cannot be opened.
    """
    from mediakit.engines.pdf.document import open_to_read
    from mediakit.engines.pdf.mupdf import open_pages

    source = open_to_read(content, password)
    count = len(source.pages)
    with open_pages(source, content, password) as document:
        wanted = [page for page in pages if page < count] if pages else range(min(most, count))
        return Thumbnails(count, [_thumbnail(document[page], side) for page in wanted if page < document.page_count])


def _thumbnail(page: object, side: int) -> Thumbnail:
    import pymupdf
    from PIL import Image

    assert isinstance(page, pymupdf.Page)  # noqa: S101  # for mypy
    width, height = page.rect.width, page.rect.height
    scale = min(side / max(width, height, 1), MAX_SCALE)
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)  # type: ignore[no-untyped-call]
    target = BytesIO()
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    image.save(target, "WEBP", quality=80, method=1)
    return Thumbnail(target.getvalue(), width, height)
