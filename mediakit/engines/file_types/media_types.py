"""Audio and video: the type of a file by its first elements, or by MPEG frames and packets that follow each other."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_BRANDS = {
    b"avif": "avif", b"avis": "avif-sequence", b"heic": "heic", b"heix": "heic", b"heim": "heic", b"heis": "heic",
    b"hevc": "heic-sequence", b"hevx": "heic-sequence", b"mif1": "heif", b"msf1": "heif-sequence", b"crx ": "cr3",
    b"qt  ": "mov", b"M4V ": "m4v", b"M4VH": "m4v", b"M4VP": "m4v", b"M4A ": "m4a", b"M4B ": "m4b", b"M4P ": "m4p",
    b"F4V ": "f4v", b"F4P ": "f4v", b"F4A ": "f4a", b"F4B ": "f4a", b"jp2 ": "jp2", b"jpx ": "jpx", b"jpm ": "jpm",
    b"mjp2": "mj2", b"mj2s": "mj2", b"aax ": "aax", b"aaxc": "aax",
}  # fmt: skip
"""Major brands of `ftyp` boxes (ISO/IEC 14496-12), as mp4ra.org registers them."""

_STILL_BRANDS = (b"avif", b"avis", b"heic", b"heix", b"hevc", b"hevx")
"""Compatible brands that say more than the major brands `mif1` and `msf1`."""

_QUICKTIME_BOXES = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


def iso_media_type(content: bytes) -> str | None:
    """Return the type of an ISO base media file; None where the first box is none of its boxes."""
    size, box = int.from_bytes(content[:4]), content[4:8]
    if box == b"ftyp":
        return _branded(content, max(16, min(size, 512)))
    if box == b"styp":
        return "mp4-segment"
    if box not in _QUICKTIME_BOXES or (size not in (0, 1) and not 8 <= size < 2**29):
        return None  # four ASCII letters are a larger number
    following = content[size + 4 : size + 8]  # a box that is not the last one is followed by the name of another
    is_named = following.isalnum() and len(following) == len(box)
    return "mov" if size in (0, 1) or size >= len(content) or is_named else None


def _branded(content: bytes, size: int) -> str:
    major = content[8:12]
    compatible = {content[at : at + 4] for at in range(16, size, 4)}
    if major in (b"mif1", b"msf1"):
        return next((_BRANDS[brand] for brand in _STILL_BRANDS if brand in compatible), _BRANDS[major])
    if major in _BRANDS:
        return _BRANDS[major]
    if major.startswith((b"3g2", b"3ge")):
        return "3g2"
    if major.startswith(b"3g"):
        return "3gp"
    if major.startswith((b"dvr", b"dvt")):
        return "dvb"
    tracks = set(re.findall(rb"hdlr\0\0\0\0.{4}(\w{4})", content, re.DOTALL))
    return "m4a" if b"soun" in tracks and b"vide" not in tracks else "mp4"


def matroska_type(content: bytes) -> str:
    """Return the type of an EBML file by its document type and the kinds of its tracks (RFC 9559)."""
    head = content[:65_536]
    found = re.search(rb"\x42\x82[\x80-\x8f\x40-\x4f]([\w-]+)", head[:4096])
    document = found[1] if found else b""
    is_audio = set(re.findall(rb"\x83\x81([\x01\x02\x11])", head)) == {b"\x02"}
    if document.startswith(b"webm"):
        return "weba" if is_audio else "webm"
    if document.startswith(b"matroska"):
        return "mka" if is_audio else "mk3d" if b"\x53\xb8\x81\x01" in head else "mkv"
    return "ebml"


def jpeg_2000_type(content: bytes) -> str:
    """Return the type of a file of the JPEG 2000 family, by the brand behind its signature box."""
    return _BRANDS.get(content[20:24], "jp2") if content[16:20] == b"ftyp" else "jp2"


_BITRATES = {
    (1, 3): (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 1): (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 3): (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 1): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""Kilobits per second by version and by the header's number of the layer: 3 is layer 1, 1 is layer 3."""

_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_APE_HEADER_BYTES = 32


