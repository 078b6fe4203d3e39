"""Search for regions of parallel stripes, which may be bars, and their direction.

The structure tensor of small cells measures direction and coherence. Alternating edges distinguish bars from the border
of a shadow. Cells that agree are grouped to regions.
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.decoder import Quad

Grid = np.ndarray[Any, np.dtype[Any]]

CELL_PIXELS = 10
"""Side of a cell."""

SEARCH_SIDE = 1000
"""Longer side of the image that is searched, in pixels."""

COARSE_SEARCH_SIDE = 400
"""The same for bars that are wider than a cell."""

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

MIN_CELLS = 3
"""Minimum number of cells of a region."""

MAX_MEASURED_GROUPS = 24
"""Number of groups of cells that are measured; the score of a small group is low."""

NEIGHBORS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


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
        lengths, depths = (
            (self.right - self.left, other.right - other.left),
            (self.bottom - self.top, other.bottom - other.top),
        )
        if shared < min(depths) / 2 or right - left - sum(lengths) > max(lengths) / 2:
            return None
        larger = self if self.score >= other.score else other
        return Region(larger.angle, left, right, larger.top, larger.bottom, self.score + other.score)

    def is_similar(self, other: "Region") -> bool:
        """Return whether both cover nearly the same area."""
        near = (self.right - self.left) / 8
        sides = ((self.left, other.left), (self.right, other.right), (self.top, other.top), (self.bottom, other.bottom))
        is_parallel = _angle_between(self.angle, other.angle) < MAX_ANGLE_DIFFERENCE / 2
        return is_parallel and all(abs(one - two) < near for one, two in sides)


@dataclass(frozen=True, slots=True)
class _Cells:
    strength: Grid
    coherence: Grid
    angle: Grid
    one_sided: Grid

    @property
    def striped(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        least = max(4.0, MIN_RELATIVE_STRENGTH * float(np.percentile(self.strength, 99)))
        return (self.coherence > MIN_COHERENCE) & (self.strength > least) & (self.one_sided < MAX_ONE_SIDED)


def find_regions(gray: Image.Image, limit: int) -> list[Region]:
    """Return at most `limit` regions that probably contain bars, the most likely first."""
    found = _with_merged(_find_at_size(gray, SEARCH_SIDE))
    if max(gray.size) > COARSE_SEARCH_SIDE:
        coarse = _with_merged(_find_at_size(gray, COARSE_SEARCH_SIDE))[:2]
        found += [each for each in coarse if not any(map(each.is_similar, found))]
    return sorted(found, key=lambda region: -region.score)[:limit]


def _find_at_size(gray: Image.Image, side: int) -> list[Region]:
    scale = min(1.0, side / max(gray.size))
    size = (max(8, round(gray.width * scale)), max(8, round(gray.height * scale)))
    small = gray.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0) if scale < 1 else gray
    scale = small.width / gray.width
    cells = _measure(np.asarray(small, np.float32))
    if cells is None:
        return []
    largest = sorted(_groups(cells), key=len, reverse=True)[:MAX_MEASURED_GROUPS]
    regions = [_region(cells, places, scale) for places in largest if len(places) >= MIN_CELLS]
    return sorted(regions, key=lambda region: -region.score)


def _with_merged(regions: list[Region]) -> list[Region]:
    """Add the unions of regions that wide bars or a reflection have divided; the parts are kept."""
    whole = list(regions[:MAX_MERGED_REGIONS])
    for one, other in combinations(regions[:MAX_MERGED_REGIONS], 2):
        if (both := one.merged_with(other)) is not None:
            whole.append(both)
    return sorted(whole, key=lambda region: -region.score)


def _measure(pixels: Grid) -> _Cells | None:
    across = pixels[1:-1, 2:] - pixels[1:-1, :-2]
    down = pixels[2:, 1:-1] - pixels[:-2, 1:-1]
    if min(across.shape) < CELL_PIXELS:
        return None
    xx, yy, xy = (_smooth(_cells(product)) for product in (across * across, down * down, across * down))
    drift = np.abs(_blur(_cells(across))) + np.abs(_blur(_cells(down)))
    total = _blur(_cells(np.abs(across) + np.abs(down)))
    strength = np.hypot(xx - yy, 2 * xy)
    angle = np.arctan2(2 * xy, xx - yy) / 2
    return _Cells(strength, strength / (xx + yy + 4), angle, drift / (total + 0.5))


def _cells(values: Grid) -> Grid:
    """Return the mean of each cell; whole rows are added first, which is faster than adding blocks."""
    rows, columns = values.shape[0] // CELL_PIXELS, values.shape[1] // CELL_PIXELS
    strips = values[: rows * CELL_PIXELS].reshape(rows, CELL_PIXELS, -1).sum(1)
    blocks = strips[:, : columns * CELL_PIXELS].reshape(rows, columns, CELL_PIXELS)
    return np.asarray(blocks.mean(2) / CELL_PIXELS)


def _smooth(cells: Grid) -> Grid:
    """Return the weighted mean of each cell and its four neighbors."""
    wide = np.pad(cells, 1, mode="edge")
    beside = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return np.asarray((beside + 2 * cells) / 6)


def _blur(cells: Grid) -> Grid:
    """Return the mean of each cell and its eight neighbors."""
    rows, columns = cells.shape
    wide = np.pad(cells, 1, mode="edge")
    return np.asarray(np.mean([wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=0))


def _groups(cells: _Cells) -> list[list[tuple[int, int]]]:
    """Group striped cells that touch and have the same direction."""
    free = {(int(row), int(column)) for row, column in zip(*np.nonzero(cells.striped), strict=True)}
    angle = cells.angle.tolist()
    groups = []
    while free:
        group = [free.pop()]
        for row, column in group:
            beside = [(row + down, column + right) for down, right in NEIGHBORS]
            connected = [
                each
                for each in beside
                if each in free and _angle_difference(angle, each, (row, column)) < MAX_ANGLE_DIFFERENCE
            ]
            free.difference_update(connected)
            group += connected
        groups.append(group)
    return groups


def _angle_difference(angle: list[list[float]], one: tuple[int, int], other: tuple[int, int]) -> float:
    return _angle_between(angle[one[0]][one[1]], angle[other[0]][other[1]])


def _angle_between(one: float, other: float) -> float:
    """Return the angle between two undirected lines, 0 to a quarter turn."""
    return abs((one - other + math.pi / 2) % math.pi - math.pi / 2)


def _region(cells: _Cells, places: list[tuple[int, int]], scale: float) -> Region:
    rows, columns = np.array(places).T
    weight = cells.strength[rows, columns]
    doubled = 2 * cells.angle[rows, columns]
    sine, cosine = float((weight * np.sin(doubled)).sum()), float((weight * np.cos(doubled)).sum())
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
    clear = float(cells.coherence[rows, columns].mean()) * (1 - float(cells.one_sided[rows, columns].mean()))
    score = len(places) * filled * agreement * clear * min(1.0, (right - left) / 60)
    return Region(angle, left / scale, right / scale, top / scale, bottom / scale, score)
