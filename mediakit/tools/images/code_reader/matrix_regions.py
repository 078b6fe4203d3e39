"""Search for regions with the texture of matrix codes: strong edges in all directions, as much dark as light area."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

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
