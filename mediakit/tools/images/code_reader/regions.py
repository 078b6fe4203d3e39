"""Search for regions of an image that may contain codes: parallel stripes, and the texture of matrix codes.

The gradients of small cells have a direction and a coherence, which is high for bars and low for matrix codes.
Alternating edges distinguish bars from the border of a shadow. Cells that agree are grouped to regions.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.decoder import Quad

Grid = np.ndarray[Any, np.dtype[Any]]
Place = tuple[int, int]
"""Row and column of a cell."""

CELL_PIXELS, MATRIX_CELL_PIXELS = 10, 8
"""Sides of a cell, in the search for bars and for matrix codes."""

SEARCH_SIDES, MATRIX_SEARCH_SIDES = (1000, 400), (900, 350)
"""Longer sides of the images that are searched, in pixels; the second is for bars and modules larger than a cell."""

MAX_MERGED_REGIONS = 6
"""Number of regions that are tested for belonging together."""

MIN_COHERENCE = 0.55
"""Minimum coherence of the gradients of a cell, 0 to 1."""

MAX_ONE_SIDED = 0.55
"""Maximum share of gradients of a cell that point to one side; a single edge has 1."""

MIN_RELATIVE_STRENGTH = 0.015
"""Minimum strength of stripes relative to the strongest in the image; weaker ones are noise."""

MAX_ANGLE_DIFFERENCE = 0.25
"""Maximum difference in direction of adjacent cells of a region, in radians."""

MIN_CELLS, MIN_MATRIX_CELLS = 3, 4
"""Minimum number of cells of a region."""

MAX_MEASURED_GROUPS = 24
"""Number of groups of cells that are measured; the score of a small group is low."""

MIN_CONTRAST = 12.0
"""Minimum difference between the lightest and the darkest pixel around a cell."""

MIN_RELATIVE_ENERGY = 0.12
"""Minimum energy of the edges of a cell relative to the strongest in the image."""

MAX_COHERENCE, MAX_STACKED_COHERENCE = 0.7, 0.9
"""Maximum coherence of the gradients around a cell, 0 to 1, for square codes and PDF417; bars have 1."""

DARK_SHARE = (0.25, 0.75)
"""Limits for the share of dark area around a cell; text has less."""

MIN_FILLED = 0.65
"""Minimum share of textured cells in the smallest rectangle around a region."""

MIN_SQUARENESS, MIN_STACKED_SQUARENESS = 0.55, 0.15
"""Minimum ratio of the width of a region to its length, for square codes and PDF417."""

BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0))
AROUND = (*BESIDE, (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps to the four and the eight neighbors of a cell."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rotated rectangle of stripes; its first axis crosses the bars.

    `left`, `right`, `top` and `bottom` are pixels along the two axes, measured from the top left corner of the image.
    """

    angle: float
    """Angle from the x axis of the image to the direction across the bars, in radians."""
    left: float
    right: float
    top: float
    bottom: float
    score: float
    """Likelihood of bars, for comparison with other regions of the image."""

    @classmethod
    def around(cls, quad: Quad) -> "Region":
        """Return the rectangle around a decoded code, at least a sixth as high as it is long."""
        (x, y), (to_x, to_y) = quad[0], quad[1]
        angle = math.atan2(to_y - y, to_x - x)
        cosine, sine = math.cos(angle), math.sin(angle)
        along = [x * cosine + y * sine for x, y in quad]
        beside = [y * cosine - x * sine for x, y in quad]
        left, right = min(along), max(along)
        middle, depth = (min(beside) + max(beside)) / 2, max(max(beside) - min(beside), (right - left) / 6)
        return cls(angle, left, right, middle - depth / 2, middle + depth / 2, 0.0)

    def merged_with(self, other: "Region") -> "Region | None":
        """Return the union of two regions on one line; None if they are not on one line."""
        if _angle_between(self.angle, other.angle) > MAX_ANGLE_DIFFERENCE / 2 or math.cos(self.angle - other.angle) < 0:
            return None
        left, right = min(self.left, other.left), max(self.right, other.right)
        shared = min(self.bottom, other.bottom) - max(self.top, other.top)
        lengths = self.right - self.left, other.right - other.left
        depths = self.bottom - self.top, other.bottom - other.top
        if shared < min(depths) / 2 or right - left - sum(lengths) > max(lengths) / 2:
            return None
        larger = self if self.score >= other.score else other
        return Region(larger.angle, left, right, larger.top, larger.bottom, self.score + other.score)

    def scaled(self, scale: float) -> "Region":
        """Return the region in an image that is larger by `scale`."""
        left, right, top, bottom = (each * scale for each in (self.left, self.right, self.top, self.bottom))
        return Region(self.angle, left, right, top, bottom, self.score)

    def is_similar(self, other: "Region", tolerance: float = 0.125) -> bool:
        """Return whether both cover nearly the same area, within a share of the length."""
        near = tolerance * (self.right - self.left)
        sides = ((self.left, other.left), (self.right, other.right), (self.top, other.top), (self.bottom, other.bottom))
        is_parallel = _angle_between(self.angle, other.angle) < MAX_ANGLE_DIFFERENCE / 2
        return is_parallel and all(abs(one - two) < near for one, two in sides)


