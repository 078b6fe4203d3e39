"""Passes over the surroundings of matrix codes: where they are, flattened from cylinders, and restored."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from mediakit.tools.images.code_reader import scan_passes
from mediakit.tools.images.code_reader.decoder import Point
from mediakit.tools.images.code_reader.scan_passes import MapBack

Grid = np.ndarray[Any, np.dtype[Any]]

CELL_PIXELS = 8
"""Side of a cell."""

SEARCH_SIDES = (900, 350)
"""Longer sides of the images that are searched, in pixels; the second is for large and blurred modules."""

MIN_CONTRAST = 12.0
"""Minimum difference between the lightest and the darkest pixel around a cell."""

MIN_RELATIVE_ENERGY = 0.12
"""Minimum energy of the edges of a cell relative to the strongest in the image."""

MAX_COHERENCE, MAX_STACKED_COHERENCE = 0.7, 0.9
"""Maximum coherence of the gradients around a cell, 0 to 1, for square codes and PDF417; bars have 1."""

DARK_SHARE = (0.25, 0.75)
"""Limits for the share of dark area around a cell; text has less."""

MIN_CELLS = 4
"""Minimum number of cells of a region."""

MIN_FILLED = 0.65
"""Minimum share of textured cells in the smallest rectangle around a region."""

MIN_SQUARENESS, MIN_STACKED_SQUARENESS = 0.55, 0.15
"""Minimum ratio of the width of a region to its length, for square codes and PDF417."""


@dataclass(frozen=True, slots=True)
class MatrixRegion:
    """An upright rectangle around a probable matrix code, in pixels of the image."""

    x: float
    y: float
    """The center."""
    width: float
    height: float
    score: float
    """Likelihood of a code, for comparison with other regions of the image."""

    @property
    def side(self) -> float:
        """The longer side."""
        return max(self.width, self.height)

    def scaled(self, scale: float) -> "MatrixRegion":
        """Return the region in an image that is larger by `scale`."""
        return MatrixRegion(self.x * scale, self.y * scale, self.width * scale, self.height * scale, self.score)

    def is_similar(self, other: "MatrixRegion") -> bool:
        """Return whether both cover nearly the same area."""
        apart = math.hypot(self.x - other.x, self.y - other.y)
        return apart < 0.2 * self.side and abs(self.side - other.side) < 0.3 * self.side


def find_matrix_regions(gray: Image.Image, limit: int, *, stacked: bool = False) -> list[MatrixRegion]:
    """Return at most `limit` regions that may contain a matrix code, the most likely first.

    Args:
        gray: The image.
        limit: Maximum number of regions.
        stacked: Whether to search for PDF417, which is longer and resembles bars, instead of square codes.
    """
    found: list[MatrixRegion] = []
    for side in SEARCH_SIDES:
        if side == SEARCH_SIDES[0] or max(gray.size) > side:
            new = _find_at_size(gray, side, stacked=stacked)
            found += [each for each in new if not any(map(each.is_similar, found))]
    return sorted(found, key=lambda region: -region.score)[:limit]


def _find_at_size(gray: Image.Image, side: int, *, stacked: bool) -> list[MatrixRegion]:
    scale = min(1.0, side / max(gray.size))
    size = (max(1, round(gray.width * scale)), max(1, round(gray.height * scale)))
    small = gray.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0) if scale < 1 else gray
    if min(size) < 4 * CELL_PIXELS:
        return []
    max_coherence = MAX_STACKED_COHERENCE if stacked else MAX_COHERENCE
    min_squareness = MIN_STACKED_SQUARENESS if stacked else MIN_SQUARENESS
    strength, textured = _measure(np.asarray(small, np.float32), max_coherence)
    scale = small.width / gray.width
    regions = [_region(strength, places, scale, min_squareness) for places in _groups(textured)]
    return [each for each in regions if each is not None]


def _measure(pixels: Grid, max_coherence: float) -> tuple[Grid, Grid]:
    """Return the strength of the edges of each cell, and whether the cell has the texture of a matrix code."""
    across = pixels[1:-1, 2:] - pixels[1:-1, :-2]
    down = pixels[2:, 1:-1] - pixels[:-2, 1:-1]
    products = (across * across, down * down, across * down)
    xx, yy, xy = (_around(_cells(product, np.add)) / CELL_PIXELS**2 for product in products)
    inner = pixels[1:-1, 1:-1]
    light, dark = _widest(_cells(inner, np.maximum), np.maximum), _widest(_cells(inner, np.minimum), np.minimum)
    contrast = light - dark
    share = (light - _around(_cells(inner, np.add)) / CELL_PIXELS**2) / np.maximum(contrast, 1)
    energy = xx + yy
    coherence = np.hypot(xx - yy, 2 * xy) / (energy + 1)
    textured = (
        (contrast > MIN_CONTRAST)
        & (energy > MIN_RELATIVE_ENERGY * float(energy.max()))
        & (coherence < max_coherence)
        & (share > DARK_SHARE[0])
        & (share < DARK_SHARE[1])
    )
    return np.sqrt(energy), textured


def _cells(values: Grid, combine: np.ufunc) -> Grid:
    rows, columns = values.shape[0] // CELL_PIXELS, values.shape[1] // CELL_PIXELS
    # Whole rows are combined first, which is faster than to combine blocks.
    strips = combine.reduce(values[: rows * CELL_PIXELS].reshape(rows, CELL_PIXELS, -1), axis=1)
    cut = strips[:, : columns * CELL_PIXELS].reshape(rows, columns, CELL_PIXELS)
    return np.asarray(combine.reduce(cut, axis=2))


def _around(cells: Grid) -> Grid:
    """Return the mean of each cell and its eight neighbors."""
    return np.asarray(np.mean(_neighbors(cells), axis=0))


def _widest(cells: Grid, extreme: np.ufunc) -> Grid:
    return np.asarray(extreme.reduce(_neighbors(cells)))


def _neighbors(cells: Grid) -> list[Grid]:
    rows, columns = cells.shape
    wide = np.pad(cells, 1, mode="edge")
    return [wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]


def _groups(textured: Grid) -> list[Grid]:
    """Return the places of adjacent textured cells, as arrays of (row, column)."""
    free = {(int(row), int(column)) for row, column in zip(*np.nonzero(textured), strict=True)}
    groups = []
    while free:
        group = [free.pop()]
        for row, column in group:
            beside = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            connected = [each for each in beside if each in free]
            free.difference_update(connected)
            group += connected
        if len(group) >= MIN_CELLS:
            groups.append(np.array(group))
    return groups


def _region(strength: Grid, places: Grid, scale: float, min_squareness: float) -> MatrixRegion | None:
    rows, columns = places.T
    spread = np.cov(places.T.astype(np.float64)) + np.eye(2) / 12
    short, long = (math.sqrt(12 * value) for value in np.linalg.eigvalsh(spread))
    filled = min(1.0, len(places) / (short * long))
    if short < min_squareness * long or filled < MIN_FILLED:
        return None
    y, x = (float(values.min() + values.max() + 1) / 2 * CELL_PIXELS + 1 for values in (rows, columns))
    height, width = (float(np.ptp(values) + 1) * CELL_PIXELS for values in (rows, columns))
    score = filled * float(strength[rows, columns].mean()) * math.sqrt(len(places)) * short / long
    return MatrixRegion(x / scale, y / scale, width / scale, height / scale, score)


Array = np.ndarray[Any, np.dtype[Any]]

CURVED_MARGIN = 0.16
"""Margin of a view on each side relative to the longer side of its region."""

BENDS = (0.8, 0.9, 0.7, 0.95)
"""Sines of the angle between the center of a code and its edges."""

BINS = 16
"""Parts of the width of a code in which its upper and lower edges are measured."""

MIN_INK = 0.12
"""Minimum share of dark pixels in a column of a code, relative to the median of all columns."""

THRESHOLD_RADIUS = 40

QUIET_PIXELS = 24
"""Width of the border that replaces the quiet zone."""


def flatten(view: Image.Image, bend: float) -> tuple[Image.Image, MapBack] | None:
    """Return the code of a view without its curvature; None if the view has no code-like area.

    Args:
        view: A code with its quiet zone, approximately upright.
        bend: Sine of the angle between the center of the code and its left or right edge, on the cylinder.
    """
    ink = np.asarray(scan_passes.threshold(THRESHOLD_RADIUS, 12)(view)) == 0
    columns = ink.sum(0)
    filled = np.flatnonzero(columns > MIN_INK * np.median(columns[columns > 0])) if columns.any() else columns[:0]
    if filled.size < 2 * BINS:
        return None
    left, right = int(filled[0]), int(filled[-1]) + 1
    bow = _bow(ink[:, left:right], bend)
    flat, back = scan_passes.flatten_cylinder(bend, bow)(view.crop((left, 0, right, view.height)))

    def back_to_view(point: Point) -> Point:
        x, y = back((point[0] - QUIET_PIXELS, point[1] - QUIET_PIXELS))
        return x + left, y

    light = int(np.percentile(np.asarray(flat), 90))
    return ImageOps.expand(flat, QUIET_PIXELS, light), back_to_view


def _bow(ink: Array, bend: float) -> float:
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


VIEW_PIXELS = 320
"""Longer side of a view in pixels; modules are 4 to 12 pixels wide."""

MARGIN = 0.25
"""Margin on each side relative to the longer side of a region; deblurring requires the quiet zone."""

PAD = 16
"""Pixels by which a view is extended for its Fourier transform, which is periodic."""


class MatrixView:
    """A region of an image with its margin, resized.

    Args:
        gray: The image.
        region: The region.
        margin: Margin on each side relative to the longer side of the region.
    """

    def __init__(self, gray: Image.Image, region: MatrixRegion, margin: float = MARGIN) -> None:
        across, down = region.width / 2 + margin * region.side, region.height / 2 + margin * region.side
        self._left, self._top = max(0, int(region.x - across)), max(0, int(region.y - down))
        right, bottom = min(gray.width, int(region.x + across) + 1), min(gray.height, int(region.y + down) + 1)
        self._scale = VIEW_PIXELS / max(right - self._left, bottom - self._top)
        size = (
            max(1, round((right - self._left) * self._scale)),
            max(1, round((bottom - self._top) * self._scale)),
        )
        self.image = gray.crop((self._left, self._top, right, bottom)).resize(
            size, Image.Resampling.BICUBIC, reducing_gap=2.0
        )

    def back(self, point: Point) -> Point:
        """Map a point of the view to the image."""
        return self._left + point[0] / self._scale, self._top + point[1] / self._scale

    def deblurred(self, response: Array, noise: float) -> Image.Image:
        """Return the view without a blur (Wiener filter).

        Args:
            response: Frequency response of the blur, for `frequencies`.
            noise: Noise power relative to that of the modules; lower values make the filter stronger.
        """
        padded = np.fft.irfft2(self._spectrum * (response / (response * response + noise)), self._padded.shape)
        pixels = np.clip(padded[PAD:-PAD, PAD:-PAD], 0, 255).astype(np.uint8)
        return Image.fromarray(np.ascontiguousarray(pixels))

    @cached_property
    def frequencies(self) -> tuple[Array, Array]:
        """Horizontal and vertical frequencies of the spectrum, in cycles per pixel."""
        height, width = self._padded.shape
        return np.fft.rfftfreq(width)[None], np.fft.fftfreq(height)[:, None]

    @cached_property
    def _padded(self) -> Array:
        return np.pad(np.asarray(self.image, np.float32), PAD, mode="edge")

    @cached_property
    def _spectrum(self) -> Array:
        return np.fft.rfft2(self._padded).astype(np.complex64)


@dataclass(frozen=True, slots=True)
class MatrixPass:
    """A named filter of a view."""

    name: str
    filter: Callable[[MatrixView], Image.Image]
    restores: bool = True
    """Whether the filter amplifies noise, in which the smallest symbologies are misread."""


def unfiltered(view: MatrixView) -> Image.Image:
    """Return the view without a filter."""
    return view.image


def thresholded(radius: int) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that compares pixels with their mean within `radius` pixels."""
    change = scan_passes.threshold(radius, 3)
    return lambda view: change(view.image)


