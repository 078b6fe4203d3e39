"""Bar profiles: bars averaged along their length to lines, which are then filtered against noise, gaps and blur.

A region of bars is rotated upright and divided into bands; each band is averaged to one line. Filters on these lines
are cheap, because they are one-dimensional.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.bar_regions import Region
from mediakit.tools.images.code_reader.decoder import Point, Quad

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
        length, depth = region.right - region.left, region.bottom - region.top
        self._gray, self._edge = gray, border_gray(gray)
        self.margin = margin
        self._angle = region.angle
        self._left = region.left - margin * length
        self._top = region.top + inset * depth
        self._span = (1 + 2 * margin) * length
        self._depth = (1 - 2 * inset) * depth
        self.width = int(min(MAX_WIDTH, max(MIN_WIDTH, stretch * self._span)))
        self.length = length
        """Approximate length of the bars in pixels of the image."""
        self.magnification = self.width / self._span
        """Pixels of a line per pixel of the image."""
        turned = gray.transform(
            (self.width, PROFILE_ROWS),
            Image.Transform.AFFINE,
            self._affine(self._span / self.width, self._depth / PROFILE_ROWS),
            Image.Resampling.BICUBIC,
            fillcolor=self._edge,
        )
        pixels = np.asarray(turned, np.float32)
        self.lines: Lines = np.array(
            [band.mean(0) for count in BAND_COUNTS for band in np.split(pixels, count)], dtype=np.float32
        )

    @property
    def span(self) -> tuple[float, float]:
        """The approximate ends of the bars, in pixels of a line."""
        left = self.margin * self.length * self.magnification
        return left, left + self.length * self.magnification

    @property
    def diagonal(self) -> float:
        """Diagonal of the region with its margins, in pixels of the image."""
        return math.hypot(self._span, self._depth)

    def area(self, scale: float) -> tuple[Image.Image, Callable[[Point], Point]]:
        """Return the upright region without averaging, and a function that maps its points to the image."""
        size = (max(8, int(self._span * scale)), max(8, int(self._depth * scale)))
        x, y = self._span / size[0], self._depth / size[1]
        view = self._gray.transform(
            size, Image.Transform.AFFINE, self._affine(x, y), Image.Resampling.BICUBIC, fillcolor=self._edge
        )
        return view, lambda point: self._at(point[0] * x, point[1] * y)

    def back(self, quad: Quad) -> Quad:
        """Map corners in the lines to the image; across the lines a code is as high as its region."""
        middle = sum(y for _, y in quad) / 4
        first, second, third, fourth = (self._back(x, top=y < middle) for x, y in quad)
        return first, second, third, fourth

    def _back(self, x: float, *, top: bool) -> Point:
        return self._at(x / self.magnification, 0 if top else self._depth)

    def _at(self, across: float, down: float) -> Point:
        along, beside = self._left + across, self._top + down
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        return along * cosine - beside * sine, along * sine + beside * cosine

    def _affine(self, x: float, y: float) -> tuple[float, float, float, float, float, float]:
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        origin = (self._left * cosine - self._top * sine, self._left * sine + self._top * cosine)
        return cosine * x, -sine * y, origin[0], sine * x, cosine * y, origin[1]


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
    """Return a Wiener filter that removes a Gaussian blur.

    Args:
        blur: Standard deviation in pixels of the image.
        noise: Noise power relative to that of the bars; lower values make the filter stronger.
    """

    def apply(upright: UprightRegion) -> Lines:
        padded, pad = _pad(upright.lines)
        transfer = _gaussian_response(padded.shape[1], blur * upright.magnification)
        spectrum = np.fft.rfft(padded, axis=1) * (transfer / (transfer * transfer + noise))
        return _unpad(np.fft.irfft(spectrum, padded.shape[1], axis=1), upright.width, pad)

    return apply


def remove_motion_blur(length: float) -> Filter:
    """Return a Wiener filter that removes a motion blur of `length` pixels across the bars."""

    def apply(upright: UprightRegion) -> Lines:
        padded, pad = _pad(upright.lines[: sum(BAND_COUNTS[:3])], multiple=1)
        transfer = np.sinc(np.fft.rfftfreq(padded.shape[1]) * length * upright.magnification)
        spectrum = np.fft.rfft(padded, axis=1) * (transfer / (transfer * transfer + 0.01))
        return _unpad(np.fft.irfft(spectrum, padded.shape[1], axis=1), upright.width, pad)

    return apply


def restore(blur: float, rounds: int = 25) -> Filter:
    """Return a filter that removes a stronger blur by Richardson-Lucy deconvolution."""

    def apply(upright: UprightRegion) -> Lines:
        lines = upright.lines[: sum(BAND_COUNTS[:3])]
        low = lines.min(1, keepdims=True)
        high = np.percentile(lines - low, 98, axis=1, keepdims=True)
        observed, pad = _pad((lines - low) / np.maximum(high, 1) * 0.9 + 0.05)
        transfer = _gaussian_response(observed.shape[1], blur * upright.magnification)
        estimate = observed
        for _ in range(rounds):
            ratio = observed / np.maximum(_convolve(estimate, transfer), 1e-3)
            estimate = np.clip(estimate * _convolve(ratio, transfer), 1e-3, 1.05)
        return _unpad(estimate * 255, upright.width, pad)

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
                first, last = _run_end(line, int(dark[0]), 1), _run_end(line, int(dark[-1]), -1)
                line[:first] = 255
                line[last:] = 255
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
    LinePass("lines, deblurred", deblur(1.0), (*_CONFIRMATIONS[:2], restore(1.5))),
)
"""Filters that find the most codes."""

STRONG_PASSES = (
    LinePass("lines, flattened", flatten_cylinder(0.9), (flatten_cylinder(0.8), flatten_cylinder(0.97))),
    LinePass("lines, thresholded at once", threshold(6), _CONFIRMATIONS),
    LinePass("lines, restored", restore(1.7), (*_CONFIRMATIONS, restore(2.1))),
    LinePass("lines, restored further", restore(2.5), (restore(2.1), restore(3.0), deblur(2.0))),
    LinePass("lines, deblurred further", deblur(1.7), (*_CONFIRMATIONS, restore(2.1))),
    LinePass("lines, deblurred hard", deblur(2.6), (deblur(2.0), restore(2.1), restore(3.0))),
    *(
        LinePass(
            f"lines, deblurred by {blur}",
            deblur(blur, noise),
            (deblur(blur * 0.9, noise), deblur(blur * 1.1, noise)),
        )
        for blur, noise in ((2.0, 1e-3), (2.5, 1e-3), (3.0, 1e-3), (3.6, 1e-3), (4.4, 1e-4))
    ),
    LinePass("lines, inverted", invert(unfiltered), (invert(threshold(18)), invert(deblur(1.3)))),
    LinePass("lines, inverted and thresholded", invert(threshold(25)), (invert(unfiltered), invert(threshold(15)))),
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


def _run_end(line: Lines, start: int, step: int) -> int:
    position = start
    while 0 <= position < len(line) and line[position] == 0:
        position += step
    return position if step > 0 else position + 1


def _pad(lines: Lines, multiple: int = 128) -> tuple[Lines, int]:
    """Extend lines by at least 64 pixels on both sides; Fourier transforms of multiples of 128 pixels are fast."""
    pad = 64
    return np.pad(lines, ((0, 0), (pad, pad + -lines.shape[1] % multiple)), mode="edge").astype(np.float32), pad


def _unpad(lines: Any, width: int, pad: int) -> Lines:
    part: Lines = lines[:, pad : pad + width].astype(np.float32)
    return part


def _gaussian_response(size: int, deviation: float) -> Lines:
    """Return the frequency response of a Gaussian blur."""
    response: Lines = np.exp(-2 * (math.pi * np.fft.rfftfreq(size) * deviation) ** 2).astype(np.float32)
    return response


def _convolve(lines: Lines, transfer: Lines) -> Lines:
    made: Lines = np.fft.irfft(np.fft.rfft(lines, axis=1) * transfer, lines.shape[1], axis=1)
    return made
