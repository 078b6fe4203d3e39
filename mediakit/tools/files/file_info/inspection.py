"""What a file is: its type, its details, hashes and entropy. Runs in a worker process."""

import hashlib
import io
import struct
import warnings
import zlib
from pathlib import PurePath
from typing import Any

import numpy as np

from mediakit.core.inputs import file_of
from mediakit.engines.archives.tar_headers import file_sizes
from mediakit.engines.archives.zip_directory import found_entries
from mediakit.engines.charsets import Charset, analyze, iana_name
from mediakit.engines.file_types import FILE_TYPES, FileType, identify, other_types
from mediakit.engines.file_types.ole_types import stream_names, stream_start
from mediakit.tools.files.file_info.media import media_details
from mediakit.tools.files.file_info.tool import FileInfoRequest, Inspected

_PAIRS = 65_536
_CHUNK_BYTES = 1 << 20
"""Bytes are counted in pairs and in chunks that fit into the cache."""

_HASHLIB_NAMES = {"sha3-256": "sha3_256"}

_TEXT_TYPES = frozenset({
    "application/rtf", "application/x-fictionbook+xml", "application/x-ipynb+json", "image/svg+xml", "message/rfc822",
    "application/mbox",
})  # fmt: skip
"""Types of other kinds that are text."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK"
_WORD_ENCRYPTED = 0x0100
_BIFF_FILEPASS, _BIFF_END = 0x2F, 0x0A

_POLYNOMIAL = 0x82F63B78
"""The polynomial of CRC-32C with its bits reversed."""

_LANES = 4096
_MIN_LANE_BYTES = 64
_ALL_ONES = 0xFFFFFFFF


def inspect_file(request: FileInfoRequest) -> Inspected:
    """Return what is known of a file."""
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
    return Inspected(fields, notes)


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
    pairs = np.zeros(_PAIRS, np.int64)
    for start in range(0, len(content) - 1, _CHUNK_BYTES):
        size = min(_CHUNK_BYTES, len(content) - start) // 2
        pairs += np.bincount(np.frombuffer(content, np.uint16, size, start), minlength=_PAIRS)
    table = pairs.reshape(256, 256)
    counts = table.sum(0) + table.sum(1)
    if len(content) % 2:
        counts[content[-1]] += 1
    shares = counts[counts > 0] / len(content)
    return max(0.0, round(float(-(shares * np.log2(shares)).sum()), 3))


def _details(content: bytes, found: FileType, charset: Charset | None) -> dict[str, Any]:
    """Return what is known of the content of a file; empty for kinds without details.

    A damaged file has the details that its head has.

    Args:
        content: The file.
        found: Its type.
        charset: The charset of a text; None for other files.
    """
    if found.mime_type == "application/pdf":
        return _pdf_details(content)
    if found.kind == "image" and found.mime_type != "image/svg+xml":
        return _image_details(content)
    if found.kind in ("audio", "video"):
        return media_details(content, found)
    return _archive_details(content, found) or (_text_details(content, charset) if charset else {})


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


def _pdf_details(content: bytes) -> dict[str, Any]:
    """Return the number of pages; empty where the PDF is damaged or needs a password."""
    import pymupdf

    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            return {} if document.needs_pass else {"pages": document.page_count}
    except Exception:  # noqa: BLE001  # the library raises errors of many classes for damaged files
        return {}


def _archive_details(content: bytes, found: FileType) -> dict[str, Any]:
    """Return the number of entries, and their size when unpacked as the directory states it."""
    if found.mime_type == "application/x-tar":
        sizes = list(file_sizes(content))
    elif content.startswith(b"PK"):
        sizes = [entry.size_bytes for entry in found_entries(content) if not entry.name.endswith(b"/")]
    else:
        return {}
    return {"entries": len(sizes), "unpacked_bytes": sum(sizes)}


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
        return _is_pdf_encrypted(content)
    if content.startswith(_OLE) and found.kind in ("document", "spreadsheet", "presentation"):
        return _is_office_encrypted(content)
    if content.startswith(_ZIP) and (entries := found_entries(content)):
        return any(entry.is_encrypted for entry in entries)
    return None


def _is_pdf_encrypted(content: bytes) -> bool | None:
    import pymupdf

    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            return bool(document.needs_pass) or bool((document.metadata or {}).get("encryption"))
    except Exception:  # noqa: BLE001  # the library raises errors of many classes for damaged files
        return None


def _is_office_encrypted(content: bytes) -> bool:
    names = stream_names(content)
    if names & {"EncryptedPackage", "EncryptedSummary"}:
        return True
    if "WordDocument" in names:
        head = stream_start(content, "WordDocument")
        return len(head) > 12 and bool(struct.unpack_from("<H", head, 10)[0] & _WORD_ENCRYPTED)  # [MS-DOC], FibBase
    workbook = next((name for name in ("Workbook", "Book") if name in names), "")
    return bool(workbook) and _has_password_record(stream_start(content, workbook))


def _has_password_record(stream: bytes) -> bool:
    """Return whether the globals of a workbook have a FilePass record ([MS-XLS], 2.4.117)."""
    position = 0
    while position + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, position)
        if kind in (_BIFF_FILEPASS, _BIFF_END):
            return bool(kind == _BIFF_FILEPASS)
        position += 4 + size
    return False


def _hash(content: bytes, name: str) -> str:
    """Return a hash in lower-case hexadecimal digits.

    Args:
        content: The bytes of the file.
        name: `md5`, `sha1`, `sha256`, `sha512`, `sha3-256`, `blake2b` (512 bits), `crc32` or `crc32c`.
    """
    if name == "crc32":
        return f"{zlib.crc32(content):08x}"
    if name == "crc32c":
        return f"{crc32c(content):08x}"
    return hashlib.new(_HASHLIB_NAMES.get(name, name), content, usedforsecurity=False).hexdigest()


def crc32c(content: bytes) -> int:
    """Return the CRC-32C (Castagnoli; RFC 3720, appendix B.4) of data.

    The data is cut into 4096 parts of equal size, whose checksums are calculated side by side and then combined, as
    appending zeros to data is a linear function of its checksum.
    """
    size = len(content) // _LANES
    if size < _MIN_LANE_BYTES:
        return _update(_ALL_ONES, content) ^ _ALL_ONES
    parts = np.frombuffer(content, np.uint8, size * _LANES).reshape(_LANES, size).T.copy()
    states = np.zeros(_LANES, np.uint32)
    table = np.array(_TABLE, np.uint32)
    for column in parts:
        states = table[(states ^ column) & 0xFF] ^ (states >> np.uint32(8))
    shift = _zeros_operator(size)
    state = _ALL_ONES
    for part in states.tolist():
        state = _apply(shift, state) ^ part
    return _update(state, content[size * _LANES :]) ^ _ALL_ONES


def _update(state: int, content: bytes) -> int:
    for byte in content:
        state = _TABLE[(state ^ byte) & 0xFF] ^ (state >> 8)
    return state


def _zeros_operator(count: int) -> list[int]:
    """Return the states that each bit of a state becomes after zero bytes."""
    operator = [1 << bit for bit in range(32)]
    step = [_TABLE[(1 << bit) & 0xFF] ^ ((1 << bit) >> 8) for bit in range(32)]
    while count:
        if count & 1:
            operator = [_apply(step, column) for column in operator]
        step = [_apply(step, column) for column in step]
        count >>= 1
    return operator


def _apply(operator: list[int], state: int) -> int:
    result, bit = 0, 0
    while state:
        if state & 1:
            result ^= operator[bit]
        state >>= 1
        bit += 1
    return result


def _table_entry(value: int) -> int:
    for _ in range(8):
        value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
    return value


_TABLE = [_table_entry(value) for value in range(256)]
