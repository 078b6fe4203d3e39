"""Converts the pixels of a frame to indexes of a palette of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from mediakit.engines.animations.frames import Pixels, packed
from mediakit.engines.animations.palette import (
    CELL_BITS,
    Histogram,
    Keys,
    cell_numbers,
    histogram,
    make_palette,
    nearest,
)

COLOR_MASK = 0xFFFFFF
LOOKUP_BITS = 6
"""Bits of a channel to which colors are rounded when their nearest palette color is looked up."""
BAND_RADIUS = 4
"""Pixels over which errors are averaged to find banding."""
MIN_BAND_ERROR = 6
"""Mean error from which an area counts as banded; 255 is the difference of black and white."""

FEW_COLORS = 20_000
"""Distinct colors up to which the palette is computed from finer cells."""
FEW_PIXELS = 100_000
"""Pixels up to which sorting is faster than a table of all colors."""

Indexes = NDArray[np.uint8]


@dataclass(frozen=True)
class Indexed:
    """Pixels as indexes of a palette."""

    indexes: Indexes
    palette: NDArray[np.uint8]
    """An array of colors and three channels."""
    exact: bool
    """Whether every pixel has its exact color."""


def index_pixels(
    pixels: Pixels, needed: NDArray[np.bool_], colors: int, exact_where: NDArray[np.bool_] | None = None
) -> Indexed:
    """Convert pixels to indexes.

    Args:
        pixels: RGBA.
        needed: The pixels that count; the indexes of the others are arbitrary.
        colors: Maximum size of the palette.
        exact_where: Pixels that must keep their color as far as the palette has room.
    """
    keys = packed(pixels) & COLOR_MASK
    used = _distinct(keys[needed])
    if len(used) <= colors:
        return Indexed(_look_up(keys, used), _rgb(used), exact=True)
    if exact_where is not None:
        fixed = _distinct(keys[needed & exact_where])
        if len(fixed) <= colors:
            return _with_fixed_colors(keys, needed & ~exact_where, fixed, colors)
    bits = LOOKUP_BITS if len(used) <= FEW_COLORS else CELL_BITS
    palette = make_palette(histogram(keys[needed], bits), colors)
    return Indexed(_dithered(pixels, needed, keys, palette), palette, exact=False)


def _with_fixed_colors(keys: Keys, free: NDArray[np.bool_], fixed: Keys, colors: int) -> Indexed:
    """Keep some colors, and use the rest of the palette for the other pixels."""
    room = colors - len(fixed)
    palette = _rgb(fixed)
    if room:
        palette = np.concatenate((palette, make_palette(histogram(keys[free]), room)))
    used = _distinct(keys[free])
    table = np.zeros(COLOR_MASK + 1, np.uint8)
    table[used] = nearest(_rgb(used).astype(np.float32), palette)
    table[fixed] = np.arange(len(fixed))
    return Indexed(table[keys], palette, exact=False)


def _dithered(pixels: Pixels, needed: NDArray[np.bool_], keys: Keys, palette: NDArray[np.uint8]) -> Indexes:
    """Return the nearest colors; areas whose colors form visible bands are dithered."""
    plain = _nearest_by_cell(keys, needed, palette)
    source = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
    banded = _banded(source, Image.fromarray(palette[plain])) & needed
    if not banded.any():
        return plain
    holder = Image.new("P", (1, 1))
    holder.putpalette(palette.tobytes())
    diffused = np.asarray(source.quantize(palette=holder, dither=Image.Dither.FLOYDSTEINBERG))
    return np.where(banded, np.minimum(diffused, len(palette) - 1), plain).astype(np.uint8)


def _banded(source: Image.Image, quantized: Image.Image) -> NDArray[np.bool_]:
    """Return where the mean error of the surrounding pixels is visible: in textures it averages out, in bands not."""
    error = ImageChops.subtract(source, quantized, scale=1, offset=128).filter(ImageFilter.BoxBlur(BAND_RADIUS))
    distance = error.point([abs(value - 128) for value in range(256)] * 3)
    banded: NDArray[np.bool_] = np.asarray(distance).max(axis=2) >= MIN_BAND_ERROR
    return banded


def _nearest_by_cell(keys: Keys, needed: NDArray[np.bool_], palette: NDArray[np.uint8]) -> Indexes:
    cells = cell_numbers(keys, LOOKUP_BITS)
    means: Histogram = histogram(keys[needed], LOOKUP_BITS)
    table = np.zeros(1 << 3 * LOOKUP_BITS, np.uint8)
    rounded = means.colors.astype(np.uint32)
    table[cell_numbers(rounded[:, 0] | rounded[:, 1] << 8 | rounded[:, 2] << 16, LOOKUP_BITS)] = nearest(
        means.colors, palette
    )
    return table[cells]


def _look_up(keys: Keys, used: Keys) -> Indexes:
    if keys.size < FEW_PIXELS:
        return np.searchsorted(used, keys).astype(np.uint8)
    table = np.zeros(COLOR_MASK + 1, np.uint8)
    table[used] = np.arange(len(used))
    return table[keys]


def _distinct(keys: Keys) -> Keys:
    """Return the distinct colors, in ascending order."""
    if keys.size < FEW_PIXELS:
        return np.unique(keys)
    seen = np.zeros(COLOR_MASK + 1, np.bool_)
    seen[keys] = True
    return np.flatnonzero(seen).astype(np.uint32)


def _rgb(keys: Keys) -> NDArray[np.uint8]:
    """Return colors as an array of colors and three channels."""
    return np.stack([keys & 255, keys >> 8 & 255, keys >> 16 & 255], axis=1).astype(np.uint8)
