"""PNG row filters and compression for 8-bit and 16-bit pixels (ISO/IEC 15948, 9)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from zlib_ng import zlib_ng

DEFLATE_LEVEL = 4
ROWS_PER_STRIP = 256
"""Rows that are filtered at once, to limit memory."""

Rows = NDArray[np.uint8]
"""Bytes of the pixels: height, width and bytes of a pixel."""


def compress_rows(rows: Rows, level: int = DEFLATE_LEVEL) -> bytes:
    """Return the zlib stream of an image. Each row gets the filter with the smallest sum of differences."""
    deflate = zlib_ng.compressobj(level)
    parts = [deflate.compress(strip) for strip in _filtered(rows)]
    return b"".join((*parts, deflate.flush()))


def _filtered(rows: Rows) -> Iterator[bytes]:
    height, width, depth = rows.shape
    for top in range(0, height, ROWS_PER_STRIP):
        strip = rows[top : top + ROWS_PER_STRIP]
        above = np.zeros_like(strip)
        above[1:] = strip[:-1]
        if top:
            above[0] = rows[top - 1]
        left = np.zeros_like(strip)
        left[:, 1:] = strip[:, :-1]
        mean = (above >> 1) + (left >> 1) + (above & left & 1)
        candidates = (strip, strip - left, strip - above, strip - mean)  # the filters 0 to 3
        costs = np.stack([np.minimum(each, -each).sum(axis=(1, 2), dtype=np.int64) for each in candidates])
        costs[0] //= 2  # unfiltered rows of few colors compress better than their values suggest
        best = costs.argmin(axis=0)
        result = np.empty((len(strip), 1 + width * depth), np.uint8)
        result[:, 0] = best
        for number, each in enumerate(candidates):
            chosen = best == number
            result[chosen, 1:] = each[chosen].reshape(-1, width * depth)
        yield result.tobytes()
