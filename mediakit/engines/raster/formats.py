"""Image file formats: how each is detected and what it can contain."""

import re
from typing import Literal, get_args

from mediakit.errors import InvalidInput

InputFormat = Literal["png", "jpeg", "webp", "avif", "gif", "tiff"]
OutputFormat = Literal["jpeg", "png", "webp", "avif"]

MAX_SIDE = {"jpeg": 65500, "webp": 16383, "avif": 65536, "png": 2**31 - 1, "gif": 65535}
"""Maximum pixels of a side: the limits of libjpeg, of the WebP and AV1 bitstreams, of the PNG standard and of GIF."""

_SIGNATURES: dict[InputFormat, re.Pattern[bytes]] = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "gif": re.compile(rb"GIF8[79]a"),
    "tiff": re.compile(rb"II[*+]\0|MM\0[*+]"),
}

ImageFormat = Literal["png", "jpeg", "webp", "avif", "gif", "tiff", "bmp", "ico", "heic"]

NAMES: dict[ImageFormat, str] = {name: name.upper() for name in get_args(ImageFormat)} | {"webp": "WebP"}
MIME_TYPES: dict[ImageFormat, str] = {**{name: f"image/{name}" for name in NAMES}, "ico": "image/vnd.microsoft.icon"}
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


def detect_format(content: bytes) -> InputFormat:
    """Return the format of a file by its first bytes; the name and the declared type are not trusted.

    Raises:
        InvalidInput: The file has none of the six formats.
    """
    for kind, signature in _SIGNATURES.items():
        if signature.match(content):
            return kind
    if content[4:8] == b"ftyp":  # ISO/IEC 14496-12; the brands are those of AV1 Image File Format 6
        box = content[8 : min(int.from_bytes(content[:4]), 256)]
        brands = {box[:4], *(box[start : start + 4] for start in range(8, len(box), 4))}
        if not brands.isdisjoint({b"avif", b"avis"}):
            return "avif"
    raise InvalidInput("file: is not a PNG, JPEG, WebP, AVIF, GIF or TIFF image.")


def default_output(kind: InputFormat, *, animated: bool) -> OutputFormat:
    """Return the output format if none is requested: that of the input, or the nearest that can be encoded."""
    if kind == "gif" or kind == "tiff":  # noqa: PLR1714 - mypy narrows by comparison
        return "webp" if animated else "png"
    return kind


def detect_image(content: bytes, field: str = "file", name: str = "") -> ImageFormat:
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
        return detect_format(content)
    except InvalidInput:
        from mediakit.engines.file_types.identify import identify

        found = identify(content, name)
        if found.mime_type == _SVG:
            raise InvalidInput(f"{field}: SVG is a drawing; use /capture.") from None
        raise InvalidInput(f"{field}: is not a picture that can be read (it is {found.description}).") from None


def alt_text(what: str, name: str) -> str:
    """Return the text alternative of a result that was made of a file, by the name of the file if it is known."""
    return f"{what}: {name}" if name else what
