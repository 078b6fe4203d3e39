"""Which pixels differ visibly, and the regions that they form."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.raster.color import oklab_of_bytes, oklab_of_levels, reference_lightness

Codes = NDArray[np.uint8]

SAME, ANTIALIASED, DIFFERENT = 0, 1, 2
"""What is known of a pixel."""

_STRIP_PIXELS = 1 << 17
_CHUNK_PIXELS = 1 << 15
"""Pixels whose distances are computed at once, so that they stay in the cache of the processor."""
_HALO = 2
"""Rows beyond a strip that antialiasing depends on: neighbors, and the neighbors of those."""
_GRAY = 191
"""Level of the second background of transparent pixels; the first one is white."""
_LUMA = (29_889_531, 58_662_247, 11_448_223)
"""Weights of red, green and blue in YIQ, times 10^8. Sums of whole numbers are equal only for equal brightness."""
_NEIGHBORS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
_MAX_EQUAL_NEIGHBORS = 2
_ROUNDING = 1e-5
"""Error of distances; the smallest distance of two colors is thirty times as large."""


def match(first: Image.Image, second: Image.Image, threshold: float, *, antialiasing: bool) -> Codes:
    """Return for each pixel whether it is the same, antialiased or different: an array of height x width.

    Pixels are the same up to a color distance of `threshold`, 0 to 1.
    """
    width, height = first.size
    codes = np.zeros((height, width), np.uint8)
    rows = max(8, _STRIP_PIXELS // width)
    for top in range(0, height, rows):
        bottom = min(height, top + rows)
        strip = _Strip(first, second, top, bottom)
        over = strip.over(threshold)
        if over is None:
            continue
        codes[top:bottom].ravel()[over] = DIFFERENT
        if antialiasing:
            codes[top:bottom].ravel()[strip.antialiased(over)] = ANTIALIASED
    return codes


class _Strip:
    """Some rows of both images, with those above and below that antialiasing depends on."""

    def __init__(self, first: Image.Image, second: Image.Image, top: int, bottom: int) -> None:
        self._above, below = max(0, top - _HALO), min(first.height, bottom + _HALO)
        self._top, self._bottom = top - self._above, bottom - self._above
        self._is_first, self._is_last = self._above == 0, below == first.height
        box = (0, self._above, first.width, below)
        self._pixels = [np.asarray(image.crop(box).convert("RGBA")) for image in (first, second)]
        self._packed = [pixels.view("u4")[..., 0] for pixels in self._pixels]
        self._opaque = "A" not in first.getbands() and "A" not in second.getbands()

    def over(self, threshold: float) -> Any:
        """Return the places of the pixels whose colors differ by more than the threshold; None if there are none."""
        one, other = (packed[self._top : self._bottom].ravel() for packed in self._packed)
        found = [np.arange(0)]
        for start in range(0, len(one), _CHUNK_PIXELS):
            chunk = slice(start, start + _CHUNK_PIXELS)
            places = start + np.flatnonzero(one[chunk] != other[chunk])
            if len(places):
                distances = _distances(one[places], other[places], opaque=self._opaque)
                found.append(places[distances > threshold + _ROUNDING])
        joined = np.concatenate(found)
        return joined if len(joined) else None

    def antialiased(self, places: Any) -> Any:
        """Return those of the places that are antialiased in one of the images."""
        width = self._packed[0].shape[1]
        solid = self._solid(self._packed[0]) & self._solid(self._packed[1])
        y, x = np.divmod(places, width)
        y += self._top
        near = np.flatnonzero(_spread(solid)[y, x])
        if not len(near):
            return places[:0]
        y, x = y[near], x[near]
        found = np.zeros(len(near), np.bool_)
        for pixels in self._pixels:
            rest = np.flatnonzero(~found)
            found[rest] = self._is_slope(_luma(pixels), solid, y[rest], x[rest])
        return places[near[found]]

    def _solid(self, packed: Any) -> Any:
        """Return which pixels have more than two equal neighbors; an edge of the image counts as one."""
        count = self._edges(packed.shape).astype(np.uint8)
        whole, before, after = slice(None), slice(None, -1), slice(1, None)
        for one, other in (
            ((whole, before), (whole, after)),
            ((before, whole), (after, whole)),
            ((before, before), (after, after)),
            ((before, after), (after, before)),
        ):
            equal = packed[one] == packed[other]
            count[one] += equal
            count[other] += equal
        return count > _MAX_EQUAL_NEIGHBORS

    def _edges(self, shape: tuple[int, int]) -> Any:
        edges = np.zeros(shape, np.bool_)
        edges[:, 0] = edges[:, -1] = True
        edges[0] |= self._is_first
        edges[-1] |= self._is_last
        return edges

    def _is_slope(self, luma: Any, solid: Any, y: Any, x: Any) -> Any:
        """Return whether pixels lie between a darker and a lighter neighbor, one of which is solid in both images."""
        height, width = luma.shape
        center = luma[y, x]
        deltas = np.zeros((len(_NEIGHBORS), len(y)))
        equal = self._edges(luma.shape)[y, x].astype(np.uint8)
        for number, (dx, dy) in enumerate(_NEIGHBORS):
            inside = (x + dx >= 0) & (x + dx < width) & (y + dy >= 0) & (y + dy < height)
            deltas[number, inside] = (center - luma[(y + dy).clip(0, height - 1), (x + dx).clip(0, width - 1)])[inside]
            equal += inside & (deltas[number] == 0)
        found = (equal <= _MAX_EQUAL_NEIGHBORS) & (deltas.min(axis=0) < 0) & (deltas.max(axis=0) > 0)
        steps = np.array(_NEIGHBORS)
        is_solid = np.zeros(len(y), np.bool_)
        for extreme in (deltas.argmin(axis=0), deltas.argmax(axis=0)):
            dx, dy = steps[extreme].T
            is_solid |= solid[(y + dy).clip(0, height - 1), (x + dx).clip(0, width - 1)]
        return found & is_solid


def _spread(solid: Any) -> Any:
    """Return which pixels are solid or have a solid neighbor."""
    wide = solid.copy()
    wide[:, 1:] |= solid[:, :-1]
    wide[:, :-1] |= solid[:, 1:]
    tall = wide.copy()
    tall[1:] |= wide[:-1]
    tall[:-1] |= wide[1:]
    return tall


def _luma(pixels: Any) -> Any:
    """Return the brightness of pixels, on white."""
    red, green, blue = (pixels[..., band].astype(np.float64) * weight for band, weight in enumerate(_LUMA))
    luma = red + green + blue
    alpha = pixels[..., 3]
    if alpha.min() < 255:
        luma = 255.0 * sum(_LUMA) + (luma - 255.0 * sum(_LUMA)) * (alpha / 255)
    return luma


def _distances(one: Any, other: Any, *, opaque: bool) -> Any:
    """Return the distances of packed colors; of transparent ones the larger on white and on gray."""
    distances = _hyab(oklab_of_bytes(*_bands(one)), oklab_of_bytes(*_bands(other)))
    if opaque:
        return distances
    places = np.flatnonzero((one >> 24 < 255) | (other >> 24 < 255))
    if len(places):
        one, other = one[places], other[places]
        distances[places] = np.maximum(*(_distances_on(one, other, level) for level in (255, _GRAY)))
    return distances


def _distances_on(one: Any, other: Any, level: int) -> Any:
    blended = []
    for packed in (one, other):
        alpha = (packed >> 24) / 255
        blended.append(oklab_of_levels(*(level + (band - float(level)) * alpha for band in _bands(packed))))
    return _hyab(*blended)


def _bands(packed: Any) -> Any:
    return packed.view(np.uint8).reshape(-1, 4)[:, :3].T


def _hyab(one: Any, other: Any) -> Any:
    """Return the distance in lightness plus that in the plane of a and b."""
    lightness = np.abs(reference_lightness(one[0]) - reference_lightness(other[0]))
    a, b = one[1] - other[1], one[2] - other[2]
    return lightness + np.sqrt(a * a + b * b)


MAX_REGIONS = 100
JOIN_PIXELS = 8
"""Different pixels up to this far apart, in rows and columns, are in one region."""


def regions_of(mask: Any) -> tuple[list[dict[str, Any]], int]:
    """Return box and pixels of the largest regions of a boolean mask, largest first, and the number of all regions."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return [], 0
    top, left = int(rows[0]), int(columns[0])
    inner = mask[top : rows[-1] + 1, left : columns[-1] + 1]
    grown = np.zeros((inner.shape[0] + JOIN_PIXELS - 1, inner.shape[1] + JOIN_PIXELS), np.bool_)
    grown[: inner.shape[0], : inner.shape[1]] = inner
    different = _runs(grown)
    # Every pixel becomes a square of 8 pixels, to the right and down: two of them touch if they are 8 apart.
    # The last column stays empty, so that no run goes on in the next row.
    for step in (1, 2, 4):
        grown[:, step:-1] |= grown[:, : -step - 1].copy()
    for step in (1, 2, 4):
        grown[step:] |= grown[:-step].copy()
    x0, y0, x1, y1, pixels = _boxes(grown, different)
    order = np.lexsort((x0, y0, -pixels))[:MAX_REGIONS]
    boxes = np.stack((left + x0, top + y0, x1 - x0, y1 - y0), axis=1)
    return [{"box": boxes[one].tolist(), "pixels": int(pixels[one])} for one in order], len(pixels)


