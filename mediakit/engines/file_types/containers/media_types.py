"""The type of RIFF, IFF, ISO media, Matroska, Ogg and ASF files, from their first elements."""

import re
import struct

_RIFF = {
    b"WAVE": "wav",
    b"AVI ": "avi",
    b"WEBP": "webp",
    b"ACON": "ani",
    b"RMID": "rmi",
    b"QLCM": "qcp",
    b"sfbk": "sf2",
}
_IFF = {b"AIFF": "aiff", b"AIFC": "aiff", b"ILBM": "ilbm", b"PBM ": "ilbm", b"DJVU": "djvu", b"DJVM": "djvu"}

_BRANDS = {
    b"avif": "avif",
    b"avis": "avif-sequence",
    b"heic": "heic",
    b"heix": "heic",
    b"heim": "heic",
    b"heis": "heic",
    b"hevc": "heic-sequence",
    b"hevx": "heic-sequence",
    b"mif1": "heif",
    b"msf1": "heif-sequence",
    b"crx ": "cr3",
    b"qt  ": "mov",
    b"M4V ": "m4v",
    b"M4VH": "m4v",
    b"M4VP": "m4v",
    b"M4A ": "m4a",
    b"M4B ": "m4b",
    b"M4P ": "m4p",
    b"F4V ": "f4v",
    b"F4P ": "f4v",
    b"F4A ": "f4a",
    b"F4B ": "f4a",
    b"jp2 ": "jp2",
    b"jpx ": "jpx",
    b"jpm ": "jpm",
    b"mjp2": "mj2",
    b"mj2s": "mj2",
    b"aax ": "aax",
    b"aaxc": "aax",
}
"""Major brands of `ftyp` boxes (ISO/IEC 14496-12), as mp4ra.org registers them."""

_STILL_BRANDS = (b"avif", b"avis", b"heic", b"heix", b"hevc", b"hevx")
"""Compatible brands that say more than the major brands `mif1` and `msf1`."""

_QUICKTIME_BOXES = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")
_MAX_BOX_BYTES = 0x20000000
_AUDIO_HANDLER, _VIDEO_HANDLER = b"soun", b"vide"

_OGG_CODECS = (
    (b"OpusHead", "opus"),
    (b"Speex   ", "spx"),
    (b"\x01vorbis", "oga"),
    (b"\x7fFLAC", "oga"),
    (b"\x80theora", "ogv"),
    (b"\x01video\0", "ogm"),
    (b"BBCD\0", "ogv"),
    (b"fishead\0", "ogv"),
    (b"PCM     ", "oga"),
)
_ASF_AUDIO = bytes.fromhex("409e69f84d5bcf11a8fd00805f5c442b")
_ASF_VIDEO = bytes.fromhex("c0ef19bc4d5bcf11a8fd00805f5c442b")
_HEAD_BYTES = 65_536


def riff_type(content: bytes) -> str | None:
    """Return the type of a RIFF, RIFX or RF64 file; None for a text that begins with the word."""
    return _RIFF.get(content[8:12]) or (None if _is_text(content) else "riff")


def iff_type(content: bytes) -> str | None:
    """Return the type of an IFF file; None for a text that begins with the word."""
    return _IFF.get(content[8:12]) or (None if _is_text(content) else "iff")


def _is_text(content: bytes) -> bool:
    """Return whether letters stand where the size should."""
    return content[4:12].isascii() and b"\0" not in content[4:12]


def iso_media_type(content: bytes) -> str | None:
    """Return the type of an ISO base media file; None where the first box is none of its boxes."""
    size, box = int.from_bytes(content[:4]), content[4:8]
    if box == b"ftyp":
        return _branded(content, max(16, min(size, 512)))
    if box == b"styp":
        return "mp4-segment"
    is_plausible = size in (0, 1) or 8 <= size < _MAX_BOX_BYTES  # four ASCII letters are a larger number
    return "mov" if box in _QUICKTIME_BOXES and is_plausible and _has_following_box(content, size) else None


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
    has_audio = _AUDIO_HANDLER in _handlers(content)
    return "m4a" if has_audio and _VIDEO_HANDLER not in _handlers(content) else "mp4"


def _handlers(content: bytes) -> set[bytes]:
    """Return the kinds of the tracks, from the `hdlr` boxes."""
    return {match[1] for match in re.finditer(rb"hdlr\0\0\0\0.{4}(\w{4})", content, re.DOTALL)}


def _has_following_box(content: bytes, size: int) -> bool:
    """Return whether a box that is not the last one is followed by the name of another."""
    following = content[size + 4 : size + 8]
    return size in (0, 1) or size >= len(content) or (following.isalnum() and len(following) == len(b"moov"))


def matroska_type(content: bytes) -> str:
    """Return the type of an EBML file by its document type and the kinds of its tracks (RFC 9559)."""
    head = content[:_HEAD_BYTES]
    found = re.search(rb"\x42\x82[\x80-\x8f\x40-\x4f]([\w-]+)", head[:4096])
    document = found[1] if found else b""
    tracks = {match[1] for match in re.finditer(rb"\x83\x81([\x01\x02\x11])", head)}
    is_audio = tracks == {b"\x02"}
    if document.startswith(b"webm"):
        return "weba" if is_audio else "webm"
    if document.startswith(b"matroska"):
        return "mka" if is_audio else "mk3d" if b"\x53\xb8\x81\x01" in head else "mkv"
    return "ebml"


def ogg_type(content: bytes) -> str:
    """Return the type of an Ogg file by the codecs of the pages that begin its streams (RFC 3533)."""
    found = [name for mark, name in _OGG_CODECS if mark in content[:4096]]
    return next((name for name in ("ogv", "ogm") if name in found), found[0] if found else "ogx")


def asf_type(content: bytes) -> str:
    """Return the type of an ASF file by the kinds of its streams."""
    head = content[:_HEAD_BYTES]
    if _ASF_VIDEO in head:
        return "wmv"
    return "wma" if _ASF_AUDIO in head else "asf"


def flash_or_none(content: bytes) -> str | None:
    """Return whether bytes are the header of a Flash movie: a signature, a version up to 60 and a plausible size."""
    if len(content) < len(b"FWSvssss") or content[3] > 60:
        return None
    (size,) = struct.unpack_from("<L", content, 4)
    return "swf" if size >= len(b"FWSvssss") else None


def jpeg_2000_type(content: bytes) -> str:
    """Return the type of a file of the JPEG 2000 family, by the brand behind its signature box."""
    return _BRANDS.get(content[20:24], "jp2") if content[16:20] == b"ftyp" else "jp2"
