"""Reduces images to the resolution at which they are drawn."""

import numpy as np
from PIL import Image

from mediakit.tools.pdf.pdf_compress.images.image import PdfImage
from mediakit.tools.pdf.pdf_compress.levels import TOLERANCE, ImageSettings

POINTS_PER_INCH = 72

MIN_PALETTE_COLORS = 17
"""Indexed images with fewer colors are line art, which keeps its pixels."""


def target_size(image: PdfImage, settings: ImageSettings) -> tuple[int, int]:
    """Return the width and height in pixels that an image should have."""
    width, height = image.width, image.height
    if image.size is None or settings.dpi is None or _is_line_art(image):
        return width, height
    return _target(width, image.size[0], settings.dpi), _target(height, image.size[1], settings.dpi)


def reduce(pixels: Image.Image, image: PdfImage, size: tuple[int, int]) -> Image.Image:
    """Return pixels with a size; the same object if they have it.

    Indexed images are reduced in the colors of their palette, and keep it.
    """
    if pixels.size == size:
        return pixels
    if image.space.family != "indexed":
        return pixels.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    if image.space.base not in ("gray", "rgb") or image.decode:
        return pixels
    palette = _rgb_palette(image)
    colored = Image.frombytes("P", pixels.size, pixels.tobytes())
    colored.putpalette(palette)
    smaller = colored.convert("RGB").resize(size, Image.Resampling.BOX)
    indexed = smaller.quantize(palette=colored, dither=Image.Dither.NONE)
    return Image.frombytes("L", size, indexed.tobytes())


def _target(pixels: int, points: float, dpi: int) -> int:
    """Return the pixels of a side at a resolution; those it has if they are only a few more."""
    wanted = points * dpi / POINTS_PER_INCH
    return max(1, round(wanted)) if pixels > wanted * TOLERANCE else pixels


def _is_line_art(image: PdfImage) -> bool:
    space = image.space
    if space.family != "indexed":
        return False
    colors = len(space.palette) // {"gray": 1, "rgb": 3, "cmyk": 4}.get(space.base, 1)
    return image.bits < 8 or colors < MIN_PALETTE_COLORS


def _rgb_palette(image: PdfImage) -> bytes:
    palette = image.space.palette
    return np.repeat(np.frombuffer(palette, np.uint8), 3).tobytes() if image.space.base == "gray" else palette
