"""Encodes the pixels of colored images in gray."""

from mediakit.tools.pdf.pdf_compress.gray.images import GrayImage, gray_pixels
from mediakit.tools.pdf.pdf_compress.images import encoding, lossless
from mediakit.tools.pdf.pdf_compress.images.image import Encoded, PdfImage
from mediakit.tools.pdf.pdf_compress.images.pixels import decode
from mediakit.tools.pdf.pdf_compress.images.recompression import DRAWING_PREMIUM
from mediakit.tools.pdf.pdf_compress.images.reduction import reduce, target_size
from mediakit.tools.pdf.pdf_compress.levels import GRAY_QUALITY, ImageSettings
from mediakit.tools.pdf.pdf_compress.streams import UndecodableError


def recompressed_in_gray(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    """Return an image in gray, also if it becomes larger; None if it cannot be decoded."""
    if not image.is_readable:
        return None
    exact = image.is_blended or (not settings.lossy and image.kind == "lossless")
    size = (image.width, image.height) if exact else target_size(image, settings)
    try:
        pixels = gray_pixels(decode(image, max(size[0] / image.width, size[1] / image.height)), image)
    except (UndecodableError, MemoryError):
        return None
    gray = GrayImage(image.stream, image.size, is_blended=image.is_blended)
    reduced = reduce(pixels, gray, size)
    encoded = None if exact else encoding.jpeg(reduced, settings.quality or GRAY_QUALITY)
    if encoded is None or (image.kind == "lossless" and lossless.is_flat(pixels)):
        unchanged = lossless.encode(reduced, gray)
        if encoded is None or unchanged.cost <= encoded.cost * DRAWING_PREMIUM:
            encoded = unchanged
    return Encoded(encoded.data, {**encoded.changes, "/ColorSpace": "/DeviceGray", "/Decode": None})
