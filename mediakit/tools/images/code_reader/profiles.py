"""Bars as profiles: the mean brightness along them, many pixels deep, so that noise, gaps and blur can be undone.

A region of bars is turned upright, cut into bands and each band averaged into one line. What makes the lines readable
is then cheap, because they are lines.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.sighting import Point, Quad
from mediakit.tools.images.code_reader.stripes import Region

Lines = np.ndarray[Any, np.dtype[Any]]

BANDS = (1, 2, 4, 8)
"""Into how many bands a region is cut, each way in turn."""

ROWS = 64
MARGIN = 0.12
"""Of a region's length, on both sides: quiet zones, and bars that the cells missed."""

WIDE_MARGIN = 0.8
"""The same for a region that may be half of a code."""

NARROWEST, WIDEST = 700, 2400
"""Pixels of an upright region."""

DEPTH = 3
"""Pixels of each line in the picture that is read: a reader asks for neighbours that agree."""


class Upright:
    """A region of bars, turned so that they stand upright."""

    def __init__(
        self,
        grey: Image.Image,
        region: Region,
        *,
        margin: float = MARGIN,
        stretch: float = 2.0,
        inset: float = 0.0,
    ) -> None:
        length, depth = region.right - region.left, region.bottom - region.top
        self._grey, self._edge = grey, surroundings(grey)
        self.margin = margin
        self._angle = region.angle
        self._left = region.left - margin * length
        self._top = region.top + inset * depth
        self._span = (1 + 2 * margin) * length
        self._depth = (1 - 2 * inset) * depth
        self.width = int(min(WIDEST, max(NARROWEST, stretch * self._span)))
        self.magnified = self.width / self._span
        """Pixels of a line for each pixel of the picture."""
        turned = grey.transform(
            (self.width, ROWS),
            Image.Transform.AFFINE,
            self._affine(self._span / self.width, self._depth / ROWS),
            Image.Resampling.BICUBIC,
            fillcolor=self._edge,
        )
        pixels = np.asarray(turned, np.float32)
        self.lines: Lines = np.array(
            [band.mean(0) for count in BANDS for band in np.split(pixels, count)], dtype=np.float32
        )

    def area(self, scale: float) -> tuple[Image.Image, Callable[[Point], Point]]:
        """Give the region itself, not its averages, upright, and what maps its points into the picture."""
        size = (max(8, int(self._span * scale)), max(8, int(self._depth * scale)))
        x, y = self._span / size[0], self._depth / size[1]
        view = self._grey.transform(
            size, Image.Transform.AFFINE, self._affine(x, y), Image.Resampling.BICUBIC, fillcolor=self._edge
        )
        return view, lambda point: self._at(point[0] * x, point[1] * y)

    def back(self, quad: Quad) -> Quad:
        """Map corners found in the lines into the picture: along the bars a code is as long as its region."""
        middle = sum(y for _, y in quad) / 4
        first, second, third, fourth = (self._back(x, top=y < middle) for x, y in quad)
        return first, second, third, fourth

    def _back(self, x: float, *, top: bool) -> Point:
        return self._at(x / self.magnified, 0 if top else self._depth)

    def _at(self, across: float, down: float) -> Point:
        along, beside = self._left + across, self._top + down
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        return along * cosine - beside * sine, along * sine + beside * cosine

    def _affine(self, x: float, y: float) -> tuple[float, float, float, float, float, float]:
        cosine, sine = math.cos(self._angle), math.sin(self._angle)
        origin = (self._left * cosine - self._top * sine, self._left * sine + self._top * cosine)
        return cosine * x, -sine * y, origin[0], sine * x, cosine * y, origin[1]


Filter = Callable[[Upright], Lines]


