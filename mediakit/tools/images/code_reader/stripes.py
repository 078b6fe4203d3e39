"""Where a picture has stripes side by side, as bars are, and which way they run.

The structure tensor of small cells tells direction and how well it is kept; that edges alternate tells bars from the
border of a shadow. Cells that agree join into regions.
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.sighting import Quad

Grid = np.ndarray[Any, np.dtype[Any]]

CELL = 10
"""Pixels a side."""

SIDE = 1000
"""Pixels; the picture is shrunk to this before it is searched."""

COARSE_SIDE = 400
"""The same for bars so wide that a cell sees but one."""

JOINED = 6
"""Regions that may be parts of each other."""

COHERENCE = 0.55
"""How much of a cell's gradients must share a direction, 0 to 1."""

ONE_SIDED = 0.55
"""Share of a cell's gradients that may point one way; that of a lone edge is 1."""

FAINT = 0.015
"""Of the strongest stripes in the picture: fainter ones are noise."""

TURN = 0.25
"""Radians by which neighbouring cells of a region may differ."""

FEWEST = 3
"""Cells of a region."""

NEIGHBOURS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of stripes, turned; its first axis crosses the bars.

    `left`, `right`, `top` and `bottom` are pixels along the two axes, measured from the picture's top left corner.
    """

    angle: float
    """Radians from the picture's x axis to the direction that crosses the bars."""
    left: float
    right: float
    top: float
    bottom: float
    score: float
    """How much it looks like bars; for comparing regions of one picture."""

    @classmethod
    def around(cls, quad: Quad) -> "Region":
        """Give the rectangle around the bars that were read, at least a sixth as deep as they are long."""
        (x, y), (to_x, to_y) = quad[0], quad[1]
        angle = math.atan2(to_y - y, to_x - x)
        cosine, sine = math.cos(angle), math.sin(angle)
        along = [x * cosine + y * sine for x, y in quad]
        beside = [y * cosine - x * sine for x, y in quad]
        left, right = min(along), max(along)
        middle, depth = (min(beside) + max(beside)) / 2, max(max(beside) - min(beside), (right - left) / 6)
        return cls(angle, left, right, middle - depth / 2, middle + depth / 2, 0.0)

    def joined(self, other: "Region") -> "Region | None":
        """Give both as one where they lie in a line; None where they do not."""
        if _apart(self.angle, other.angle) > TURN / 2 or math.cos(self.angle - other.angle) < 0:
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

    def like(self, other: "Region") -> bool:
        """Tell whether both cover nearly the same."""
        near = (self.right - self.left) / 8
        sides = ((self.left, other.left), (self.right, other.right), (self.top, other.top), (self.bottom, other.bottom))
        return _apart(self.angle, other.angle) < TURN / 2 and all(abs(one - two) < near for one, two in sides)


@dataclass(frozen=True, slots=True)
class _Cells:
    strength: Grid
    coherence: Grid
    angle: Grid
    one_sided: Grid

    @property
    def striped(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        least = max(4.0, FAINT * float(np.percentile(self.strength, 99)))
        return (self.coherence > COHERENCE) & (self.strength > least) & (self.one_sided < ONE_SIDED)


def find(grey: Image.Image, most: int) -> list[Region]:
    """Find the regions that look most like bars, the likeliest first."""
    found = _joined(_found(grey, SIDE))
    if max(grey.size) > COARSE_SIDE:
        found += [each for each in _joined(_found(grey, COARSE_SIDE))[:2] if not any(map(each.like, found))]
    return sorted(found, key=lambda region: -region.score)[:most]


def _found(grey: Image.Image, side: int) -> list[Region]:
    scale = min(1.0, side / max(grey.size))
    size = (max(8, round(grey.width * scale)), max(8, round(grey.height * scale)))
    small = grey.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0) if scale < 1 else grey
    scale = small.width / grey.width
    cells = _measure(np.asarray(small, np.float32))
    if cells is None:
        return []
    regions = [_region(cells, places, scale) for places in _groups(cells) if len(places) >= FEWEST]
    return sorted(regions, key=lambda region: -region.score)


