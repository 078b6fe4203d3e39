"""What is known of a file: its type, hashes, facts by its kind, and the duration of audio and video."""

import hashlib
import io
import re
import struct
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import PurePath
from typing import Any

import numpy as np

from mediakit.core.inputs import file_of
from mediakit.engines.archives.archive import file_sizes
from mediakit.engines.archives.zip_directory import found_entries
from mediakit.engines.charsets import Charset, analyze, iana_name
from mediakit.engines.file_types import FILE_TYPES, FileType
from mediakit.engines.file_types.identify import identify, other_types
from mediakit.engines.file_types.media_types import mpeg_frame, skip_tags
from mediakit.engines.file_types.package_types import read_entries, stream_start
from mediakit.errors import InvalidInput
from mediakit.tools.files.file_info.tool import FileInfoRequest

_ASF_PROPERTIES = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")


def media_details(content: bytes, found: FileType) -> dict[str, Any]:
    """Return the duration in seconds, where it is known."""
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
    try:
        seconds = reader(content) if reader else None
    except (struct.error, ZeroDivisionError, IndexError, OverflowError, ValueError):  # also of a mark that is missing
        return {}
    return {"duration_seconds": round(seconds, 3)} if seconds and 0 < seconds < 10_000_000 else {}


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


def _avi(content: bytes) -> float:
    microseconds, _, _, _, frames = struct.unpack_from("<5L", content, content.index(b"avih", 0, 4096) + 8)
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


def _aiff(content: bytes) -> float:
    position = content.index(b"COMM", 0, 4096)
    frames = struct.unpack_from(">L", content, position + 10)[0]
    exponent, mantissa = struct.unpack_from(">HQ", content, position + 16)
    return float(frames / (mantissa * 2.0 ** (exponent - 16383 - 63)))


def _matroska(content: bytes) -> float | None:
    """Return the duration of the segment's information, in units of its time scale (RFC 9559, 5.1.2)."""
    head = content[:1_000_000]
    scale, factor = re.search(rb"\x2a\xd7\xb1([\x81-\x88])", head), 1_000_000
    if scale:
        factor = int.from_bytes(head[scale.end() : scale.end() + (scale[1][0] & 0x0F)])
    if not (found := re.search(rb"\x44\x89([\x84\x88])", head)):
        return None
    code = ">f" if found[1] == b"\x84" else ">d"
    return float(struct.unpack_from(code, head, found.end())[0] * factor / 1e9)  # in nanoseconds


def _asf(content: bytes) -> float:
    play, _, preroll = struct.unpack_from("<3Q", content, content.index(_ASF_PROPERTIES, 0, 4096) + 64)
    return float(play / 1e7 - preroll / 1000)  # in units of 100 nanoseconds, and in milliseconds


def _iso_media(content: bytes) -> float:
    """Return the duration of the movie header (ISO/IEC 14496-12, 8.2.2)."""
    position = content.index(b"mvhd")
    is_long = content[position + 4] == 1
    scale, duration = struct.unpack_from(">LQ" if is_long else ">LL", content, position + (24 if is_long else 16))
    return float(duration / scale)


def _mpeg(content: bytes) -> float | None:
    """Return the duration of MP3 audio: by its Xing or Info header, or by the bit rate of its first frame."""
    start = content.find(b"\xff", skip_tags(content))
    while start >= 0 and (frame := mpeg_frame(content, start)) is None:
        start = content.find(b"\xff", start + 1)
    if start < 0 or frame is None:
        return None
    header = start + 4 + ((17 if frame.is_mono else 32) if frame.is_version_1 else (9 if frame.is_mono else 17))
    if content[header : header + 4] in (b"Xing", b"Info") and content[header + 7] & 1:  # it has the number of frames
        return float(struct.unpack_from(">L", content, header + 8)[0] * frame.samples / frame.rate)
    return 8 * (len(content) - start) / frame.bitrate


_CHUNK_BYTES = 1 << 20
"""Bytes are counted in chunks that fit into the cache."""

