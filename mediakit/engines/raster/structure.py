"""What the bytes of an image file say without decoding: completeness, checksums, scans, frames, delays and pages."""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple

import PIL
from PIL import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.engines.png import CHANNELS, SIGNATURE, chunk, spans
from mediakit.engines.raster.formats import ImageFormat
from mediakit.errors import InvalidInput

MAX_SCANS = 100
"""Maximum scans of a progressive JPEG. Encoders write about ten; decoding each takes a pass over all pixels."""

MAX_FRAMES = 1000
"""Maximum frames of an animation, and pages of a TIFF that are counted."""

START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9
_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])", re.DOTALL)
_SEQUENTIAL = frozenset({0xC0, 0xC1})
"""Frame header markers of JPEGs that are not progressive."""
_PROGRESSIVE = 0xC2
_JPEG_END = b"\xff\xd9"
_FILLER = bytes(range(1, 251)) * 40
"""Bytes that decode to other pixels than missing data, which libjpeg replaces by gray."""
_STEP_BYTES = 1 << 20
_MAX_ROWS_BYTES = 450_000_000
"""Rows of the largest PNG that is decoded, 50 megapixels of 8 bytes; pixels that unpack to more are not completed."""

_GIF_BLOCK = re.compile(rb"[,!;]")
"""First byte of an image, an extension or the trailer. Some writers leave stray bytes between blocks."""
_LOOP_EXTENSIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_GRAPHIC_CONTROL, _APPLICATION = 0xF9, 0xFF
_GIF_DISPOSALS = {2: 1, 3: 2, 4: 2}
"""From the numbers of GIF to those of `StoredFrame`. Some writers number the bits, so that 4 is 3, as in browsers."""
_AVIF_HEAD_BYTES = 65_536
_TIFF_PARTS = ((273, 279), (324, 325))
"""Tags with the offsets and the sizes of strips and tiles."""


@dataclass(frozen=True)
class Timing:
    """Frames and their delays."""

    frames: int = 1
    delays_ms: tuple[int, ...] = ()
    """Delay of each frame; empty for a still image."""
    loop: int | None = None
    """The number that the file states; 0: endlessly; None for a still image."""
    plays: int = 1
    """How often the animation plays; 0: endlessly. A GIF states repetitions after the first time it plays."""

    @property
    def animated(self) -> bool:
        """Whether there are several frames."""
        return self.frames > 1


STILL = Timing()
CLEAR, RESTORE = 1, 2


class StoredFrame(NamedTuple):
    """A frame of an animated GIF or PNG (GIF89a, 20 to 23; PNG third edition, 11.3.6)."""

    content: bytes
    """The frame as a file of its own."""
    box: tuple[int, int, int, int]
    """Left, top, width and height."""
    delay_ms: int
    disposal: int
    """What its area becomes: 0: it stays, 1: transparent, 2: what was there before."""
    blends: bool = True
    """Whether the frame is composited over what is below, instead of replacing it."""


def truncated_file(percent: int | None = None) -> InvalidInput:
    """Return the error for a file that ends too early, after a share of its rows if that is known."""
    after = "" if percent is None else f" after {percent} % of its rows"
    return InvalidInput(f"file: is truncated{after}. Send the whole file.")


def completed(content: bytes, kind: ImageFormat) -> tuple[bytes, str]:
    """Check the structure of a file, and add the end of one that has all rows.

    Returns:
        The file, and what was missing as a sentence without a subject, which is empty if the file is whole.

    Raises:
        InvalidInput: The file is truncated, has a wrong checksum, or takes minutes to decode.
    """
    if kind == "png":
        return _completed_png(content)
    if kind == "jpeg" and not (found := check_jpeg(content)).is_complete:
        percent = jpeg_rows_percent(content)
        if percent < 100:
            raise truncated_file(percent)
        details = "; details may be missing" if found.is_progressive else ""
        return content.rstrip(b"\xff") + _JPEG_END, f"has no end marker; all rows are there{details}."
    if kind == "webp" and is_cut(content, kind):
        raise truncated_file()
    return content, ""


