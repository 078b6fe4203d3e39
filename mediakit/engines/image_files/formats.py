"""Formats of image files, by their content."""

import re
from typing import Literal

from mediakit.engines.file_types.identify import identify
from mediakit.engines.raster import formats as raster_formats
from mediakit.errors import InvalidInput

ImageFormat = Literal["png", "jpeg", "webp", "avif", "gif", "tiff", "bmp", "ico", "heic"]

NAMES: dict[ImageFormat, str] = {
    "png": "PNG",
    "jpeg": "JPEG",
    "webp": "WebP",
    "avif": "AVIF",
    "gif": "GIF",
    "tiff": "TIFF",
    "bmp": "BMP",
    "ico": "ICO",
    "heic": "HEIC",
}
MIME_TYPES: dict[ImageFormat, str] = {
    **{name: f"image/{name}" for name in NAMES},
    "ico": "image/vnd.microsoft.icon",
}
EXTENSIONS: dict[ImageFormat, tuple[str, ...]] = {
    "png": (".png", ".apng"),
    "jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "webp": (".webp",),
    "avif": (".avif", ".avifs"),
    "gif": (".gif",),
    "tiff": (".tif", ".tiff"),
    "bmp": (".bmp", ".dib"),
    "ico": (".ico",),
    "heic": (".heic", ".heif", ".hif"),
}
"""File name extensions by format; the first one is the usual one."""

_HEIC = re.compile(rb"....ftyp(?:heic|heix|hevc|hevx|heim|heis|mif1|msf1)", re.DOTALL)
_BITMAP = re.compile(rb"BM.{12}[\x0c-\x7c]\x00\x00\x00", re.DOTALL)
_ICON = re.compile(rb"\x00\x00\x01\x00(?:[^\x00]\x00|\x00[^\x00])")
_SVG = "image/svg+xml"


def detect(content: bytes, field: str = "file", name: str = "") -> ImageFormat:
    """Return the format of an image.

    Raises:
        InvalidInput: The file is not an image of a known format.
    """
    if _HEIC.match(content) and b"avif" not in content[8:64]:
        return "heic"
    if _BITMAP.match(content):
        return "bmp"
    if _ICON.match(content):
        return "ico"
    try:
        return raster_formats.detect_format(content)
    except InvalidInput:
        raise _not_an_image(content, field, name) from None


def _not_an_image(content: bytes, field: str, name: str) -> InvalidInput:
    found = identify(content, name)
    if found.mime_type == _SVG:
        return InvalidInput(f"{field}: SVG is a drawing; use /capture.")
    return InvalidInput(f"{field}: is not a picture that can be read (it is {found.description}).")
