"""The PNG encoder (ISO/IEC 15948): graphics, photographs, symbols of few colors, 16 bits, rows, and recompression."""

import struct
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from zlib_ng import zlib_ng

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
NO_FILTER, UP_FILTER, AVERAGE_FILTER = b"\0", b"\2", 3
"""Filters of rows (9.2): none, the value above, and the mean of the values to the left and above."""
INDEXED = 3
CHANNEL_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}
"""Color types (11.2.2) by number of channels."""
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Number of channels by color type."""

DEFLATE_LEVEL = 6
"""Level of zlib-ng for graphics: about as small as level 6 of zlib, in a third of the time."""
SYMBOL_LEVEL = 4
PHOTO_LEVEL = 3
ROWS_PER_STRIP = 128
"""Rows that are filtered at once, to limit memory."""
INCHES_PER_METER = 39.3701

SAMPLE_PIXELS = 256
"""Side of the central square that is inspected."""
MIN_PHOTO_RESIDUAL = 3.0
"""Mean prediction error above which an image counts as a photograph."""


Band = tuple[bytes, int]
"""Equal rows: one of them (a byte per module, black on white, or pixels packed at a bit depth), and their number."""

Chunks = Iterable[tuple[bytes, bytes]]
"""Types and contents of chunks."""


def assemble(
    size: tuple[int, int], color_type: int, data: bytes, *, depth: int = 8, before: Chunks = (), frames: bytes = b""
) -> bytes:
    """Return a PNG file of filtered and compressed rows, or of the encoded chunks of an animation.

    `color_type` is a value of `CHANNEL_TYPES`, `depth` the bits per channel. Chunks `before` the pixels are a palette
    or an ICC profile, for example.
    """
    header = struct.pack(">IIBBBBB", *size, depth, color_type, 0, 0, 0)
    parts = [chunk(kind, content) for kind, content in ((b"IHDR", header), *before)]
    return b"".join((SIGNATURE, *parts, frames or chunk(b"IDAT", data), chunk(b"IEND", b"")))


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk: length, type, content and CRC (5.3)."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib_ng.crc32(kind + content))


def insert(png: bytes, extra: Chunks) -> bytes:
    """Return a PNG with further chunks before its pixels."""
    end = len(SIGNATURE) + 25  # of the header
    return b"".join((png[:end], *(chunk(kind, content) for kind, content in extra), png[end:]))


def profile_content(profile: bytes) -> bytes:
    """Return the content of an iCCP chunk (11.3.3.3)."""
    return b"ICC Profile\0\0" + zlib_ng.compress(profile)


def resolution_content(dots_per_inch: float, vertical: float | None = None) -> bytes:
    """Return the content of a pHYs chunk (11.3.5.3)."""
    x, y = (round(dots * INCHES_PER_METER) for dots in (dots_per_inch, vertical or dots_per_inch))
    return struct.pack(">IIB", x, y, 1)


def spans(png: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield type, start and end of the content of each chunk, up to IEND; the last may end beyond a truncated file."""
    kind, start = b"", len(SIGNATURE) + 8
    while kind != b"IEND" and start <= len(png):
        length, kind = struct.unpack_from(">I4s", png, start - 8)
        yield kind, start, start + length
        start += length + 12


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield type and content of each chunk.

    Raises:
        ValueError: The input is not a PNG.
    """
    if not png.startswith(SIGNATURE):
        raise ValueError("This is not a PNG.")
    return ((kind, png[start:end]) for kind, start, end in spans(png))


def encode_graphics(image: "Image.Image", level: int = DEFLATE_LEVEL) -> bytes:
    """Encode an L, LA, RGB or RGBA image with large plain areas, for which no row filter compresses best (12.8).

    A row that equals the one above becomes zeros, which compress faster.
    """
    pixels, stride = image.tobytes(), len(image.getbands()) * image.width
    rows = [pixels[start : start + stride] for start in range(0, len(pixels), stride)]
    repeated = UP_FILTER + bytes(stride)
    filtered = b"".join(
        repeated if row == above else NO_FILTER + row for row, above in zip(rows, [None, *rows], strict=False)
    )
    return assemble(image.size, CHANNEL_TYPES[len(image.getbands())], zlib_ng.compress(filtered, level))


def encode_indexed(
    width: int,
    bands: Iterable[Band],
    palette: bytes,
    *,
    depth: int = 1,
    alpha: bytes = b"",
    dots_per_inch: int | None = None,
    level: int = SYMBOL_LEVEL,
) -> bytes:
    """Encode an image of few colors and many equal rows.

    For so few bits this is many times faster than a general encoder, and smaller: a row equal to the one above is all
    zeros, so each row of modules is packed once, however many pixels high it is.

    The palette has red, green and blue of each color, `alpha` the opacity of each; empty if all are opaque. The depth
    is 1, 2, 4 or 8 bits per pixel, `level` that of zlib-ng.
    """
    filled = [(row, height) for row, height in bands if height]
    pixels = b"".join(NO_FILTER + row + (UP_FILTER + bytes(len(row))) * (height - 1) for row, height in filled)
    before = [(b"PLTE", palette)]
    if alpha:
        before.append((b"tRNS", alpha))
    if dots_per_inch:
        before.append((b"pHYs", resolution_content(dots_per_inch)))
    size = width, sum(height for _, height in filled)
    return assemble(size, INDEXED, zlib_ng.compress(pixels, level), depth=depth, before=before)


def is_photographic(image: "Image.Image") -> bool:
    """Return whether neighboring pixels differ as in a photograph; gradients compress better with other filters."""
    import numpy as np

    left, top = (max(0, side - SAMPLE_PIXELS) // 2 for side in image.size)
    sample = _pixels(image.crop((left, top, left + SAMPLE_PIXELS, top + SAMPLE_PIXELS)))
    residuals = [strip - mean for strip, _, _, mean in _with_neighbors(sample)]
    distance = sum(int(np.minimum(each, -each).sum(dtype=np.int64)) for each in residuals)
    return distance / sample.size > MIN_PHOTO_RESIDUAL


def encode_photo(image: "Image.Image") -> bytes:
    """Encode a photograph (L, LA, RGB or RGBA) with one filter for all rows, twice as fast as trying five per row."""
    deflate = zlib_ng.compressobj(PHOTO_LEVEL)
    strips = _with_neighbors(_pixels(image))
    data = [deflate.compress(with_filters(AVERAGE_FILTER, strip - mean)) for strip, _, _, mean in strips]
    return assemble(image.size, CHANNEL_TYPES[len(image.getbands())], b"".join((*data, deflate.flush())))


def encode_deep(pixels: "NDArray[np.uint16]", before: Chunks = ()) -> bytes:
    """Encode pixels with 16 bits per channel: an array of height, width and 1 to 4 channels."""
    height, width, channels = pixels.shape
    rows = pixels.astype(">u2").view("u1").reshape(height, width, channels * 2)
    return assemble((width, height), CHANNEL_TYPES[channels], compress_rows(rows), depth=16, before=before)


def compress_rows(rows: "NDArray[np.uint8]") -> bytes:
    """Return the zlib stream of rows (height, width, bytes of a pixel), each with the filter that suits it best."""
    import numpy as np

    deflate, data = zlib_ng.compressobj(SYMBOL_LEVEL), []
    for strip, left, above, mean in _with_neighbors(rows):
        candidates = np.stack((strip, strip - left, strip - above, strip - mean))  # the filters 0 to 3
        costs = np.minimum(candidates, -candidates).sum(axis=(2, 3), dtype=np.int64)
        costs[0] //= 2  # unfiltered rows of few colors compress better than their values suggest
        best = costs.argmin(axis=0)
        data.append(deflate.compress(with_filters(best, candidates[best, np.arange(len(strip))])))
    return b"".join((*data, deflate.flush()))


def _pixels(image: "Image.Image") -> "NDArray[np.uint8]":
    """Return an array of height, width and channels."""
    import numpy as np

    return np.asarray(image).reshape(image.height, image.width, -1)


def _with_neighbors(rows: "NDArray[np.uint8]") -> "Iterator[tuple[NDArray[np.uint8], ...]]":
    """Yield strips of rows, each with the values to the left and above, and the means of both (9.2)."""
    import numpy as np

    for top in range(0, len(rows), ROWS_PER_STRIP):
        strip = rows[top : top + ROWS_PER_STRIP]
        above, left = np.zeros_like(strip), np.zeros_like(strip)
        above[1:], left[:, 1:] = strip[:-1], strip[:, :-1]
        if top:
            above[0] = rows[top - 1]
        yield strip, left, above, (above >> 1) + (left >> 1) + (above & left & 1)


def with_filters(filters: "int | NDArray[np.intp]", strip: "NDArray[np.uint8]") -> bytes:
    """Return filtered rows, each after the number of its filter."""
    import numpy as np

    numbers = np.broadcast_to(np.asarray(filters, np.uint8), len(strip))
    return np.column_stack((numbers, strip.reshape(len(strip), -1))).tobytes()


RECOMPRESSION_LEVEL = 5
"""Level of zlib-ng: up to 8 % larger than level 6, in three quarters of the time."""

SAMPLE_LEVEL = 2
"""Level for the samples that choose a filter."""

STRIP_BYTES = 1 << 19
"""Size of the rows that are in memory at once, and have the same filter."""

SAMPLE_ROWS = 24
"""Rows of a strip that choose its filter."""

Rows: TypeAlias = "NDArray[np.uint8]"
"""Rows of equal length, each after the number of its filter."""


def recompress(png: bytes) -> bytes:
    """Compress the pixel data of a PNG that is not interlaced; return the input if the result is not smaller.

    Raises:
        ValueError: The input is not a PNG.
    """
    parts = list(chunks(png))
    width, _, depth, color_type = struct.unpack_from(">IIBB", parts[0][1])
    row_bytes = 1 + (width * depth * CHANNELS[color_type] + 7) // 8  # with its filter
    strips = _strips((content for kind, content in parts if kind == b"IDAT"), row_bytes)
    deflate = zlib_ng.compressobj(RECOMPRESSION_LEVEL)
    data = [deflate.compress(strip.data) for strip in _filtered(strips, row_bytes)]
    head = [chunk(kind, content) for kind, content in parts if kind not in (b"IDAT", b"IEND")]
    pixels = chunk(b"IDAT", b"".join((*data, deflate.flush())))
    smaller = b"".join((SIGNATURE, *head, pixels, chunk(b"IEND", b"")))
    return smaller if len(smaller) < len(png) else png


def _strips(data: Iterable[bytes], row_bytes: int) -> Iterator[Rows]:
    """Inflate rows, a strip at a time."""
    import numpy as np

    strip_bytes = max(STRIP_BYTES // row_bytes, 1) * row_bytes
    inflate, strip = zlib_ng.decompressobj(), bytearray()
    for part in data:
        rest = part
        while rest:
            strip += inflate.decompress(rest, strip_bytes - len(strip))
            rest = inflate.unconsumed_tail
            if len(strip) == strip_bytes:
                yield np.frombuffer(strip, np.uint8).reshape(-1, row_bytes)
                strip = bytearray()
    strip += inflate.flush()
    if strip:
        yield np.frombuffer(strip, np.uint8).reshape(-1, row_bytes)


def _filtered(strips: Iterable[Rows], row_bytes: int) -> Iterator[Rows]:
    """Yield strips, without their filter where that makes them smaller and all rows so far have the up filter."""
    import numpy as np

    above: Rows | None = np.zeros(row_bytes, np.uint8)
    for strip in strips:
        if above is None or (strip[:, 0] != UP_FILTER[0]).any():
            above = None
            yield strip
            continue
        plain = strip.copy()
        plain[:, 0] = NO_FILTER[0]
        plain[0] += above
        np.add.accumulate(plain, axis=0, out=plain)  # rows are stored as differences from the row above
        above = plain[-1].copy()
        yield strip if _sample_bytes(strip) < _sample_bytes(plain) else plain


def _sample_bytes(strip: Rows) -> int:
    """Return the compressed size of the middle rows of a strip."""
    middle = max((len(strip) - SAMPLE_ROWS) // 2, 0)
    return len(zlib_ng.compress(strip[middle : middle + SAMPLE_ROWS].data, SAMPLE_LEVEL))