def is_cut(content: bytes, kind: ImageFormat) -> bool:
    """Return whether a WebP, AVIF or TIFF ends before its data do; False for other formats."""
    match kind:
        case "webp":
            return int.from_bytes(content[4:8], "little") + 8 > len(content)
        case "avif":  # ends inside a box (ISO/IEC 14496-12, 4.2)
            position = 0
            while position + 8 <= len(content):
                size = int.from_bytes(content[position : position + 4])
                if size < 8:  # 0: to the end of the file, 1: a size of 64 bits
                    return False
                position += size
            return position > len(content)
        case "tiff":  # ends before the end of its first directory, or before the pixels of the first page
            if next(_tiff_directories(content), 0) > len(content):
                return True
            with suppress(Exception):  # a damaged directory
                tags = TiffImageFile(io.BytesIO(content)).tag_v2
                for offsets, sizes in _TIFF_PARTS:
                    ends = map(sum, zip(tags.get(offsets, ()), tags.get(sizes, ()), strict=False))
                    if max(ends, default=0) > len(content):
                        return True
    return False


def timing_of(content: bytes, kind: ImageFormat, image: Any = None) -> Timing:
    """Return the timing of a file, which may end early. Only AVIF needs the opened image."""
    delays: list[int] = []
    plays = 0
    match kind:
        case "gif":
            return _gif_timing(content)
        case "png":
            delays, plays = [frame.delay_ms for frame in png_frames(content)], _png_animation(content)[1]
        case "webp":
            for name, start, _ in webp_chunks(content):
                if name == b"ANIM":
                    plays = int.from_bytes(content[start + 4 : start + 6], "little")
                elif name == b"ANMF":
                    delays.append(int.from_bytes(content[start + 12 : start + 15], "little"))
        case "avif" if getattr(image, "n_frames", 1) > 1:  # the decoder states the time of each frame
            for number in range(image.n_frames):
                image.seek(number)
                image.load()
                delays.append(round(image.info.get("duration", 0)))
            image.seek(0)
    return Timing(len(delays), tuple(delays), plays, plays) if len(delays) > 1 else STILL


# JPEG (ITU-T T.81)


class JpegStructure(NamedTuple):
    """Scans and end of a JPEG."""

    scans: int
    is_complete: bool
    """Whether a marker follows the last scan."""
    is_progressive: bool


def jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker code, start and end of each segment, scans with their data, up to the end marker (B.1.1)."""
    code, position = 0, 2
    while code != END_OF_IMAGE and (marker := _JPEG_MARKER.search(content, position)):
        code, position = marker[1][0], marker.end()
        if code != END_OF_IMAGE:
            position += int.from_bytes(content[position : position + 2])
        if code == START_OF_SCAN:
            following = _JPEG_MARKER.search(content, position)
            position = following.start() if following else len(content)
        yield code, marker.start(), position


def check_jpeg(content: bytes) -> JpegStructure:
    """Return the structure of a JPEG. libjpeg stops after a sequential scan of all components.

    Raises:
        InvalidInput: It has so many scans that decoding would take minutes.
    """
    scans, components, is_complete, is_progressive = 0, b"", False, False
    for code, start, end in jpeg_segments(content):
        is_progressive |= code == _PROGRESSIVE
        if code in _SEQUENTIAL:
            components = content[start + 9 : start + 10]
        if code == START_OF_SCAN:
            scans += 1
        is_last = code == START_OF_SCAN and content[start + 4 : start + 5] == components
        if code == END_OF_IMAGE or is_last:
            is_complete = code == END_OF_IMAGE or end < len(content)
            break
    if scans > MAX_SCANS:
        raise InvalidInput(f"file: must have at most {MAX_SCANS} scans, got {scans}.")
    return JpegStructure(scans, is_complete, is_progressive)


def jpeg_rows_percent(content: bytes) -> int:
    """Return the share of the rows of a JPEG without an end marker that have data, in percent.

    Bytes after the data of the last row do not change pixels; where rows are missing, they are decoded as pixels.
    """
    import numpy as np

    body, decoded = content.rstrip(b"\xff"), []
    for filler in (b"", _FILLER):
        try:
            image = JpegImageFile(io.BytesIO(body + filler + _JPEG_END))
            image.draft("L", (1, 1))
            decoded.append(np.asarray(image).reshape(image.height, -1))
        except (OSError, ValueError, SyntaxError):
            return 0
    differing = np.flatnonzero((decoded[0] != decoded[1]).any(axis=1))
    return int(differing[0]) * 100 // len(decoded[0]) if len(differing) else 100


# PNG (ISO/IEC 15948)


def _completed_png(content: bytes) -> tuple[bytes, str]:
    """Check the end and the critical checksums of a PNG, which Pillow does not check for pixel data (5.3)."""
    if png_damaged_after_percent(content) is not None:
        raise InvalidInput("file: is damaged. A checksum of the PNG is wrong.")
    *_, (kind, _, end) = [(b"", 0, len(SIGNATURE)), *_whole_chunks(content)]
    if kind == b"IEND":
        return content, ""
    percent = _png_rows_percent(content)
    if percent < 100 or _png_animation(content)[0]:
        raise truncated_file(percent if percent < 100 else None)
    whole = content[: end + 4]
    if _png_rows_percent(whole) < 100:  # the file ends in a chunk of pixels, after the last row
        parts = [(start, end) for kind, start, end in spans(content) if kind == b"IDAT"]
        size = _png_rows_bytes(content)
        if size > _MAX_ROWS_BYTES:
            raise truncated_file()
        rows = zlib.decompressobj().decompress(b"".join(content[start:end] for start, end in parts), size)
        whole = content[: parts[0][0] - 8] + chunk(b"IDAT", zlib.compress(rows))
    return whole + chunk(b"IEND", b""), "has no end; all rows are there."


def _whole_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    return (span for span in spans(content) if span[2] + 4 <= len(content))


def png_damaged_after_percent(content: bytes) -> int | None:
    """Return the share of the rows before a wrong checksum in percent; None if all checksums are right.

    Only chunks that are whole and critical are checked.
    """
    view = memoryview(content)
    for kind, start, end in _whole_chunks(content):
        is_critical = kind[0] & 0x20 == 0
        if is_critical and zlib.crc32(view[start - 4 : end]) != int.from_bytes(view[end : end + 4]):
            return min(99, _png_rows_percent(content[:end]))
    return None


def _png_rows_percent(content: bytes) -> int:
    """Return the share of the rows that the pixel data of a PNG unpack to, in percent; not for interlaced files."""
    size = _png_rows_bytes(content)
    inflate, unpacked = zlib.decompressobj(), 0
    with suppress(zlib.error):
        for kind, start, end in spans(content):
            rest = content[start:end] if kind == b"IDAT" else b""
            while rest and unpacked < size:
                unpacked += len(inflate.decompress(rest, _STEP_BYTES))
                rest = inflate.unconsumed_tail
    return min(100, unpacked * 100 // size) if size else 0


def _png_rows_bytes(content: bytes) -> int:
    """Return the bytes of the rows of a PNG that is not interlaced, each with its filter; 0 without a header."""
    if len(content) < 26:
        return 0
    width, height, depth, color_type = struct.unpack_from(">IIBB", content, 16)
    return int((width * depth * CHANNELS.get(color_type, 1) + 7) // 8 + 1) * int(height)


def _png_animation(content: bytes) -> tuple[int, int]:
    """Return the number of frames and of plays that a PNG declares before its pixels; 0 frames for a still image."""
    for kind, start, end in _whole_chunks(content):
        if kind == b"IDAT":
            break
        if kind == b"acTL" and end - start >= 8:
            frames, plays = struct.unpack_from(">II", content, start)
            return min(frames, MAX_FRAMES + 1), plays
    return 0, 0


def png_frames(content: bytes) -> Iterator[StoredFrame]:
    """Yield the frames of an animated PNG; a default image without a frame control chunk is not a frame."""
    declared, _ = _png_animation(content)
    control: tuple[Any, ...] | None = None
    head: list[bytes] = []
    parts: list[bytes] = []
    for kind, start, end in _whole_chunks(content) if declared else ():
        if kind in (b"PLTE", b"tRNS"):
            head.append(chunk(kind, content[start:end]))
        elif kind in (b"fcTL", b"IEND"):
            if control and parts:
                width, height, left, top, numerator, denominator, disposal, blend = control
                header = chunk(b"IHDR", struct.pack(">II", width, height) + content[24:29])
                data = (*head, chunk(b"IDAT", b"".join(parts)), chunk(b"IEND", b""))
                delay = round(numerator * 1000 / (denominator or 100))
                box = left, top, width, height
                yield StoredFrame(b"".join((SIGNATURE, header, *data)), box, delay, disposal, blend == 1)
                declared -= 1
            if not declared:
                return
            control = struct.unpack_from(">IIIIHHBB", content, start + 4) if end - start >= 26 else None
            parts = []
        elif control and kind in (b"IDAT", b"fdAT"):
            parts.append(content[start + (4 if kind == b"fdAT" else 0) : end])


# GIF (GIF89a specification)


def count_gif_frames(content: bytes) -> int:
    """Count the frames of a GIF, up to one more than `MAX_FRAMES`.

    Raises:
        InvalidInput: The file ends inside a frame.
    """
    try:
        return sum(1 for _ in islice(gif_frames(content), MAX_FRAMES + 1))
    except IndexError:
        raise truncated_file() from None


def gif_frames(content: bytes) -> Iterator[StoredFrame]:
    """Yield the images of a GIF.

    Raises:
        IndexError: The file ends inside a block.
    """
    shared = content[13 : 13 + _color_table_bytes(content[10])]
    control = bytes(4)
    for block, start, end in _gif_blocks(content):
        if block == b"!" and content[start + 1] == _GRAPHIC_CONTROL:
            control = content[start + 3 : start + 7].ljust(4, b"\0")
        elif block == b",":
            left, top, width, height, flags = struct.unpack_from("<HHHHB", content, start + 1)
            data = start + 10 + _color_table_bytes(flags)
            palette = content[start + 10 : data] or shared or bytes(6)
            bits = (len(palette) // 3 - 1).bit_length()
            screen = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | bits - 1, 0, 0) + palette
            transparency = b"!\xf9\x04" + bytes((control[0] & 1, 0, 0, control[3], 0))
            image = b"," + struct.pack("<HHHHB", 0, 0, width, height, flags & 0x40) + content[data:end]
            delay, disposal = int.from_bytes(control[1:3], "little") * 10, _GIF_DISPOSALS.get(control[0] >> 2 & 7, 0)
            file = b"".join((screen, transparency, image, b";"))
            yield StoredFrame(file, (left, top, width, height), delay, disposal)
            control = bytes(4)


def _gif_blocks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield first byte, start and end of each block (appendix B), up to the trailer."""
    position = 13 + _color_table_bytes(content[10])
    while (block := _GIF_BLOCK.search(content, position)) and block[0] != b";":
        start = block.start()
        position = start + (2 if block[0] == b"!" else 11 + _color_table_bytes(content[start + 9]))
        while length := content[position]:
            position += length + 1
        position += 1
        yield block[0], start, position


