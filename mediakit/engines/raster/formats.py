"""Image file formats: how each is detected and what it can contain."""

import re
from typing import Literal

from mediakit.errors import InvalidInput

InputFormat = Literal["png", "jpeg", "webp", "avif", "gif", "tiff"]
OutputFormat = Literal["jpeg", "png", "webp", "avif"]

OPAQUE_FORMATS: frozenset[OutputFormat] = frozenset({"jpeg"})
"""Formats without an alpha channel."""

MAX_SIDE: dict[OutputFormat, int] = {"jpeg": 65500, "webp": 16383, "avif": 65536, "png": 2**31 - 1}
"""Maximum pixels of a side: the limits of libjpeg, of the WebP and AV1 bitstreams and of the PNG standard."""

_SIGNATURES: dict[InputFormat, re.Pattern[bytes]] = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "gif": re.compile(rb"GIF8[79]a"),
    "tiff": re.compile(rb"II[*+]\0|MM\0[*+]"),
}


def detect_format(content: bytes) -> InputFormat:
    """Return the format of a file by its first bytes; the name and the declared type are not trusted.

    Raises:
        InvalidInput: The file has none of the six formats.
    """
    for kind, signature in _SIGNATURES.items():
        if signature.match(content):
            return kind
    if _is_avif(content):
        return "avif"
    raise InvalidInput("file: is not a PNG, JPEG, WebP, AVIF, GIF or TIFF image.")


def default_output(kind: InputFormat, *, animated: bool) -> OutputFormat:
    """Return the output format if none is requested: that of the input, or the nearest that can be encoded."""
    if kind == "gif" or kind == "tiff":  # noqa: PLR1714 - mypy narrows by comparison
        return "webp" if animated else "png"
    return kind


def _is_avif(content: bytes) -> bool:
    """Check for an AVIF brand in the `ftyp` box (ISO/IEC 14496-12, AV1 Image File Format 6)."""
    if content[4:8] != b"ftyp":
        return False
    box = content[8 : min(int.from_bytes(content[:4]), 256)]
    brands = {box[:4], *(box[start : start + 4] for start in range(8, len(box), 4))}
    return not brands.isdisjoint({b"avif", b"avis"})