_TEXT_TYPES = frozenset({
    "application/rtf", "application/x-fictionbook+xml", "application/x-ipynb+json", "image/svg+xml", "message/rfc822",
    "application/mbox",
})  # fmt: skip
"""Types of other kinds that are text."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK"
_BIFF_FILEPASS, _BIFF_END = 0x2F, 0x0A

_POLYNOMIAL = 0x82F63B78
"""The polynomial of CRC-32C with its bits reversed."""

_LANES, _LANE_BYTES = 4096, 16
_BLOCK_BYTES = _LANES * _LANE_BYTES
_PREFIX = bytes.fromhex("54641f64")
"""Four bytes whose checksum without an initial value is the initial value, all ones."""


def inspect_file(request: FileInfoRequest) -> tuple[dict[str, Any], list[str]]:
    """Return the fields of what is known of a file, and warnings."""
    content, name = file_of(request.file), request.name
    found = identify(content, name)
    matches = _extension_matches(found, name)
    encrypted = _is_encrypted(content, found)
    others = other_types(content, found)
    is_text = found.kind == "text" or found.mime_type in _TEXT_TYPES
    charset = analyze(content) if is_text and not encrypted else None
    fields = {
        "mime_type": found.mime_type,
        "extension": found.extension,
        "description": found.label,
        "kind": found.kind,
        "size_bytes": len(content),
        "hashes": {one: _hash(content, one) for one in dict.fromkeys(request.hashes)},
        "extension_matches": matches,
        "encrypted": encrypted,
        "details": _details(content, found, charset),
        "alternatives": [one.mime_type for one in others],
        "entropy": _entropy(content),
    }
    notes = [f"The name ends in {_suffix(name)}, but the file is {found.description}."] if matches is False else []
    notes += [f"The file is also {one.description}." for one in others]
    if charset and charset.second:
        notes.append(f"Lines of the text are in {charset.name}, and others in {iana_name(charset.second)}.")
    return fields, notes


def _extension_matches(found: FileType, name: str) -> bool | None:
    """Return whether a name's extension is one of a type; None without an extension, or where it says nothing."""
    suffix = _suffix(name)
    if not suffix or suffix == ".":
        return None
    if suffix in {one.lower() for one in found.extensions} or (found.kind == "text" and suffix == ".txt"):
        return True
    return False if any(suffix in one.extensions for one in FILE_TYPES.values()) else None


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower()


def _entropy(content: bytes) -> float:
    """Return the Shannon entropy of the bytes in bits, 0 to 8: near 8 for compressed and encrypted data."""
    counts = np.zeros(256, np.int64)
    for start in range(0, len(content), _CHUNK_BYTES):
        size = min(_CHUNK_BYTES, len(content) - start)
        counts += np.bincount(np.frombuffer(content, np.uint8, size, start), minlength=256)
    shares = counts[counts > 0] / len(content)
    return max(0.0, round(float(-(shares * np.log2(shares)).sum()), 3))


def _details(content: bytes, found: FileType, charset: Charset | None) -> dict[str, Any]:
    """Return what is known of the content of a file, or of the head of a damaged one; empty for other kinds."""
    if found.mime_type == "application/pdf":
        from mediakit.engines.pdf.opening import open_unlimited

        try:
            return {"pages": len(open_unlimited(content).pages)}
        except InvalidInput:  # it is damaged, or needs a password
            return {}
    if found.kind == "image" and found.mime_type != "image/svg+xml":
        return _image_details(content)
    if found.kind in ("audio", "video"):
        return media_details(content, found)
    if found.mime_type == "application/x-tar":
        sizes = file_sizes(content)
    elif content.startswith(_ZIP):
        sizes = [entry.size_bytes for entry in found_entries(content) if not entry.name.endswith(b"/")]
    else:
        return _text_details(content, charset) if charset else {}
    return {"entries": len(sizes), "unpacked_bytes": sum(sizes)}


