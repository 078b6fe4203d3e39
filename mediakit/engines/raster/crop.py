"""Where to crop: the strategies `entropy` and `attention` of libvips' smartcrop, on a small copy.

Attention looks for edges, skin and saturated colours, after smartcrop.js; the constants are those of libvips.
"""

import math
from collections.abc import Sequence

from PIL import Image

from mediakit.engines.raster.geometry import Offset, Plan, Size, Strategy

SEARCH_PIXELS = 2_000_000
"""The copy that is searched for entropy has at most so many pixels."""

_GRID = 32
_SLICES = 8
_SKIN = (0.78, 0.57, 0.44)
_DARK = 5.0
_WHITE = (95.047, 100.0, 108.8827)
_LINEAR = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]
_MATRIX = ((41.24, 35.76, 18.056), (21.26, 71.52, 7.22), (1.93, 11.92, 95.05))
_XYZ = [[[weight * value for value in _LINEAR] for weight in row] for row in _MATRIX]
"""What each value of red, green and blue adds to X, Y and Z of CIE XYZ, with Y from 0 to 100 (IEC 61966-2-1)."""


def search_size(plan: Plan, strategy: Strategy) -> Size:
    """Tell the size of the copy in which to search: for entropy the scaled picture, unless that is large."""
    if strategy == "attention":
        return Size(_GRID, _GRID)
    factor = math.sqrt(SEARCH_PIXELS / plan.scaled.pixels)
    if factor >= 1:
        return plan.scaled
    return Size(*(max(1, round(side * factor)) for side in plan.scaled))


def find_crop(copy: Image.Image, plan: Plan, strategy: Strategy) -> Offset:
    """Find the most interesting crop.

    Args:
        copy: The whole picture, of `search_size`: L, LA, RGB or RGBA.
        plan: What is asked for.
        strategy: What counts as interesting.
    """
    bands = _premultiplied(copy)
    if strategy == "attention":
        return _by_attention(bands, plan)
    scale = [whole / small for whole, small in zip(plan.scaled, copy.size, strict=True)]
    sides = zip(plan.output, scale, copy.size, strict=True)
    found = _by_entropy(bands, Size(*(min(limit, max(1, round(side / by))) for side, by, limit in sides)))
    free = (whole - kept for whole, kept in zip(plan.scaled, plan.output, strict=True))
    return Offset(*(min(room, round(at * by)) for room, at, by in zip(free, found, scale, strict=True)))


def _premultiplied(image: Image.Image) -> Image.Image:
    """Let nothing that is transparent attract attention."""
    if image.mode in ("LA", "RGBA"):
        return image.convert("RGBA").convert("RGBa")
    return image


def _by_entropy(image: Image.Image, size: Size) -> Offset:
    """Cut the duller of two opposite slices off, until the size is reached."""
    left, top, right, bottom = 0, 0, *image.size
    step = max(math.ceil((right - size.width) / _SLICES), math.ceil((bottom - size.height) / _SLICES))
    while right - left > size.width or bottom - top > size.height:
        if slab := min(right - left - size.width, step):
            first = _entropy(image.crop((left, top, left + slab, bottom)))
            last = _entropy(image.crop((right - slab, top, right, bottom)))
            left, right = (left + slab, right) if first < last else (left, right - slab)
        if slab := min(bottom - top - size.height, step):
            first = _entropy(image.crop((left, top, right, top + slab)))
            last = _entropy(image.crop((left, bottom - slab, right, bottom)))
            top, bottom = (top + slab, bottom) if first < last else (top, bottom - slab)
    return Offset(left, top)


def _entropy(image: Image.Image) -> float:
    """Measure Shannon's entropy of the values of all bands, in bits."""
    pixels = image.width * image.height
    return -math.fsum(count / pixels * math.log2(count / pixels) for count in image.histogram() if count)


def _by_attention(grid: Image.Image, plan: Plan) -> Offset:
    """Centre the crop on the point that attracts most, as far as the picture reaches."""
    (width, height), kept = plan.scaled, plan.output
    scores = _blurred(_scores(grid), _blur_mask(plan))
    best = scores.index(max(scores))
    x, y = int(best % _GRID * width / _GRID), int(best // _GRID * height / _GRID)
    return Offset(
        max(0, min(width - kept.width, x - kept.width // 2)),
        max(0, min(height - kept.height, y - kept.height // 2)),
    )


def _scores(grid: Image.Image) -> list[float]:
    """Score each point of the grid by edge, skin and saturation."""
    if grid.mode == "L":
        grid = grid.convert("RGB")
    red, green, blue = (grid.getchannel(band).tobytes() for band in range(3))
    x, y, z = (_weighted(parts, red, green, blue) for parts in _XYZ)
    return list(map(float.__add__, _edges(y), map(_attraction, x, y, z)))


def _weighted(parts: Sequence[Sequence[float]], red: bytes, green: bytes, blue: bytes) -> list[float]:
    reds, greens, blues = parts
    return [reds[r] + greens[g] + blues[b] for r, g, b in zip(red, green, blue, strict=True)]


def _edges(luminance: Sequence[float]) -> list[float]:
    """Take the Laplacian of the grid; its border continues outwards."""
    rows = [luminance[start : start + _GRID] for start in range(0, len(luminance), _GRID)]
    edges = []
    for above, row, below in zip([rows[0], *rows], rows, [*rows[1:], rows[-1]], strict=False):
        around = zip(row, [row[0], *row], [*row[1:], row[-1]], above, below, strict=False)
        edges += [5 * abs(4 * here - left - right - up - down) for here, left, right, up, down in around]
    return edges


def _attraction(x: float, y: float, z: float) -> float:
    """Score how near a colour is to skin, and how far from grey towards red (a* of CIE Lab)."""
    if y <= _DARK:
        return 0.0
    magnitude = math.hypot(x, y, z)
    skin = 100 - 100 * math.dist((x / magnitude, y / magnitude, z / magnitude), _SKIN)
    return skin + 500 * (_lightness(x / _WHITE[0]) - _lightness(y / _WHITE[1]))


def _lightness(value: float) -> float:
    return math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116


def _blur_mask(plan: Plan) -> list[int]:
    """Make a Gauss mask as wide as the crop is large: half of it, from its centre, in whole numbers."""
    (width, height), kept = plan.scaled, plan.output
    sigma = max(1.0, math.hypot(kept.width * _GRID / width, kept.height * _GRID / height) / 10)
    weights = (math.exp(-x * x / (2 * sigma * sigma)) for x in range(_GRID))
    return [round(20 * weight) for weight in weights if weight >= 0.2]


def _blurred(values: list[float], mask: list[int]) -> list[float]:
    """Blur along the rows, turn rows into columns, and do it again."""
    for _ in range(2):
        rows = [_blurred_row(values[start : start + _GRID], mask) for start in range(0, len(values), _GRID)]
        values = [row[x] for x in range(_GRID) for row in rows]
    return values


def _blurred_row(row: list[float], mask: list[int]) -> list[float]:
    reach = len(mask) - 1
    padded = [row[0]] * reach + row + [row[-1]] * reach
    sums = [mask[0] * value for value in row]
    for step, weight in enumerate(mask[1:], 1):
        before, after = padded[reach - step :], padded[reach + step :]
        sums = [total + weight * (left + right) for total, left, right in zip(sums, before, after, strict=False)]
    return sums
