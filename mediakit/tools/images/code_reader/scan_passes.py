"""Scan passes: changed copies (views) of an image in which a reader can find codes that it missed before."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageFilter, ImageOps

from mediakit.tools.images.code_reader.bar_profiles import border_gray
from mediakit.tools.images.code_reader.decoder import Point

MapBack = Callable[[Point], Point]
"""A function that maps a point of a view to the image."""

MakeView = Callable[[Image.Image], tuple[Image.Image, MapBack]]
"""Returns a view of a gray image, and the function that maps its points back."""

FloatArray = np.ndarray[Any, np.dtype[Any]]

BICUBIC = Image.Resampling.BICUBIC


@dataclass(frozen=True, slots=True)
class Pass:
    """A named view of a gray image."""

    name: str
    make: MakeView
    max_pixels: int = 2_200_000
    """Maximum number of pixels of the image. For larger images, the pass finds too few codes for its run time."""
    linear: bool = False
    """Whether the pass is useful only for linear codes."""
    by_pixel: bool = False
    """Whether the pass depends on the size of pixels, so that it must run before the image is resized."""


def in_place(change: Callable[[Image.Image], Image.Image]) -> MakeView:
    """Return a function that creates a view with the same coordinates as the image."""
    return lambda gray: (change(gray), lambda point: point)


def resize(across: float, down: float, change: Callable[[Image.Image], Image.Image] = lambda gray: gray) -> MakeView:
    """Return a function that creates a view by resizing the image, then changing it."""

    def make(gray: Image.Image) -> tuple[Image.Image, MapBack]:
        size = (max(1, round(gray.width * across)), max(1, round(gray.height * down)))
        x, y = gray.width / size[0], gray.height / size[1]
        return change(gray.resize(size, BICUBIC)), lambda point: (point[0] * x, point[1] * y)

    return make


def enlarge(factor: float, change: Callable[[Image.Image], Image.Image]) -> MakeView:
    """Return a function that creates a view by changing the image, then enlarging it."""

    def make(gray: Image.Image) -> tuple[Image.Image, MapBack]:
        return resize(factor, factor)(change(gray))

    return make


def threshold(radius: int, offset: int = 6) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that makes pixels black if they are darker by `offset` than the mean within `radius` pixels."""

    def change(gray: Image.Image) -> Image.Image:
        around = gray.filter(ImageFilter.BoxBlur(radius))
        return ImageChops.subtract(around, gray, 1, -offset).point([255] + [0] * 255)

    return change


def sharpen(radius: float, percent: int) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that sharpens with an unsharp mask."""
    return lambda gray: gray.filter(ImageFilter.UnsharpMask(radius, percent, 0))


def invert(gray: Image.Image) -> Image.Image:
    """Return the inverted image."""
    return ImageOps.invert(gray)


def soften(radius: float) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that blurs noise and printed dots."""
    return lambda gray: gray.filter(ImageFilter.GaussianBlur(radius))


def darken(power: float) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that increases the contrast of bright areas, for glare and thin print."""
    return lambda gray: gray.point([round(255 * (value / 255) ** power) for value in range(256)])


def equalize(tiles: int = 8, limit: float = 3.0) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that equalizes the local contrast and limits the amplification of noise (CLAHE)."""

    def change(gray: Image.Image) -> Image.Image:
        pixels = np.asarray(gray)
        curves = _tone_curves(pixels, tiles, limit)
        rows, columns = (np.clip((np.arange(size) + 0.5) * tiles / size - 0.5, 0, tiles - 1) for size in pixels.shape)
        top, left = np.minimum(rows.astype(int), tiles - 2), np.minimum(columns.astype(int), tiles - 2)
        down, right = (rows - top)[:, None].astype(np.float32), (columns - left)[None, :].astype(np.float32)
        at = [curves[(top + i)[:, None], (left + j)[None, :], pixels] for i in (0, 1) for j in (0, 1)]
        upper, lower = at[0] * (1 - right) + at[1] * right, at[2] * (1 - right) + at[3] * right
        return Image.fromarray((upper * (1 - down) + lower * down).astype(np.uint8))

    return change


