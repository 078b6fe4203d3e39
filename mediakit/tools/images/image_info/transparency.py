"""Whether any pixel of an image is really transparent."""

from collections.abc import Callable, Mapping
from io import BytesIO

from PIL import GifImagePlugin, Image, ImageFile, PngImagePlugin, WebPImagePlugin

from mediakit.engines.raster.formats import ImageFormat

_MAX_PIXELS = 50_000_000
"""Pixels of further frames that are decoded to find one."""

_ANIMATED: Mapping[str, Callable[[BytesIO], ImageFile.ImageFile]] = {
    "gif": GifImagePlugin.GifImageFile,
    "png": PngImagePlugin.PngImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
}


def is_see_through(content: bytes, kind: ImageFormat, first: Image.Image) -> bool:
    """Return whether a pixel of the first frame, or of the next ones up to 50 megapixels, is not opaque."""
    if _has_hole(first):
        return True
    if kind not in _ANIMATED:
        return False
    try:
        image = _ANIMATED[kind](BytesIO(content))
        frames = min(getattr(image, "n_frames", 1), 1 + _MAX_PIXELS // (image.width * image.height))
        for number in range(1, frames):
            image.seek(number)
            if _has_hole(image):
                return True
    except Exception:  # noqa: BLE001 - the first frame could be decoded; a further one is damaged
        return False
    return False


def _has_hole(image: Image.Image) -> bool:
    if not image.has_transparency_data:
        return False
    if "A" not in image.getbands():
        image = image.convert("RGBA")
    low, _ = image.getchannel("A").getextrema()
    return isinstance(low, int | float) and low < 255
