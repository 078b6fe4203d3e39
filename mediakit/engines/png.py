"""PNG files (ISO/IEC 15948): chunks, fast recompression and an encoder for plain graphics."""

import struct
from collections.abc import Iterator

from PIL import Image
from zlib_ng import zlib_ng

SIGNATURE = b"\x89PNG\r\n\x1a\n"
NO_FILTER, UP_FILTER = b"\0", b"\2"
COLOR_TYPES = {"RGB": 2, "RGBA": 6}
DEFLATE_LEVEL = 6
"""Level of zlib-ng: about as small as level 6 of zlib, in a third of the time."""

BLOCK_BYTES = 1 << 20
"""Bytes of decompressed pixels that are in memory at once."""


def recompress(png: bytes, level: int = DEFLATE_LEVEL) -> bytes:
    """Compress the pixel data of a PNG again; return the input if the result is not smaller.

    Chromium takes five times as long for a small PNG as for a fast one. Inflating the fast one and deflating it again
    takes a fraction of that time, changes no pixel and releases the interpreter lock.

    Raises:
        ValueError: The input is not a PNG.
    """
    chunks = list(_chunks(png))
    pixels = _recompress_data([content for kind, content in chunks if kind == b"IDAT"], level)
    head = [chunk(kind, content) for kind, content in chunks if kind not in (b"IDAT", b"IEND")]
    smaller = b"".join((SIGNATURE, *head, chunk(b"IDAT", pixels), chunk(b"IEND", b"")))
    return smaller if len(smaller) < len(png) else png


def encode_graphics(image: Image.Image, level: int = DEFLATE_LEVEL) -> bytes:
    """Encode an image with large plain areas, for which no row filter compresses best (ISO/IEC 15948, 12.8).

    A row that equals the one above becomes zeros, which compress faster.

    Args:
        image: An RGB or RGBA image.
        level: Compression level of zlib-ng.
    """
    pixels, stride = image.tobytes(), len(image.getbands()) * image.width
    rows = [pixels[start : start + stride] for start in range(0, len(pixels), stride)]
    repeated = UP_FILTER + bytes(stride)
    filtered = b"".join(
        repeated if row == above else NO_FILTER + row for row, above in zip(rows, [None, *rows], strict=False)
    )
    header = struct.pack(">IIBBBBB", *image.size, 8, COLOR_TYPES[image.mode], 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib_ng.compress(filtered, level)), (b"IEND", b""))
    return SIGNATURE + b"".join(chunk(kind, content) for kind, content in parts)


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk: length, type, content and CRC (ISO/IEC 15948, 5.3)."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib_ng.crc32(kind + content))


def icc_chunk(profile: bytes) -> bytes:
    """Return the chunk of an ICC profile (ISO/IEC 15948, 11.3.3.3)."""
    return chunk(b"iCCP", b"ICC Profile\0\0" + zlib_ng.compress(profile))


def _recompress_data(parts: list[bytes], level: int) -> bytes:
    inflate, deflate = zlib_ng.decompressobj(), zlib_ng.compressobj(level)
    compressed = []
    for part in parts:
        rest = part
        while rest:
            compressed.append(deflate.compress(inflate.decompress(rest, BLOCK_BYTES)))
            rest = inflate.unconsumed_tail
    return b"".join((*compressed, deflate.compress(inflate.flush()), deflate.flush()))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield type and content of each chunk."""
    if not png.startswith(SIGNATURE):
        raise ValueError("This is not a PNG.")
    start = len(SIGNATURE)
    while start < len(png):
        (length,) = struct.unpack_from(">I", png, start)
        yield png[start + 4 : start + 8], png[start + 8 : start + 8 + length]
        start += length + 12
