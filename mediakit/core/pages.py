"""How a PDF shows itself in a notebook: a picture of its first page. This alone imports PyMuPDF, which is AGPL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PIL import Image

from mediakit.core import pictures
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.core.results import PdfResult

SHOWN_DPI = 72
DRAWN_DPI = 2 * SHOWN_DPI
"""A notebook shows a page at a pixel a point, drawn twice as fine for sharp screens."""

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
    data: dict[str, Any] = {"text/plain": _plain(result)}
    try:
        picture = drawn(result.content, 1, DRAWN_DPI)
    except ImportError:
        return data, {}
    width, height = (side * SHOWN_DPI // DRAWN_DPI for side in picture.size)
    mime_type, content = pictures.preview(picture)
    alt = result.alt or f"Page 1 of a PDF of {result.extent}"
    return {**data, mime_type: content}, {mime_type: {"width": width, "height": height, "alt": alt}}


def _plain(result: "PdfResult") -> str:
    from mediakit.core.results import readable_size

    facts = ("PDF", result.extent, result.meta.get("format"), readable_size(len(result.content)))
    return " · ".join(filter(None, facts))


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import pymupdf

    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        yield document