def find_regions(gray: Image.Image, limit: int) -> list[Region]:
    """Return at most `limit` regions that probably contain bars, the most likely first."""
    found = _with_merged(_find_bars(gray, SEARCH_SIDES[0]))
    if max(gray.size) > SEARCH_SIDES[1]:
        coarse = _with_merged(_find_bars(gray, SEARCH_SIDES[1]))[:2]
        found += [each for each in coarse if not any(map(each.is_similar, found))]
    return sorted(found, key=lambda region: -region.score)[:limit]


def find_matrix_regions(gray: Image.Image, limit: int, *, stacked: bool = False) -> list[Region]:
    """Return at most `limit` upright regions that may contain a matrix code, the most likely first.

    Square codes are searched, or with `stacked` PDF417, which is longer and resembles bars.
    """
    found = list[Region]()
    for side in MATRIX_SEARCH_SIDES:
        if side == MATRIX_SEARCH_SIDES[0] or max(gray.size) > side:
            new = _find_textures(gray, side, stacked=stacked)
            found += [each for each in new if not any(each.is_similar(other, 0.3) for other in found)]
    return sorted(found, key=lambda region: -region.score)[:limit]


def _pixels(gray: Image.Image, side: int) -> tuple[Grid, float]:
    """Return the pixels of an image whose longer side is at most `side`, and its scale."""
    scale = min(1.0, side / max(gray.size))
    size = (max(8, round(gray.width * scale)), max(8, round(gray.height * scale)))
    small = gray.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0) if scale < 1 else gray
    return np.asarray(small, np.float32), small.width / gray.width


def _gradients(pixels: Grid) -> tuple[Grid, Grid]:
    return pixels[1:-1, 2:] - pixels[1:-1, :-2], pixels[2:, 1:-1] - pixels[:-2, 1:-1]


def _cells(values: Grid, side: int, combine: np.ufunc = np.add) -> Grid:
    """Return the sum, or the extreme, of each cell; whole rows are combined first, which is faster."""
    rows, columns = values.shape[0] // side, values.shape[1] // side
    strips = combine.reduce(values[: rows * side].reshape(rows, side, -1), axis=1)
    return np.asarray(combine.reduce(strips[:, : columns * side].reshape(rows, columns, side), axis=2))


def _around(cells: Grid, combine: np.ufunc = np.add) -> Grid:
    """Return the sum, or the extreme, of each cell and its eight neighbors."""
    rows, columns = cells.shape
    wide = np.pad(cells, 1, mode="edge")
    return np.asarray(combine.reduce([wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]))


def _groups(
    marked: Grid, steps: Sequence[Place], agree: Callable[[Place, Place], bool] = lambda _one, _other: True
) -> list[list[Place]]:
    """Group the marked cells that touch and agree."""
    free = {(int(row), int(column)) for row, column in zip(*np.nonzero(marked), strict=True)}
    groups = []
    while free:
        group = [free.pop()]
        for row, column in group:
            beside = [(row + down, column + right) for down, right in steps]
            connected = [each for each in beside if each in free and agree(each, (row, column))]
            free.difference_update(connected)
            group += connected
        groups.append(group)
    return groups


Stripes = tuple[Grid, Grid, Grid, Grid]
"""Strength, coherence and angle of the stripes of each cell, and the share of gradients that point to one side."""


def _find_bars(gray: Image.Image, side: int) -> list[Region]:
    pixels, scale = _pixels(gray, side)
    if min(pixels.shape) < CELL_PIXELS + 2:
        return []
    strength, coherence, angles, one_sided = stripes = _measure_stripes(pixels)
    least = max(4.0, MIN_RELATIVE_STRENGTH * float(np.percentile(strength, 99)))
    is_striped = (coherence > MIN_COHERENCE) & (one_sided < MAX_ONE_SIDED)
    angle = angles.tolist()  # faster than single values of an array

    def are_parallel(one: Place, other: Place) -> bool:
        return _angle_between(angle[one[0]][one[1]], angle[other[0]][other[1]]) < MAX_ANGLE_DIFFERENCE

    groups = _groups(is_striped & (strength > least), AROUND, are_parallel)
    largest = sorted(groups, key=len, reverse=True)[:MAX_MEASURED_GROUPS]
    regions = [_bar_region(stripes, places, scale) for places in largest if len(places) >= MIN_CELLS]
    return sorted(regions, key=lambda region: -region.score)


def _with_merged(regions: list[Region]) -> list[Region]:
    """Add the unions of regions that wide bars or a reflection have divided; the parts are kept."""
    pairs = combinations(regions[:MAX_MERGED_REGIONS], 2)
    merged = [both for one, other in pairs if (both := one.merged_with(other)) is not None]
    return sorted([*regions[:MAX_MERGED_REGIONS], *merged], key=lambda region: -region.score)


