"""Other views of a picture, each of which lets a reader see codes that the picture itself hides."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageFilter, ImageOps

from mediakit.tools.images.code_reader.profiles import surroundings
from mediakit.tools.images.code_reader.sighting import Point

Back = Callable[[Point], Point]
"""Maps a point of a view into the picture that it was made of."""

Make = Callable[[Image.Image], tuple[Image.Image, Back]]

Float = np.ndarray[Any, np.dtype[Any]]

BICUBIC = Image.Resampling.BICUBIC


@dataclass(frozen=True, slots=True)
class Pass:
    """A way to make a view of a grey picture."""

    name: str
    make: Make
    largest: int = 2_200_000
    """Pixels of the picture beyond which it costs more than it finds."""
    linear: bool = False
    """Whether it helps bars alone."""
    by_pixel: bool = False
    """Whether it undoes something of a size in pixels, so that the picture must not be scaled before it."""


def still(change: Callable[[Image.Image], Image.Image]) -> Make:
    """Make a view whose points are those of the picture."""
    return lambda grey: (change(grey), lambda point: point)


def scaled(across: float, down: float, change: Callable[[Image.Image], Image.Image] = lambda grey: grey) -> Make:
    """Stretch or shrink, then change."""

    def make(grey: Image.Image) -> tuple[Image.Image, Back]:
        size = (max(1, round(grey.width * across)), max(1, round(grey.height * down)))
        x, y = grey.width / size[0], grey.height / size[1]
        return change(grey.resize(size, BICUBIC)), lambda point: (point[0] * x, point[1] * y)

    return make


def enlarged(factor: float, change: Callable[[Image.Image], Image.Image]) -> Make:
    """Change, then enlarge."""

    def make(grey: Image.Image) -> tuple[Image.Image, Back]:
        return scaled(factor, factor)(change(grey))

    return make


def thresholded(radius: int, offset: int = 6) -> Callable[[Image.Image], Image.Image]:
    """Call dark what is darker than its surroundings, `radius` pixels each way, by more than `offset`."""

    def change(grey: Image.Image) -> Image.Image:
        around = grey.filter(ImageFilter.BoxBlur(radius))
        return ImageChops.subtract(around, grey, 1, -offset).point([255] + [0] * 255)

    return change


def sharpened(radius: float, percent: int) -> Callable[[Image.Image], Image.Image]:
    """Sharpen by an unsharp mask."""
    return lambda grey: grey.filter(ImageFilter.UnsharpMask(radius, percent, 0))


def inverted(grey: Image.Image) -> Image.Image:
    """Exchange light and dark."""
    return ImageOps.invert(grey)


def softened(radius: float) -> Callable[[Image.Image], Image.Image]:
    """Blur noise and the dots of a printer away."""
    return lambda grey: grey.filter(ImageFilter.GaussianBlur(radius))


def darkened(power: float) -> Callable[[Image.Image], Image.Image]:
    """Spread what is bright: glare, thin print."""
    return lambda grey: grey.point([round(255 * (value / 255) ** power) for value in range(256)])


def equalised(tiles: int = 8, limit: float = 3.0) -> Callable[[Image.Image], Image.Image]:
    """Equalise contrast place by place, with a limit so that noise does not grow (CLAHE)."""

    def change(grey: Image.Image) -> Image.Image:
        pixels = np.asarray(grey)
        curves = _curves(pixels, tiles, limit)
        rows, columns = (np.clip((np.arange(size) + 0.5) * tiles / size - 0.5, 0, tiles - 1) for size in pixels.shape)
        top, left = np.minimum(rows.astype(int), tiles - 2), np.minimum(columns.astype(int), tiles - 2)
        down, right = (rows - top)[:, None].astype(np.float32), (columns - left)[None, :].astype(np.float32)
        at = [curves[(top + i)[:, None], (left + j)[None, :], pixels] for i in (0, 1) for j in (0, 1)]
        upper, lower = at[0] * (1 - right) + at[1] * right, at[2] * (1 - right) + at[3] * right
        return Image.fromarray((upper * (1 - down) + lower * down).astype(np.uint8))

    return change


def moved_back(length: int, *, upright: bool) -> Callable[[Image.Image], Image.Image]:
    """Undo a shake of that many pixels, across or up and down, by Wiener's filter."""

    def change(grey: Image.Image) -> Image.Image:
        pixels = np.asarray(grey, np.float32)
        lines = pixels.T if upright else pixels
        padded = np.pad(lines, ((0, 0), (16, 16)), mode="edge")
        spread = np.sinc(np.fft.rfftfreq(padded.shape[1]) * length)
        spectrum = np.fft.rfft(padded, axis=1) * (spread / (spread * spread + 0.01))
        made = np.fft.irfft(spectrum, padded.shape[1], axis=1)[:, 16:-16]
        return _drawn(made.T if upright else made)

    return change


def refocused(blur: float, rounds: int = 30) -> Callable[[Image.Image], Image.Image]:
    """Undo a blur of that many pixels (standard deviation) by Richardson's and Lucy's rounds."""

    def change(grey: Image.Image) -> Image.Image:
        pixels = np.asarray(grey, np.float32)
        low = pixels.min()
        bright = max(float(np.percentile(pixels - low, 99)), 1.0)
        seen = np.pad((pixels - low) / bright * 0.9 + 0.05, 12, mode="edge")
        across, down = np.fft.rfftfreq(seen.shape[1])[None], np.fft.fftfreq(seen.shape[0])[:, None]
        spread = np.exp(-2 * (math.pi * blur) ** 2 * (across**2 + down**2)).astype(np.float32)
        guess = seen
        for _ in range(rounds):
            ratio = seen / np.maximum(_convolved(guess, spread), 1e-3)
            guess = np.clip(guess * _convolved(ratio, spread), 1e-3, 1.05)
        return _drawn(guess[12:-12, 12:-12] * 255)

    return change


