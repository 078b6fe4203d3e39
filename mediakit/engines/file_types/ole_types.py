"""OLE compound files ([MS-CFB]): their type by the names of their streams, and the first bytes of a stream."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER_BYTES = 512
_ENTRY_BYTES = 128
_MAX_SECTORS = 4096
_END_OF_CHAIN = 0xFFFFFFFA
_SMALL_STREAM_BYTES = 4096
"""Smaller streams are stored elsewhere, and not read here."""

_CLASSES = {
    "00020906": "doc", "00020900": "doc", "00020907": "doc", "00020810": "xls", "00020820": "xls", "64818d10": "ppt",
    "00021a14": "vsd", "00021a13": "vsd", "00021201": "pub", "000c1084": "msi", "000c1086": "msi", "000c1082": "msi",
    "74b78f3a": "mpp", "00020d0b": "msg", "00028302": "works",
}  # fmt: skip
"""First part of the class identifier of the root, by type."""

_STREAMS = (
    ("EncryptedPackage", "office-encrypted"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("PowerPoint Document", "ppt"),
    ("PP40", "ppt"),
    ("VisioDocument", "vsd"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
    ("Quill", "pub"),
    ("FileHeader", "hwp"),
    ("MatOST", "works"),
    ("Catalog", "thumbs-db"),
)


@dataclass(frozen=True)
class OleEntry:
    """A storage or stream."""

    name: str
    class_id: str
    """First part of the class identifier, in hexadecimal digits."""
    sector: int
    size: int


def ole_type(content: bytes) -> str:
    """Return the name of a compound file's type, `ole` for an unknown one."""
    entries = read_entries(content)
    names = {entry.name for entry in entries}
    found = next((kind for stream, kind in _STREAMS if stream in names), None)
    if found == "hwp" and "BodyText" not in names:
        found = None
    if found is None and entries:
        found = _CLASSES.get(entries[0].class_id)
    if found is None and any("\u4840" in name for name in names):  # the encoded table names of [MS-MSI] installers
        found = "msi"
    return found or "ole"


def read_entries(content: bytes) -> list[OleEntry]:
    """Return the entries of the directory; empty where it cannot be found."""
    size = _sector_bytes(content)
    if not size:
        return []
    sectors = _chain(content, struct.unpack_from("<L", content, 48)[0], size)
    starts = ((sector + 1) * size for sector in sectors)
    offsets = (offset for start in starts for offset in range(start, start + size, _ENTRY_BYTES))
    return [entry for offset in offsets for entry in _entry(content, offset)]


def stream_names(content: bytes) -> set[str]:
    """Return the names of all storages and streams."""
    return {entry.name for entry in read_entries(content)}


def stream_start(content: bytes, name: str) -> bytes:
    """Return the first sector of a stream; empty for streams of less than 4096 bytes."""
    size = _sector_bytes(content)
    entry = next((entry for entry in read_entries(content) if entry.name == name), None)
    if entry is None or entry.size < _SMALL_STREAM_BYTES:
        return b""
    return content[(entry.sector + 1) * size : (entry.sector + 2) * size]


def _sector_bytes(content: bytes) -> int:
    shift = struct.unpack_from("<H", content, 30)[0] if len(content) >= _HEADER_BYTES else 0
    return 1 << shift if shift in (9, 12) else 0


def _entry(content: bytes, offset: int) -> Iterator[OleEntry]:
    if offset + _ENTRY_BYTES > len(content):
        return
    length, kind = struct.unpack_from("<HB", content, offset + 64)
    if kind in (1, 2, 5) and 2 <= length <= 64:
        name = content[offset : offset + length - 2].decode("utf-16-le", "replace")
        sector, size = struct.unpack_from("<LL", content, offset + 116)
        yield OleEntry(name, content[offset + 80 : offset + 84][::-1].hex(), sector, size)


def _chain(content: bytes, sector: int, size: int) -> Iterator[int]:
    """Yield the sectors of a chain, as the file allocation table links them."""
    tables = [one for one in struct.unpack_from("<109L", content, 76) if one < _END_OF_CHAIN]
    per_table = size // 4
    seen: set[int] = set()
    while sector < _END_OF_CHAIN and sector not in seen and len(seen) < _MAX_SECTORS:
        seen.add(sector)
        yield sector
        table = sector // per_table
        if table >= len(tables):
            return
        position = (tables[table] + 1) * size + 4 * (sector % per_table)
        if position + 4 > len(content):
            return
        sector = struct.unpack_from("<L", content, position)[0]
