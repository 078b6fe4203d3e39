"""Reads the directory of a ZIP archive (APPNOTE 6.3.10), also of damaged ones, without unpacking it."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

END = b"PK\5\6"
_CENTRAL = b"PK\1\2"
_LOCAL = b"PK\3\4"
_END_BYTES = 22
_MAX_COMMENT_BYTES = 65_535
_MAX_ENTRIES = 10_000
_CENTRAL_HEADER = struct.Struct("<4s6H3L5H2L")
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_ENCRYPTED = 1
_SIZE_FOLLOWS = 8
_UNKNOWN_SIZE = 0xFFFFFFFF


@dataclass(frozen=True)
class ZipEntry:
    """An entry of the directory."""

    name: str
    offset: int
    """Position of its local header."""
    method: int
    """Compression method: 0 is stored, 8 is deflate."""
    packed_bytes: int
    unpacked_bytes: int
    is_encrypted: bool


def read_directory(content: bytes) -> list[ZipEntry]:
    """Return at most 10,000 entries of an archive; those of its local headers where the directory is missing."""
    return list(_central(content)) or list(_local(content))


def is_archive(content: bytes) -> bool:
    """Return whether a file ends with the directory of an archive that has entries."""
    return any(_central(content))


def read_start(content: bytes, entry: ZipEntry, limit: int) -> bytes:
    """Return the first bytes of an entry; empty where it is damaged, encrypted or packed by another method.

    Args:
        content: The archive.
        entry: One of its entries.
        limit: The number of bytes to return at most.
    """
    if not content.startswith(_LOCAL, entry.offset) or entry.is_encrypted:
        return b""
    lengths = struct.unpack_from("<2H", content.ljust(entry.offset + 30, b"\0"), entry.offset + 26)
    start = entry.offset + _LOCAL_HEADER.size + sum(lengths)
    packed = content[start : start + entry.packed_bytes]
    if entry.method == 0:
        return packed[:limit]
    if entry.method != zlib.DEFLATED:
        return b""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, limit)
    except zlib.error:
        return b""


def _central(content: bytes) -> Iterator[ZipEntry]:
    end = content.rfind(END, max(0, len(content) - _END_BYTES - _MAX_COMMENT_BYTES))
    if end < 0 or end + _END_BYTES > len(content):
        return
    size, start = struct.unpack_from("<2L", content, end + 12)
    if content.startswith(_CENTRAL, end - size) and size:
        position = end - size
    else:
        position = start if content.startswith(_CENTRAL, start) else content.find(_CENTRAL)
    shift = position - start if start <= position else 0
    for _ in range(_MAX_ENTRIES):
        if position < 0 or position + _CENTRAL_HEADER.size > len(content) or not content.startswith(_CENTRAL, position):
            return
        header = _CENTRAL_HEADER.unpack_from(content, position)
        name_bytes, extra_bytes, comment_bytes = header[10:13]
        name = content[position + 46 : position + 46 + name_bytes]
        yield _entry(name, header[16] + shift, header[3:5], header[8:10])
        position += _CENTRAL_HEADER.size + name_bytes + extra_bytes + comment_bytes


def _local(content: bytes) -> Iterator[ZipEntry]:
    position = content.find(_LOCAL, 0, 1024)
    for _ in range(_MAX_ENTRIES):
        if position < 0 or position + _LOCAL_HEADER.size > len(content):
            return
        header = _LOCAL_HEADER.unpack_from(content, position)
        flags, packed, unpacked, name_bytes, extra_bytes = (header[2], *header[7:11])
        start = position + _LOCAL_HEADER.size + name_bytes
        following = content.find(_LOCAL, start + extra_bytes)
        if flags & _SIZE_FOLLOWS or packed == _UNKNOWN_SIZE:
            packed = max(0, following - start - extra_bytes) if following > 0 else len(content) - start
        yield _entry(content[position + 30 : start], position, header[2:4], (packed, unpacked))
        skipped = start + extra_bytes + packed
        position = skipped if content.startswith(_LOCAL, skipped) else following


def _entry(name: bytes, offset: int, packing: tuple[int, int], sizes: tuple[int, int]) -> ZipEntry:
    flags, method = packing
    packed, unpacked = sizes
    return ZipEntry(name.decode("utf-8", "replace"), offset, method, packed, unpacked, bool(flags & _ENCRYPTED))