@dataclass(frozen=True)
class MpegFrame:
    """An MPEG audio frame."""

    size: int
    """Bytes, with its header."""
    layer: int
    """The header's number: 1 is layer 3 (MP3), 2 is layer 2, 3 is layer 1."""
    rate: int
    """Samples per second."""
    samples: int
    bitrate: int
    """Bits per second."""
    is_mono: bool
    is_version_1: bool


def mpeg_frame(content: bytes, position: int) -> MpegFrame | None:
    """Return the MPEG audio frame at a position; None where there is none."""
    header = content[position : position + 4]
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return None
    version, layer = header[1] >> 3 & 3, header[1] >> 1 & 3
    bitrate_index, rate_index = header[2] >> 4, header[2] >> 2 & 3
    if version == 1 or layer == 0 or bitrate_index in (0, 15) or rate_index == 3:
        return None
    bitrate = 1000 * _BITRATES[1 if version == 3 else 2, layer][bitrate_index - 1]
    rate = _RATES[version][rate_index]
    padding = header[2] >> 1 & 1
    if layer == 3:
        size, samples = (12 * bitrate // rate + padding) * 4, 384
    else:
        samples = 576 if layer == 1 and version != 3 else 1152
        size = samples // 8 * bitrate // rate + padding
    return MpegFrame(size, layer, rate, samples, bitrate, header[3] >> 6 == 3, version == 3)


def adts_frame(content: bytes, position: int) -> int:
    """Return the size of the ADTS frame at a position; 0 where there is none."""
    header = content[position : position + 7]
    if len(header) < 7 or header[0] != 0xFF or header[1] & 0xF6 != 0xF0 or header[2] >> 2 & 15 > 12:
        return 0
    size = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
    return size if size > 7 else 0


def skip_tags(content: bytes) -> int:
    """Return the position behind the ID3v2 and APE tags at the start of a file."""
    position = 0
    while content.startswith(b"ID3", position) and position + 10 <= len(content):
        sizes = content[position + 6 : position + 10]
        if any(byte > 127 for byte in sizes):
            break
        footer = 10 if content[position + 5] & 0x10 else 0
        position += 10 + footer + (sizes[0] << 21 | sizes[1] << 14 | sizes[2] << 7 | sizes[3])
    if content.startswith(b"APETAGEX", position) and position + _APE_HEADER_BYTES <= len(content):
        position += _APE_HEADER_BYTES + int.from_bytes(content[position + 12 : position + 16], "little")
    return position


_LAYERS = {1: "mp3", 2: "mp2", 3: "mp1"}
_TAGGED = ((b"fLaC", "flac"), (b"MAC ", "ape"), (b"wvpk", "wavpack"), (b"TTA1", "tta"), (b"MP+", "musepack"))
"""Audio of other kinds that may have an ID3 tag."""


def audio_type(content: bytes) -> str | None:
    """Return the type of MPEG or AAC audio, with or without an ID3 tag; None for anything else.

    A tag followed by no known frames is that of an MP3 file.
    """
    start = skip_tags(content)
    if not start:
        return _frames_at(content, 0)
    found = next((name for magic, name in _TAGGED if content.startswith(magic, start)), None)
    found, position = found or _frames_at(content, start), start
    while found is None and position >= 0:  # the first frames after padding
        position = content.find(b"\xff", position, start + 4096)
        if position >= 0:
            found, position = _frames_at(content, position), position + 1
    return found or "mp3"


def _frames_at(content: bytes, position: int) -> str | None:
    if content[position : position + 1] != b"\xff":
        return None
    if _follow(content, position, adts_frame):
        return "aac"
    if not (frame := mpeg_frame(content, position)):
        return None
    follow = _follow(content, position, lambda *place: each.size if (each := mpeg_frame(*place)) else 0)
    return _LAYERS[frame.layer] if follow else None


def _follow(content: bytes, position: int, size_at: Callable[[bytes, int], int]) -> bool:
    """Return whether two frames follow each other, or one frame is the whole file."""
    for _ in range(2):
        if not (size := size_at(content, position)):
            return False
        position += size
        if position >= len(content):
            break
    return True
