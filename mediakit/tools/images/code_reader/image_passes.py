"""Passes over an image: changed copies (views) in which a reader can find codes that it missed before."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from PIL import Image, ImageChops, ImageFilter, ImageOps

from mediakit.tools.images.code_reader.bar_profiles import border_gray
from mediakit.tools.images.code_reader.decoder import Point, View
from mediakit.tools.images.code_reader.regions import Region

FloatArray = np.ndarray[Any, np.dtype[Any]]

BICUBIC = Image.Resampling.BICUBIC

PAD = 16
"""Pixels by which an image is extended for its Fourier transform, which is periodic."""

CROP_PIXELS = 320
"""Longer side of the view of a matrix code in pixels; modules are 4 to 12 pixels wide."""

BINS = 16
"""Parts of the width of a code in which its upper and lower edges are measured."""

MIN_INK = 0.12
"""Minimum share of dark pixels in a column of a code, relative to the median of all columns."""

THRESHOLD_RADIUS = 40

QUIET_PIXELS = 24
"""Width of the border that replaces the quiet zone."""

MakeView = Callable[[Image.Image], View]
"""Returns a view of a gray image."""

Filter = Callable[[Image.Image], Image.Image]
"""Changes the gray values of an image, not its size."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A named view of a gray image."""

    name: str
    make: MakeView
    max_pixels: int = 2_200_000
    """Maximum number of pixels of the image. For larger images, the pass finds too few codes for its run time."""
    kind: Literal["all", "linear", "matrix", "restorable"] = "all"
    """Codes that the pass can find; restorable are those whose error correction rejects amplified noise."""


def chain(*makes: MakeView) -> MakeView:
    """Return a function that creates a view in several steps."""

    def make(gray: Image.Image) -> View:
        view = View(gray)
        for each in makes:
            view = within(view, each(view.image))
        return view

    return make


def within(outer: View, inner: View) -> View:
    """Return a view of a view, whose points are mapped through both."""
    return View(inner.image, lambda point: outer.back(inner.back(point)))


def filtered(change: Filter) -> MakeView:
    """Return a function that creates a view with the same coordinates as the image."""
    return lambda gray: View(change(gray))


def unchanged(gray: Image.Image) -> Image.Image:
    """Return the image itself."""
    return gray


def resize(
    across: float, down: float, resample: Image.Resampling = BICUBIC, reducing_gap: float | None = None
) -> MakeView:
    """Return a function that creates a view by resizing the image."""

    def make(gray: Image.Image) -> View:
        size = (max(1, round(gray.width * across)), max(1, round(gray.height * down)))
        x, y = gray.width / size[0], gray.height / size[1]
        return View(gray.resize(size, resample, reducing_gap=reducing_gap), lambda point: (point[0] * x, point[1] * y))

    return make


def threshold(radius: int, offset: int = 6) -> Filter:
    """Return a filter that makes pixels black if they are darker by `offset` than the mean within `radius` pixels."""

    def change(gray: Image.Image) -> Image.Image:
        around = gray.filter(ImageFilter.BoxBlur(radius))
        return ImageChops.subtract(around, gray, 1, -offset).point([255] + [0] * 255)

    return change


def sharpen(radius: float, percent: int) -> Filter:
    """Return a filter that sharpens with an unsharp mask."""
    return lambda gray: gray.filter(ImageFilter.UnsharpMask(radius, percent, 0))


def deblur(blur: float, noise: float) -> Filter:
    """Return a Wiener filter that removes a Gaussian blur; with less noise, relative to the modules, it is stronger."""

    def change(gray: Image.Image) -> Image.Image:
        padded = np.pad(np.asarray(gray, np.float32), PAD, mode="edge")
        across, down = np.fft.rfftfreq(padded.shape[1])[None], np.fft.fftfreq(padded.shape[0])[:, None]
        response = np.exp(-2 * (np.pi * blur) ** 2 * (across**2 + down**2)).astype(np.float32)
        spectrum = np.fft.rfft2(padded).astype(np.complex64) * (response / (response * response + noise))
        restored = np.fft.irfft2(spectrum, padded.shape)[PAD:-PAD, PAD:-PAD]
        return Image.fromarray(np.ascontiguousarray(np.clip(restored, 0, 255).astype(np.uint8)))

    return change


def rotate(degrees: float) -> MakeView:
    """Return a function that creates a view rotated counterclockwise on a larger canvas."""

    def make(gray: Image.Image) -> View:
        edge = border_gray(gray)
        view = gray.rotate(degrees, BICUBIC, expand=True, fillcolor=edge)
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

        def back(point: Point) -> Point:
            x, y = point[0] - view.width / 2, point[1] - view.height / 2
            return x * cosine - y * sine + gray.width / 2, x * sine + y * cosine + gray.height / 2

        return View(view, back)

    return make


def crop(region: Region, margin: float) -> MakeView:
    """Return a function that creates a resized view of an upright region; the margin is relative to its longer side."""
    beyond = margin * max(region.right - region.left, region.bottom - region.top)

    def make(gray: Image.Image) -> View:
        left, top = max(0, int(region.left - beyond)), max(0, int(region.top - beyond))
        right = min(gray.width, int(region.right + beyond) + 1)
        bottom = min(gray.height, int(region.bottom + beyond) + 1)
        scale = CROP_PIXELS / max(right - left, bottom - top)
        size = (max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale)))
        view = gray.crop((left, top, right, bottom)).resize(size, BICUBIC, reducing_gap=2.0)
        return View(view, lambda point: (left + point[0] / scale, top + point[1] / scale))

    return make