def surroundings(grey: Image.Image) -> int:
    """Give the brightness of a picture's border, to go on beyond it."""
    pixels = np.asarray(grey)
    border = np.concatenate((pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
    return int(np.median(border))


def picture(lines: Lines) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Draw lines for a reader, each with its own contrast stretched."""
    low, high = np.percentile(lines, (2, 98), axis=1, keepdims=True)
    grey = np.clip((lines - low) / np.maximum(high - low, 1) * 255, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(grey.repeat(DEPTH, 0))


def plain(upright: Upright) -> Lines:
    """Give the lines as they are."""
    return upright.lines


def thresholded(radius: float) -> Filter:
    """Compare with the mean around, `radius` pixels of the picture each way: uneven light, thin bars between wide."""

    def apply(upright: Upright) -> Lines:
        return _thresholded(upright.lines, max(3, round(radius * upright.magnified)))

    return apply


def sharpened(blur: float, noise: float = 0.01) -> Filter:
    """Undo a blur of that many pixels (standard deviation), by Wiener's filter.

    Args:
        blur: Pixels of the picture.
        noise: Its power beside that of the bars; the less, the stronger the filter.
    """

    def apply(upright: Upright) -> Lines:
        padded, pad = _padded(upright.lines)
        spread = _gaussian(padded.shape[1], blur * upright.magnified)
        spectrum = np.fft.rfft(padded, axis=1) * (spread / (spread * spread + noise))
        return _cut(np.fft.irfft(spectrum, padded.shape[1], axis=1), pad)

    return apply


def steadied(length: float) -> Filter:
    """Undo a shake of that many pixels across the bars, by Wiener's filter."""

    def apply(upright: Upright) -> Lines:
        padded, pad = _padded(upright.lines[: sum(BANDS[:3])])
        spread = np.sinc(np.fft.rfftfreq(padded.shape[1]) * length * upright.magnified)
        spectrum = np.fft.rfft(padded, axis=1) * (spread / (spread * spread + 0.01))
        return _cut(np.fft.irfft(spectrum, padded.shape[1], axis=1), pad)

    return apply


def restored(blur: float, rounds: int = 25) -> Filter:
    """Undo a stronger blur by Richardson's and Lucy's rounds, which keep brightness within its bounds."""

    def apply(upright: Upright) -> Lines:
        lines = upright.lines[: sum(BANDS[:3])]
        low = lines.min(1, keepdims=True)
        high = np.percentile(lines - low, 98, axis=1, keepdims=True)
        observed, pad = _padded((lines - low) / np.maximum(high, 1) * 0.9 + 0.05)
        spread = _gaussian(observed.shape[1], blur * upright.magnified)
        estimate = observed
        for _ in range(rounds):
            ratio = observed / np.maximum(_convolved(estimate, spread), 1e-3)
            estimate = np.clip(estimate * _convolved(ratio, spread), 1e-3, 1.05)
        return _cut(estimate * 255, pad)

    return apply


def unrolled(bend: float) -> Filter:
    """Lay a cylinder flat that the bars stand on; `bend` is the sine of the angle that its edges are turned away."""

    def apply(upright: Upright) -> Lines:
        width = upright.width
        turned = np.sin(np.linspace(-1, 1, width) * math.asin(bend)) / bend
        place = (turned + 1) / 2 * (width - 1)
        index = np.clip(place.astype(int), 0, width - 2)
        part = (place - index).astype(np.float32)
        lines: Lines = upright.lines[:, index] * (1 - part) + upright.lines[:, index + 1] * part
        return _thresholded(lines, max(3, round(25 * upright.magnified)))

    return apply


def trimmed(radius: float) -> Filter:
    """Take the outermost dark runs away: frames that stand in the quiet zone."""

    def apply(upright: Upright) -> Lines:
        lines = thresholded(radius)(upright)
        for line in lines:
            dark = np.flatnonzero(line == 0)
            if dark.size:
                first, last = _run_end(line, int(dark[0]), 1), _run_end(line, int(dark[-1]), -1)
                line[:first] = 255
                line[last:] = 255
        return lines

    return apply


def inverted(filtered: Filter) -> Filter:
    """Exchange light and dark."""
    return lambda upright: 255 - filtered(upright)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to make lines readable."""

    name: str
    filter: Filter
    seconds: tuple[Filter, ...]
    """Like it, and different enough to confirm what it shows."""


_SECONDS = (plain, thresholded(18), sharpened(1.3))

GENTLE = (
    Way("lines", plain, _SECONDS[1:]),
    Way("lines, thresholded", thresholded(25), _SECONDS),
    Way("lines, thresholded closely", thresholded(12), _SECONDS),
    Way("lines, sharpened", sharpened(1.0), (*_SECONDS[:2], restored(1.5))),
)
"""Ways that find the most."""

HARSH = (
    Way("lines, unrolled", unrolled(0.9), (unrolled(0.8), unrolled(0.97))),
    Way("lines, thresholded at once", thresholded(6), _SECONDS),
    Way("lines, restored", restored(1.7), (*_SECONDS, restored(2.1))),
    Way("lines, restored further", restored(2.5), (restored(2.1), restored(3.0), sharpened(2.0))),
    Way("lines, sharpened further", sharpened(1.7), (*_SECONDS, restored(2.1))),
    Way("lines, sharpened hard", sharpened(2.6), (sharpened(2.0), restored(2.1), restored(3.0))),
    *(
        Way(
            f"lines, focused by {blur}",
            sharpened(blur, noise),
            (sharpened(blur * 0.9, noise), sharpened(blur * 1.1, noise)),
        )
        for blur, noise in ((2.0, 1e-3), (2.5, 1e-3), (3.0, 1e-3), (3.6, 1e-3), (4.4, 1e-4))
    ),
    Way("lines, inverted", inverted(plain), (inverted(thresholded(18)), inverted(sharpened(1.3)))),
    Way("lines, inverted and thresholded", inverted(thresholded(25)), (inverted(plain), inverted(thresholded(15)))),
    Way("lines, trimmed", trimmed(25), (trimmed(15), trimmed(40))),
    *(
        Way(f"lines, steadied by {length}", steadied(length), (steadied(length * 0.9), steadied(length * 1.1)))
        for length in (5, 7, 10)
    ),
)
"""Ways for what is blurred, bent, light on dark or framed."""


def _thresholded(lines: Lines, radius: int) -> Lines:
    total = np.pad(lines, ((0, 0), (radius + 1, radius)), mode="edge").cumsum(1, dtype=np.float64)
    size = 2 * radius + 1
    mean = (total[:, size:] - total[:, :-size]) / size
    return np.where(lines < mean - 1, np.float32(0), np.float32(255))


def _run_end(line: Lines, start: int, step: int) -> int:
    place = start
    while 0 <= place < len(line) and line[place] == 0:
        place += step
    return place if step > 0 else place + 1


def _padded(lines: Lines) -> tuple[Lines, int]:
    pad = 64
    return np.pad(lines, ((0, 0), (pad, pad)), mode="edge"), pad


def _cut(lines: Any, pad: int) -> Lines:
    part: Lines = lines[:, pad:-pad].astype(np.float32)
    return part


def _gaussian(size: int, deviation: float) -> Lines:
    """Give what a Gaussian blur leaves of each frequency."""
    left: Lines = np.exp(-2 * (math.pi * np.fft.rfftfreq(size) * deviation) ** 2)
    return left


def _convolved(lines: Lines, spread: Lines) -> Lines:
    made: Lines = np.fft.irfft(np.fft.rfft(lines, axis=1) * spread, lines.shape[1], axis=1)
    return made
