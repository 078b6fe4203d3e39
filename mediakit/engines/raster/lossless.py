"""Copies of image files without metadata that leave the encoded image data untouched.

Each format is rewritten from a list of the parts that decoding needs. All other parts are dropped: metadata,
thumbnails, unknown extensions and bytes after the end of the image.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from mediakit.engines.raster.color import source_profile
from mediakit.engines.raster.source import SourceImage, open_image

_PNG_PARTS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
_PNG_METADATA = frozenset({b"eXIf", b"iTXt"})
_PNG_XMP_KEYWORD = b"XML:com.adobe.xmp\0"

_WEBP_PARTS = frozenset({b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"})
_WEBP_FLAGS = {b"ICCP": 0x20, b"EXIF": 0x08, b"XMP ": 0x04}
"""Bits of the VP8X flags that announce a chunk (RFC 9649, 2.7.1)."""

_APP0, _APP1, _APP14, _APP15, _COMMENT = 0xE0, 0xE1, 0xEE, 0xEF, 0xFE
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_JFIF_LENGTH = 16
"""Bytes of a JFIF segment without a thumbnail (ITU-T T.871, 10.1)."""
_JPEG_METADATA = (b"Exif\0", b"http://ns.adobe.com/xap/1.0/\0")

_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
"""Pillow modes of images that are stored as 8-bit gray, RGB or a palette of RGB."""


class LosslessCopy(NamedTuple):
    """A copy of a file without re-encoding, or the reason why this is not possible."""

    content: bytes | None
    reencode_reason: str
    """Why the image data must be encoded again, as the end of a sentence; empty if `content` is set."""


def lossless_copy(source: SourceImage, *, background: str | None, keep_metadata: bool) -> LosslessCopy:
    """Copy a file without its metadata, if its image data can be kept unchanged.

    Args:
        source: The image.
        background: Color behind transparency; None keeps the transparency.
        keep_metadata: Keep EXIF and XMP in the copy.
    """
    if reencode_reason := _reencode_reason(source, background):
        return LosslessCopy(None, reencode_reason)
    try:
        content = _copy(source, keep_metadata=keep_metadata)
    except (ValueError, IndexError, struct.error):
        content = None
    return LosslessCopy(content, "" if content is not None else "the metadata was removed")


def _reencode_reason(source: SourceImage, background: str | None) -> str:
    """Return why the image data must be encoded again, as the end of a sentence; empty if it can be kept."""
    image, orientation = open_image(source.content, source.format)
    if orientation != 1:
        return "the EXIF orientation was applied"
    if image.mode not in _MODES or source_profile(image.info.get("icc_profile"), image.mode):
        return "the colors were converted to 8-bit sRGB"
    if background and source.has_alpha:
        return "the background was applied"
    return ""


def _copy(source: SourceImage, *, keep_metadata: bool) -> bytes | None:
    match source.format:
        case "png":
            return _copy_png(source.content, keep_metadata=keep_metadata)
        case "webp":
            return _copy_webp(source.content, keep_metadata=keep_metadata)
        case "jpeg":
            return copy_jpeg(source.content, keep_metadata=keep_metadata)
        case "avif":
            image, _ = open_image(source.content, source.format)
            clean = keep_metadata or image.info.keys().isdisjoint({"icc_profile", "exif", "xmp"})
            return source.content if clean else None
        case _:
            return None


def _copy_png(content: bytes, *, keep_metadata: bool) -> bytes:
    """Copy the chunks that decoding needs (ISO/IEC 15948, 5.3)."""
    copied = [content[:8]]
    for name, chunk in _png_chunks(content):
        is_metadata = name == b"eXIf" or chunk.startswith(_PNG_XMP_KEYWORD, 8)
        if name in _PNG_PARTS or (keep_metadata and name in _PNG_METADATA and is_metadata):
            copied.append(chunk)
    return b"".join(copied)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    start, name = 8, b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", content, start)
        yield name, content[start : start + length + 12]
        start += length + 12


def _copy_webp(content: bytes, *, keep_metadata: bool) -> bytes:
    """Copy the chunks that decoding needs, and clear the flags of the others (RFC 9649, 2.7)."""
    wanted = _WEBP_PARTS | ({b"EXIF", b"XMP "} if keep_metadata else set())
    cleared = sum(flag for name, flag in _WEBP_FLAGS.items() if name not in wanted)
    copied = []
    for name, chunk in _webp_chunks(content):
        if name == b"VP8X":
            copied.append(chunk[:8] + bytes([chunk[8] & ~cleared]) + chunk[9:])
        elif name in wanted:
            copied.append(chunk)
    body = b"WEBP" + b"".join(copied)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _webp_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    start, end = 12, 8 + int.from_bytes(content[4:8], "little")
    while start + 8 <= end:
        name, length = struct.unpack_from("<4sI", content, start)
        padded = length + length % 2
        yield name, content[start : start + 8 + padded].ljust(8 + padded, b"\0")
        start += 8 + padded


def copy_jpeg(content: bytes, *, keep_metadata: bool) -> bytes:
    """Copy the segments that decoding needs, up to the end of the image (ITU-T T.81, B.1.1)."""
    copied, position = [content[:2]], 2
    while True:
        start, code = _next_marker(content, position)
        if code == _END_OF_IMAGE:
            return b"".join((*copied, content[start : start + 2]))
        position = start + 2 + int.from_bytes(content[start + 2 : start + 4])
        segment = content[start:position]
        if code == _START_OF_SCAN:
            end = _end_of_scan(content, position)
            segment, position = content[start:end], end
        if _is_needed(code, segment) or (keep_metadata and code == _APP1 and segment[4:].startswith(_JPEG_METADATA)):
            copied.append(segment)


def _is_needed(code: int, segment: bytes) -> bool:
    """Check whether a segment takes part in decoding; of the application segments JFIF and Adobe's transform do."""
    if code == _APP0:
        return segment.startswith(b"JFIF\0", 4) and len(segment) == _JFIF_LENGTH + 2
    if code == _APP14:
        return segment.startswith(b"Adobe", 4)
    return code != _COMMENT and not _APP0 <= code <= _APP15


def _next_marker(content: bytes, position: int) -> tuple[int, int]:
    """Return position and code of the marker at a position; fill bytes may precede it."""
    while content[position : position + 2] == b"\xff\xff":
        position += 1
    if content[position] != 0xFF:
        raise ValueError("bytes between two segments")
    return position, content[position + 1]


def _end_of_scan(content: bytes, position: int) -> int:
    """Return the position of the first marker after entropy-coded data, restart markers excepted."""
    while True:
        position = content.index(b"\xff", position)
        code = content[position + 1]
        if code != 0 and not 0xD0 <= code <= 0xD7 and code != 0xFF:
            return position
        position += 1 if code == 0xFF else 2