def _runs(mask: Any) -> tuple[Any, Any]:
    """Return the places at which runs of pixels start and end in the rows of a mask, whose last column is empty."""
    changes = np.flatnonzero(np.diff(mask.ravel(), prepend=False))
    return changes[::2], changes[1::2]


def _boxes(grown: Any, different: tuple[Any, Any]) -> Any:
    """Return left, top, right, bottom and different pixels of each component of a mask of squares, as rows."""
    width = grown.shape[1]
    starts, ends = _runs(grown)
    labels = _components(starts, ends, width)
    size = int(labels.max()) + 1
    y, x0 = np.divmod(starts, width)
    around = np.searchsorted(starts, different[0], "right") - 1
    pixels = np.bincount(labels[around], different[1] - different[0], size)
    low = np.full((2, size), np.iinfo(np.int64).max)
    high = np.zeros((2, size), np.int64)
    for axis, (start, end) in enumerate(((x0, x0 + ends - starts), (y, y + 1))):
        np.minimum.at(low[axis], labels, start)
        np.maximum.at(high[axis], labels, end)
    return np.stack([*low, *(high - (JOIN_PIXELS - 1)), pixels.astype(np.int64)])


def _components(starts: Any, ends: Any, width: int) -> Any:
    """Return the number of the component of each run; runs in successive rows are joined if they touch, or corners."""
    first = np.searchsorted(ends, starts + width, "left")
    touching = np.searchsorted(starts, ends + width, "right") - first
    one = np.repeat(np.arange(len(starts)), touching)
    other = np.repeat(first - np.cumsum(touching) + touching, touching) + np.arange(len(one))
    parents = np.arange(len(starts))
    while True:
        lower, upper = parents[one], parents[other]
        apart = lower != upper
        if not apart.any():
            break
        one, other = one[apart], other[apart]
        np.minimum.at(parents, np.maximum(lower, upper)[apart], np.minimum(lower, upper)[apart])
        while not (parents == (above := parents[parents])).all():
            parents = above
    numbers = np.cumsum(parents == np.arange(len(parents))) - 1
    return numbers[parents]