def flatten_cylinder(bend: float, bow: float) -> MakeView:
    """Return a function that flattens the label of an upright can photographed from above, at twice the size.

    `bend` is the sine of the angle of its edges, `bow` the sag of its center as a share of the image width.
    """

    def make(gray: Image.Image) -> View:
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

        return View(Image.fromarray(np.ascontiguousarray(view)), back)

    return make


def flatten_code(bend: float) -> MakeView:
    """Return a function that flattens the upright code of a view, whose edges show how it is curved.

    `bend` is the sine of the angle between the center of the code and its left or right edge, on the cylinder.
    """

    def make(gray: Image.Image) -> View:
        ink = np.asarray(threshold(THRESHOLD_RADIUS, 12)(gray)) == 0
        columns = ink.sum(0)
        inked = np.flatnonzero(columns > MIN_INK * np.median(columns[columns > 0])) if columns.any() else columns[:0]
        if inked.size < 2 * BINS:
            return View(gray)
        left, right = int(inked[0]), int(inked[-1]) + 1
        bow = _bow(ink[:, left:right], bend)
        flat, back = flatten_cylinder(bend, bow)(gray.crop((left, 0, right, gray.height)))

        def back_to_gray(point: Point) -> Point:
            x, y = back((point[0] - QUIET_PIXELS, point[1] - QUIET_PIXELS))
            return x + left, y

        light = int(np.percentile(np.asarray(flat), 90))
        return View(ImageOps.expand(flat, QUIET_PIXELS, light), back_to_gray)

    return make


def _bow(ink: FloatArray, bend: float) -> float:
    """Return how far the edges of a code rise from the center to the ends, relative to its width."""
    height, width = ink.shape
    starts = np.linspace(0, width, BINS + 1).astype(int)
    angle = (np.arange(BINS) + 0.5) / BINS * 2 - 1
    shape = 1 - np.sqrt(1 - (angle * bend) ** 2)
    basis = np.stack((np.ones(BINS), angle, shape / (1 - math.sqrt(1 - bend * bend))), 1)
    bows = []
    for rows in (ink, ink[::-1]):
        first = np.where(rows.any(0), rows.argmax(0), height)
        edge = np.minimum.reduceat(first, starts[:-1])
        bows.append(float(np.linalg.lstsq(basis, edge, rcond=None)[0][2]))
    upper, lower = bows
    return (lower - upper) / 2 / float(width)


EARLY_PASSES = (
    Pass("thresholded", filtered(threshold(31))),
    Pass("halved", resize(0.5, 0.5)),
)
"""Fast passes that find most codes."""

LATE_PASSES = (
    Pass("sharpened", filtered(sharpen(4, 300))),
    Pass("thresholded widely", filtered(threshold(61))),
    Pass("inverted", filtered(ImageOps.invert)),
    Pass("doubled", resize(2, 2), max_pixels=600_000),
)
"""Passes for images in which no code was found, ordered by codes found per CPU time."""

SLOW_PASSES = (
    Pass("stretched", chain(resize(3, 0.5), filtered(sharpen(6, 350))), max_pixels=200_000, kind="linear"),
    Pass("doubled, sharpened", chain(resize(2, 2), filtered(sharpen(3, 250))), max_pixels=600_000),
    Pass("darkened", filtered(lambda gray: gray.point([round(255 * (value / 255) ** 2) for value in range(256)]))),
)
"""Slower passes, in the same order."""

LAST_PASSES = (
    Pass("flattened", flatten_cylinder(0.95, 0.15), max_pixels=400_000),
    Pass("deblurred, enlarged", chain(filtered(deblur(1.5, 0.01)), resize(2, 2)), max_pixels=150_000),
    Pass("enlarged, sharpened", chain(resize(4, 4), filtered(sharpen(7, 350))), max_pixels=150_000),
)
"""The slowest passes, for small images."""

CHANNEL_PASSES = tuple(Pass(name, View) for name in ("red", "green", "blue"))
"""Passes over the color channels; green on red, for example, has no contrast in gray."""

MATRIX_MARGIN, CURVED_MARGIN = 0.25, 0.16
"""Margins of the views of matrix codes, relative to the longer side; deblurring requires the quiet zone."""

MATRIX_PASSES = (
    Pass("matrix", View, kind="matrix"),
    Pass("matrix, thresholded", filtered(threshold(12, 3)), kind="matrix"),
    Pass("matrix, softened", filtered(lambda gray: gray.filter(ImageFilter.GaussianBlur(2))), kind="matrix"),
)
"""Passes over the surroundings of matrix codes that find the most codes."""

BLURRED_MATRIX_PASSES = tuple(
    Pass(f"matrix, deblurred by {blur}", filtered(deblur(blur, noise)), kind="restorable")
    for blur, noise in ((2, 0.03), (4, 0.001), (5, 1e-4), (7, 1e-4))
)
CURVED_PASSES = tuple(
    Pass(f"matrix, flattened by {bend}", flatten_code(bend), kind="matrix") for bend in (0.8, 0.9, 0.7, 0.95)
)
"""Passes for codes on cylinders, by the sine of the angle of their edges."""


def is_colored(color: Image.Image) -> bool:
    """Return whether the color channels differ enough to be scanned separately."""
    if color.mode != "RGB":
        return False
    red, green, blue = color.resize((64, 64), Image.Resampling.BOX).split()
    differences = (ImageChops.difference(one, other) for one, other in ((red, green), (green, blue)))
    return any(max(difference.tobytes()) > 48 for difference in differences)
