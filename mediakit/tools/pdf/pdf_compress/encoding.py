"""Decodes the pixels of images, without `/Decode`, and encodes them: as JPEG, Flate or CCITT Group 4.

It also finds the smallest encoding without loss.
"""

import io
import warnings
import zlib
from typing import Any, Final

import numpy as np
import pikepdf
from PIL import Image, ImageChops

from mediakit.tools.pdf.pdf_compress.image import MODES, Encoded, PdfImage

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


class UndecodableError(ValueError):
    """A stream is damaged, or has a filter that is not for general data."""


def encoded_file(image: PdfImage) -> bytes:
    """Return the JPEG or JPEG 2000 file in an image.

    Raises:
        UndecodableError: It is wrapped in filters other than Flate, or damaged.
    """
    raw = image.stream.read_raw_bytes()
    for name in image.filters[:-1]:
        if name != "/FlateDecode":
            raise UndecodableError(name)
        try:
            raw = inflate(raw, image.width * image.height * 4 + 1_000_000)
        except (ValueError, zlib.error) as error:
            raise UndecodableError(str(error)) from error
    return raw


def decode(image: PdfImage, scale: float = 1.0) -> Image.Image:
    """Return the components of the pixels, eight bits each.

    Gray, indexed and single inks are mode L (indexed: the indexes), the others RGB and CMYK.

    Args:
        image: The image.
        scale: Factor to which the image will be reduced; a JPEG is decoded at a half, a quarter or an eighth of its
            size if that is enough.

    Raises:
        UndecodableError: The image is damaged, or of a kind that is not read.
    """
    if image.kind != "lossless":
        return _decode_file(image, scale)
    family = image.space.family
    if family not in MODES or image.bits not in (1, 2, 4, 8, 16):
        raise UndecodableError(family)
    data = read_samples(image)
    if image.bits != 8:
        values = unpack(data, image.width * image.space.components, image.height, image.bits)
        if image.bits < 8 and family != "indexed":
            values = values * np.uint8(255 // (2**image.bits - 1))
        data = np.ascontiguousarray(values).tobytes()
    return Image.frombytes(MODES[family], (image.width, image.height), data)


def read_samples(image: PdfImage) -> bytes:
    """Return the pixels of an image with general filters, packed as they are stored.

    Raises:
        UndecodableError: There are too few bytes, or the data is damaged.
    """
    size = -(-image.width * image.space.components * image.bits // 8) * image.height
    rows_size = size + image.height  # with the filter bytes of PNG predictors
    try:
        if image.filters == ["/FlateDecode"]:
            inflate(image.stream.read_raw_bytes(), rows_size + 1_000_000)
        data = image.stream.read_bytes()
    except (pikepdf.PdfError, zlib.error, ValueError) as error:
        raise UndecodableError(str(error)) from error
    if not size or len(data) < size:
        raise UndecodableError("there are too few bytes")
    return data[:size]


def unpack(data: bytes, width: int, height: int, bits: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    """Return values of 1, 2, 4, 8 or 16 bits, in rows of full bytes, as bytes; of 16 bits, the upper eight."""
    rows = np.frombuffer(data, np.uint8).reshape(height, -1)
    if bits == 16:
        return rows[:, ::2][:, :width]
    if bits == 8:
        return rows[:, :width]
    parts = [(rows >> shift) & (2**bits - 1) for shift in range(8 - bits, -1, -bits)]
    return np.stack(parts, axis=-1).reshape(height, -1)[:, :width]


def _decode_file(image: PdfImage, scale: float) -> Image.Image:
    if image.kind == "jpeg2000" and "/SMaskInData" in image.stream:
        raise UndecodableError("the opacity is in the file")
    if image.kind == "jpeg2000" and "/ColorSpace" not in image.stream:
        return _decode_with_mupdf(image)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = Image.open(
                io.BytesIO(encoded_file(image)), formats=["JPEG" if image.kind == "jpeg" else "JPEG2000"]
            )
            _require_same(image, opened)
            if scale <= 0.5:
                opened.draft(None, (int(opened.width * scale), int(opened.height * scale)))
            opened.load()
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if image.kind == "jpeg2000":
            return _decode_with_mupdf(image)
        raise UndecodableError(str(error)) from error
    if opened.mode == "CMYK" and "adobe" in opened.info:
        return ImageChops.invert(opened)  # Pillow has inverted it
    return opened


def _require_same(image: PdfImage, opened: Image.Image) -> None:
    """Require that the file is what the dictionary says."""
    mode = MODES.get(image.space.family, "")
    if opened.mode != mode or opened.size != (image.width, image.height):
        raise UndecodableError(f"{opened.mode} {opened.size}")
    if "/ColorTransform" in image.parameters or image.space.family == "indexed":
        raise UndecodableError("unusual colors")


def _decode_with_mupdf(image: PdfImage) -> Image.Image:
    """Return the pixels of a JPEG 2000 image that Pillow refuses, or whose colors only the file tells."""
    import pymupdf

    try:
        pixmap: Any = pymupdf.Pixmap(encoded_file(image))  # type: ignore[no-untyped-call]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise UndecodableError(str(error)) from error
    mode = {1: "L", 3: "RGB"}.get(pixmap.n, "")
    is_known = "/ColorSpace" not in image.stream or mode == MODES.get(image.space.family)
    if pixmap.alpha or not mode or not is_known or (pixmap.w, pixmap.h) != (image.width, image.height):
        raise UndecodableError("unusual colors")
    return Image.frombytes(mode, (pixmap.w, pixmap.h), pixmap.samples)


FULL_CHROMA_QUALITY = 85
"""JPEG quality from which colors have the resolution of the brightness."""

_STRIP_OFFSETS, _STRIP_LENGTHS, _ROWS_PER_STRIP = 273, 279, 278
"""Tags of TIFF 6.0."""


def encode_jpeg(image: Image.Image, quality: int) -> Encoded:
    """Encode an image of mode L, RGB or CMYK as a progressive JPEG with a quality from 1 to 100."""
    target = io.BytesIO()
    if image.mode == "CMYK":
        image = ImageChops.invert(image)  # Pillow inverts it again
    subsampling = "4:4:4" if quality >= FULL_CHROMA_QUALITY or image.mode == "CMYK" else "4:2:0"
    image.save(target, "JPEG", quality=quality, optimize=True, progressive=True, subsampling=subsampling)
    return Encoded(
        target.getvalue(),
        {"/Filter": "/DCTDecode", "/BitsPerComponent": 8, "/Width": image.width, "/Height": image.height},
    )


def encode_group4(data: bytes, width: int, height: int) -> Encoded:
    """Encode pixels of one bit as CCITT Group 4 (ITU-T T.6); 0 is black, as in the default of PDF."""
    target = io.BytesIO()
    image = ImageChops.invert(Image.frombytes("1", (width, height), data))  # in T.6 a bit of 1 is black
    image.save(target, "TIFF", compression="group4", tiffinfo={_ROWS_PER_STRIP: height})
    with Image.open(target, formats=["TIFF"]) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]  # of Pillow's class for TIFF
        start, length = tags[_STRIP_OFFSETS][0], tags[_STRIP_LENGTHS][0]
    parameters = {"/K": -1, "/Columns": width, "/Rows": height}
    return Encoded(
        target.getvalue()[start : start + length],
        {"/Filter": "/CCITTFaxDecode", "/DecodeParms": parameters, "/BitsPerComponent": 1},
    )


FLAT_SHARE = 0.5
"""Share of pixels that equal their left neighbor above which an image is drawn, not photographed."""


def encode_stored(image: PdfImage) -> Encoded:
    """Return the pixels of an image with general filters, encoded without loss.

    Raises:
        UndecodableError: The pixels cannot be read.
    """
    samples, size = read_samples(image), (image.width, image.height)
    packed = encode_samples(samples, size, image.bits)
    if image.bits > 1 or image.space.components != 1:
        return packed
    return min(packed, encode_group4(samples, *size), key=lambda encoded: encoded.cost)


def encode_samples(samples: bytes, size: tuple[int, int], bits: int) -> Encoded:
    """Compress samples as they are stored in rows that begin at full bytes."""
    changes = {"/Filter": "/FlateDecode", "/DecodeParms": None, "/BitsPerComponent": bits}
    return Encoded(deflate(samples), {**changes, "/Width": size[0], "/Height": size[1]})


def is_flat(pixels: Image.Image) -> bool:
    """Return whether an image looks drawn: charts, screenshots and text, in contrast to photos and scans."""
    values = np.asarray(pixels)
    rows = values[:: max(1, len(values) // 400)]
    same = rows[:, 1:] == rows[:, :-1]
    equal = same.all(axis=2) if same.ndim == 3 else same
    return bool(equal.size and equal.mean() > FLAT_SHARE)