def softened(view: MatrixView) -> Image.Image:
    """Return the view with blurred noise and printed dots."""
    return scan_passes.soften(2)(view.image)


def remove_blur(blur: float, noise: float) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that removes a Gaussian blur with a standard deviation of `blur` pixels of the view."""

    def change(view: MatrixView) -> Image.Image:
        across, down = view.frequencies
        response = np.exp(-2 * (np.pi * blur) ** 2 * (across**2 + down**2)).astype(np.float32)
        return view.deblurred(response, noise)

    return change


def remove_motion_blur(length: float, *, upright: bool) -> Callable[[MatrixView], Image.Image]:
    """Return a filter that removes a horizontal or vertical motion blur of `length` pixels of the view."""

    def change(view: MatrixView) -> Image.Image:
        response = np.sinc(view.frequencies[1 if upright else 0] * length).astype(np.float32)
        return view.deblurred(response, 0.01)

    return change


EARLY_PASSES = (
    MatrixPass("matrix", unfiltered, restores=False),
    MatrixPass("matrix, thresholded", thresholded(12), restores=False),
    MatrixPass("matrix, softened", softened, restores=False),
    MatrixPass("matrix, deblurred", remove_blur(5, 0.01)),
)
"""Filters that find the most codes."""

LATE_PASSES = (
    *(
        MatrixPass(f"matrix, deblurred by {blur}", remove_blur(blur, noise))
        for blur, noise in ((2, 0.03), (4, 0.001), (5, 1e-4), (7, 1e-4), (8, 1e-4))
    ),
    *(
        MatrixPass(f"matrix, deblurred by motion of {length}", remove_motion_blur(length, upright=upright))
        for length in (12, 20)
        for upright in (False, True)
    ),
)
"""Filters for strong blur."""
