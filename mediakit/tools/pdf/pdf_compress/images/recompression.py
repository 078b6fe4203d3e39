"""Decides how each image is stored: at which resolution, with or without loss."""

import io
from functools import cache

from PIL import Image

from mediakit.engines.raster.metadata import copy_jpeg
from mediakit.tools.pdf.pdf_compress.images import encoding, lossless
from mediakit.tools.pdf.pdf_compress.images.comparison import looks_alike
from mediakit.tools.pdf.pdf_compress.images.image import Encoded, PdfImage
from mediakit.tools.pdf.pdf_compress.images.pixels import decode, encoded_file
from mediakit.tools.pdf.pdf_compress.images.reduction import reduce, target_size
from mediakit.tools.pdf.pdf_compress.levels import ImageSettings
from mediakit.tools.pdf.pdf_compress.streams import UndecodableError

LOSSY_GAIN = 0.9
"""An image is encoded with loss only if it becomes smaller than this part of its size."""

DRAWING_PREMIUM = 2
"""A drawing, chart or screenshot stays without loss up to this multiple of its size as a JPEG."""

QUALITY_MARGIN = 5
"""A JPEG is encoded again at its resolution only if its quality is higher than requested by more than this."""


def recompressed(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    """Return the smallest encoding of an image that the settings allow, or None if what is stored is smaller."""
    if not image.is_readable:
        return None
    try:
        encoded = _smallest(image, settings)
    except (UndecodableError, MemoryError):
        return None
    stored = len(image.stream.read_raw_bytes())
    return encoded if encoded is not None and encoded.cost < stored else None


def _smallest(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    if image.kind in ("ccitt", "jbig2"):
        return None
    lossy = settings.lossy and not image.is_exact and image.bits != 1
    if image.kind == "lossless":
        return _of_pixels(image, settings) if lossy else lossless.encode_stored(image)
    if lossy:
        return _of_file(image, settings) or _without_metadata(image)
    return _without_metadata(image)


def _of_pixels(image: PdfImage, settings: ImageSettings) -> Encoded:
    """Encode pixels that are stored without loss: photos as JPEG, all else without loss."""
    pixels = decode(image)
    reduced = reduce(pixels, image, target_size(image, settings))
    limit = len(image.stream.read_raw_bytes()) * LOSSY_GAIN
    flat = lossless.is_flat(pixels)
    lossy = None
    if image.space.family != "indexed" and not image.is_soft_mask and settings.quality is not None:
        lossy = encoding.jpeg(reduced, settings.quality)
        if lossy.cost < limit and not flat:
            return lossy
    exact = lossless.encode_stored(image)
    if reduced is not pixels:
        exact = min(exact, lossless.encode(reduced, image), key=lambda encoded: encoded.cost)
    return lossy if lossy is not None and lossy.cost * DRAWING_PREMIUM < exact.cost else exact


def _of_file(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    """Encode a JPEG or JPEG 2000 image again, if it has more pixels or a higher quality than requested."""
    size = target_size(image, settings)
    full = (image.width, image.height)
    quality = settings.quality or 0
    if size == full and image.kind == "jpeg" and _quality(encoded_file(image)) <= quality + QUALITY_MARGIN:
        return None
    pixels = decode(image, max(size[0] / full[0], size[1] / full[1]))
    encoded = encoding.jpeg(reduce(pixels, image, size), quality)
    if image.kind == "jpeg2000":
        encoded.changes["/Decode"] = None  # readers ignore it for JPEG 2000 (ISO 32000-2, table 87)
    if "/ColorSpace" not in image.stream:
        encoded.changes["/ColorSpace"] = "/DeviceRGB" if pixels.mode == "RGB" else "/DeviceGray"
    is_smaller = encoded.cost < len(image.stream.read_raw_bytes()) * LOSSY_GAIN
    return encoded if is_smaller and looks_alike(image, encoded) else None


def _without_metadata(image: PdfImage) -> Encoded | None:
    """Return a JPEG without EXIF, thumbnails and profiles, which PDF readers ignore."""
    if image.kind != "jpeg":
        return None
    try:
        return Encoded(
            copy_jpeg(encoded_file(image), keep_metadata=False),
            {"/Filter": "/DCTDecode", "/DecodeParms": _parameters(image)},
        )
    except (ValueError, IndexError) as error:
        raise UndecodableError(str(error)) from error


def _parameters(image: PdfImage) -> dict[str, object] | None:
    return dict(image.parameters.items()) or None


def _quality(content: bytes) -> int:
    """Return the quality of a JPEG, from its quantization table for brightness."""
    try:
        with Image.open(io.BytesIO(content), formats=["JPEG"]) as opened:
            table = opened.quantization[0]  # type: ignore[attr-defined]  # of Pillow's class for JPEG
    except (OSError, SyntaxError, KeyError) as error:
        raise UndecodableError(str(error)) from error
    total = sum(table)
    return next((quality for quality in range(100, 0, -1) if _table_sum(quality) >= total), 1)


@cache
def _table_sum(quality: int) -> int:
    """Return the sum of the table for brightness of a quality (ITU-T T.81, K.1, scaled as libjpeg does)."""
    scale = 5000 // quality if quality < 50 else 200 - quality * 2
    return sum(min(255, max(1, (value * scale + 50) // 100)) for value in _STANDARD_TABLE)


# fmt: off
_STANDARD_TABLE = (
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
)
# fmt: on