def _image_details(content: bytes) -> dict[str, Any]:
    """Return the size in pixels as stored, and the number of frames; empty where the header cannot be read."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content)) as image:
                width, height = image.size
                frames = getattr(image, "n_frames", 1)
    except Exception:  # noqa: BLE001  # decoders raise errors of many classes for damaged files
        return {}
    return {"width": width, "height": height, "frames": frames}


def _text_details(content: bytes, charset: Charset) -> dict[str, Any]:
    """Return the charset, the number of lines, and their line break: `lf`, `crlf`, `cr`, `mixed` or null."""
    text = content.decode(charset.codec, "replace")
    crlf = text.count("\r\n")
    counts = {"lf": text.count("\n") - crlf, "crlf": crlf, "cr": text.count("\r") - crlf}
    used = [name for name, count in counts.items() if count]
    breaks = sum(counts.values())
    is_open = bool(text) and not text.endswith(("\n", "\r"))
    return {
        "charset": charset.name,
        "lines": breaks + is_open,
        "newline": used[0] if len(used) == 1 else "mixed" if used else None,
    }


def _is_encrypted(content: bytes, found: FileType) -> bool | None:
    """Return whether a file needs a password; None for files that cannot be encrypted in a standard way."""
    if found.mime_type == "application/pdf":
        from mediakit.engines.pdf.opening import open_unlimited, password_opens

        try:
            return not password_opens(content, "") or open_unlimited(content).is_encrypted
        except InvalidInput:
            return None
    if content.startswith(_OLE) and found.kind in ("document", "spreadsheet", "presentation"):
        return _is_office_encrypted(content)
    if content.startswith(_ZIP) and (entries := found_entries(content)):
        return any(entry.is_encrypted for entry in entries)
    return None


def _is_office_encrypted(content: bytes) -> bool:
    names = {entry.name for entry in read_entries(content)}
    if names & {"EncryptedPackage", "EncryptedSummary"}:
        return True
    if "WordDocument" in names:
        head = stream_start(content, "WordDocument")
        return len(head) > 12 and bool(struct.unpack_from("<H", head, 10)[0] & 0x0100)  # fEncrypted ([MS-DOC], FibBase)
    workbook = next((name for name in ("Workbook", "Book") if name in names), None)
    stream, position = stream_start(content, workbook) if workbook else b"", 0
    while position + 4 <= len(stream):  # the globals of an encrypted one have a FilePass record ([MS-XLS], 2.4.117)
        kind, size = struct.unpack_from("<HH", stream, position)
        if kind in (_BIFF_FILEPASS, _BIFF_END):
            return bool(kind == _BIFF_FILEPASS)
        position += 4 + size
    return False


def _hash(content: bytes, name: str) -> str:
    """Return one of the hashes of the request in lower-case hexadecimal digits; `blake2b` has 512 bits."""
    if name == "crc32":
        return f"{zlib.crc32(content):08x}"
    if name == "crc32c":
        return f"{crc32c(content):08x}"
    return hashlib.new(name.replace("-", "_"), content, usedforsecurity=False).hexdigest()


def crc32c(content: bytes) -> int:
    """Return the CRC-32C (Castagnoli; RFC 3720, appendix B.4) of data.

    Each block is cut into lanes of equal length, whose checksums are calculated side by side and then combined, each
    with its neighbor: appending zeros to data is a linear function of its checksum, and zeros before it do not count.
    """
    table, steps = _crc32c_tables()
    data = bytes(-(len(content) + len(_PREFIX)) % _BLOCK_BYTES) + _PREFIX + content
    state = 0
    for start in range(0, len(data), _BLOCK_BYTES):
        states = np.zeros(_LANES, np.uint32)
        states[0] = state
        for column in np.frombuffer(data, np.uint8, _BLOCK_BYTES, start).reshape(_LANES, _LANE_BYTES).T.copy():
            states = table[(states ^ column) & 0xFF] ^ (states >> np.uint32(8))
        for step in steps:
            states = _with_zeros(step, states[::2]) ^ states[1::2]
        state = int(states[0])
    return state ^ 0xFFFFFFFF


@cache
def _crc32c_tables() -> "tuple[np.ndarray[Any, Any], list[np.ndarray[Any, Any]]]":
    """Return the state after each byte, and the tables of `_with_zeros` for 1, 2, 4 ... lanes of zeros."""
    table = np.arange(256, dtype=np.uint32)
    step = np.stack([table, *(table << np.uint32(shift) for shift in (0, 8, 16))])
    for _ in range(8):
        step[0] = (step[0] >> 1) ^ (_POLYNOMIAL * (step[0] & 1))
    table, steps = step[0], []
    for count in range((_LANES * _LANE_BYTES).bit_length() - 1):  # the step of 2**count zeros
        if 2**count >= _LANE_BYTES:
            steps.append(step)
        step = _with_zeros(step, step)
    return table, steps


def _with_zeros(step: "np.ndarray[Any, Any]", states: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """Return the states after zero bytes; `step` has those of each value of each byte of a state, the lowest first."""
    parts = states.astype("<u4").view(np.uint8).reshape(*states.shape, 4)
    made: np.ndarray[Any, Any] = step[0][parts[..., 0]] ^ step[1][parts[..., 1]] ^ step[2][parts[..., 2]]
    made ^= step[3][parts[..., 3]]
    return made
