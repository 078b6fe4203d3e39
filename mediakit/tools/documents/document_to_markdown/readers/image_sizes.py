"""Images of documents with their size in pixels, which is read from their first bytes."""

import struct
from collections.abc import Callable

from mediakit.tools.documents.document_to_markdown.document import DocumentImage

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of the segments of a JPEG that have its size (ITU-T T.81, table B.1)."""

Size = tuple[int, int]


def sized_image(name: str, mime_type: str, alt: str, content: bytes) -> DocumentImage:
    """Return an image with its size; without it for other formats and damaged images."""
    size = image_size(content)
    width, height = size or (None, None)
    return DocumentImage(name, mime_type, alt, width, height, content)


def image_size(content: bytes) -> Size | None:
    """Return the width and height of a PNG, JPEG, GIF, BMP or WebP image in pixels; None for others."""
    for signature, read in _READERS:
        if content.startswith(signature):
            try:
                return read(content)
            except (struct.error, IndexError):
                return None
    return None


def _png(content: bytes) -> Size:
    width, height = struct.unpack_from(">II", content, 16)
    return width, height


def _gif(content: bytes) -> Size:
    width, height = struct.unpack_from("<HH", content, 6)
    return width, height


def _bmp(content: bytes) -> Size:
    width, height = struct.unpack_from("<ii", content, 18)
    return abs(width), abs(height)


def _webp(content: bytes) -> Size | None:
    if content[12:16] == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if content[12:16] == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", content, 26)
    return width & 0x3FFF, height & 0x3FFF


def _jpeg(content: bytes) -> Size | None:
    at = 2
    while at + 9 < len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker in _START_OF_FRAME:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return width, height
        if marker == 0xFF:  # padding
            at += 1
        else:
            at += 2 + struct.unpack_from(">H", content, at + 2)[0]
    return None


_READERS: tuple[tuple[bytes, Callable[[bytes], Size | None]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8", _jpeg),
    (b"GIF8", _gif),
    (b"BM", _bmp),
    (b"RIFF", _webp),
)
