"""What the bytes of an image file say without decoding: completeness, checksums, scans, frames, delays and pages."""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from PIL.JpegImagePlugin import JpegImageFile

from mediakit.engines.png import SIGNATURE, chunk
from mediakit.engines.raster.formats import ImageFormat
from mediakit.errors import InvalidInput

MAX_SCANS = 100
"""Maximum scans of a progressive JPEG. Encoders write about ten; decoding each takes a pass over all pixels."""

MAX_FRAMES = 1000
"""Maximum frames of an animation, and pages of a TIFF that are counted."""

_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])", re.DOTALL)
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_SEQUENTIAL = frozenset({0xC0, 0xC1})
"""Frame header markers of JPEGs that are not progressive."""
_PROGRESSIVE = 0xC2
_JPEG_END = b"\xff\xd9"
_FILLER = bytes(range(1, 251)) * 40
"""Bytes that decode to other pixels than missing data, which libjpeg replaces by gray."""

_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels by color type (ISO/IEC 15948, 11.2.2)."""
_STEP_BYTES = 1 << 20

_GIF_BLOCK = re.compile(rb"[,!;]")
"""First byte of an image, an extension or the trailer. Some writers leave stray bytes between blocks."""
_AVIF_HEAD_BYTES = 65_536
_LOOP_EXTENSIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_GRAPHIC_CONTROL, _APPLICATION = 0xF9, 0xFF


class Completed(NamedTuple):
    """A file that can be decoded."""

    content: bytes
    """The file, with its end added if only that was missing."""
    warning: str = ""
    """What was missing, as a sentence without a subject; empty if the file is whole."""


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


class GifFrame(NamedTuple):
    """An image of a GIF (GIF89a specification, 20 to 23)."""

    box: tuple[int, int, int, int]
    """Left, top, width and height."""
    disposal: int
    delay_ms: int
    transparent: int | None
    """Index of the transparent color."""
    palette: bytes
    is_interlaced: bool
    data: slice
    """Place of the compressed pixels in the file."""


class PngFrame(NamedTuple):
    """A frame of an animated PNG (PNG third edition, 11.3.6)."""

    box: tuple[int, int, int, int]
    """Left, top, width and height."""
    delay_ms: int
    disposal: int
    blends: bool
    """Whether the frame is composited over what is below, instead of replacing it."""
    data: bytes
    """Compressed pixels."""


def truncated_file(percent: int | None = None) -> InvalidInput:
    """Return the error for a file that ends too early, after a share of its rows if that is known."""
    after = "" if percent is None else f" after {percent} % of its rows"
    return InvalidInput(f"file: is truncated{after}. Send the whole file.")


def webp_pixels(content: bytes) -> int:
    """Return the pixels of a WebP's canvas, which the decoder reserves when it opens the file; 0 if they are unknown.

    The header is that of an extended, lossless or lossy file (RFC 9649, sections 2.5 to 2.7).
    """
    kind, data = content[12:16], content[20:30]
    if kind == b"VP8X":
        return (1 + int.from_bytes(data[4:7], "little")) * (1 + int.from_bytes(data[7:10], "little"))
    if kind == b"VP8L":
        bits = int.from_bytes(data[1:5], "little")
        return (1 + (bits & 0x3FFF)) * (1 + (bits >> 14 & 0x3FFF))
    width, height = (int.from_bytes(data[start : start + 2], "little") & 0x3FFF for start in (6, 8))
    return width * height if kind == b"VP8 " else 0


def completed(content: bytes, kind: ImageFormat) -> Completed:
    """Check the structure of a file, and add the end of one that has all rows.

    Raises:
        InvalidInput: The file is truncated, has a wrong checksum, or takes minutes to decode.
    """
    if kind == "png":
        return _completed_png(content)
    if kind == "jpeg":
        found = check_jpeg(content)
        if found.is_complete:
            return Completed(content)
        percent = jpeg_rows_percent(content)
        if percent < 100:
            raise truncated_file(percent)
        details = "; details may be missing" if found.is_progressive else ""
        return Completed(content.rstrip(b"\xff") + _JPEG_END, f"has no end marker; all rows are there{details}.")
    if kind == "webp" and int.from_bytes(content[4:8], "little") + 8 > len(content):
        raise truncated_file()
    return Completed(content)


def timing_of(content: bytes, kind: ImageFormat, image: Any = None) -> Timing:
    """Return the timing of a file, which may end early.

    Args:
        content: The file.
        kind: Its format.
        image: The opened image, for AVIF; None if it cannot be opened.
    """
    if kind == "gif":
        return _gif_timing(content)
    if kind == "webp":
        return _timing(*_webp_delays(content))
    if kind == "png":
        delays, plays = [frame.delay_ms for frame in png_frames(content)], _png_animation(content)[1]
        return _timing(delays, plays)
    if kind == "avif" and image is not None and getattr(image, "n_frames", 1) > 1:
        return _avif_timing(image)
    return STILL


def _timing(delays: list[int], plays: int) -> Timing:
    return Timing(len(delays), tuple(delays), plays, plays) if len(delays) > 1 else STILL


# JPEG (ITU-T T.81)


class JpegStructure(NamedTuple):
    """Scans and end of a JPEG."""

    scans: int
    is_complete: bool
    """Whether a marker follows the last scan."""
    is_progressive: bool


def check_jpeg(content: bytes) -> JpegStructure:
    """Return the structure of a JPEG.

    Raises:
        InvalidInput: It has so many scans that decoding would take minutes.
    """
    found = _jpeg_structure(content)
    if found.scans > MAX_SCANS:
        raise InvalidInput(f"file: must have at most {MAX_SCANS} scans, got {found.scans}.")
    return found


def _jpeg_structure(content: bytes) -> JpegStructure:
    """Count the scans (B.1.1.3). libjpeg stops after a sequential scan of all components."""
    scans, position, components, is_progressive = 0, 2, b"", False
    while marker := _JPEG_MARKER.search(content, position):
        code, start = marker[1][0], marker.end()
        if code == _END_OF_IMAGE:
            return JpegStructure(scans, is_complete=True, is_progressive=is_progressive)
        position = start + int.from_bytes(content[start : start + 2])
        if code in _SEQUENTIAL:
            components = content[start + 7 : start + 8]
        is_progressive |= code == _PROGRESSIVE
        if code == _START_OF_SCAN:
            scans += 1
            if content[start + 2 : start + 3] == components:
                is_complete = _JPEG_MARKER.search(content, position) is not None
                return JpegStructure(scans, is_complete, is_progressive)
    return JpegStructure(scans, is_complete=False, is_progressive=is_progressive)


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


def _completed_png(content: bytes) -> Completed:
    """Check the end and the critical checksums of a PNG, which Pillow does not check for pixel data (5.3)."""
    view = memoryview(content)
    end = len(SIGNATURE)
    for kind, start, end in _png_chunks(content):
        if kind[0] & 0x20 == 0 and zlib.crc32(view[start - 4 : end]) != int.from_bytes(view[end : end + 4]):
            raise InvalidInput("file: is damaged. A checksum of the PNG is wrong.")
        if kind == b"IEND":
            return Completed(content)
    whole = content[: end + 4]
    percent = _png_rows_percent(whole)
    if percent == 100 and not _png_animation(content)[0]:
        return Completed(whole + chunk(b"IEND", b""), "has no end; all rows are there.")
    raise truncated_file(None if percent == 100 else _png_rows_percent(content))


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield type, start and end of the data of each whole chunk, up to and including IEND."""
    kind, end = b"", 4
    while kind != b"IEND" and end + 12 <= len(content):
        start = end + 12
        length, kind = struct.unpack_from(">I4s", content, start - 8)
        end = start + length
        if end + 4 > len(content):
            return
        yield kind, start, end


