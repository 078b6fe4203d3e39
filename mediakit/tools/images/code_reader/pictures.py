"""The picture that was sent: decoded, upright, on white."""

from PIL import Image, ImageStat

from mediakit.engines.raster import frame, source
from mediakit.engines.raster.color import flatten
from mediakit.engines.raster.formats import detect_format
from mediakit.engines.raster.geometry import Size
from mediakit.errors import InvalidInput

PALE = 128
"""A see-through picture whose dots are brighter than this is meant for a dark page."""


def opened(content: bytes) -> Image.Image:
    """Decode the first frame of a picture to grey or RGB.

    Raises:
        InvalidInput: It is none of the six formats, has more than 50 megapixels, or is damaged.
    """
    picture = source.read_header(_recognised(content))
    with source.damage_as_invalid_input(picture.format):
        image = frame.decode(picture, Size(picture.width, picture.height)).image
        if image.mode in ("LA", "RGBA"):
            return _on_paper(image)
        return image if image.mode in ("L", "RGB") else image.convert("RGB")


def _recognised(content: bytes) -> bytes:
    try:
        detect_format(content)
    except InvalidInput:
        raise InvalidInput("file: is neither a PNG, JPEG, WebP, AVIF, GIF or TIFF image nor a PDF.") from None
    return content


def _on_paper(image: Image.Image) -> Image.Image:
    """Put a picture with alpha on white, or on black where it would vanish on white."""
    alpha = image.getchannel("A")
    visible = alpha.point([0] * 128 + [255] * 128)
    if visible.getbbox() and visible.getextrema() != (255, 255):
        grey = image.convert("RGB").convert("L")
        if ImageStat.Stat(grey, visible).extrema[0][0] > PALE:
            dark = Image.new("L", image.size, 0)
            dark.paste(grey, mask=alpha)
            return dark
    return flatten(image)
