"""One image of several pages: a column, or a contact sheet with page numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_to_images.encoding import Pixels
from mediakit.tools.pdf.pdf_to_images.frames import MEGAPIXEL, Frame
from mediakit.tools.pdf.pdf_to_images.request import ImageFormat, PdfToImagesRequest

LARGEST_BYTES: dict[ImageFormat, int] = {"png": 600_000_000, "jpeg": 300_000_000, "webp": 200_000_000}
"""Bytes of the pixels of a sheet; a worker has 1 GB, and some encoders need a second copy."""

LARGEST_SIDES: dict[ImageFormat, int] = {"png": 1_000_000, "jpeg": 65_500, "webp": 16_383}
"""Pixels of the sides of a file of each format."""

BACKGROUND = (235, 236, 238)
BORDER = (206, 208, 212)
NUMBER_COLOR = (75, 80, 88)
OPAQUE, CLEAR = 255, 0

COLUMN_GAP = 0.015
"""Distance of two pages of a column, as a part of the width of the widest."""

GRID_GAP = 0.08
"""Distance of two pages of a grid and of the pages from the edge, as a part of the width of a cell."""

NUMBER_HEIGHT = 0.055
"""Size of the font of page numbers, as a part of the width of a cell."""
SMALLEST_NUMBER, LARGEST_NUMBER = 11, 60
"""Pixels."""

GRID_RATIO = 1.3
"""Width by height that a grid comes near to."""


@dataclass(frozen=True)
class Place:
    """Where a page is on a sheet."""

    left: int
    top: int
    number: str = ""
    """What is written below the page."""
    middle: int = 0
    """Middle of the number, from the left."""
    base: int = 0
    """Top of the number."""


class Sheet:
    """An image on which pages are pasted."""

    def __init__(
        self, width: int, height: int, places: Sequence[Place], request: PdfToImagesRequest, font_size: int = 0
    ) -> None:
        _check_size(width, height, request)
        self.places = places
        self._font_size = font_size
        ground = (*BACKGROUND, CLEAR) if request.transparent else BACKGROUND
        self.pixels: Pixels = np.empty((height, width, len(ground)), np.uint8)
        self.pixels[:] = ground

    def paste(self, page: Pixels, place: Place) -> None:
        """Draw a page, and in a grid its border and number."""
        height, width, _ = page.shape
        self.pixels[place.top : place.top + height, place.left : place.left + width] = page
        if place.number:
            self._draw_border(place, width, height)
            self._draw_number(place)

    def _draw_border(self, place: Place, width: int, height: int) -> None:
        left, top, right, bottom = place.left - 1, place.top - 1, place.left + width, place.top + height
        color = self._ink(BORDER)
        self.pixels[top, left : right + 1] = self.pixels[bottom, left : right + 1] = color
        self.pixels[top : bottom + 1, left] = self.pixels[top : bottom + 1, right] = color

    def _draw_number(self, place: Place) -> None:
        font = ImageFont.load_default(self._font_size)
        width = math.ceil(font.getlength(place.number))
        left = max(0, place.middle - width // 2)
        area = self.pixels[place.base : place.base + self._font_size * 2, left : left + width + 1]
        patch = Image.fromarray(area)
        ImageDraw.Draw(patch).text((0, 0), place.number, fill=self._ink(NUMBER_COLOR), font=font)
        area[:] = np.asarray(patch)

    def _ink(self, color: tuple[int, int, int]) -> tuple[int, ...]:
        return (*color, OPAQUE)[: self.pixels.shape[2]]


def sheet_of(frames: Sequence[Frame], request: PdfToImagesRequest) -> Sheet:
    """Return an empty sheet for pages.

    Raises:
        InvalidInput: It would be too large.
    """
    return _column(frames, request) if request.combine == "column" else _grid(frames, request)


def _column(frames: Sequence[Frame], request: PdfToImagesRequest) -> Sheet:
    width = max(frame.width for frame in frames)
    gap = max(4, round(width * COLUMN_GAP))
    places, top = [], 0
    for frame in frames:
        places.append(Place((width - frame.width) // 2, top))
        top += frame.height + gap
    return Sheet(width, top - gap, places, request)


def _grid(frames: Sequence[Frame], request: PdfToImagesRequest) -> Sheet:
    width, height = max(frame.width for frame in frames), max(frame.height for frame in frames)
    gap = max(12, round(width * GRID_GAP))
    font_size = min(LARGEST_NUMBER, max(SMALLEST_NUMBER, round(width * NUMBER_HEIGHT)))
    step_x, step_y = width + gap, height + gap + font_size
    columns = _columns(len(frames), step_x / step_y)
    places = []
    for at, frame in enumerate(frames):
        left, top = gap + at % columns * step_x, gap + at // columns * step_y
        bottom = top + height
        page_left, page_top = left + (width - frame.width) // 2, bottom - frame.height
        base = bottom + max(3, font_size // 3)
        places.append(Place(page_left, page_top, str(frame.index + 1), left + width // 2, base))
    rows = math.ceil(len(frames) / columns)
    return Sheet(gap + columns * step_x, gap + rows * step_y + font_size // 2, places, request, font_size)


def _columns(count: int, ratio: float) -> int:
    """Return the number of columns of a grid that is nearly full and has a pleasant shape."""

    def fault(columns: int) -> float:
        rows = math.ceil(count / columns)
        return abs(math.log(columns * ratio / rows / GRID_RATIO)) + (columns * rows - count) / count

    return min(range(1, count + 1), key=fault)


def _check_size(width: int, height: int, request: PdfToImagesRequest) -> None:
    kind = request.format
    pixels, limit = width * height, LARGEST_BYTES[kind] // (4 if request.transparent else 3)
    if pixels > limit:
        raise InvalidInput(
            f"combine: the image would have {math.ceil(pixels / MEGAPIXEL):,} megapixels; the most for {kind} "
            f"is {limit // MEGAPIXEL}, so send a lower dpi or fewer pages."
        )
    largest = LARGEST_SIDES[kind]
    if max(width, height) > largest:
        raise InvalidInput(
            f"combine: the image would have {width:,} x {height:,} pixels, and {kind} holds at most "
            f"{largest:,} a side; send a lower dpi, fewer pages or format=png."
        )
