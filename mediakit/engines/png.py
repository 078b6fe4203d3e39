"""PNG made small in little time: files of hasty renderers deflated again, and drawings written without filters."""

import struct
from collections.abc import Iterator

from PIL import Image
from zlib_ng import zlib_ng

SIGNATURE = b"\x89PNG\r\n\x1a\n"
NO_FILTER = b"\0"
LEVEL = 6
"""Of zlib-ng: about as small as zlib's own 6, in a third of its time."""

PIECE = 1 << 20
"""Bytes of pixels that are in memory at once."""


def deflated(png: bytes, level: int = LEVEL) -> bytes:
    """Deflate the pixels of a PNG again; the file as it was where that gains nothing.

    Chromium's own small PNG takes five times as long to write as its fast one. Inflating the fast one and deflating it
    again costs a fraction of that, touches no pixel and lets other threads run.

    Raises:
        ValueError: This is no PNG.
    """
    chunks = list(_chunks(png))
    pixels = _deflate_again([content for kind, content in chunks if kind == b"IDAT"], level)
    head = [_chunk(kind, content) for kind, content in chunks if kind not in (b"IDAT", b"IEND")]
    smaller = b"".join((SIGNATURE, *head, _chunk(b"IDAT", pixels), _chunk(b"IEND", b"")))
    return smaller if len(smaller) < len(png) else png


def written(image: Image.Image, level: int = LEVEL) -> bytes:
    """Write a drawing, which has large plain areas: there no filter of rows beats any (ISO/IEC 15948, 12.8).

    Args:
        image: An RGB picture.
        level: Of zlib-ng.
    """
    pixels, stride = image.tobytes(), 3 * image.width
    rows = b"".join(NO_FILTER + pixels[start : start + stride] for start in range(0, len(pixels), stride))
    header = struct.pack(">IIBBBBB", *image.size, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib_ng.compress(rows, level)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, content) for kind, content in parts)


def _deflate_again(parts: list[bytes], level: int) -> bytes:
    inflate, deflate = zlib_ng.decompressobj(), zlib_ng.compressobj(level)
    made = []
    for part in parts:
        rest = part
        while rest:
            made.append(deflate.compress(inflate.decompress(rest, PIECE)))
            rest = inflate.unconsumed_tail
    return b"".join((*made, deflate.compress(inflate.flush()), deflate.flush()))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Give the type and the content of each chunk (ISO/IEC 15948, 5.3)."""
    if not png.startswith(SIGNATURE):
        raise ValueError("This is no PNG.")
    start = len(SIGNATURE)
    while start < len(png):
        (length,) = struct.unpack_from(">I", png, start)
        yield png[start + 4 : start + 8], png[start + 8 : start + 8 + length]
        start += length + 12


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib_ng.crc32(kind + content))