def _joined(regions: list[Region]) -> list[Region]:
    """Put together what wide bars or a reflection have cut apart; the parts stay, too."""
    whole = list(regions[:JOINED])
    for one, other in combinations(regions[:JOINED], 2):
        if (both := one.joined(other)) is not None:
            whole.append(both)
    return sorted(whole, key=lambda region: -region.score)


def _measure(pixels: Grid) -> _Cells | None:
    across = pixels[1:-1, 2:] - pixels[1:-1, :-2]
    down = pixels[2:, 1:-1] - pixels[:-2, 1:-1]
    if min(across.shape) < CELL:
        return None
    xx, yy, xy = (_spread(_cells(product)) for product in (across * across, down * down, across * down))
    drift = np.abs(_blurred(_cells(across))) + np.abs(_blurred(_cells(down)))
    total = _blurred(_cells(np.abs(across) + np.abs(down)))
    strength = np.hypot(xx - yy, 2 * xy)
    angle = np.arctan2(2 * xy, xx - yy) / 2
    return _Cells(strength, strength / (xx + yy + 4), angle, drift / (total + 0.5))


def _cells(values: Grid) -> Grid:
    rows, columns = values.shape[0] // CELL, values.shape[1] // CELL
    blocks = values[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL)
    return np.asarray(blocks.mean((1, 3)))


def _spread(cells: Grid) -> Grid:
    """Weigh each cell with its four neighbours."""
    wide = np.pad(cells, 1, mode="edge")
    beside = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return np.asarray((beside + 2 * cells) / 6)


def _blurred(cells: Grid) -> Grid:
    """Give the mean of each cell and its eight neighbours."""
    rows, columns = cells.shape
    wide = np.pad(cells, 1, mode="edge")
    return np.asarray(np.mean([wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=0))


def _groups(cells: _Cells) -> list[list[tuple[int, int]]]:
    """Join striped cells that touch and run the same way."""
    free = {(int(row), int(column)) for row, column in zip(*np.nonzero(cells.striped), strict=True)}
    angle = cells.angle.tolist()
    groups = []
    while free:
        group = [free.pop()]
        for row, column in group:
            beside = [(row + down, column + right) for down, right in NEIGHBOURS]
            joined = [each for each in beside if each in free and _turn(angle, each, (row, column)) < TURN]
            free.difference_update(joined)
            group += joined
        groups.append(group)
    return groups


def _turn(angle: list[list[float]], one: tuple[int, int], other: tuple[int, int]) -> float:
    return _apart(angle[one[0]][one[1]], angle[other[0]][other[1]])


def _apart(one: float, other: float) -> float:
    """Give the angle between two directions that have no sense, 0 to a quarter turn."""
    return abs((one - other + math.pi / 2) % math.pi - math.pi / 2)


def _region(cells: _Cells, places: list[tuple[int, int]], scale: float) -> Region:
    rows, columns = np.array(places).T
    weight = cells.strength[rows, columns]
    doubled = 2 * cells.angle[rows, columns]
    sine, cosine = float((weight * np.sin(doubled)).sum()), float((weight * np.cos(doubled)).sum())
    angle = math.atan2(sine, cosine) / 2
    x, y = (columns + 0.5) * CELL + 1, (rows + 0.5) * CELL + 1
    along = x * math.cos(angle) + y * math.sin(angle)
    beside = y * math.cos(angle) - x * math.sin(angle)
    left, right = float(along.min()) - 0.7 * CELL, float(along.max()) + 0.7 * CELL
    # The ends of bars are ragged, and printed digits stand between them.
    top, bottom = (float(value) for value in np.percentile(beside, (8, 92)))
    top, bottom = top - 0.3 * CELL, bottom + 0.3 * CELL
    filled = min(1.0, len(places) * CELL * CELL / ((right - left) * (bottom - top)))
    agreement = math.hypot(sine, cosine) / float(weight.sum())
    clear = float(cells.coherence[rows, columns].mean()) * (1 - float(cells.one_sided[rows, columns].mean()))
    score = len(places) * filled * agreement * clear * min(1.0, (right - left) / 60)
    return Region(angle, left / scale, right / scale, top / scale, bottom / scale, score)
