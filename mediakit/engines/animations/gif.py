"""Writes animated GIF files (GIF89a): a palette for each frame, delays whose sum is exact, clean transparency."""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.animations.frames import Animation, Box, Pixels, box_of_mask, packed
from mediakit.engines.animations.indexing import Indexed, index_pixels

MIN_OPAQUE_ALPHA = 128
"""Alpha from which a pixel is opaque; GIF has no partial transparency."""

MAX_COLORS = 256
MAX_DELAY = 0xFFFF
"""Hundredths of a second."""

_KEEP, _CLEAR = 1, 2
"""Disposal methods: leave the frame, or restore its area to the background (GIF89a, 23)."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class GifFile:
    """A written GIF."""

    content: bytes
    colors: int
    """Size of the largest palette, without the transparent color."""


@dataclass(frozen=True, kw_only=True)
class GifOptions:
    """How frames are written."""

    opaque: bool
    """Whether no pixel has an alpha below 128. Frames then store only what changed; otherwise each frame is complete,
    and its area is cleared after it."""
    colors: int = MAX_COLORS
    """Size of the palettes, 2 to 256."""
    free_box: Box | None = None
    """If set, colors outside this box are kept exactly, as far as 256 suffice."""


def encode_gif(animation: Animation, options: GifOptions) -> GifFile:
    """Encode a GIF. Every frame is kept, and the sum of the delays is exact to 10 ms."""
    parts, largest = [_head(animation)], 0
    before: Pixels | None = None
    error = 0.0
    for frame in animation.frames():
        wanted = frame.delay_ms / 10 + error
        delay = min(max(1, round(wanted)), MAX_DELAY)
        error = wanted - delay
        pixels = np.asarray(frame.image)
        needed = _needed(pixels, before, options)
        box = box_of_mask(needed) or (0, 0, 1, 1)
        indexed = _indexed(pixels, needed, box, options)
        parts.append(_frame(indexed, _part(needed, box), box, delay, _KEEP if options.opaque else _CLEAR))
        largest = max(largest, len(indexed.palette))
        before = pixels
    return GifFile(b"".join((*parts, b";")), largest)


def _head(animation: Animation) -> bytes:
    """Return header, screen descriptor and loop extension."""
    head = b"GIF89a" + struct.pack("<HHBBB", *animation.size, 0x70, 0, 0)
    if animation.count == 1:
        return head
    return head + b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", animation.loop) + b"\0"


def _needed(pixels: Pixels, before: Pixels | None, options: GifOptions) -> Mask:
    """Return the pixels that the frame must draw."""
    if not options.opaque:
        opaque: Mask = pixels[..., 3] >= MIN_OPAQUE_ALPHA
        return opaque
    if before is None:
        return np.ones(pixels.shape[:2], np.bool_)
    changed: Mask = packed(pixels) != packed(before)
    return changed


def _indexed(pixels: Pixels, needed: Mask, box: Box, options: GifOptions) -> Indexed:
    part = _part(needed, box)
    left, top, right, bottom = box
    colors = options.colors - (0 if part.all() else 1)  # an index is reserved for transparency
    fixed = None
    if options.free_box:
        inside = np.zeros(needed.shape, np.bool_)
        x, y, x_end, y_end = options.free_box
        inside[y:y_end, x:x_end] = True
        fixed = ~_part(inside, box)
    return index_pixels(np.ascontiguousarray(pixels[top:bottom, left:right]), part, colors, fixed)


def _part(mask: Mask, box: Box) -> Mask:
    left, top, right, bottom = box
    return mask[top:bottom, left:right]


def _frame(indexed: Indexed, drawn: Mask, box: Box, delay: int, disposal: int) -> bytes:
    """Return graphic control extension, image descriptor, color table and image data."""
    left, top, right, bottom = box
    is_partial = not drawn.all()
    transparent = len(indexed.palette)
    indexes = np.where(drawn, indexed.indexes, transparent).astype(np.uint8) if is_partial else indexed.indexes
    entries = transparent + is_partial
    bits = max(1, (entries - 1).bit_length())
    table = indexed.palette.tobytes().ljust(3 << bits, b"\0")
    control = struct.pack("<BHB", disposal << 2 | is_partial, delay, transparent if is_partial else 0)
    size = struct.pack("<HHHHB", left, top, right - left, bottom - top, 0x80 | bits - 1)
    code_size = max(2, bits)
    data = Image.fromarray(indexes).tobytes("gif", "L", code_size, 0)
    return b"".join((b"!\xf9\x04", control, b"\0,", size, table, bytes([code_size]), data, b"\0"))
