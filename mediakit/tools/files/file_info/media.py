"""Duration of audio and video, where the head or the end of the file tells it."""

import re
import struct
from collections.abc import Callable
from typing import Any

from mediakit.engines.file_types import FileType
from mediakit.engines.file_types.media_types import mpeg_frame, skip_tags

_XING_FRAMES = 1
_ASF_PROPERTIES = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")
_NANOSECONDS = 1e9
_HUNDRED_NANOSECONDS = 1e7
_HEAD_BYTES = 1_000_000
_MAX_SECONDS = 10_000_000


def media_details(content: bytes, found: FileType) -> dict[str, Any]:
    """Return the duration in seconds, where it is known."""
    try:
        seconds = _duration(content, found)
    except (struct.error, ZeroDivisionError, IndexError, OverflowError, ValueError):
        return {}
    return {"duration_seconds": round(seconds, 3)} if seconds and 0 < seconds < _MAX_SECONDS else {}


def _duration(content: bytes, found: FileType) -> float | None:
    readers: tuple[tuple[tuple[bytes, ...], Callable[[bytes], float | None]], ...] = (
        ((b"RIFF", b"RIFX"), _avi if content[8:12] == b"AVI " else _wav),
        ((b"fLaC",), _flac),
        ((b"OggS",), _ogg),
        ((b"FORM",), _aiff),
        ((b"\x1a\x45\xdf\xa3",), _matroska),
        ((b"\x30\x26\xb2\x75",), _asf),
    )
    reader = next((read for starts, read in readers if content.startswith(starts)), None)
    if reader is None and content[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        reader = _iso_media
    if reader is None and found.mime_type == "audio/mpeg":
        reader = _mpeg
    return reader(content) if reader else None


def _wav(content: bytes) -> float | None:
    order = ">" if content.startswith(b"RIFX") else "<"
    position, rate = 12, 0
    while position + 8 <= len(content):
        name, size = content[position : position + 4], struct.unpack_from(f"{order}L", content, position + 4)[0]
        if name == b"fmt ":
            rate = struct.unpack_from(f"{order}L", content, position + 16)[0]
        if name == b"data":
            return float(min(size, len(content) - position - 8) / rate)
        position += 8 + size + size % 2
    return None


def _avi(content: bytes) -> float | None:
    position = content.find(b"avih", 0, 4096)
    if position < 0:
        return None
    microseconds, _, _, _, frames = struct.unpack_from("<5L", content, position + 8)
    return float(microseconds * frames / 1e6)


def _flac(content: bytes) -> float | None:
    packed = int.from_bytes(content[18:26])
    rate, samples = packed >> 44, packed & (1 << 36) - 1
    return samples / rate


def _ogg(content: bytes) -> float | None:
    """Return the position of the last page over the rate of the first stream (RFC 3533, RFC 7845)."""
    last = content.rfind(b"OggS")
    granule = struct.unpack_from("<q", content, last + 6)[0]
    head = content[:512]
    if (position := head.find(b"OpusHead")) >= 0:
        return float((granule - struct.unpack_from("<H", head, position + 10)[0]) / 48_000)
    if (position := head.find(b"\x01vorbis")) >= 0:
        return float(granule / struct.unpack_from("<L", head, position + 12)[0])
    return None


def _aiff(content: bytes) -> float | None:
    position = content.find(b"COMM", 0, 4096)
    if position < 0:
        return None
    frames = struct.unpack_from(">L", content, position + 10)[0]
    exponent, mantissa = struct.unpack_from(">HQ", content, position + 16)
    return float(frames / (mantissa * 2.0 ** (exponent - 16383 - 63)))


def _matroska(content: bytes) -> float | None:
    """Return the duration of the segment's information, in units of its time scale (RFC 9559, 5.1.2)."""
    head = content[:_HEAD_BYTES]
    scale = re.search(rb"\x2a\xd7\xb1([\x81-\x88])", head)
    factor = 1_000_000
    if scale:
        factor = int.from_bytes(head[scale.end() : scale.end() + (scale[1][0] & 0x0F)])
    found = re.search(rb"\x44\x89([\x84\x88])", head)
    if found is None:
        return None
    code = ">f" if found[1] == b"\x84" else ">d"
    return float(struct.unpack_from(code, head, found.end())[0] * factor / _NANOSECONDS)


def _asf(content: bytes) -> float | None:
    position = content.find(_ASF_PROPERTIES, 0, 4096)
    if position < 0:
        return None
    play, _, preroll = struct.unpack_from("<3Q", content, position + 64)
    return float(play / _HUNDRED_NANOSECONDS - preroll / 1000)


def _iso_media(content: bytes) -> float | None:
    """Return the duration of the movie header (ISO/IEC 14496-12, 8.2.2)."""
    position = content.find(b"mvhd")
    if position < 0:
        return None
    if content[position + 4] == 1:
        scale, duration = struct.unpack_from(">LQ", content, position + 24)
    else:
        scale, duration = struct.unpack_from(">LL", content, position + 16)
    return float(duration / scale)


def _mpeg(content: bytes) -> float | None:
    """Return the duration of MP3 audio: by its Xing or Info header, or by the bit rate of its first frame."""
    start = content.find(b"\xff", skip_tags(content))
    while start >= 0 and (frame := mpeg_frame(content, start)) is None:
        start = content.find(b"\xff", start + 1)
    if start < 0 or frame is None:
        return None
    side = (17 if frame.is_mono else 32) if frame.is_version_1 else (9 if frame.is_mono else 17)
    header = start + 4 + side
    if content[header : header + 4] in (b"Xing", b"Info") and content[header + 7] & _XING_FRAMES:
        return float(struct.unpack_from(">L", content, header + 8)[0] * frame.samples / frame.rate)
    return 8 * (len(content) - start) / frame.bitrate
