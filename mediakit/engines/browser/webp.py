"""Encode WebP from Chromium's fast PNG, in less than half the time that Chromium's own WebP encoder takes."""

import io

from PIL.PngImagePlugin import PngImageFile

METHOD = 2
"""Effort of libwebp. Same quality as Chromium's method 3, a few percent larger, in half the time."""


def encode(png: bytes, quality: int) -> bytes:
    """Encode a PNG as lossy WebP, with its transparency.

    Args:
        png: PNG file from Chromium. (Pillow's `open` would warn about images as large as the browser may produce.)
        quality: 1 to 100.
    """
    output = io.BytesIO()
    with PngImageFile(io.BytesIO(png)) as image:
        image.save(output, "WEBP", quality=quality, method=METHOD)
    return output.getvalue()
