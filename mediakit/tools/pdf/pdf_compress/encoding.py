"""Encodes pixels for a PDF: as JPEG, as Flate with or without PNG filters, and as CCITT Group 4.

It also finds the smallest encoding without loss.
"""

import io
import struct
import zlib
from collections.abc import Iterator

import numpy as np
from pikepdf import Array, Name, String
from PIL import Image, ImageChops

from mediakit.tools.pdf.pdf_compress.image import Encoded, PdfImage
from mediakit.tools.pdf.pdf_compress.pixels import decode, read_samples
from mediakit.tools.pdf.pdf_compress.streams import deflate

FULL_CHROMA_QUALITY = 85
"""JPEG quality from which colors have the resolution of the brightness."""

_PNG_CHANNELS = {"L": 1, "RGB": 3, "CMYK": 4}
_FAST_PIXELS = 1_500_000
"""Pixels from which PNG filters are chosen with less effort."""

_STRIP_OFFSETS, _STRIP_LENGTHS, _ROWS_PER_STRIP = 273, 279, 278
"""Tags of TIFF 6.0."""


def encode_jpeg(image: Image.Image, quality: int) -> Encoded:
    """Encode as a progressive JPEG.

    Args:
        image: Mode L, RGB or CMYK.
        quality: 1 to 100.
    """
    target = io.BytesIO()
    if image.mode == "CMYK":
        image = ImageChops.invert(image)  # Pillow inverts it again
    subsampling = "4:4:4" if quality >= FULL_CHROMA_QUALITY or image.mode == "CMYK" else "4:2:0"
    image.save(target, "JPEG", quality=quality, optimize=True, progressive=True, subsampling=subsampling)
    return Encoded(
        target.getvalue(),
        {"/Filter": "/DCTDecode", "/BitsPerComponent": 8, "/Width": image.width, "/Height": image.height},
    )


def encode_png(image: Image.Image) -> Encoded:
    """Encode with the PNG filter that suits each row (ISO/IEC 15948, 9).

    Args:
        image: Mode L, RGB or CMYK.
    """
    channels = _PNG_CHANNELS[image.mode]
    rows = image if channels < 4 else Image.frombytes("RGBA", image.size, image.tobytes())
    target = io.BytesIO()
    effort = 9 if image.width * image.height < _FAST_PIXELS else 6
    rows.save(target, "PNG", compress_level=effort)
    parameters = {"/Predictor": 15, "/Colors": channels, "/BitsPerComponent": 8, "/Columns": image.width}
    return _flate(_png_data(target.getvalue()), image.size, 8, parameters)


def encode_packed(values: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", width: int, bits: int) -> Encoded:
    """Encode values without a filter of rows.

    Args:
        values: Rows of values.
        width: Pixels of a row.
        bits: Bits of a value: 1, 2, 4 or 8.
    """
    return _flate(deflate(pack_bits(values, bits)), (width, len(values)), bits, None)


def pack_bits(values: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", bits: int) -> bytes:
    """Return values with fewer than eight bits each, each row beginning at a full byte."""
    if bits == 8:
        return np.ascontiguousarray(values).tobytes()
    per_byte = 8 // bits
    padded = np.pad(values, ((0, 0), (0, -values.shape[1] % per_byte))).reshape(len(values), -1, per_byte)
    result = np.zeros(padded.shape[:2], np.uint8)
    for index in range(per_byte):
        result |= padded[:, :, index] << np.uint8(8 - bits * (index + 1))
    return result.tobytes()


def encode_group4(data: bytes, width: int, height: int) -> Encoded:
    """Encode pixels of one bit as CCITT Group 4 (ITU-T T.6).

    Args:
        data: Rows that begin at full bytes; 0 is black, as in the default of PDF.
        width: Pixels of a row.
        height: Number of rows.
    """
    target = io.BytesIO()
    image = ImageChops.invert(Image.frombytes("1", (width, height), data))  # in T.6 a bit of 1 is black
    image.save(target, "TIFF", compression="group4", tiffinfo={_ROWS_PER_STRIP: height})
    parameters = {"/K": -1, "/Columns": width, "/Rows": height}
    return Encoded(
        _only_strip(target.getvalue()),
        {"/Filter": "/CCITTFaxDecode", "/DecodeParms": parameters, "/Width": width, "/Height": height},
    )


def _flate(data: bytes, size: tuple[int, int], bits: int, parameters: dict[str, int] | None) -> Encoded:
    changes: dict[str, object] = {"/Filter": "/FlateDecode", "/BitsPerComponent": bits}
    return Encoded(data, changes | {"/DecodeParms": parameters, "/Width": size[0], "/Height": size[1]})


def _png_data(content: bytes) -> bytes:
    """Return the compressed rows of a PNG."""
    parts, position = [], 8
    while position < len(content):
        length, name = struct.unpack_from(">L4s", content, position)
        if name == b"IDAT":
            parts.append(content[position + 8 : position + 8 + length])
        position += length + 12
    joined = b"".join(parts)
    return min(joined, deflate(zlib.decompress(joined)), key=len)


def _only_strip(content: bytes) -> bytes:
    with Image.open(io.BytesIO(content), formats=["TIFF"]) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]  # of Pillow's class for TIFF
        start, length = tags[_STRIP_OFFSETS][0], tags[_STRIP_LENGTHS][0]
    return content[start : start + length]


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
    return encode_lossless(decode(image), image)


def encode_lossless(pixels: Image.Image, image: PdfImage) -> Encoded:
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
    yield encode_packed(np.frombuffer(data, np.uint8).reshape(height, -1), width, 8).with_bits(1)
    yield encode_group4(data, width, height).with_bits(1)


def _same_layout(image: PdfImage) -> Iterator[Encoded]:
    """Compress samples as they are stored."""
    rows = np.frombuffer(read_samples(image), np.uint8).reshape(image.height, -1)
    yield encode_packed(rows, image.width, 8).with_bits(image.bits)


def _encodings(pixels: Image.Image, image: PdfImage) -> Iterator[Encoded]:
    fewer = None if image.is_exact or image.decode else _with_fewer_bits(pixels, image)
    if fewer is not None:
        yield fewer
        return
    flat = is_flat(pixels)
    if flat or image.space.family == "indexed":
        values = np.asarray(pixels)
        yield encode_packed(values.reshape(len(values), -1), pixels.width, 8)
    if not flat or image.space.family != "indexed":
        yield encode_png(pixels)


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
        return _smallest(_bilevel(pack_bits(values, 1), width, height))
    return encode_packed(values, width, bits)


def bits_for(colors: int) -> int:
    """Return the bits of a pixel that a number of colors needs."""
    return next(bits for bits in (1, 2, 4, 8) if colors <= 2**bits)