def turned(degrees: float) -> Make:
    """Turn against the clock, on a larger canvas."""

    def make(grey: Image.Image) -> tuple[Image.Image, Back]:
        edge = surroundings(grey)
        view = grey.rotate(degrees, BICUBIC, expand=True, fillcolor=edge)
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

        def back(point: Point) -> Point:
            x, y = point[0] - view.width / 2, point[1] - view.height / 2
            return x * cosine - y * sine + grey.width / 2, x * sine + y * cosine + grey.height / 2

        return view, back

    return make


def jittered(scale: float, degrees: float) -> Make:
    """Scale and turn a little."""

    def make(grey: Image.Image) -> tuple[Image.Image, Back]:
        larger, back = scaled(scale, scale)(grey)
        if not degrees:
            return larger, back
        view, straight = turned(degrees)(larger)
        return view, lambda point: back(straight(point))

    return make


def unrolled(bend: float, bow: float) -> Make:
    """Lay flat what is printed around a can that stands upright, seen from above, at twice the size.

    Args:
        bend: Sine of the angle that the can's edges are turned away.
        bow: How far its middle hangs below its edges, as a share of the picture's width.
    """

    def make(grey: Image.Image) -> tuple[Image.Image, Back]:
        width, height = 2 * grey.width, 2 * grey.height
        angle = np.linspace(-1, 1, width) * math.asin(bend)
        x = (np.sin(angle) / bend + 1) / 2 * (grey.width - 1)
        rise = bow * grey.width * (1 - np.cos(angle)) / (1 - math.cos(math.asin(bend)))
        columns = np.rint(x).astype(int)
        rows = np.rint(np.arange(height)[:, None] / 2 - rise[None, :]).astype(int)
        smooth = np.asarray(grey.filter(ImageFilter.GaussianBlur(0.5)))
        view = smooth[np.clip(rows, 0, grey.height - 1), columns[None, :]]

        def back(point: Point) -> Point:
            column = min(max(int(point[0]), 0), width - 1)
            return float(x[column]), point[1] / 2 - float(rise[column])

        return Image.fromarray(np.ascontiguousarray(view)), back

    return make


EARLY = (
    Pass("thresholded", still(thresholded(31))),
    Pass("halved", scaled(0.5, 0.5)),
)
"""Cheap views that find the most."""

LATE = (
    Pass("sharpened", still(sharpened(4, 300))),
    Pass("thresholded widely", still(thresholded(61))),
    Pass("inverted", still(inverted)),
    Pass("doubled", scaled(2, 2), largest=600_000),
    Pass("halved, thresholded", scaled(0.5, 0.5, thresholded(15))),
    Pass("stretched", scaled(3, 0.5, sharpened(6, 350)), linear=True),
    Pass("softened", still(softened(2))),
    Pass("equalised", still(equalised())),
    Pass("doubled, sharpened", scaled(2, 2, sharpened(3, 250)), largest=600_000),
    Pass("darkened", still(darkened(2))),
    Pass("unrolled", unrolled(0.95, 0.15), largest=400_000),
    Pass("unrolled further", unrolled(0.7, 0.3), largest=400_000),
    Pass("shaken sideways", still(moved_back(7, upright=False)), largest=600_000, by_pixel=True),
    Pass("shaken upright", still(moved_back(7, upright=True)), largest=600_000, by_pixel=True),
    Pass("refocused", enlarged(2, refocused(1.5)), largest=40_000, by_pixel=True),
    Pass("enlarged, sharpened", scaled(4, 4, sharpened(7, 350)), largest=150_000),
)
"""What is tried when nothing else was found, the most fruitful for its cost first."""


def channels(colour: Image.Image) -> list[tuple[str, Image.Image]]:
    """Give the views of a coloured picture by its channels: green on red is one grey to the eye of a reader."""
    return list(zip(("red", "green", "blue"), colour.split(), strict=True))


def is_coloured(colour: Image.Image) -> bool:
    """Tell whether the channels differ enough to be worth a look each."""
    if colour.mode != "RGB":
        return False
    red, green, blue = colour.resize((64, 64), Image.Resampling.BOX).split()
    apart = (ImageChops.difference(one, other) for one, other in ((red, green), (green, blue)))
    return any(max(difference.tobytes()) > 48 for difference in apart)


def _curves(pixels: Any, tiles: int, limit: float) -> Float:
    """Give the brightness curve of each tile: its histogram, clipped and summed."""
    rows, columns = (np.minimum(np.arange(size) * tiles // size, tiles - 1) for size in pixels.shape)
    place = (rows[:, None] * tiles + columns[None, :]) * 256 + pixels
    counts = np.bincount(place.ravel(), minlength=tiles * tiles * 256).reshape(tiles, tiles, 256).astype(np.float32)
    total = counts.sum(2, keepdims=True)
    ceiling = np.maximum(limit * total / 256, 1)
    spare = np.maximum(counts - ceiling, 0).sum(2, keepdims=True)
    clipped = np.minimum(counts, ceiling) + spare / 256
    curves: Float = (clipped.cumsum(2) * 255 / np.maximum(total, 1)).astype(np.float32)
    return curves


def _drawn(values: Any) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(np.clip(values, 0, 255).astype(np.uint8)))


def _convolved(values: Float, spread: Float) -> Float:
    made: Float = np.fft.irfft2(np.fft.rfft2(values) * spread, values.shape).astype(np.float32)
    return made
