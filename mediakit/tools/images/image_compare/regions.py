"""Joins different pixels into regions."""

from dataclasses import dataclass
from typing import Any

MAX_REGIONS = 100
JOIN_PIXELS = 8
"""Different pixels up to this far apart, in rows and columns, are in one region."""


@dataclass(frozen=True)
class Region:
    """Different pixels that are near each other."""

    box: tuple[int, int, int, int]
    """Left, top, width and height."""
    pixels: int
    """Number of different pixels in it."""


def regions_of(mask: Any) -> tuple[list[Region], int]:
    """Return the largest regions of a mask, largest first, and the number of all regions.

    Args:
        mask: Boolean array of height x width.
    """
    import numpy as np

    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return [], 0
    top, left = int(rows[0]), int(columns[0])
    inner = mask[top : rows[-1] + 1, left : columns[-1] + 1]
    grown = np.zeros((inner.shape[0] + JOIN_PIXELS - 1, inner.shape[1] + JOIN_PIXELS), np.bool_)
    grown[: inner.shape[0], : inner.shape[1]] = inner
    # The last column stays empty, so that no run goes on in the next row.
    counts = np.cumsum(grown.ravel(), dtype=np.int32)
    _grow(grown[:, :-1])
    runs = _Runs(grown)
    labels = _components(len(runs.starts), *runs.neighbors())
    found = _boxes(runs, labels, counts)
    order = np.lexsort((found[0], found[1], -found[4]))[:MAX_REGIONS]
    boxes = [
        Region((left + int(x0), top + int(y0), int(x1 - x0), int(y1 - y0)), int(pixels))
        for x0, y0, x1, y1, pixels in found[:, order].T
    ]
    return boxes, found.shape[1]


def _grow(mask: Any) -> None:
    """Extend every pixel to a square of 8 pixels, to the right and down: two of them touch if they are 8 apart."""
    for step in (1, 2, 4):
        mask[:, step:] |= mask[:, :-step].copy()
    for step in (1, 2, 4):
        mask[step:] |= mask[:-step].copy()


class _Runs:
    """Runs of pixels in rows."""

    def __init__(self, mask: Any) -> None:
        import numpy as np

        self.width = mask.shape[1]
        flat = mask.ravel()
        changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
        if flat[0]:
            changes = np.concatenate(([0], changes))
        self.starts, self.ends = changes[::2], changes[1::2]
        """Places of the first pixels, and behind the last ones, in the whole array."""

    def neighbors(self) -> tuple[Any, Any]:
        """Return the numbers of the runs in two successive rows that touch, also at corners."""
        import numpy as np

        first = np.searchsorted(self.ends, self.starts + self.width, "left")
        last = np.searchsorted(self.starts, self.ends + self.width, "right")
        counts = last - first
        above = np.repeat(np.arange(len(counts)), counts)
        offsets = np.arange(len(above)) - np.repeat(np.cumsum(counts) - counts, counts)
        return above, np.repeat(first, counts) + offsets


def _components(count: int, one: Any, other: Any) -> Any:
    """Return the number of the component of each node of a graph; those of one component are equal."""
    import numpy as np

    parents = np.arange(count)
    while True:
        first, second = parents[one], parents[other]
        apart = first != second
        if not apart.any():
            break
        one, other = one[apart], other[apart]
        low, high = np.minimum(first, second)[apart], np.maximum(first, second)[apart]
        np.minimum.at(parents, high, low)
        while not (parents == (above := parents[parents])).all():
            parents = above
    return np.unique(parents, return_inverse=True)[1]


def _boxes(runs: _Runs, labels: Any, counts: Any) -> Any:
    """Return left, top, right, bottom and pixels of each component, as rows of an array."""
    import numpy as np

    size = int(labels.max()) + 1
    y, x0 = np.divmod(runs.starts, runs.width)
    x1 = x0 + runs.ends - runs.starts
    before = np.where(runs.starts > 0, counts[runs.starts - 1], 0)
    pixels = np.bincount(labels, counts[runs.ends - 1] - before, size)
    low = np.full((2, size), np.iinfo(np.int64).max)
    high = np.zeros((2, size), np.int64)
    for axis, (start, end) in enumerate(((x0, x1), (y, y + 1))):
        np.minimum.at(low[axis], labels, start)
        np.maximum.at(high[axis], labels, end)
    return np.stack([*low, *(high - (JOIN_PIXELS - 1)), pixels.astype(np.int64)])
