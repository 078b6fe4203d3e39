"""Writes animated WebP files (RFC 9649) frame by frame: no frame is merged or dropped, and delays are exact.

Each frame is encoded as a still image of the part that changed, and replaces that part.
"""

import struct
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from itertools import chain
from typing import NamedTuple

import numpy as np
from PIL import Image

from mediakit.engines.animations.frames import Animation, Box, Pixels, changed_box

_PIXEL_CHUNKS = (b"ALPH", b"VP8 ", b"VP8L")
_NO_BLENDING = 0x02
_ICC_FLAG, _ALPHA_FLAG, _ANIMATION_FLAG = 0x20, 0x10, 0x02
_THREADS = 2
_FAST_FRAME_PIXELS = 400_000
"""Pixels of a frame up to which a slower setting is used."""


class _Encoded(NamedTuple):
    """Chunks of a frame."""

    content: bytes
    has_alpha: bool


def encode_webp(animation: Animation, *, quality: int = 80, lossless: bool = False) -> bytes:
    """Encode an animated WebP.

    Args:
        animation: Sides of at most 16383 pixels.
        quality: 1 to 100; ignored if `lossless`.
        lossless: Keep every pixel of every frame.
    """
    encoded = list(_frame_chunks(animation, quality, lossless=lossless))
    chunks = [each.content for each in encoded]
    width, height = animation.size
    flags = _ANIMATION_FLAG | (_ICC_FLAG if animation.icc_profile else 0)
    if any(each.has_alpha for each in encoded):
        flags |= _ALPHA_FLAG
    head = struct.pack("<I", flags) + _three_bytes(width - 1) + _three_bytes(height - 1)
    profile = [_chunk(b"ICCP", animation.icc_profile)] if animation.icc_profile else []
    start = _chunk(b"ANIM", struct.pack("<IH", 0, animation.loop))
    body = b"".join((b"WEBP", _chunk(b"VP8X", head), *profile, start, *chunks))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _frame_chunks(animation: Animation, quality: int, *, lossless: bool) -> Iterator[_Encoded]:
    """Encode frames in threads; few frames are in memory at once."""
    before: Pixels | None = None
    waiting: list[tuple[Box, int, Future[_Encoded]]] = []
    with ThreadPoolExecutor(_THREADS) as pool:
        for frame in animation.frames():
            pixels = np.asarray(frame.image)
            box = _even(changed_box(before, pixels) or (0, 0, 1, 1))
            part = frame.image.crop(box)
            waiting.append((box, frame.delay_ms, pool.submit(_encode, part, quality, lossless)))
            before = pixels
            if len(waiting) > _THREADS:
                yield _frame_chunk(*waiting.pop(0))
        yield from (_frame_chunk(*each) for each in waiting)


def _encode(image: Image.Image, quality: int, lossless: bool) -> _Encoded:  # noqa: FBT001 - called by a thread pool
    """Return the chunks of a still image that hold its pixels."""
    has_alpha = image.getchannel("A").getextrema() != (255, 255)
    if not has_alpha:
        image = image.convert("RGB")
    is_small = image.width * image.height <= _FAST_FRAME_PIXELS
    buffer = BytesIO()
    if lossless:
        image.save(
            buffer, "WEBP", lossless=True, quality=20 if is_small else 0, method=2 if is_small else 0, exact=True
        )
    else:
        image.save(buffer, "WEBP", quality=quality, method=3 if is_small else 1)
    chunks = (_chunk(name, content) for name, content in _chunks(buffer.getvalue()) if name in _PIXEL_CHUNKS)
    return _Encoded(b"".join(chunks), has_alpha)


def _frame_chunk(box: Box, delay_ms: int, encoded: Future[_Encoded]) -> _Encoded:
    left, top, right, bottom = box
    numbers = (left // 2, top // 2, right - left - 1, bottom - top - 1, delay_ms)
    head = b"".join(map(_three_bytes, numbers)) + bytes([_NO_BLENDING])
    content, has_alpha = encoded.result()
    return _Encoded(_chunk(b"ANMF", head + content), has_alpha)


def _even(box: Box) -> Box:
    """Move left and top of a box to even numbers, which the format requires."""
    left, top, right, bottom = box
    return left & ~1, top & ~1, right, bottom


def _three_bytes(value: int) -> bytes:
    return value.to_bytes(3, "little")


def _chunk(name: bytes, content: bytes) -> bytes:
    return b"".join(chain((name, struct.pack("<I", len(content)), content), (b"\0",) * (len(content) & 1)))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and content of the chunks of a WebP file."""
    start = 12
    while start + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, start)
        yield name, content[start + 8 : start + 8 + length]
        start += 8 + length + (length & 1)
