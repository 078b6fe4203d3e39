"""Checks of a file's structure before pixels are decoded: completeness, checksums, frames, scans."""

import re
import struct
import zlib
from collections.abc import Iterator

from mediakit.errors import InvalidInput

MAX_SCANS = 100
"""Maximum scans of a progressive JPEG. Encoders write about ten; decoding each takes a pass over all pixels."""

MAX_FRAMES = 1000
"""Maximum frames of an animation."""

_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])", re.DOTALL)
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_SEQUENTIAL = frozenset({0xC0, 0xC1})
"""Frame header markers of JPEGs that are not progressive."""
_GIF_BLOCK = re.compile(rb"[,!;]")
"""First byte of an image, an extension or the trailer."""


def truncated_file() -> InvalidInput:
    """Return the error for a file that ends too early."""
    return InvalidInput("file: is truncated. Send the whole file.")


def check_png(content: bytes) -> None:
    """Reject a PNG that is truncated or has a critical chunk with a wrong CRC (ISO/IEC 15948, 5.3).

    Pillow does not check the CRC of pixel data.
    """
    view = memoryview(content)
    for kind, start, end in _png_chunks(content):
        critical = kind[0] & 0x20 == 0
        if critical and zlib.crc32(view[start - 4 : end]) != int.from_bytes(view[end : end + 4]):
            raise InvalidInput("file: is damaged. A checksum of the PNG is wrong.")


def check_jpeg(content: bytes) -> None:
    """Reject a JPEG with so many scans that decoding would take minutes."""
    if (scans := _jpeg_scans(content)) > MAX_SCANS:
        raise InvalidInput(f"file: must have at most {MAX_SCANS} scans, got {scans}.")


def check_webp(content: bytes) -> None:
    """Reject a WebP that is shorter than its RIFF header declares."""
    if int.from_bytes(content[4:8], "little") + 8 > len(content):
        raise truncated_file()


def count_gif_frames(content: bytes) -> int:
    """Count the frames of a GIF, up to one more than `MAX_FRAMES`.

    Raises:
        InvalidInput: The file ends inside a frame.
    """
    frames = 0
    try:
        for position in _gif_images(content):
            if position > len(content):
                raise truncated_file()
            frames += 1
            if frames > MAX_FRAMES:
                break
    except IndexError:
        raise truncated_file() from None
    return frames


def _jpeg_scans(content: bytes) -> int:
    """Count the scans (ITU-T T.81, B.1.1.3). libjpeg stops after a sequential scan of all components."""
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
    """Yield type, start and end of the data of each chunk, up to and including IEND."""
    kind, end = b"", 4
    while kind != b"IEND":
        start = end + 12
        if start > len(content):
            raise truncated_file()
        length, kind = struct.unpack_from(">I4s", content, start - 8)
        end = start + length
        if end + 4 > len(content):
            raise truncated_file()
        yield kind, start, end


def _gif_images(content: bytes) -> Iterator[int]:
    """Yield the position after each image of a GIF (GIF89a specification, 20 and 22)."""
    position = 13 + _color_table_bytes(content[10])
    while block := _GIF_BLOCK.search(content, position):  # Some writers leave stray bytes between blocks.
        position = block.start()
        if block[0] == b";":
            return
        if block[0] == b"!":
            position = _skip_sub_blocks(content, position + 2)
        else:
            position = _skip_sub_blocks(content, position + 11 + _color_table_bytes(content[position + 9]))
            yield position


def _color_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _skip_sub_blocks(content: bytes, position: int) -> int:
    while length := content[position]:
        position += length + 1
    return position + 1
