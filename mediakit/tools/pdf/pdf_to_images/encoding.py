"""Encodes drawn pixels; PNGs straight from the pixels, with a filter for each strip and zlib-ng."""

import struct
from io import BytesIO

import numpy as np
import pymupdf
from numpy.typing import NDArray
from PIL import Image
from zlib_ng import zlib_ng

from mediakit.engines.png import SIGNATURE, chunk
from mediakit.engines.raster.encode import encode as encode_image
from mediakit.tools.pdf.pdf_to_images.request import PdfToImagesRequest

Pixels = NDArray[np.uint8]
"""Height x width x channels."""

COLOR_TYPES = {3: 2, 4: 6}
"""PNG color type by the number of channels (ISO/IEC 15948, 11.2.2)."""

NO_FILTER, AVERAGE_FILTER = 0, 3
"""ISO/IEC 15948, 9.2."""

DEFLATE_LEVEL = 4
"""Level of zlib-ng: 3 % larger than level 6, in two thirds of the time."""

ROWS_PER_STRIP = 128

SAMPLED_ROWS = 8
"""Rows of a strip that choose its filter."""

MIN_EQUAL_NEIGHBORS = 0.35
"""Share of values that equal those of the pixel to the left, above which rows compress best without a filter."""

METERS_PER_INCH = 0.0254


def pixels_of(drawn: pymupdf.Pixmap) -> Pixels:
    """Return drawn pixels as RGB, or as RGBA that is not premultiplied."""
    shape = (drawn.height, drawn.width, drawn.n)
    samples = np.frombuffer(drawn.samples, np.uint8)  # a copy: MuPDF frees its own with the pixmap
    pixels = samples.reshape(drawn.height, drawn.stride)[:, : drawn.width * drawn.n].reshape(shape)
    if not drawn.alpha:
        return pixels
    premultiplied = Image.frombuffer(
        "RGBa", (drawn.width, drawn.height), np.ascontiguousarray(pixels), "raw", "RGBa", 0, 1
    )
    return np.asarray(premultiplied.convert("RGBA"))


def encode(pixels: Pixels, request: PdfToImagesRequest, dpi: float) -> bytes:
    """Return pixels as a file in the format of the request."""
    if request.format == "png":
        return encode_pixels(pixels, dpi)
    image = Image.fromarray(pixels)
    if request.format == "webp":
        return encode_image(image, "webp", request.quality)
    target = BytesIO()
    image.save(target, "JPEG", quality=request.quality, dpi=(round(dpi), round(dpi)))
    return target.getvalue()


def encode_pixels(pixels: Pixels, dpi: float | None = None) -> bytes:
    """Encode pixels as PNG.

    Args:
        pixels: Height x width x 3 (RGB) or 4 (RGBA, not premultiplied).
        dpi: Resolution to store in the file.
    """
    height, width, channels = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, COLOR_TYPES[channels], 0, 0, 0)
    parts = [SIGNATURE, chunk(b"IHDR", header)]
    if dpi:
        per_meter = round(dpi / METERS_PER_INCH)
        parts.append(chunk(b"pHYs", struct.pack(">IIB", per_meter, per_meter, 1)))
    rows = pixels.reshape(height, width * channels)
    deflate = zlib_ng.compressobj(DEFLATE_LEVEL)
    data = [deflate.compress(_strip(rows, top, channels).data) for top in range(0, height, ROWS_PER_STRIP)]
    parts += [chunk(b"IDAT", b"".join((*data, deflate.flush()))), chunk(b"IEND", b"")]
    return b"".join(parts)


def _strip(rows: Pixels, top: int, channels: int) -> Pixels:
    """Return rows with their filter in front of each."""
    strip = rows[top : top + ROWS_PER_STRIP]
    filtered = np.empty((strip.shape[0], strip.shape[1] + 1), np.uint8)
    if _is_plain(strip, channels):
        filtered[:, 0] = NO_FILTER
        filtered[:, 1:] = strip
    else:
        filtered[:, 0] = AVERAGE_FILTER
        filtered[:, 1:] = strip - _averages(rows, top, channels)
    return filtered


def _is_plain(strip: Pixels, channels: int) -> bool:
    """Return whether neighbors are mostly equal, as in text and drawings, unlike in photographs."""
    sample = strip[:: max(1, len(strip) // SAMPLED_ROWS)]
    left, right = sample[:, :-channels], sample[:, channels:]
    return not right.size or float((left == right).mean()) > MIN_EQUAL_NEIGHBORS


def _averages(rows: Pixels, top: int, channels: int) -> Pixels:
    """Return the mean, rounded down, of the values to the left and above."""
    strip = rows[top : top + ROWS_PER_STRIP]
    left, above = np.zeros_like(strip), np.zeros_like(strip)
    left[:, channels:] = strip[:, :-channels]
    above[1:] = strip[:-1]
    if top:
        above[0] = rows[top - 1]
    average: Pixels = (left & above) + ((left ^ above) >> 1)
    return average
