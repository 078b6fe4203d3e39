"""Writes animated GIF files (GIF89a): a palette for each frame, delays whose sum is exact, clean transparency.

The second half converts the pixels of a frame to indexes of a palette of its own.
"""

import struct

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from mediakit.engines.animations.frames import Animation, Box, Pixels, box_of_mask, packed
from mediakit.engines.animations.palette import (
    CELL_BITS,
    Histogram,
    Keys,
    cell_numbers,
    histogram,
    make_palette,
    nearest,
)

MIN_OPAQUE_ALPHA = 128
"""Alpha from which a pixel is opaque; GIF has no partial transparency."""

MAX_COLORS = 256
MAX_DELAY = 0xFFFF
"""Hundredths of a second."""

_KEEP, _CLEAR = 1, 2
"""Disposal methods: leave the frame, or restore its area to the background (GIF89a, 23)."""

Mask = NDArray[np.bool_]

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

Indexed = tuple[Indexes, NDArray[np.uint8]]
"""Pixels as indexes of a palette, and the palette: an array of colors and three channels."""


def encode_gif(animation: Animation, colors: int = MAX_COLORS, free_box: Box | None = None) -> tuple[bytes, int]:
    """Encode a GIF, and return it with the size of the largest palette, without the transparent color.

    Every frame is kept, and the sum of the delays is exact to 10 ms.
    Frames store only what changed; if a pixel is transparent, each frame is complete and is cleared after it.
    Palettes have up to `colors` colors, 2 to 256. Colors outside a `free_box` are kept exactly, as far as 256 suffice.
    """
    parts, largest = [_head(animation)], 0
    opaque = animation.min_alpha() >= MIN_OPAQUE_ALPHA
    before: Pixels | None = None
    error = 0.0
    for frame in animation.frames():
        wanted = frame.delay_ms / 10 + error
        delay = min(max(1, round(wanted)), MAX_DELAY) if frame.delay_ms else 0
        error = wanted - delay
        pixels = np.asarray(frame.image)
        if not opaque:
            needed: Mask = pixels[..., 3] >= MIN_OPAQUE_ALPHA
        elif before is None:
            needed = np.ones(pixels.shape[:2], np.bool_)
        else:
            needed = packed(pixels) != packed(before)
        box = box_of_mask(needed) or (0, 0, 1, 1)
        left, top, right, bottom = box
        drawn = needed[top:bottom, left:right]
        reserved = 0 if opaque and drawn.all() else 1  # an index for transparency
        fixed = None
        if free_box:
            inside = np.zeros(needed.shape, np.bool_)
            inside[free_box[1] : free_box[3], free_box[0] : free_box[2]] = True
            fixed = ~inside[top:bottom, left:right]
        part = np.ascontiguousarray(pixels[top:bottom, left:right])
        indexed = index_pixels(part, drawn, colors - reserved, fixed)
        parts.append(_frame(indexed, drawn, box, delay, _KEEP if opaque else _CLEAR))
        largest = max(largest, len(indexed[1]))
        before = pixels
    return b"".join((*parts, b";")), largest


def _head(animation: Animation) -> bytes:
    """Return header, screen descriptor and loop extension."""
    head = b"GIF89a" + struct.pack("<HHBBB", *animation.size, 0x70, 0, 0)
    if animation.count == 1 or animation.plays == 1:
        return head
    repetitions = min(animation.plays - 1, 0xFFFF) if animation.plays else 0
    return head + b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", repetitions) + b"\0"


def _frame(indexed: Indexed, drawn: Mask, box: Box, delay: int, disposal: int) -> bytes:
    """Return graphic control extension, image descriptor, color table and image data."""
    (indexes, palette), (left, top, right, bottom) = indexed, box
    # Pillow fills cleared and uncovered areas with a color unless the frame has a transparent index.
    is_partial = disposal == _CLEAR or not drawn.all()
    transparent = len(palette)
    indexes = np.where(drawn, indexes, transparent).astype(np.uint8) if is_partial else indexes
    bits = max(1, (transparent + is_partial - 1).bit_length())
    table = palette.tobytes().ljust(3 << bits, b"\0")
    control = struct.pack("<BHB", disposal << 2 | is_partial, delay, transparent if is_partial else 0)
    size = struct.pack("<HHHHB", left, top, right - left, bottom - top, 0x80 | bits - 1)
    code_size = max(2, bits)
    data = Image.fromarray(indexes).tobytes("gif", "L", code_size, 0)
    return b"".join((b"!\xf9\x04", control, b"\0,", size, table, bytes([code_size]), data, b"\0"))


def index_pixels(
    pixels: Pixels, needed: NDArray[np.bool_], colors: int, exact_where: NDArray[np.bool_] | None = None
) -> Indexed:
    """Convert RGBA pixels to indexes of a palette of at most `colors`.

    Only the `needed` pixels count; the indexes of the others are arbitrary. Pixels `exact_where` keep their color as
    far as the palette has room.
    """
    keys = packed(pixels) & COLOR_MASK
    used = _distinct(keys[needed])
    if len(used) <= colors:
        if keys.size < FEW_PIXELS:
            return np.searchsorted(used, keys).astype(np.uint8), _rgb(used)
        table = np.zeros(COLOR_MASK + 1, np.uint8)
        table[used] = np.arange(len(used))
        return table[keys], _rgb(used)
    if exact_where is not None:
        fixed = _distinct(keys[needed & exact_where])
        if len(fixed) <= colors:
            free, palette = keys[needed & ~exact_where], _rgb(fixed)
            if room := colors - len(fixed):
                palette = np.concatenate((palette, make_palette(histogram(free), room)))
            used = _distinct(free)
            table = np.zeros(COLOR_MASK + 1, np.uint8)
            table[used] = nearest(_rgb(used).astype(np.float32), palette)
            table[fixed] = np.arange(len(fixed))
            return table[keys], palette
    bits = LOOKUP_BITS if len(used) <= FEW_COLORS else CELL_BITS
    palette = make_palette(histogram(keys[needed], bits), colors)
    return _dithered(pixels, needed, keys, palette), palette


def _dithered(pixels: Pixels, needed: NDArray[np.bool_], keys: Keys, palette: NDArray[np.uint8]) -> Indexes:
    """Return the nearest colors; areas whose colors form visible bands are dithered."""
    means: Histogram = histogram(keys[needed], LOOKUP_BITS)
    rounded = means.colors.astype(np.uint32)
    cells = cell_numbers(rounded[:, 0] | rounded[:, 1] << 8 | rounded[:, 2] << 16, LOOKUP_BITS)
    table = np.zeros(1 << 3 * LOOKUP_BITS, np.uint8)
    table[cells] = nearest(means.colors, palette)
    plain: Indexes = table[cell_numbers(keys, LOOKUP_BITS)]
    source = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
    # In textures, the mean error of the surrounding pixels averages out, in bands it does not.
    error = ImageChops.subtract(source, Image.fromarray(palette[plain]), scale=1, offset=128)
    distance = error.filter(ImageFilter.BoxBlur(BAND_RADIUS)).point([abs(value - 128) for value in range(256)] * 3)
    banded = (np.asarray(distance).max(axis=2) >= MIN_BAND_ERROR) & needed
    if not banded.any():
        return plain
    holder = Image.new("P", (1, 1))
    holder.putpalette(palette.tobytes())
    diffused = np.asarray(source.quantize(palette=holder, dither=Image.Dither.FLOYDSTEINBERG))
    return np.where(banded, np.minimum(diffused, len(palette) - 1), plain).astype(np.uint8)


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
