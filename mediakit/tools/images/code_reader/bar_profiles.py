"""Bar profiles: bars averaged along their length to lines, which are then filtered against noise, gaps and blur.

A region of bars is rotated upright and divided into bands; each band is averaged to one line. Filters on these lines
are cheap, because they are one-dimensional.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.decoder import Point, Quad, View
from mediakit.tools.images.code_reader.regions import Region

Lines = np.ndarray[Any, np.dtype[Any]]

BAND_COUNTS = (1, 2, 4, 8)
"""Numbers of bands into which a region is divided."""

PROFILE_ROWS = 64
"""Height of the upright region in pixels."""
DEFAULT_MARGIN = 0.12
"""Margin on both sides relative to the length of a region, for quiet zones and bars that the search missed."""

WIDE_MARGIN = 0.8
"""Margin for a region that may be only half of a code."""

MIN_WIDTH, MAX_WIDTH = 700, 2400
"""Limits for the width of an upright region in pixels."""

LINE_HEIGHT_PIXELS = 3
"""Height of each line in the image for the decoder, which requires adjacent rows to agree."""

MIN_EDGES = 20
"""Minimum number of edges of a line whose outermost bars are shortened."""

FRAME_REACH = 0.03
"""Distance beyond the ends of a region, relative to its length, in which its frame is."""

PAD = 64
"""Minimum pixels by which lines are extended for their Fourier transform, which is periodic."""

NARROW_PERCENTILE = 10
"""Percentile of the distances between edges that is the width of a narrow bar."""


class UprightRegion:
    """A region rotated so that its bars are vertical."""

    def __init__(
        self,
        gray: Image.Image,
        region: Region,
        *,
        margin: float = DEFAULT_MARGIN,
        stretch: float = 2.0,
        inset: float = 0.0,
    ) -> None:
        self.length, depth = region.right - region.left, region.bottom - region.top
        """Approximate length of the bars in pixels of the image."""
        self._gray, self.margin, self._angle = gray, margin, region.angle
        self._left, self._top = region.left - margin * self.length, region.top + inset * depth
        self._span, self._depth = (1 + 2 * margin) * self.length, (1 - 2 * inset) * depth
        self.width = int(min(MAX_WIDTH, max(MIN_WIDTH, stretch * self._span)))
        self.magnification = self.width / self._span
        """Pixels of a line per pixel of the image."""

    @cached_property
    def lines(self) -> Lines:
        """The mean gray values of each band."""
        pixels = np.asarray(self._turned((self.width, PROFILE_ROWS)).image, np.float32)
        return np.array([band.mean(0) for count in BAND_COUNTS for band in np.split(pixels, count)], dtype=np.float32)

    @property
    def span(self) -> tuple[float, float]:
        """The approximate ends of the bars, in pixels of a line."""
        left = self.margin * self.length * self.magnification
        return left, left + self.length * self.magnification

    @property
    def diagonal(self) -> float:
        """Diagonal of the region with its margins, in pixels of the image."""
        return math.hypot(self._span, self._depth)

    def area(self, scale: float) -> View:
        """Return the upright region without averaging."""
        return self._turned((max(8, int(self._span * scale)), max(8, int(self._depth * scale))))

    def back(self, quad: Quad) -> Quad:
        """Map corners in the lines to the image; across the lines a code is as high as its region."""
        middle = sum(y for _, y in quad) / 4
        placed = (self._at(x / self.magnification, 0 if y < middle else self._depth) for x, y in quad)
        return cast("Quad", tuple(placed))

    def _at(self, across: float, down: float) -> Point:
        along, beside = self._left + across, self._top + down
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        return along * cosine - beside * sine, along * sine + beside * cosine

    def _turned(self, size: tuple[int, int]) -> View:
        x, y = self._span / size[0], self._depth / size[1]
        left, top = self._at(0, 0)
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        affine = (cosine * x, -sine * y, left, sine * x, cosine * y, top)
        edge = border_gray(self._gray)
        view = self._gray.transform(size, Image.Transform.AFFINE, affine, Image.Resampling.BICUBIC, fillcolor=edge)
        return View(view, lambda point: self._at(point[0] * x, point[1] * y))


Filter = Callable[[UprightRegion], Lines]


def border_gray(gray: Image.Image) -> int:
    """Return the median gray value of the border, to fill areas outside the image."""
    pixels = np.asarray(gray)
    border = np.concatenate((pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
    return int(np.median(border))


def reader_image(lines: Lines) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return lines as an image for the reader, with the contrast of each stretched."""
    low, high = np.percentile(lines, (2, 98), axis=1, keepdims=True)
    gray = np.clip((lines - low) / np.maximum(high - low, 1) * 255, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(gray.repeat(LINE_HEIGHT_PIXELS, 0))


def unfiltered(upright: UprightRegion) -> Lines:
    """Return the lines without a filter."""
    return upright.lines


def threshold(radius: float) -> Filter:
    """Return a filter that compares lines with their local mean, within `radius` pixels of the image."""

    def apply(upright: UprightRegion) -> Lines:
        return _threshold(upright.lines, max(3, round(radius * upright.magnification)))

    return apply


def deblur(blur: float, noise: float = 0.01) -> Filter:
    """Return a Wiener filter that removes a Gaussian blur; with less noise, relative to the bars, it is stronger."""
    return _wiener(lambda frequencies: np.exp(-2 * (math.pi * frequencies * blur) ** 2), noise)


def remove_motion_blur(length: float) -> Filter:
    """Return a Wiener filter that removes a motion blur of `length` pixels across the bars."""
    return _wiener(lambda frequencies: np.sinc(frequencies * length), 0.01)


def _wiener(response_at: Callable[[Lines], Lines], noise: float) -> Filter:
    """Return a filter that reverses a frequency response, for frequencies in cycles per pixel of the image."""

    def apply(upright: UprightRegion) -> Lines:
        width = upright.width
        # Fourier transforms of multiples of 128 pixels are fast.
        padded = np.pad(upright.lines, ((0, 0), (PAD, PAD + -width % 128)), mode="edge")
        response = response_at(np.fft.rfftfreq(padded.shape[1]) * upright.magnification)
        spectrum = np.fft.rfft(padded, axis=1) * (response / (response * response + noise))
        restored = np.fft.irfft(spectrum, padded.shape[1], axis=1)
        return np.asarray(restored[:, PAD : PAD + width], np.float32)

    return apply


def flatten_cylinder(bend: float) -> Filter:
    """Return a filter that flattens bars on a cylinder; `bend` is the sine of the angle of its edges."""

    def apply(upright: UprightRegion) -> Lines:
        width = upright.width
        turned = np.sin(np.linspace(-1, 1, width) * math.asin(bend)) / bend
        position = (turned + 1) / 2 * (width - 1)
        index = np.clip(position.astype(int), 0, width - 2)
        part = (position - index).astype(np.float32)
        lines: Lines = upright.lines[:, index] * (1 - part) + upright.lines[:, index + 1] * part
        return _threshold(lines, max(3, round(25 * upright.magnification)))

    return apply


def trim_frame(radius: float) -> Filter:
    """Return a filter that removes the outermost dark runs, which are frames in the quiet zone."""

    def apply(upright: UprightRegion) -> Lines:
        lines = threshold(radius)(upright)
        for line in lines:
            dark = np.flatnonzero(line == 0)
            if dark.size:
                runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
                line[: runs[0][-1] + 1] = 255
                line[runs[-1][0] :] = 255
        return lines

    return apply


def detach_frame(radius: float, modules: int) -> Filter:
    """Return a filter that shortens the outermost dark runs to bars of `modules`, for a frame that touches the bars."""

    def apply(upright: UprightRegion) -> Lines:
        lines = threshold(radius)(upright)
        left, right = upright.span
        beyond = FRAME_REACH * (right - left)
        lines[:, : max(1, round(left - beyond))] = 255
        lines[:, min(upright.width - 1, round(right + beyond)) :] = 255
        for line in lines:
            edges = np.flatnonzero(np.diff(line)) + 1
            if edges.size >= MIN_EDGES:
                bar = modules * round(float(np.percentile(np.diff(edges[1:-1]), NARROW_PERCENTILE)))
                line[: edges[1] - bar] = 255
                line[edges[-2] + bar :] = 255
        return lines

    return apply


def invert(filtered: Filter) -> Filter:
    """Return a filter that exchanges light and dark in the lines of another filter."""
    return lambda upright: 255 - filtered(upright)


@dataclass(frozen=True, slots=True)
class LinePass:
    """A filter for lines, and the filters that confirm the codes found with it."""

    name: str
    filter: Filter
    confirmations: tuple[Filter, ...]
    """Filters that are different enough to confirm a detection."""


_CONFIRMATIONS = (unfiltered, threshold(18), deblur(1.3))

GENTLE_PASSES = (
    LinePass("lines", unfiltered, _CONFIRMATIONS[1:]),
    LinePass("lines, thresholded", threshold(25), _CONFIRMATIONS),
    LinePass("lines, thresholded closely", threshold(12), _CONFIRMATIONS),
    LinePass("lines, deblurred", deblur(1.0), (*_CONFIRMATIONS[:2], deblur(1.5), deblur(1.5, 0.003))),
)
"""Filters that find the most codes."""


def _deblurring(blur: float, noise: float, *others: Filter) -> LinePass:
    confirmations = (*others, deblur(blur * 0.9, noise), deblur(blur * 1.1, noise))
    return LinePass(f"lines, deblurred by {blur}", deblur(blur, noise), confirmations)


STRONG_PASSES = (
    LinePass("lines, flattened", flatten_cylinder(0.9), (flatten_cylinder(0.8), flatten_cylinder(0.97))),
    _deblurring(1.7, 0.01, *_CONFIRMATIONS),
    _deblurring(1.7, 0.001, *_CONFIRMATIONS),
    *(_deblurring(blur, 0.001) for blur in (2.0, 2.5, 3.0, 3.6)),
    LinePass("lines, inverted", invert(unfiltered), (invert(threshold(18)), invert(deblur(1.3)))),
    LinePass("lines, without frame", trim_frame(25), (trim_frame(15), trim_frame(40))),
    *(
        LinePass(
            f"lines, {modules} modules detached from frame",
            detach_frame(25, modules),
            (detach_frame(15, modules), detach_frame(40, modules)),
        )
        for modules in (1, 2)
    ),
    *(
        LinePass(
            f"lines, deblurred by motion of {length}",
            remove_motion_blur(length),
            (remove_motion_blur(length * 0.9), remove_motion_blur(length * 1.1)),
        )
        for length in (5, 7, 10)
    ),
)
"""Filters for blurred, bent, inverted or framed codes."""


def _threshold(lines: Lines, radius: int) -> Lines:
    total = np.pad(lines, ((0, 0), (radius + 1, radius)), mode="edge").cumsum(1, dtype=np.float64)
    size = 2 * radius + 1
    mean = (total[:, size:] - total[:, :-size]) / size
    return np.where(lines < mean - 1, np.float32(0), np.float32(255))