def _gif_timing(content: bytes) -> Timing:
    """Return delays and repetitions; without a loop extension a GIF plays once."""
    delays, stated = list[int](), None
    with suppress(IndexError):  # the file is truncated
        for block, start, _ in _gif_blocks(content):
            is_application = block == b"!" and content[start + 1] == _APPLICATION
            if is_application and content[start + 3 : start + 14] in _LOOP_EXTENSIONS and content[start + 15] == 1:
                stated = int.from_bytes(content[start + 16 : start + 18], "little")
    with suppress(IndexError):
        delays.extend(frame.delay_ms for frame in gif_frames(content))
    if len(delays) < 2:
        return STILL
    plays = 1 if stated is None else stated and stated + 1
    return Timing(len(delays), tuple(delays), 1 if stated is None else stated, plays)


def _color_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


# WebP (RFC 9649), AVIF and TIFF


def webp_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield name, start and end of the data of each chunk; the last one may end beyond a truncated file."""
    start = 20
    while start <= len(content):
        name, size = struct.unpack_from("<4sI", content, start - 8)
        yield name, start, start + size
        start += size + size % 2 + 8


def webp_chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk; its length is even."""
    return b"".join((name, struct.pack("<I", len(content)), content, b"\0" * (len(content) % 2)))