def _png_rows_percent(content: bytes) -> int:
    """Return the share of the rows that the pixel data of a PNG unpack to, in percent."""
    parts, position = [], len(SIGNATURE)
    while position + 8 <= len(content):
        length, name = struct.unpack_from(">I4s", content, position)
        if name == b"IDAT":
            parts.append(content[position + 8 : position + 8 + length])
        position += length + 12
    size = _png_data_size(content)
    whole, last = _unpacked_bytes(parts)
    return min(100, (last or whole) * 100 // size) if size else 0


def png_damaged_after_percent(content: bytes) -> int | None:
    """Return the share of the rows before a wrong checksum in percent; None if all checksums are right.

    Only chunks that are whole are checked.
    """
    parts = []
    for name, start, end in _png_chunks(content):
        if name == b"IDAT":
            parts.append(content[start:end])
        is_critical = name[0] & 0x20 == 0
        if is_critical and zlib.crc32(content[start - 4 : end]) != int.from_bytes(content[end : end + 4]):
            whole, last = _unpacked_bytes(parts)
            return min(99, (last or whole) * 100 // (_png_data_size(content) or 1))
    return None


def _png_data_size(content: bytes) -> int:
    """Return the unpacked size of the pixel data, without interlacing."""
    if len(content) < 26:
        return 0
    width, height, depth, color_type = struct.unpack_from(">IIBB", content, 16)
    return int(((width * depth * _PNG_CHANNELS.get(color_type, 1) + 7) // 8 + 1) * height)


def _unpacked_bytes(parts: list[bytes]) -> tuple[int, int]:
    """Return how many bytes all parts but the last unpack to, and all of them, which is 0 if there is no error."""
    inflate = zlib.decompressobj()
    total = before = 0
    try:
        for part in parts:
            before = total
            rest = part
            while rest:
                total += len(inflate.decompress(rest, _STEP_BYTES))
                rest = inflate.unconsumed_tail
    except zlib.error:
        return before, total
    return total, 0


def _png_animation(content: bytes) -> tuple[int, int]:
    """Return the number of frames and of plays that a PNG declares before its pixels; 0 frames for a still image."""
    for kind, start, end in _png_chunks(content):
        if kind == b"IDAT":
            break
        if kind == b"acTL" and end - start >= 8:
            frames, plays = struct.unpack_from(">II", content, start)
            return min(frames, MAX_FRAMES + 1), plays
    return 0, 0


def png_frames(content: bytes) -> Iterator[PngFrame]:
    """Yield the frames of an animated PNG; a default image without a frame control chunk is not a frame."""
    declared, _ = _png_animation(content)
    control: tuple[Any, ...] | None = None
    parts: list[bytes] = []
    for kind, start, end in _png_chunks(content) if declared else ():
        if kind in (b"fcTL", b"IEND"):
            if control and parts:
                yield _png_frame(control, b"".join(parts))
                declared -= 1
            if not declared:
                return
            control = struct.unpack_from(">IIIIHHBB", content, start + 4) if end - start >= 26 else None
            parts = []
        elif control and kind in (b"IDAT", b"fdAT"):
            parts.append(content[start + (4 if kind == b"fdAT" else 0) : end])


def _png_frame(control: tuple[Any, ...], data: bytes) -> PngFrame:
    width, height, left, top, numerator, denominator, disposal, blend = control
    delay = round(numerator * 1000 / (denominator or 100))
    return PngFrame((left, top, width, height), delay, disposal, blend == 1, data)


# GIF (GIF89a specification)


def count_gif_frames(content: bytes) -> int:
    """Count the frames of a GIF, up to one more than `MAX_FRAMES`.

    Raises:
        InvalidInput: The file ends inside a frame.
    """
    frames = 0
    try:
        for frame in gif_frames(content):
            if frame.data.stop > len(content):
                raise truncated_file()
            frames += 1
            if frames > MAX_FRAMES:
                break
    except IndexError:
        raise truncated_file() from None
    return frames


def gif_frames(content: bytes) -> Iterator[GifFrame]:
    """Yield the images of a GIF.

    Raises:
        IndexError: The file ends inside a block.
    """
    position = 13 + _color_table_bytes(content[10])
    shared = content[13:position]
    control = bytes(4)
    for block, start, end in _gif_blocks(content, position):
        if block == b"!" and content[start + 1] == _GRAPHIC_CONTROL:
            control = content[start + 3 : start + 7].ljust(4, b"\0")
        elif block == b",":
            *box, flags = struct.unpack_from("<HHHHB", content.ljust(start + 10, b"\0"), start + 1)
            data = start + 10 + _color_table_bytes(flags)
            palette = content[start + 10 : data] or shared
            delay = int.from_bytes(control[1:3], "little") * 10
            transparent = control[3] if control[0] & 1 else None
            disposal, is_interlaced = control[0] >> 2 & 7, bool(flags & 0x40)
            yield GifFrame((*box,), disposal, delay, transparent, palette, is_interlaced, slice(data, end))
            control = bytes(4)


def _gif_blocks(content: bytes, position: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield first byte, start and end of each block (appendix B), up to the trailer."""
    while block := _GIF_BLOCK.search(content, position):
        start = block.start()
        if block[0] == b";":
            return
        head = 2 if block[0] == b"!" else 11 + _color_table_bytes(content[start + 9])
        position = start + head
        while length := content[position]:
            position += length + 1
        position += 1
        yield block[0], start, position


def _gif_timing(content: bytes) -> Timing:
    """Return delays and repetitions; without a loop extension a GIF plays once."""
    delays: list[int] = []
    stated: int | None = None
    try:
        for block, start, _ in _gif_blocks(content, 13 + _color_table_bytes(content[10])):
            is_application = block == b"!" and content[start + 1] == _APPLICATION
            if is_application and content[start + 3 : start + 14] in _LOOP_EXTENSIONS and content[start + 15] == 1:
                stated = int.from_bytes(content[start + 16 : start + 18], "little")
        delays.extend(frame.delay_ms for frame in gif_frames(content))
    except IndexError:
        pass  # the file is truncated
    if len(delays) < 2:
        return STILL
    plays = 1 if stated is None else stated and stated + 1
    return Timing(len(delays), tuple(delays), 1 if stated is None else stated, plays)


def _color_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


# WebP (RFC 9649), AVIF and TIFF


def _webp_delays(content: bytes) -> tuple[list[int], int]:
    """Return the delays of the ANMF chunks and the plays of ANIM."""
    delays: list[int] = []
    plays, position = 0, 12
    while position + 8 <= len(content):
        name, size = content[position : position + 4], int.from_bytes(content[position + 4 : position + 8], "little")
        start = position + 8
        if name == b"ANIM":
            plays = int.from_bytes(content[start + 4 : start + 6], "little")
        elif name == b"ANMF":
            delays.append(int.from_bytes(content[start + 12 : start + 15], "little"))
        position = start + size + (size & 1)
    return delays, plays


def _avif_timing(image: Any) -> Timing:
    """Return the timing of an AVIF sequence; its decoder states the time of each frame."""
    delays = []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        delays.append(round(image.info.get("duration", 0)))
    image.seek(0)
    return Timing(image.n_frames, tuple(delays), 0, 0)


def page_count(content: bytes) -> int:
    """Return the number of pages of a TIFF, at most 1000; further pages and cycles are not followed."""
    order = "<" if content[:2] == b"II" else ">"
    big = content[2:4] in (b"+\0", b"\0+")
    offset_format, count_format, entry = ("Q", "Q", 20) if big else ("I", "H", 12)
    seen: list[int] = []
    try:
        (offset,) = struct.unpack_from(order + offset_format, content, 8 if big else 4)
        while offset and offset not in seen and len(seen) < MAX_FRAMES:
            seen.append(offset)
            (count,) = struct.unpack_from(order + count_format, content, offset)
            after = offset + struct.calcsize("=" + count_format) + count * entry
            (offset,) = struct.unpack_from(order + offset_format, content, after)
    except struct.error:
        pass  # the file is truncated
    return max(1, len(seen))


def avif_samples(content: bytes) -> tuple[int, bool]:
    """Return bit depth and whether there is color, by the AV1 configuration (AV1 in ISOBMFF, 2.3.3)."""
    place = content.find(b"av1C", 0, _AVIF_HEAD_BYTES)
    flags = content[place + 6] if 0 < place < len(content) - 6 else 0
    depth = (12 if flags & 0x20 else 10) if flags & 0x40 else 8
    return depth, not flags & 0x10
