"""Prepares images for Word: checks them, turns them upright, and converts kinds that Word cannot show."""

import io
import warnings
from dataclasses import dataclass

from mediakit.core.media import describe
from mediakit.engines.word_templates.language.problems import ValueProblem

MAX_PIXELS = 50_000_000
EMUS_PER_MM = 36_000
SCREEN_DPI = 96.0
MM_PER_INCH = 25.4
JPEG_QUALITY = 92

_ORIENTATION = 0x0112
"""EXIF tag: how the camera was held."""

_EXTENSIONS = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "BMP": "bmp", "TIFF": "tiff"}
"""The kinds that Word shows; the others become PNG."""

_READABLE = (*_EXTENSIONS, "WEBP", "AVIF")


@dataclass(frozen=True)
class PreparedImage:
    """An image that Word can show."""

    content: bytes
    extension: str
    width: int
    """In pixels."""
    height: int
    """In pixels."""
    dpi: float

    @property
    def media_type(self) -> str:
        """The media type of the image."""
        return f"image/{self.extension}"

    @property
    def width_mm(self) -> float:
        """The width at its own resolution."""
        return max(1.0, self.width / self.dpi * MM_PER_INCH)


def prepare(content: bytes) -> PreparedImage:
    """Return an image as Word can show it.

    Raises:
        ValueProblem: It is not an image of a known kind, is damaged, or has more than 50 megapixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = _prepared(content)
    except Exception as error:  # Pillow's readers raise many kinds for damaged files
        kinds = "a PNG, JPEG, GIF, BMP, TIFF, WebP or AVIF image"
        raise ValueProblem(f"must be {kinds}, got {describe(content)}") from error
    if made is None:
        raise ValueProblem("must have at most 50 megapixels")
    return made


def _prepared(content: bytes) -> PreparedImage | None:
    """Return the image; None if it has too many pixels."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content), formats=_READABLE) as image:
        if image.width * image.height > MAX_PIXELS:
            return None
        image.load()
        kind, dpi = image.format or "", _dpi(image.info.get("dpi"))
        is_turned = image.getexif().get(_ORIENTATION, 1) not in (0, 1)
        if kind in _EXTENSIONS and not is_turned:
            return PreparedImage(content, _EXTENSIONS[kind], image.width, image.height, dpi)
        upright = ImageOps.exif_transpose(image)
    saved = io.BytesIO()
    if kind == "JPEG":
        upright.save(saved, "JPEG", quality=JPEG_QUALITY)
    else:
        upright.save(saved, "PNG")
    extension = "jpeg" if kind == "JPEG" else "png"
    return PreparedImage(saved.getvalue(), extension, upright.width, upright.height, dpi)


def _dpi(value: object) -> float:
    """Return the horizontal resolution; 96 where the image has none that can be true."""
    if isinstance(value, tuple) and value:
        try:
            number = float(value[0])
        except (TypeError, ValueError, ZeroDivisionError):
            return SCREEN_DPI
        if 30 <= number <= 2400:
            return number
    return SCREEN_DPI
