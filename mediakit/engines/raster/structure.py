"""What a file's own structure tells before any pixel is decoded: wholeness, frames, scans."""

import re
import struct
import zlib
from collections.abc import Iterator

from mediakit.errors import InvalidInput

MAX_SCANS = 100
"""Scans of a progressive JPEG; encoders write about ten, and each costs a pass over all pixels."""

MAX_FRAMES = 1000
"""Frames of an animation."""

_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])", re.DOTALL)
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_SEQUENTIAL = frozenset({0xC0, 0xC1})
"""Frame headers of JPEGs that are not progressive."""
_GIF_BLOCK = re.compile(rb"[,!;]")
"""What begins an image, an extension or the trailer."""


def cut_short() -> InvalidInput:
    """Make the refusal of a file that ends too early."""
    return InvalidInput("file: is cut short; send the whole file.")


def check_png(content: bytes) -> None:
    """Refuse a PNG that lacks its end, or whose critical chunks fail their CRC (ISO/IEC 15948, 5.3).

    Pillow checks no CRC of pixel data.
    """
    view = memoryview(content)
    for kind, start, end in _png_chunks(content):
        critical = kind[0] & 0x20 == 0
        if critical and zlib.crc32(view[start - 4 : end]) != int.from_bytes(view[end : end + 4]):
            raise InvalidInput("file: is damaged: a checksum of the PNG is wrong.")


def check_jpeg(content: bytes) -> None:
    """Refuse a JPEG with so many scans that decoding it would take minutes."""
    if (scans := _jpeg_scans(content)) > MAX_SCANS:
        raise InvalidInput(f"file: has {scans} scans; a JPEG may have at most {MAX_SCANS}.")


def check_webp(content: bytes) -> None:
    """Refuse a WebP shorter than its RIFF header says."""
    if int.from_bytes(content[4:8], "little") + 8 > len(content):
        raise cut_short()


def gif_frames(content: bytes) -> int:
    """Count the frames of a GIF, up to one more than `MAX_FRAMES`.

    Raises:
        InvalidInput: The file ends inside a frame.
    """
    frames = 0
    try:
        for position in _gif_images(content):
            if position > len(content):
                raise cut_short()
            frames += 1
            if frames > MAX_FRAMES:
                break
    except IndexError:
        raise cut_short() from None
    return frames


def _jpeg_scans(content: bytes) -> int:
    """Count the scans (ITU-T T.81, B.1.1.3); a sequential one of all components is the only one that libjpeg reads."""
    scans, position, components = 0, 2, b""
    while marker := _JPEG_MARKER.search(content, position):
        code, start = marker[1][0], marker.end()
        if code == _END_OF_IMAGE:
            break
        if code in _SEQUENTIAL:
            components = content[start + 7 : start + 8]
        if code == _START_OF_SCAN:
            scans += 1
            if content[start + 2 : start + 3] == components:
                break
        position = start + int.from_bytes(content[start : start + 2])
    return scans


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Give kind, start and end of each chunk's data, up to and with IEND."""
    kind, end = b"", 4
    while kind != b"IEND":
        start = end + 12
        if start > len(content):
            raise cut_short()
        length, kind = struct.unpack_from(">I4s", content, start - 8)
        end = start + length
        if end + 4 > len(content):
            raise cut_short()
        yield kind, start, end


def _gif_images(content: bytes) -> Iterator[int]:
    """Give the position after each image of a GIF (GIF89a specification, 20 and 22)."""
    position = 13 + _colour_table(content[10])
    while block := _GIF_BLOCK.search(content, position):  # Some writers leave stray bytes between blocks.
        position = block.start()
        if block[0] == b";":
            return
        if block[0] == b"!":
            position = _after_sub_blocks(content, position + 2)
        else:
            position = _after_sub_blocks(content, position + 11 + _colour_table(content[position + 9]))
            yield position


def _colour_table(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_sub_blocks(content: bytes, position: int) -> int:
    while length := content[position]:
        position += length + 1
    return position + 1
