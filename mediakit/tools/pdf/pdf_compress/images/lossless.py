"""The smallest encoding of pixels without loss."""

from collections.abc import Iterator

import numpy as np
from pikepdf import Array, Name, String
from PIL import Image

from mediakit.tools.pdf.pdf_compress.images import encoding
from mediakit.tools.pdf.pdf_compress.images.image import Encoded, PdfImage
from mediakit.tools.pdf.pdf_compress.images.pixels import decode, read_samples

MAX_PALETTE_PIXELS = 12_000_000
"""Images with more pixels are not searched for a palette."""

FLAT_SHARE = 0.5
"""Share of pixels that equal their left neighbor above which an image is drawn, not photographed."""

Values = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def encode_stored(image: PdfImage) -> Encoded:
    """Return the smallest encoding of the pixels of an image with general filters.

    Raises:
        UndecodableError: The pixels cannot be read.
    """
    if image.bits == 1 and image.space.components == 1:
        return _smallest(_bilevel(read_samples(image), image.width, image.height))
    if image.bits < 8 or image.bits == 16 or image.space.family == "other":
        return _smallest(_same_layout(image))
    return encode(decode(image), image)


def encode(pixels: Image.Image, image: PdfImage) -> Encoded:
    """Return the smallest encoding of pixels.

    Args:
        pixels: The components, in mode L, RGB or CMYK.
        image: The image whose color space they have.
    """
    return _smallest(_encodings(pixels, image))


def is_flat(pixels: Image.Image) -> bool:
    """Return whether an image looks drawn: charts, screenshots and text, in contrast to photos and scans."""
    values = np.asarray(pixels)
    rows = values[:: max(1, len(values) // 400)]
    same = rows[:, 1:] == rows[:, :-1]
    equal = same.all(axis=2) if same.ndim == 3 else same
    return bool(equal.size and equal.mean() > FLAT_SHARE)


def _smallest(candidates: Iterator[Encoded]) -> Encoded:
    return min(candidates, key=lambda encoded: encoded.cost)


def _bilevel(data: bytes, width: int, height: int) -> Iterator[Encoded]:
    yield encoding.packed(np.frombuffer(data, np.uint8).reshape(height, -1), width, 8).with_bits(1)
    yield encoding.group4(data, width, height).with_bits(1)


def _same_layout(image: PdfImage) -> Iterator[Encoded]:
    """Compress samples as they are stored."""
    rows = np.frombuffer(read_samples(image), np.uint8).reshape(image.height, -1)
    yield encoding.packed(rows, image.width, 8).with_bits(image.bits)


def _encodings(pixels: Image.Image, image: PdfImage) -> Iterator[Encoded]:
    fewer = None if image.is_exact or image.decode else _with_fewer_bits(pixels, image)
    if fewer is not None:
        yield fewer
        return
    flat = is_flat(pixels)
    if flat or image.space.family == "indexed":
        values = np.asarray(pixels)
        yield encoding.packed(values.reshape(len(values), -1), pixels.width, 8)
    if not flat or image.space.family != "indexed":
        yield encoding.png(pixels)


def _with_fewer_bits(pixels: Image.Image, image: PdfImage) -> Encoded | None:
    """Return an encoding with a palette, or with fewer bits a pixel; None if all bits are needed."""
    match image.space.family:
        case "indexed":
            return _shorter_indexes(np.asarray(pixels))
        case "gray" | "ink":
            return _fewer_levels(np.asarray(pixels))
        case "rgb" if pixels.width * pixels.height <= MAX_PALETTE_PIXELS:
            return _with_palette(pixels, image)
    return None


def _shorter_indexes(values: Values) -> Encoded | None:
    bits = bits_for(int(values.max()) + 1)
    if bits == 8:
        return None
    return _few_bits(values, bits)


def _fewer_levels(values: Values) -> Encoded | None:
    """Return gray values with 1, 2 or 4 bits, if these can express them exactly."""
    levels = np.flatnonzero(np.bincount(values.ravel(), minlength=256))
    for bits, step in ((1, 255), (2, 85), (4, 17)):
        if not (levels % step).any():
            return _few_bits(values // np.uint8(step), bits)
    return None


def _with_palette(pixels: Image.Image, image: PdfImage) -> Encoded | None:
    if pixels.getcolors(256) is None:
        return None
    values = np.asarray(pixels).astype(np.uint32)
    codes = values[:, :, 0] << 16 | values[:, :, 1] << 8 | values[:, :, 2]
    colors, indexes = np.unique(codes, return_inverse=True)
    palette = np.stack([colors >> 16, colors >> 8 & 255, colors & 255], axis=1).astype(np.uint8)
    space = Array([Name.Indexed, image.stream.ColorSpace, len(colors) - 1, String(palette.tobytes())])
    encoded = _few_bits(indexes.reshape(codes.shape).astype(np.uint8), bits_for(len(colors)))
    return Encoded(encoded.data, {**encoded.changes, "/ColorSpace": space, "/Decode": None})


def _few_bits(values: Values, bits: int) -> Encoded:
    height, width = values.shape
    if bits == 1:
        return _smallest(_bilevel(encoding.pack(values, 1), width, height))
    return encoding.packed(values, width, bits)


def bits_for(colors: int) -> int:
    """Return the bits of a pixel that a number of colors needs."""
    return next(bits for bits in (1, 2, 4, 8) if colors <= 2**bits)
