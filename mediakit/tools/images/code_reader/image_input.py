"""Input images: decoded, upright, on a white background."""

from PIL import Image, ImageStat

from mediakit.engines.raster import frame, source
from mediakit.engines.raster.color import flatten
from mediakit.engines.raster.formats import detect_format
from mediakit.engines.raster.geometry import Size
from mediakit.errors import InvalidInput

MIN_LIGHT_INK = 128
"""Gray value above which the pixels of a transparent image are meant for a dark background."""


def decode(content: bytes) -> Image.Image:
    """Decode the first frame of an image to gray or RGB.

    Raises:
        InvalidInput: The file has none of the six formats, has more than 50 megapixels, or is damaged.
    """
    _check_format(content)
    header = source.read_header(content)
    with source.damage_as_invalid_input(header.format):
        image = frame.decode(header, Size(header.width, header.height)).image
        if image.mode in ("LA", "RGBA"):
            return _with_background(image)
        return image if image.mode in ("L", "RGB") else image.convert("RGB")


def _check_format(content: bytes) -> None:
    try:
        detect_format(content)
    except InvalidInput:
        raise InvalidInput("file: is neither a PNG, JPEG, WebP, AVIF, GIF or TIFF image nor a PDF.") from None


def _with_background(image: Image.Image) -> Image.Image:
    """Flatten an image with alpha on white, or on black if all its visible pixels are light."""
    alpha = image.getchannel("A")
    visible = alpha.point([0] * 128 + [255] * 128)
    if visible.getbbox() and visible.getextrema() != (255, 255):
        gray = image.convert("RGB").convert("L")
        if ImageStat.Stat(gray, visible).extrema[0][0] > MIN_LIGHT_INK:
            dark = Image.new("L", image.size, 0)
            dark.paste(gray, mask=alpha)
            return dark
    return flatten(image)