def remove_motion_blur(length: int, *, upright: bool) -> Callable[[Image.Image], Image.Image]:
    """Return a Wiener filter that removes a horizontal or vertical motion blur of `length` pixels."""

    def change(gray: Image.Image) -> Image.Image:
        pixels = np.asarray(gray, np.float32)
        lines = pixels.T if upright else pixels
        padded = np.pad(lines, ((0, 0), (16, 16)), mode="edge")
        transfer = np.sinc(np.fft.rfftfreq(padded.shape[1]) * length)
        spectrum = np.fft.rfft(padded, axis=1) * (transfer / (transfer * transfer + 0.01))
        restored = np.fft.irfft(spectrum, padded.shape[1], axis=1)[:, 16:-16]
        return _to_image(restored.T if upright else restored)

    return change


def remove_gaussian_blur(blur: float, rounds: int = 30) -> Callable[[Image.Image], Image.Image]:
    """Return a filter that removes a Gaussian blur with a standard deviation of `blur` pixels (Richardson-Lucy)."""

    def change(gray: Image.Image) -> Image.Image:
        pixels = np.asarray(gray, np.float32)
        low = pixels.min()
        bright = max(float(np.percentile(pixels - low, 99)), 1.0)
        observed = np.pad((pixels - low) / bright * 0.9 + 0.05, 12, mode="edge")
        across, down = np.fft.rfftfreq(observed.shape[1])[None], np.fft.fftfreq(observed.shape[0])[:, None]
        transfer = np.exp(-2 * (math.pi * blur) ** 2 * (across**2 + down**2)).astype(np.float32)
        estimate = observed
        for _ in range(rounds):
            ratio = observed / np.maximum(_convolve(estimate, transfer), 1e-3)
            estimate = np.clip(estimate * _convolve(ratio, transfer), 1e-3, 1.05)
        return _to_image(estimate[12:-12, 12:-12] * 255)

    return change


def rotate(degrees: float) -> MakeView:
    """Return a function that creates a view rotated counterclockwise on a larger canvas."""

    def make(gray: Image.Image) -> tuple[Image.Image, MapBack]:
        edge = border_gray(gray)
        view = gray.rotate(degrees, BICUBIC, expand=True, fillcolor=edge)
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

        def back(point: Point) -> Point:
            x, y = point[0] - view.width / 2, point[1] - view.height / 2
            return x * cosine - y * sine + gray.width / 2, x * sine + y * cosine + gray.height / 2

        return view, back

    return make


def jitter(scale: float, degrees: float) -> MakeView:
    """Return a function that creates a slightly resized and rotated view."""

    def make(gray: Image.Image) -> tuple[Image.Image, MapBack]:
        larger, back = resize(scale, scale)(gray)
        if not degrees:
            return larger, back
        view, straight = rotate(degrees)(larger)
        return view, lambda point: back(straight(point))

    return make


def flatten_cylinder(bend: float, bow: float) -> MakeView:
    """Return a function that flattens the label of an upright can photographed from above, at twice the size.

    Args:
        bend: Sine of the angle of the edges of the can.
        bow: Sag of the center relative to the edges, as a share of the image width.
    """

    def make(gray: Image.Image) -> tuple[Image.Image, MapBack]:
        width, height = 2 * gray.width, 2 * gray.height
        angle = np.linspace(-1, 1, width) * math.asin(bend)
        x = (np.sin(angle) / bend + 1) / 2 * (gray.width - 1)
        rise = bow * gray.width * (1 - np.cos(angle)) / (1 - math.cos(math.asin(bend)))
        columns = np.rint(x).astype(int)
        rows = np.rint(np.arange(height)[:, None] / 2 - rise[None, :]).astype(int)
        smooth = np.asarray(gray.filter(ImageFilter.GaussianBlur(0.5)))
        view = smooth[np.clip(rows, 0, gray.height - 1), columns[None, :]]

        def back(point: Point) -> Point:
            column = min(max(int(point[0]), 0), width - 1)
            return float(x[column]), point[1] / 2 - float(rise[column])

        return Image.fromarray(np.ascontiguousarray(view)), back

    return make


