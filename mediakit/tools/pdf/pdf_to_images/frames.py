"""The size of each page's image, and the limits of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pymupdf

from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_to_images.request import PdfToImagesRequest

MAX_PAGES = 50
"""Pages of one call."""

MEGAPIXEL = 1_000_000
MAX_PAGE_MEGAPIXELS, MAX_TOTAL_MEGAPIXELS = 50, 200

MIN_DPI, POINTS_PER_INCH = 36, 72

ROUNDING = 0.001
"""Part of a pixel that MuPDF does not round up."""


@dataclass(frozen=True)
class Frame:
    """A page and the size of its image in pixels."""

    index: int
    scale: float
    """Pixels per point."""
    width: int
    height: int

    @property
    def pixels(self) -> int:
        """Number of pixels."""
        return self.width * self.height


def frame_of(document: pymupdf.Document, index: int, request: PdfToImagesRequest) -> Frame:
    """Return the size of a page's image."""
    paper = document[index].rect
    scale = request.dpi / POINTS_PER_INCH if request.width is None else request.width / paper.width
    return Frame(index, scale, _side(paper.width * scale), _side(paper.height * scale))


def check_frames(frames: Sequence[Frame], request: PdfToImagesRequest) -> None:
    """Refuse images that are too large.

    Raises:
        InvalidInput: One has more than 50 megapixels, or all together more than 200.
    """
    for frame in frames:
        if frame.pixels > MAX_PAGE_MEGAPIXELS * MEGAPIXEL:
            subject = f"page {frame.index + 1} would have"
            raise _too_large(subject, frame.pixels, MAX_PAGE_MEGAPIXELS, request)
    total = sum(frame.pixels for frame in frames)
    if total > MAX_TOTAL_MEGAPIXELS * MEGAPIXEL:
        raise _too_large(f"{len(frames)} pages would have", total, MAX_TOTAL_MEGAPIXELS, request, " or fewer pages")


def _too_large(
    subject: str, pixels: int, limit: int, request: PdfToImagesRequest, alternative: str = ""
) -> InvalidInput:
    shrink = math.sqrt(limit * MEGAPIXEL / pixels) * 0.998  # sides are rounded up
    size = f"{subject} {math.ceil(pixels / MEGAPIXEL):,} megapixels"
    if request.width is not None:
        fitting = math.floor(request.width * shrink)
        return InvalidInput(
            f"width: {size} at {request.width} pixels; the most is {limit}, so {fitting} pixels{alternative}."
        )
    fitting = math.floor(request.dpi * shrink)
    advice = f"so {fitting} dpi{alternative}" if fitting >= MIN_DPI else f"so send width instead of dpi{alternative}"
    return InvalidInput(f"dpi: {size} at {request.dpi} dpi; the most is {limit}, {advice}.")


def _side(length: float) -> int:
    return max(1, math.ceil(length - ROUNDING)) if math.isfinite(length) else 1 << 30
