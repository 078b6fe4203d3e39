"""Content-aware cropping: the strategies `entropy` and `attention` of libvips' smartcrop, computed on a small copy.

Attention scores edges, skin tones and saturated colors, like smartcrop.js. The constants are those of libvips.
"""

import math
from collections.abc import Sequence

from PIL import Image

from mediakit.engines.raster.geometry import Offset, Plan, Size, Strategy

MAX_SEARCH_PIXELS = 2_000_000
"""Maximum pixels of the copy for the entropy search."""

_GRID_SIDE = 32
"""Side of the copy for the attention search, in pixels."""
_MAX_SLICES = 8
"""Maximum number of steps of the entropy search on the longer side."""
_SKIN_TONE = (0.78, 0.57, 0.44)
_MIN_LUMINANCE = 5.0
"""Colors with a Y (CIE XYZ) up to this value score 0."""
_WHITE = (95.047, 100.0, 108.8827)
_LINEAR = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]
_MATRIX = ((41.24, 35.76, 18.056), (21.26, 71.52, 7.22), (1.93, 11.92, 95.05))
_XYZ = [[[weight * value for value in _LINEAR] for weight in row] for row in _MATRIX]
"""Contribution of each value of red, green and blue to CIE XYZ, with Y from 0 to 100 (IEC 61966-2-1)."""


def search_size(plan: Plan, strategy: Strategy) -> Size:
    """Return the size of the copy to search. For entropy, it is the size of the scaled image, up to a limit."""
    if strategy == "attention":
        return Size(_GRID_SIDE, _GRID_SIDE)
    factor = math.sqrt(MAX_SEARCH_PIXELS / plan.scaled.pixels)
    if factor >= 1:
        return plan.scaled
    return Size(*(max(1, round(side * factor)) for side in plan.scaled))


def find_crop(copy: Image.Image, plan: Plan, strategy: Strategy) -> Offset:
    """Return the top left corner of the crop with the highest score.

    Args:
        copy: The whole image, resized to `search_size`: L, LA, RGB or RGBA.
        plan: The sizes of the conversion.
        strategy: How areas are scored.
    """
    bands = _premultiply(copy)
    if strategy == "attention":
        return _by_attention(bands, plan)
    factors = [whole / small for whole, small in zip(plan.scaled, copy.size, strict=True)]
    sides = zip(plan.output, factors, copy.size, strict=True)
    crop_size = Size(*(min(limit, max(1, round(side / factor))) for side, factor, limit in sides))
    corner = _by_entropy(bands, crop_size)
    largest = (whole - kept for whole, kept in zip(plan.scaled, plan.output, strict=True))
    offsets = zip(corner, factors, largest, strict=True)
    return Offset(*(min(limit, round(position * factor)) for position, factor, limit in offsets))


def _premultiply(image: Image.Image) -> Image.Image:
    """Premultiply alpha, so that transparent areas do not score."""
    if image.mode in ("LA", "RGBA"):
        return image.convert("RGBA").convert("RGBa")
    return image


def _by_entropy(image: Image.Image, size: Size) -> Offset:
    """Compare opposite edges, and remove the slice with the lower entropy until the size is reached."""
    left, top, right, bottom = 0, 0, *image.size
    step = max(math.ceil((right - size.width) / _MAX_SLICES), math.ceil((bottom - size.height) / _MAX_SLICES))
    while right - left > size.width or bottom - top > size.height:
        if slice_size := min(right - left - size.width, step):
            first = _entropy(image.crop((left, top, left + slice_size, bottom)))
            last = _entropy(image.crop((right - slice_size, top, right, bottom)))
            left, right = (left + slice_size, right) if first < last else (left, right - slice_size)
        if slice_size := min(bottom - top - size.height, step):
            first = _entropy(image.crop((left, top, right, top + slice_size)))
            last = _entropy(image.crop((left, bottom - slice_size, right, bottom)))
            top, bottom = (top + slice_size, bottom) if first < last else (top, bottom - slice_size)
    return Offset(left, top)


