"""Encodes pixels for a PDF: JPEG, Flate with or without PNG filters, and CCITT Group 4."""

import io
import struct
import zlib

import numpy as np
from PIL import Image, ImageChops

from mediakit.tools.pdf.pdf_compress.flate import deflate
from mediakit.tools.pdf.pdf_compress.images.image import Encoded

FULL_CHROMA_QUALITY = 85
"""JPEG quality from which colors have the resolution of the brightness."""

_PNG_CHANNELS = {"L": 1, "RGB": 3, "CMYK": 4}
_FAST_PIXELS = 1_500_000
"""Pixels from which PNG filters are chosen with less effort."""

_STRIP_OFFSETS, _STRIP_LENGTHS, _ROWS_PER_STRIP = 273, 279, 278
"""Tags of TIFF 6.0."""


def jpeg(image: Image.Image, quality: int) -> Encoded:
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


def png(image: Image.Image) -> Encoded:
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


def packed(values: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", width: int, bits: int) -> Encoded:
    """Encode values without a filter of rows.

    Args:
        values: Rows of values.
        width: Pixels of a row.
        bits: Bits of a value: 1, 2, 4 or 8.
    """
    return _flate(deflate(pack(values, bits)), (width, len(values)), bits, None)


def pack(values: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", bits: int) -> bytes:
    """Return values with fewer than eight bits each, each row beginning at a full byte."""
    if bits == 8:
        return np.ascontiguousarray(values).tobytes()
    per_byte = 8 // bits
    padded = np.pad(values, ((0, 0), (0, -values.shape[1] % per_byte))).reshape(len(values), -1, per_byte)
    result = np.zeros(padded.shape[:2], np.uint8)
    for index in range(per_byte):
        result |= padded[:, :, index] << np.uint8(8 - bits * (index + 1))
    return result.tobytes()


def group4(data: bytes, width: int, height: int) -> Encoded:
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
