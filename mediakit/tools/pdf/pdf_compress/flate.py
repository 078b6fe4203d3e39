"""Flate compression with the effort that the size of the data allows."""

import zlib
from typing import Final

BEST_LEVEL: Final = 9


def deflate(data: bytes) -> bytes:
    """Return data as a zlib stream."""
    return zlib.compress(data, BEST_LEVEL)


def inflate(data: bytes, limit: int) -> bytes:
    """Return the data of a zlib stream, which may be cut off or damaged at its end.

    Raises:
        ValueError: It has more than `limit` bytes.
        zlib.error: It is not a zlib stream.
    """
    decoder = zlib.decompressobj()
    inflated = decoder.decompress(data, limit + 1)
    if len(inflated) > limit:
        raise ValueError(f"more than {limit} bytes")
    return inflated
