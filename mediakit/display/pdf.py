"""How a PDF is shown in a notebook: its first pages, drawn by PyMuPDF, or that it is locked."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PIL import Image, ImageDraw

from mediakit.display import images
from mediakit.errors import InvalidInput
from mediakit.installation import required

PREVIEW_DPI = (72, 48, 36)
"""Resolution of a preview of one, two and three pages."""

PIXEL_RATIO = 2
"""Preview pixels in a CSS pixel, for high-density screens."""

PAGE_GAP = 24
"""Pixels between two pages of a preview."""

PAGE_BORDER_COLOR = (128, 128, 128, 120)
"""A border separates white pages from a white background."""

MAX_PIXELS = 100_000_000

LOCKED = (
    '<div style="border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:10px 14px;'
    'font:13px/1.5 system-ui,sans-serif"><b>{text}</b><br>'
    '<span style="opacity:.7">The pages are encrypted and open with a password only.</span></div>'
)
"""What is shown of a PDF that needs a password. Its pages would be readable in the stored notebook."""


def count_pages(content: bytes) -> int:
    """Return the number of pages of a PDF."""
    with _open(content) as document:
        return int(document.page_count)


def needs_password(content: bytes) -> bool:
    """Return whether a PDF opens only with a password."""
    with _open(content) as document:
        return bool(document.needs_pass)


def render_page(content: bytes, page: int, dpi: int, password: str | None = None) -> Image.Image:
    """Return an image of a page on white; the first page is 1.

    Raises:
        InvalidInput: The page does not exist, its image would be too large, or the PDF needs a password.
    """
    with _open(content) as document:
        if document.needs_pass and not document.authenticate(password or ""):
            raise InvalidInput(f"password: {'is required to open' if password is None else 'does not open'} the PDF.")
        if not 1 <= page <= document.page_count:
            raise InvalidInput(f"page: must be between 1 and {document.page_count}, got {page}.")
        paper = document[page - 1].rect
        if dpi < 1 or paper.width * paper.height * (dpi / 72) ** 2 > MAX_PIXELS:
            raise InvalidInput(f"dpi: must result in an image of 1 to {MAX_PIXELS:,} pixels, got {dpi}.")
        pixels = document[page - 1].get_pixmap(dpi=dpi, alpha=False)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def bundle(content: bytes, *, pages: int, text: str, alt: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the MIME bundle of a PDF's first pages and its metadata.

    Without PyMuPDF, and for pages that it cannot draw, the bundle is text alone. Most front ends
    cannot show a PDF itself, so the PDF is not in the bundle.

    Args:
        content: The PDF.
        pages: Its number of pages.
        text: The plain text representation.
        alt: The alt text; names the pages shown by default.
    """
    data: dict[str, Any] = {"text/plain": text}
    shown = min(pages, len(PREVIEW_DPI))
    try:
        if needs_password(content):
            return {**data, "text/html": LOCKED.format(text=html.escape(text))}, {}
        dpi = PIXEL_RATIO * PREVIEW_DPI[shown - 1]
        preview = _side_by_side([render_page(content, page, dpi) for page in range(1, shown + 1)])
    except (ImportError, InvalidInput, RuntimeError, ValueError, IndexError):
        return data, {}
    width, height = (side // PIXEL_RATIO for side in preview.size)
    mime_type, encoded = images.preview(preview)
    first = "Page 1" if shown == 1 else f"Pages 1 to {shown}"
    unit = "page" if pages == 1 else "pages"
    about = {"width": width, "height": height, "alt": alt or f"{first} of a PDF of {pages} {unit}"}
    return {**data, mime_type: encoded, "text/html": images.img(mime_type, encoded, about)}, {mime_type: about}


def _side_by_side(pages: list[Image.Image]) -> Image.Image:
    width = sum(page.width for page in pages) + PAGE_GAP * (len(pages) - 1)
    canvas = Image.new("RGBA", (width, max(page.height for page in pages)))
    pen, left = ImageDraw.Draw(canvas), 0
    for page in pages:
        canvas.paste(page, (left, 0))
        pen.rectangle((left, 0, left + page.width - 1, page.height - 1), outline=PAGE_BORDER_COLOR)
        left += page.width + PAGE_GAP
    return canvas


@contextmanager
def _open(content: bytes) -> Iterator[Any]:
    with required("The image of a PDF page", "PyMuPDF"):
        import pymupdf
    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        yield document
