"""Writes animated PNG files (PNG third edition, 11.3.6): every frame is kept, without loss, with its exact delay."""

import struct
from collections.abc import Iterator

import numpy as np

from mediakit.engines.animations.frames import Animation, Pixels, changed_box
from mediakit.engines.animations.png_rows import compress_rows
from mediakit.engines.png import SIGNATURE, chunk, icc_chunk

_RGB, _RGBA = 2, 6
"""Color types of PNG."""


def encode_apng(animation: Animation, *, opaque: bool) -> bytes:
    """Encode an animated PNG.

    Args:
        animation: The frames.
        opaque: Whether no frame has transparency; the file then has no alpha channel.
    """
    width, height = animation.size
    header = struct.pack(">IIBBBBB", width, height, 8, _RGB if opaque else _RGBA, 0, 0, 0)
    parts = [SIGNATURE, chunk(b"IHDR", header)]
    if animation.icc_profile:
        parts.append(icc_chunk(animation.icc_profile))
    parts.append(chunk(b"acTL", struct.pack(">II", animation.count, animation.loop)))
    return b"".join((*parts, *_frame_chunks(animation, 3 if opaque else 4), chunk(b"IEND", b"")))


def _frame_chunks(animation: Animation, bands: int) -> Iterator[bytes]:
    before: Pixels | None = None
    number = 0
    for frame in animation.frames():
        pixels = np.asarray(frame.image)
        left, top, right, bottom = changed_box(before, pixels) or (0, 0, 1, 1)
        # A frame replaces its box: dispose op "none", blend op "source".
        control = (number, right - left, bottom - top, left, top, *_delay(frame.delay_ms), 0, 0)
        yield chunk(b"fcTL", struct.pack(">IIIIIHHBB", *control))
        data = compress_rows(np.ascontiguousarray(pixels[top:bottom, left:right, :bands]))
        yield chunk(b"IDAT", data) if before is None else chunk(b"fdAT", struct.pack(">I", number + 1) + data)
        number += 1 if before is None else 2
        before = pixels


def _delay(milliseconds: int) -> tuple[int, int]:
    """Return numerator and denominator in seconds, 16 bits each."""
    if milliseconds <= 0xFFFF:
        return milliseconds, 1000
    return min(round(milliseconds / 10), 0xFFFF), 100
