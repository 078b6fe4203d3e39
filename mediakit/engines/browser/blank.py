"""Detect blank screenshots."""

import io
from typing import Literal

from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

IMAGE_CLASSES = {"png": PngImageFile, "jpeg": JpegImageFile}
"""Pillow's `open` would warn about images as large as the browser may produce."""

HEADER_BYTES = 1000

MIN_BLANK_PIXELS_PER_BYTE = 50
"""A single-color PNG has about 300 pixels per byte after its header. One with far fewer need not be decoded."""


def is_blank(content: bytes, image_format: Literal["png", "jpeg"]) -> bool:
    """Return whether all pixels of an image have the same color."""
    with IMAGE_CLASSES[image_format](io.BytesIO(content)) as image:
        max_blank_bytes = HEADER_BYTES + image.width * image.height // MIN_BLANK_PIXELS_PER_BYTE
        if image_format == "png" and len(content) > max_blank_bytes:
            return False
        # At an eighth of the size, the pixels of a JPEG are the means of its blocks and decode ten times as fast.
        image.draft(None, (max(image.width // 8, 1), max(image.height // 8, 1)))
        bands = [image.getchannel(band).getextrema() for band in image.getbands()]
    return all(low == high for low, high in bands)
