"""How a PDF shows itself in a notebook: a picture of its first pages. This alone imports PyMuPDF, which is AGPL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from mediakit.display import images as pictures
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.results.pdf import PdfResult

SHOWN_DPI = (72, 48, 36)
"""A notebook shows a single page at a pixel a point, two or three of them smaller, side by side."""

FINER = 2
"""Pages are drawn this much finer than shown, for sharp screens."""

GAP = 24
"""Pixels between two drawn pages."""

EDGE = (128, 128, 128, 120)
"""Colour around a page: paper must end somewhere on a white screen, too."""

LARGEST_AREA = 100_000_000
"""Pixels."""


def count(content: bytes) -> int:
    """Count the pages of a PDF."""
    with _opened(content) as document:
        return int(document.page_count)


def drawn(content: bytes, page: int, dpi: int) -> Image.Image:
    """Draw a page of a PDF on white; the first is 1.

    Raises:
        InvalidInput: There is no such page, or its picture would be too large.
    """
    with _opened(content) as document:
        if not 1 <= page <= document.page_count:
            raise InvalidInput(f"page: must be from 1 to {document.page_count}, got {page}.")
        paper = document[page - 1].rect
        if dpi < 1 or paper.width * paper.height * (dpi / 72) ** 2 > LARGEST_AREA:
            raise InvalidInput(f"dpi: {dpi} gives no picture or one of more than {LARGEST_AREA:,} pixels.")
        pixels = document[page - 1].get_pixmap(dpi=dpi, alpha=False)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def bundle(result: "PdfResult") -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the MIME bundle of a result and its metadata; words alone where PyMuPDF is not installed.

    Front ends that show no PDF show nothing of one, so it never travels alone, nor into the notebook's file.
    """
    data: dict[str, Any] = {"text/plain": result.caption}
    shown = min(result.pages, len(SHOWN_DPI))
    try:
        picture = _side_by_side([drawn(result.content, page, _dpi(shown)) for page in range(1, shown + 1)])
    except ImportError:
        return data, {}
    width, height = (side // FINER for side in picture.size)
    mime_type, content = pictures.preview(picture)
    first = "Page 1" if shown == 1 else f"Pages 1 to {shown}"
    alt = result.alt or f"{first} of a PDF of {result.extent}"
    return {**data, mime_type: content}, {mime_type: {"width": width, "height": height, "alt": alt}}


def _dpi(shown: int) -> int:
    return FINER * SHOWN_DPI[shown - 1]


def _side_by_side(pages: list[Image.Image]) -> Image.Image:
    width = sum(page.width for page in pages) + GAP * (len(pages) - 1)
    sheet = Image.new("RGBA", (width, max(page.height for page in pages)))
    pen, left = ImageDraw.Draw(sheet), 0
    for page in pages:
        sheet.paste(page, (left, 0))
        pen.rectangle((left, 0, left + page.width - 1, page.height - 1), outline=EDGE)
        left += page.width + GAP
    return sheet


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import pymupdf

    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        yield document
