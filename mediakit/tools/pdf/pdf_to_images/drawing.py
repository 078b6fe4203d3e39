"""Draws pages as images of their own, or on one contact sheet."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate

import numpy as np
import pymupdf
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from zlib_ng import zlib_ng

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.opening import Source, warn_of_lost_protection
from mediakit.engines.pdf.outlines import label_texts
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.png import (
    AVERAGE_FILTER,
    CHANNEL_TYPES,
    ROWS_PER_STRIP,
    assemble,
    resolution_content,
    with_filters,
)
from mediakit.engines.raster.encode import encode as encode_image
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_to_images.tool import Drawn, DrawnPage, ImageFormat, PdfToImagesRequest

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
    width, height = (
        max(1, math.ceil(side - ROUNDING)) if math.isfinite(side) else 1 << 30
        for side in (paper.width * scale, paper.height * scale)
    )
    return Frame(index, scale, width, height)


def check_frames(frames: Sequence[Frame], request: PdfToImagesRequest) -> None:
    """Refuse images that are too large.

    Raises:
        InvalidInput: One has more than 50 megapixels, or all together more than 200.
    """
    sizes = [(f"page {frame.index + 1}", frame.pixels, MAX_PAGE_MEGAPIXELS, "") for frame in frames]
    total = sum(frame.pixels for frame in frames)
    sizes.append((f"{len(frames)} pages", total, MAX_TOTAL_MEGAPIXELS, " or fewer pages"))
    for subject, pixels, limit, alternative in sizes:
        if pixels <= limit * MEGAPIXEL:
            continue
        shrink = math.sqrt(limit * MEGAPIXEL / pixels) * 0.998  # sides are rounded up
        size = f"{subject} would have {math.ceil(pixels / MEGAPIXEL):,} megapixels"
        if request.width is not None:
            advice = f"so {math.floor(request.width * shrink)} pixels{alternative}"
            raise InvalidInput(f"width: {size} at {request.width} pixels; the most is {limit}, {advice}.")
        fitting = math.floor(request.dpi * shrink)
        advice = f"so {fitting} dpi" if fitting >= MIN_DPI else "so send width instead of dpi"
        raise InvalidInput(f"dpi: {size} at {request.dpi} dpi; the most is {limit}, {advice}{alternative}.")


Pixels = NDArray[np.uint8]
"""Height x width x channels."""

NO_FILTER = 0
"""ISO/IEC 15948, 9.2."""

DEFLATE_LEVEL = 4
"""Level of zlib-ng: 3 % larger than level 6, in two thirds of the time."""

SAMPLED_ROWS = 8
"""Rows of a strip that choose its filter."""

MIN_EQUAL_NEIGHBORS = 0.35
"""Share of values that equal those of the pixel to the left, above which rows compress best without a filter."""


def encode(pixels: Pixels, request: PdfToImagesRequest, dpi: float) -> bytes:
    """Return pixels as a file in the format of the request."""
    if request.format == "png":
        return encode_pixels(pixels, dpi)
    image = Image.fromarray(pixels)
    if request.format == "webp":
        return encode_image(image, "webp", request.quality)
    target = BytesIO()
    image.save(target, "JPEG", quality=request.quality, dpi=(round(dpi), round(dpi)))
    return target.getvalue()


def encode_pixels(pixels: Pixels, dpi: float | None = None) -> bytes:
    """Encode pixels (RGB, or RGBA that is not premultiplied) as PNG, with a resolution if there is one."""
    height, width, channels = pixels.shape
    deflate = zlib_ng.compressobj(DEFLATE_LEVEL)
    data = [deflate.compress(_filtered(pixels, top)) for top in range(0, height, ROWS_PER_STRIP)]
    before = [(b"pHYs", resolution_content(dpi))] if dpi else ()
    return assemble((width, height), CHANNEL_TYPES[channels], b"".join((*data, deflate.flush())), before=before)


def _filtered(pixels: Pixels, top: int) -> bytes:
    """Return the rows of a strip, each after the number of its filter."""
    strip = pixels[top : top + ROWS_PER_STRIP]
    sample = strip[:: max(1, len(strip) // SAMPLED_ROWS)]
    # Neighbors are mostly equal in text and drawings, unlike in photographs.
    if sample.shape[1] < 2 or (sample[:, :-1] == sample[:, 1:]).mean() > MIN_EQUAL_NEIGHBORS:
        return with_filters(NO_FILTER, strip)
    left, above = np.zeros_like(strip), np.zeros_like(strip)
    left[:, 1:], above[1:] = strip[:, :-1], strip[:-1]
    if top:
        above[0] = pixels[top - 1]
    return with_filters(AVERAGE_FILTER, strip - ((left & above) + ((left ^ above) >> 1)))


FIRST_PIXELS = 5_000_000
"""Pixels that the first worker draws before the rest is shared among several."""


def draw_first(request: PdfToImagesRequest) -> Drawn:
    """Check all pages and draw the first ones, or all of them if they are combined.

    Raises:
        InvalidInput: The file cannot be read, a page does not exist, or the images would be too large.
    """
    source = open_to_read(file_of(request.file), request.password)
    refuse_dynamic_xfa(source)
    warn_of_lost_protection(source)
    selected = _selected(request.pages, len(source.pages))
    with _document(source, request) as document:
        frames = [frame_of(document, index, request) for index in selected]
        check_frames(frames, request)
        drawing = _Drawing(document, label_texts(source), request)
        if request.combine != "none":
            pages, combined = drawing.combined(frames)
            return Drawn(pages, [], combined, selected[-1] + 1, source.warnings)
        totals = accumulate(frame.pixels for frame in frames)
        count = next((count for count, total in enumerate(totals, 1) if total > FIRST_PIXELS), len(frames))
        rest = [frame.index for frame in frames[count:]]
        return Drawn(drawing.pages(frames[:count]), rest, b"", selected[-1] + 1, source.warnings)


def draw_rest(request: PdfToImagesRequest, selected: Sequence[int]) -> Drawn:
    """Draw pages that `draw_first` has checked."""
    source = open_to_read(file_of(request.file), request.password)
    with _document(source, request) as document:
        frames = [frame_of(document, index, request) for index in selected]
        return Drawn(_Drawing(document, label_texts(source), request).pages(frames), [], warnings=source.warnings)


class _Drawing:
    """An open document and how to draw it."""

    def __init__(self, document: pymupdf.Document, labels: Sequence[str] | None, request: PdfToImagesRequest) -> None:
        self._document = document
        self._labels = labels
        self._request = request

    def pages(self, frames: Sequence[Frame]) -> list[DrawnPage]:
        """Return an encoded image of each page."""
        return [self._page(frame, encode(self._pixels(frame), self._request, self._dpi(frame))) for frame in frames]

    def combined(self, frames: Sequence[Frame]) -> tuple[list[DrawnPage], bytes]:
        """Return what is known of the pages, and one image of them all."""
        sheet = Sheet(frames, self._request)
        for frame, place in zip(frames, sheet.places, strict=True):
            sheet.paste(self._pixels(frame), *place, str(frame.index + 1))
        return [self._page(frame, b"") for frame in frames], encode(sheet.pixels, self._request, self._dpi(frames[0]))

    def _page(self, frame: Frame, content: bytes) -> DrawnPage:
        label = self._labels[frame.index] if self._labels else None
        return DrawnPage(frame.index, label, frame.width, frame.height, content)

    def _pixels(self, frame: Frame) -> Pixels:
        """Return the pixels of a page as RGB, or as RGBA that is not premultiplied."""
        matrix = pymupdf.Matrix(frame.scale, frame.scale)  # type: ignore[no-untyped-call]
        try:
            page = self._document[frame.index]
            drawn = page.get_pixmap(matrix=matrix, alpha=self._request.transparent, annots=self._request.annotations)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            raise InvalidInput(f"file: page {frame.index + 1} is damaged and cannot be drawn.") from error
        samples = np.frombuffer(drawn.samples, np.uint8)  # a copy: MuPDF frees its own with the pixmap
        pixels = samples.reshape(drawn.height, drawn.stride)[:, : drawn.width * drawn.n]
        pixels = pixels.reshape(drawn.height, drawn.width, drawn.n)
        if not drawn.alpha:
            return pixels
        size = drawn.width, drawn.height
        premultiplied = Image.frombuffer("RGBa", size, np.ascontiguousarray(pixels), "raw", "RGBa", 0, 1)
        return np.asarray(premultiplied.convert("RGBA"))

    @staticmethod
    def _dpi(frame: Frame) -> float:
        return frame.scale * POINTS_PER_INCH


@contextmanager
def _document(source: Source, request: PdfToImagesRequest) -> Iterator[pymupdf.Document]:
    try:
        document = open_pages(source, file_of(request.file), request.password)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise InvalidInput("file: is a damaged PDF that cannot be drawn.") from error
    with document:
        yield document


def _selected(pages: str | None, count: int) -> Sequence[int]:
    if pages is None and count > MAX_PAGES:
        raise InvalidInput(f"pages: is required, because the PDF has {count} pages; name up to {MAX_PAGES}.")
    selected = indices(pages, count)
    if len(selected) > MAX_PAGES:
        raise InvalidInput(f"pages: must name at most {MAX_PAGES} pages, got {len(selected)}.")
    return selected


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


class Sheet:
    """An image on which pages are pasted: one under another, or in a grid with numbers.

    Raises:
        InvalidInput: It would be too large.
    """

    def __init__(self, frames: Sequence[Frame], request: PdfToImagesRequest) -> None:
        self._is_grid = request.combine == "grid"
        width = max(frame.width for frame in frames)
        tallest = max(frame.height for frame in frames)
        if self._is_grid:
            edge = gap = max(12, round(width * GRID_GAP))
            self._font_size = min(LARGEST_NUMBER, max(SMALLEST_NUMBER, round(width * NUMBER_HEIGHT)))
            below = self._font_size + gap
            columns = _columns(len(frames), (width + gap) / (tallest + below))
        else:
            below = gap = max(4, round(width * COLUMN_GAP))
            edge, columns, self._font_size = 0, 1, 0
        self.places: list[tuple[int, int]] = []
        """Left and top of each page."""
        top = edge
        for start in range(0, len(frames), columns):
            row = frames[start : start + columns]
            bottom = top + max(tallest if self._is_grid else 0, *(frame.height for frame in row))
            for column, frame in enumerate(row):
                left = edge + column * (width + gap) + (width - frame.width) // 2
                self.places.append((left, bottom - frame.height))
            top = bottom + below
        size = edge + columns * (width + gap) - (gap - edge), top + self._font_size // 2 - (gap - edge)
        _check_size(*size, request)
        ground = (*BACKGROUND, CLEAR) if request.transparent else BACKGROUND
        self.pixels: Pixels = np.empty((size[1], size[0], len(ground)), np.uint8)
        self.pixels[:] = ground

    def paste(self, page: Pixels, left: int, top: int, number: str) -> None:
        """Draw a page, and in a grid its border and number."""
        height, width, _ = page.shape
        bottom, right = top + height, left + width
        self.pixels[top:bottom, left:right] = page
        if self._is_grid:
            color = self._ink(BORDER)
            self.pixels[top - 1, left - 1 : right + 1] = self.pixels[bottom, left - 1 : right + 1] = color
            self.pixels[top - 1 : bottom + 1, left - 1] = self.pixels[top - 1 : bottom + 1, right] = color
            font = ImageFont.load_default(self._font_size)
            length = math.ceil(font.getlength(number))
            start, line = max(0, left + width // 2 - length // 2), bottom + max(3, self._font_size // 3)
            area = self.pixels[line : line + self._font_size * 2, start : start + length + 1]
            patch = Image.fromarray(area)
            ImageDraw.Draw(patch).text((0, 0), number, fill=self._ink(NUMBER_COLOR), font=font)
            area[:] = np.asarray(patch)

    def _ink(self, color: tuple[int, int, int]) -> tuple[int, ...]:
        return (*color, OPAQUE)[: self.pixels.shape[2]]


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
