"""Decodes the pixels of images: components as they are stored, without `/Decode`."""

import io
import warnings
import zlib
from typing import Any

import numpy as np
import pikepdf
from PIL import Image, ImageChops

from mediakit.tools.pdf.pdf_compress.image import MODES, PdfImage
from mediakit.tools.pdf.pdf_compress.streams import UndecodableError, inflate


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
    if image.kind == "lossless":
        return _decode_samples(image)
    return _decode_file(image, scale)


def samples_size(image: PdfImage) -> int:
    """Return the bytes of the pixels as they are stored."""
    return -(-image.width * image.space.components * image.bits // 8) * image.height


def read_samples(image: PdfImage) -> bytes:
    """Return the pixels of an image with general filters, packed as they are stored.

    Raises:
        UndecodableError: There are too few bytes, or the data is damaged.
    """
    size = samples_size(image)
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
    """Return values of 1, 2, 4, 8 or 16 bits as bytes; of 16 bits, the upper eight.

    Args:
        data: Rows that begin at full bytes.
        width: Values of a row.
        height: Number of rows.
        bits: Bits of a value.
    """
    rows = np.frombuffer(data, np.uint8).reshape(height, -1)
    if bits == 16:
        return rows[:, ::2][:, :width]
    if bits == 8:
        return rows[:, :width]
    parts = [(rows >> shift) & (2**bits - 1) for shift in range(8 - bits, -1, -bits)]
    return np.stack(parts, axis=-1).reshape(height, -1)[:, :width]


def _decode_samples(image: PdfImage) -> Image.Image:
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