def _measure_stripes(pixels: Grid) -> Stripes:
    across, down = _gradients(pixels)
    area = CELL_PIXELS**2
    xx, yy, xy = (_smooth(_cells(each, CELL_PIXELS) / area) for each in (across * across, down * down, across * down))
    drift = np.abs(_around(_cells(across, CELL_PIXELS))) + np.abs(_around(_cells(down, CELL_PIXELS)))
    total = _around(_cells(np.abs(across) + np.abs(down), CELL_PIXELS))
    strength = np.hypot(xx - yy, 2 * xy)
    return strength, strength / (xx + yy + 4), np.arctan2(2 * xy, xx - yy) / 2, drift / (total + 4.5 * area)


def _smooth(cells: Grid) -> Grid:
    """Return the weighted mean of each cell and its four neighbors."""
    wide = np.pad(cells, 1, mode="edge")
    beside = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return np.asarray((beside + 2 * cells) / 6)


def _angle_between(one: float, other: float) -> float:
    """Return the angle between two undirected lines, 0 to a quarter turn."""
    return abs((one - other + math.pi / 2) % math.pi - math.pi / 2)


def _bar_region(stripes: Stripes, places: list[Place], scale: float) -> Region:
    rows, columns = np.array(places).T
    weight, coherence, angles, one_sided = (each[rows, columns] for each in stripes)
    sine, cosine = float((weight * np.sin(2 * angles)).sum()), float((weight * np.cos(2 * angles)).sum())
    angle = math.atan2(sine, cosine) / 2
    x, y = (columns + 0.5) * CELL_PIXELS + 1, (rows + 0.5) * CELL_PIXELS + 1
    along = x * math.cos(angle) + y * math.sin(angle)
    beside = y * math.cos(angle) - x * math.sin(angle)
    left, right = float(along.min()) - 0.7 * CELL_PIXELS, float(along.max()) + 0.7 * CELL_PIXELS
    # The ends of bars are uneven, and digits are printed between them.
    top, bottom = (float(value) for value in np.percentile(beside, (8, 92)))
    top, bottom = top - 0.3 * CELL_PIXELS, bottom + 0.3 * CELL_PIXELS
    filled = min(1.0, len(places) * CELL_PIXELS * CELL_PIXELS / ((right - left) * (bottom - top)))
    agreement = math.hypot(sine, cosine) / float(weight.sum())
    clear = float(coherence.mean()) * (1 - float(one_sided.mean()))
    score = len(places) * filled * agreement * clear * min(1.0, (right - left) / 60)
    return Region(angle, left / scale, right / scale, top / scale, bottom / scale, score)


def _find_textures(gray: Image.Image, side: int, *, stacked: bool) -> list[Region]:
    pixels, scale = _pixels(gray, side)
    if min(pixels.shape) < 4 * MATRIX_CELL_PIXELS:
        return []
    strength, textured = _measure_textures(pixels, MAX_STACKED_COHERENCE if stacked else MAX_COHERENCE)
    groups = [np.array(group) for group in _groups(textured, BESIDE) if len(group) >= MIN_MATRIX_CELLS]
    squareness = MIN_STACKED_SQUARENESS if stacked else MIN_SQUARENESS
    regions = [_matrix_region(strength, places, scale, squareness) for places in groups]
    return [each for each in regions if each is not None]


def _measure_textures(pixels: Grid, max_coherence: float) -> tuple[Grid, Grid]:
    """Return the strength of the edges of each cell, and whether the cell has the texture of a matrix code."""
    side, inner = MATRIX_CELL_PIXELS, pixels[1:-1, 1:-1]
    across, down = _gradients(pixels)
    area = 9 * side**2
    xx, yy, xy = (_around(_cells(each, side)) / area for each in (across * across, down * down, across * down))
    light, dark = (_around(_cells(inner, side, extreme), extreme) for extreme in (np.maximum, np.minimum))
    contrast = light - dark
    share = (light - _around(_cells(inner, side)) / area) / np.maximum(contrast, 1)
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


def _matrix_region(strength: Grid, places: Grid, scale: float, min_squareness: float) -> Region | None:
    rows, columns = places.T
    spread = np.cov(places.T.astype(np.float64)) + np.eye(2) / 12
    short, long = (math.sqrt(12 * value) for value in np.linalg.eigvalsh(spread))
    filled = min(1.0, len(places) / (short * long))
    if short < min_squareness * long or filled < MIN_FILLED:
        return None
    left, top = (float(each.min()) * MATRIX_CELL_PIXELS + 1 for each in (columns, rows))
    right, bottom = (float(each.max() + 1) * MATRIX_CELL_PIXELS + 1 for each in (columns, rows))
    score = filled * float(strength[rows, columns].mean()) * math.sqrt(len(places)) * short / long
    return Region(0.0, left / scale, right / scale, top / scale, bottom / scale, score)
