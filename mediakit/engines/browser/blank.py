"""Whether a picture shows anything."""

import io
from typing import Literal

from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

READERS = {"png": PngImageFile, "jpeg": JpegImageFile}
"""Pillow's own `open` warns of pictures as large as those that a browser may make."""

HEAD = 1000
PIXELS_A_BYTE = 50
"""A PNG of one colour has some 300 pixels a byte after its head; one with far less need not be decoded."""


def is_blank(content: bytes, image_format: Literal["png", "jpeg"]) -> bool:
    """Say whether a picture is one colour all over."""
    with READERS[image_format](io.BytesIO(content)) as image:
        if image_format == "png" and len(content) > HEAD + image.width * image.height // PIXELS_A_BYTE:
            return False
        # An eighth of a JPEG's pixels are the means of its blocks, and come in a tenth of the time.
        image.draft(None, (max(image.width // 8, 1), max(image.height // 8, 1)))
        bands = [image.getchannel(band).getextrema() for band in image.getbands()]
    return all(low == high for low, high in bands)
