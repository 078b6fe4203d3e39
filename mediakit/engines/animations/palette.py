"""Palettes: the colors that represent the pixels of a frame best, found by k-means seeded by median cut.

Colors are counted in cells of a histogram; a cell is represented by the mean of its pixels.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CELL_BITS = 5
"""Bits of a channel in the histogram that palettes are computed from."""
ITERATIONS = 4

Keys = NDArray[Any]
"""Unsigned integers: colors, or numbers of cells."""

Colors = NDArray[np.float32]
"""An array of colors and three channels."""


class Histogram(NamedTuple):
    """Mean color and number of pixels of the cells that are not empty."""

    colors: Colors
    counts: NDArray[np.float32]


def histogram(keys: Keys, bits: int = CELL_BITS) -> Histogram:
    """Count colors, red in the lowest byte, in cells of some bits per channel."""
    cells = cell_numbers(keys, bits)
    size = 1 << 3 * bits
    counts = np.bincount(cells, minlength=size)
    used = np.flatnonzero(counts)
    sums = [np.bincount(cells, weights=keys >> shift & 255, minlength=size)[used] for shift in (0, 8, 16)]
    average = np.stack(sums, axis=1) / counts[used, None]
    return Histogram(average.astype(np.float32), counts[used].astype(np.float32))


def cell_numbers(keys: Keys, bits: int) -> Keys:
    """Return the number of the cell of each color."""
    drop, mask = 8 - bits, (1 << bits) - 1
    red, green, blue = (keys >> (shift + drop) & mask for shift in (0, 8, 16))
    cells: Keys = red | green << bits | blue << 2 * bits
    return cells


def make_palette(source: Histogram, size: int) -> NDArray[np.uint8]:
    """Return at most `size` colors that represent a histogram with a small squared error."""
    if len(source.colors) <= size:
        return source.colors.round().astype(np.uint8)
    centers = cluster(source, size, ITERATIONS)
    unique: NDArray[np.uint8] = np.unique(centers.round().astype(np.uint8), axis=0)
    return unique


def cluster(source: Histogram, size: int, iterations: int) -> Colors:
    """Return the centers of at most `size` clusters of colors, in any color space."""
    centers = _median_cut(source, size)
    for _ in range(iterations):
        centers = means(source, nearest(source.colors, centers), centers)
    return centers


def nearest(colors: Colors, palette: NDArray[np.floating] | NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the index of the palette's nearest color for each color."""
    targets = palette.astype(np.float32)
    lengths = (targets**2).sum(axis=1)
    parts = [
        (lengths - 2 * (colors[start : start + 8192] @ targets.T)).argmin(axis=1)
        for start in range(0, len(colors), 8192)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)


def _median_cut(source: Histogram, size: int) -> Colors:
    """Split the box with the largest squared error at its median until there are `size` boxes; return their means."""
    boxes = [np.arange(len(source.colors))]
    spreads = [_spread(source, boxes[0])]
    errors = [sum(spreads[0])]
    while len(boxes) < size:
        widest = errors.index(max(errors))
        box, spread = boxes[widest], spreads[widest]
        if len(box) < 2 or not errors[widest]:
            break
        values = source.colors[box, spread.index(max(spread))]
        order = np.argsort(values, kind="stable")
        weights = np.cumsum(source.counts[box[order]])
        cut = min(max(1, int(np.searchsorted(weights, weights[-1] / 2)) + 1), len(box) - 1)
        halves = box[order[:cut]], box[order[cut:]]
        boxes[widest : widest + 1] = halves
        spreads[widest : widest + 1] = [_spread(source, half) for half in halves]
        errors[widest : widest + 1] = map(sum, spreads[widest : widest + 2])
    averages = [np.average(source.colors[box], axis=0, weights=source.counts[box]) for box in boxes]
    return np.array(averages, np.float32)


def _spread(source: Histogram, box: NDArray[np.intp]) -> list[float]:
    """Return the squared error of a box in each channel."""
    if len(box) < 2:
        return [0.0, 0.0, 0.0]
    colors, counts = source.colors[box], source.counts[box]
    centered = colors - counts @ colors / counts.sum()
    spread: list[float] = (counts @ (centered * centered)).tolist()
    return spread


def means(source: Histogram, labels: NDArray[np.intp], centers: Colors) -> Colors:
    """Return the mean of the colors of each label; a label without colors keeps its center."""
    size = len(centers)
    counts = np.bincount(labels, weights=source.counts, minlength=size)
    sums = [np.bincount(labels, weights=source.counts * source.colors[:, band], minlength=size) for band in range(3)]
    used = counts > 0
    moved = centers.copy()
    moved[used] = (np.stack(sums, axis=1)[used] / counts[used, None]).astype(np.float32)
    return moved
