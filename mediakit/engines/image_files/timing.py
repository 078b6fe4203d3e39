"""Frames and delays of animations, read from the structure of the file without decoding pixels."""

import struct
from dataclasses import dataclass
from typing import Any

from mediakit.engines.image_files.formats import ImageFormat

MAX_LISTED_DELAYS = 1000
"""Delays that are listed."""


@dataclass(frozen=True)
class Timing:
    """Frames and their delays."""

    frames: int = 1
    delays_ms: tuple[int, ...] = ()
    """Delay of each frame; empty for a still image."""
    loop: int | None = None
    """The repetitions that the file states; 0: endlessly; None for a still image."""

    @property
    def animated(self) -> bool:
        """Whether there are several frames."""
        return self.frames > 1


STILL = Timing()


def timing_of(content: bytes, kind: ImageFormat, image: Any = None) -> Timing:
    """Return the timing of a file.

    Args:
        content: The file; it may end early.
        kind: Its format.
        image: The opened image, for AVIF; None if it cannot be opened.
    """
    if kind == "gif":
        return _timed(_gif(content))
    if kind == "webp":
        return _timed(_webp(content))
    if kind == "png":
        return _timed(_png(content))
    if kind == "avif" and image is not None and getattr(image, "n_frames", 1) > 1:
        return _avif(image)
    return STILL


def _timed(found: tuple[list[int], int]) -> Timing:
    delays, loop = found
    return Timing(len(delays), tuple(delays), loop) if len(delays) > 1 else STILL


def _gif(content: bytes) -> tuple[list[int], int]:
    """Return delays and repetitions (GIF89a specification, 20 to 26); without a loop extension it plays once."""
    delays: list[int] = []
    loop, delay = 1, 0
    try:
        position = 13 + _color_table_bytes(content[10])
        while (block := content[position]) != 0x3B:
            if block == 0x21:
                label, start = content[position + 1], position + 2
                if label == 0xF9:
                    delay = int.from_bytes(content[start + 2 : start + 4], "little") * 10
                elif label == 0xFF and content[start + 1 : start + 12] in (b"NETSCAPE2.0", b"ANIMEXTS1.0"):
                    loop = int.from_bytes(content[start + 14 : start + 16], "little")
                position = _after_sub_blocks(content, start)
            elif block == 0x2C:
                delays.append(delay)
                delay = 0
                position = _after_sub_blocks(content, position + 11 + _color_table_bytes(content[position + 9]))
            else:
                position += 1  # some writers leave stray bytes between blocks
    except IndexError:
        pass  # the file is truncated
    return delays, loop


def _color_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_sub_blocks(content: bytes, position: int) -> int:
    while length := content[position]:
        position += length + 1
    return position + 1


def _webp(content: bytes) -> tuple[list[int], int]:
    """Return the delays of the ANMF chunks and the loop count of ANIM (WebP container specification)."""
    delays: list[int] = []
    loop, position = 0, 12
    while position + 8 <= len(content):
        name, size = content[position : position + 4], int.from_bytes(content[position + 4 : position + 8], "little")
        start = position + 8
        if name == b"ANIM":
            loop = int.from_bytes(content[start + 4 : start + 6], "little")
        elif name == b"ANMF":
            delays.append(int.from_bytes(content[start + 12 : start + 15], "little"))
        position = start + size + (size & 1)
    return delays, loop


def _png(content: bytes) -> tuple[list[int], int]:
    """Return the delays of the fcTL chunks and the plays of acTL; a default image without one is not a frame."""
    delays: list[int] = []
    loop, position, declared = 0, 8, 0
    while position + 8 <= len(content):
        length, name = struct.unpack_from(">I4s", content, position)
        start = position + 8
        if name == b"acTL" and start + 8 <= len(content):
            declared, loop = struct.unpack_from(">II", content, start)
        elif name == b"fcTL" and declared and start + 24 <= len(content):
            numerator, denominator = struct.unpack_from(">HH", content, start + 20)
            delays.append(round(numerator * 1000 / (denominator or 100)))
        position = start + length + 4
    return delays[:declared], loop


def _avif(image: Any) -> Timing:
    """Return the timing of an AVIF sequence; its decoder states the time of each frame."""
    delays = []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        delays.append(round(image.info.get("duration", 0)))
    image.seek(0)
    return Timing(image.n_frames, tuple(delays), 0)


def page_count(content: bytes) -> int:
    """Return the number of pages of a TIFF, at most 1000; further pages and cycles are not followed."""
    order = "<" if content[:2] == b"II" else ">"
    big = content[2:4] in (b"+\0", b"\0+")
    offset_format, count_format, entry = ("Q", "Q", 20) if big else ("I", "H", 12)
    seen: list[int] = []
    try:
        (offset,) = struct.unpack_from(order + offset_format, content, 8 if big else 4)
        while offset and offset not in seen and len(seen) < MAX_LISTED_DELAYS:
            seen.append(offset)
            (count,) = struct.unpack_from(order + count_format, content, offset)
            after = offset + struct.calcsize("=" + count_format) + count * entry
            (offset,) = struct.unpack_from(order + offset_format, content, after)
    except struct.error:
        pass  # the file is truncated
    return max(1, len(seen))