def _entropy(image: Image.Image) -> float:
    """Return the Shannon entropy of the values of all bands, in bits."""
    pixels = image.width * image.height
    return -math.fsum(count / pixels * math.log2(count / pixels) for count in image.histogram() if count)


def _by_attention(grid: Image.Image, plan: Plan) -> Offset:
    """Return the crop centered on the point with the highest score, moved into the image if necessary."""
    (width, height), kept = plan.scaled, plan.output
    scores = _blur(_scores(grid), _blur_mask(plan))
    best = scores.index(max(scores))
    x, y = int(best % _GRID_SIDE * width / _GRID_SIDE), int(best // _GRID_SIDE * height / _GRID_SIDE)
    return Offset(
        max(0, min(width - kept.width, x - kept.width // 2)),
        max(0, min(height - kept.height, y - kept.height // 2)),
    )


def _scores(grid: Image.Image) -> list[float]:
    """Score each point of the grid by edges, skin tone and saturation."""
    if grid.mode == "L":
        grid = grid.convert("RGB")
    red, green, blue = (grid.getchannel(band).tobytes() for band in range(3))
    x, y, z = (_weighted(parts, red, green, blue) for parts in _XYZ)
    return list(map(float.__add__, _edges(y), map(_color_score, x, y, z)))


def _weighted(parts: Sequence[Sequence[float]], red: bytes, green: bytes, blue: bytes) -> list[float]:
    reds, greens, blues = parts
    return [reds[r] + greens[g] + blues[b] for r, g, b in zip(red, green, blue, strict=True)]


def _edges(luminance: Sequence[float]) -> list[float]:
    """Return the Laplacian of the grid; values at the border are repeated outward."""
    rows = [luminance[start : start + _GRID_SIDE] for start in range(0, len(luminance), _GRID_SIDE)]
    edges = []
    for above, row, below in zip([rows[0], *rows], rows, [*rows[1:], rows[-1]], strict=False):
        around = zip(row, [row[0], *row], [*row[1:], row[-1]], above, below, strict=False)
        edges += [5 * abs(4 * here - left - right - up - down) for here, left, right, up, down in around]
    return edges


def _color_score(x: float, y: float, z: float) -> float:
    """Score how close a color is to skin tones and how far from gray toward red (a* of CIE Lab)."""
    if y <= _MIN_LUMINANCE:
        return 0.0
    magnitude = math.hypot(x, y, z)
    skin = 100 - 100 * math.dist((x / magnitude, y / magnitude, z / magnitude), _SKIN_TONE)
    return skin + 500 * (_lightness(x / _WHITE[0]) - _lightness(y / _WHITE[1]))


def _lightness(value: float) -> float:
    return math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116


def _blur_mask(plan: Plan) -> list[int]:
    """Return the half of a Gaussian kernel from its center, as integers; its width follows the size of the crop."""
    (width, height), kept = plan.scaled, plan.output
    sigma = max(1.0, math.hypot(kept.width * _GRID_SIDE / width, kept.height * _GRID_SIDE / height) / 10)
    weights = (math.exp(-x * x / (2 * sigma * sigma)) for x in range(_GRID_SIDE))
    return [round(20 * weight) for weight in weights if weight >= 0.2]


def _blur(values: list[float], mask: list[int]) -> list[float]:
    """Blur along the rows, transpose, and repeat for the columns."""
    for _ in range(2):
        rows = [_blur_row(values[start : start + _GRID_SIDE], mask) for start in range(0, len(values), _GRID_SIDE)]
        values = [row[x] for x in range(_GRID_SIDE) for row in rows]
    return values


def _blur_row(row: list[float], mask: list[int]) -> list[float]:
    reach = len(mask) - 1
    padded = [row[0]] * reach + row + [row[-1]] * reach
    sums = [mask[0] * value for value in row]
    for step, weight in enumerate(mask[1:], 1):
        before, after = padded[reach - step :], padded[reach + step :]
        sums = [total + weight * (left + right) for total, left, right in zip(sums, before, after, strict=False)]
    return sums