EARLY_PASSES = (
    Pass("thresholded", in_place(threshold(31))),
    Pass("halved", resize(0.5, 0.5)),
)
"""Fast passes that find most codes."""

LATE_PASSES = (
    Pass("sharpened", in_place(sharpen(4, 300))),
    Pass("thresholded widely", in_place(threshold(61))),
    Pass("inverted", in_place(invert)),
    Pass("doubled", resize(2, 2), max_pixels=600_000),
    Pass("halved, thresholded", resize(0.5, 0.5, threshold(15))),
)
"""Passes for images in which no code was found, ordered by codes found per CPU time."""

SLOW_PASSES = (
    Pass("stretched", resize(3, 0.5, sharpen(6, 350)), max_pixels=200_000, linear=True),
    Pass("softened", in_place(soften(2))),
    Pass("equalized", in_place(equalize())),
    Pass("doubled, sharpened", resize(2, 2, sharpen(3, 250)), max_pixels=600_000),
    Pass("darkened", in_place(darken(2))),
)
"""Slower passes, in the same order."""

LAST_PASSES = (
    Pass("flattened", flatten_cylinder(0.95, 0.15), max_pixels=400_000),
    Pass("flattened slightly", flatten_cylinder(0.8, 0.1), max_pixels=400_000),
    Pass("flattened further", flatten_cylinder(0.7, 0.3), max_pixels=400_000),
    Pass("deblurred horizontally", in_place(remove_motion_blur(7, upright=False)), max_pixels=600_000, by_pixel=True),
    Pass("deblurred vertically", in_place(remove_motion_blur(7, upright=True)), max_pixels=600_000, by_pixel=True),
    Pass("deblurred, enlarged", enlarge(2, remove_gaussian_blur(1.5)), max_pixels=40_000, by_pixel=True),
    Pass("enlarged, sharpened", resize(4, 4, sharpen(7, 350)), max_pixels=150_000),
)
"""The slowest passes, for small images."""


def channels(color: Image.Image) -> list[tuple[str, Image.Image]]:
    """Return the color channels as views; green on red, for example, has no contrast in gray."""
    return list(zip(("red", "green", "blue"), color.split(), strict=True))


def is_colored(color: Image.Image) -> bool:
    """Return whether the color channels differ enough to be scanned separately."""
    if color.mode != "RGB":
        return False
    red, green, blue = color.resize((64, 64), Image.Resampling.BOX).split()
    differences = (ImageChops.difference(one, other) for one, other in ((red, green), (green, blue)))
    return any(max(difference.tobytes()) > 48 for difference in differences)


def _tone_curves(pixels: Any, tiles: int, limit: float) -> FloatArray:
    """Return the tone curve of each tile from its clipped, cumulative histogram."""
    rows, columns = (np.minimum(np.arange(size) * tiles // size, tiles - 1) for size in pixels.shape)
    place = (rows[:, None] * tiles + columns[None, :]) * 256 + pixels
    counts = np.bincount(place.ravel(), minlength=tiles * tiles * 256).reshape(tiles, tiles, 256).astype(np.float32)
    total = counts.sum(2, keepdims=True)
    ceiling = np.maximum(limit * total / 256, 1)
    spare = np.maximum(counts - ceiling, 0).sum(2, keepdims=True)
    clipped = np.minimum(counts, ceiling) + spare / 256
    curves: FloatArray = (clipped.cumsum(2) * 255 / np.maximum(total, 1)).astype(np.float32)
    return curves


def _to_image(values: Any) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(np.clip(values, 0, 255).astype(np.uint8)))


def _convolve(values: FloatArray, transfer: FloatArray) -> FloatArray:
    convolved: FloatArray = np.fft.irfft2(np.fft.rfft2(values) * transfer, values.shape).astype(np.float32)
    return convolved