def webp_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height of the canvas, which a decoder reserves; None if they are missing.

    The header is that of an extended, lossless or lossy file (RFC 9649, sections 2.5 to 2.7).
    """
    kind, data = content[12:16], content[20:30]
    if len(data) < (5 if kind == b"VP8L" else 10):
        return None
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[4:7], "little"), 1 + int.from_bytes(data[7:10], "little")
    bits, lossy = int.from_bytes(data[1:5], "little"), int.from_bytes(data[6:10], "little")
    if kind == b"VP8L":
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return (lossy & 0x3FFF, lossy >> 16 & 0x3FFF) if kind == b"VP8 " else None


def avif_property(content: bytes, name: bytes, size: int) -> bytes:
    """Return the first `size` bytes of a box of an AVIF or HEIC file; empty if they are missing."""
    place = content.find(name, 0, _AVIF_HEAD_BYTES)
    start = place + len(name)
    return content[start : start + size] if 0 < place <= len(content) - size - len(name) else b""


def avif_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height of an AVIF or HEIC file, before it is turned; None if they are missing."""
    extent = avif_property(content, b"ispe", 12)
    return (int.from_bytes(extent[4:8]), int.from_bytes(extent[8:])) if extent else None


def avif_samples(content: bytes) -> tuple[int, bool]:
    """Return bit depth and whether there is color, by the AV1 configuration (AV1 in ISOBMFF, 2.3.3)."""
    flags = avif_property(content, b"av1C", 3)[-1:] or b"\0"
    depth = (12 if flags[0] & 0x20 else 10) if flags[0] & 0x40 else 8
    return depth, not flags[0] & 0x10


def libtiff_tile(raw_mode: str, size: tuple[int, int], offset: int) -> ImageFile._Tile:
    """Return the tile with which Pillow decodes a whole page of a TIFF, whose directory is at an offset, by libtiff."""
    compression = ("raw",) if int(PIL.__version__.partition(".")[0]) < 13 else ()
    return ImageFile._Tile("libtiff", (0, 0, *size), 0, (raw_mode, *compression, False, offset))  # noqa: SLF001


def page_count(content: bytes) -> int:
    """Return the number of pages of a TIFF, at most 1000."""
    return max(1, sum(1 for _ in _tiff_directories(content)))


def _tiff_directories(content: bytes) -> Iterator[int]:
    """Yield the end of the directory of each page of a TIFF; further pages and cycles are not followed."""
    order: Literal["little", "big"] = "little" if content[:2] == b"II" else "big"
    size, count_size, entry = (8, 8, 20) if content[2:4] in (b"+\0", b"\0+") else (4, 2, 12)

    def number(start: int, length: int) -> int:
        return int.from_bytes(content[start : start + length], order)

    seen: list[int] = []
    offset, end = number(size, size), 0
    while offset and offset not in seen and len(seen) < MAX_FRAMES and end <= len(content):
        seen.append(offset)
        end = offset + count_size + number(offset, count_size) * entry + size
        yield end
        offset = number(end - size, size)
