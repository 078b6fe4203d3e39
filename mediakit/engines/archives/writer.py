"""Writes ZIP files: the same files are the same bytes, whatever the machine or the time."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from zlib_ng import zlib_ng

from mediakit.core.media import detect
from mediakit.engines.archives import encryption
from mediakit.engines.archives.container import DEFLATED, STORED
from mediakit.engines.archives.zip_directory import (
    END_SIGNATURE,
    ENTRY_SIGNATURE,
    FLAG_ENCRYPTED,
    FLAG_UTF8,
    LOCAL_SIGNATURE,
)

COMPRESSED_TYPES = frozenset({
    "image/png", "image/jpeg", "image/webp", "image/avif", "image/gif", "application/zip", "application/gzip",
})  # fmt: skip
"""Media types whose files are stored: they are compressed already."""

_LOCAL = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")

_DATE, _TIME = 1 << 5 | 1, 0
"""1980-01-01, midnight: the first date of the format, because the date of an entry must not depend on the clock."""

_UNIX = 3 << 8
_FILE_MODE = 0o100644 << 16
_VERSION, _VERSION_AES = 20, 51


@dataclass(frozen=True)
class NewEntry:
    """A file to write."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Written:
    """A written archive."""

    content: bytes = field(repr=False)
    stored: list[str]
    """Names of the files that were not compressed."""


def write_zip(entries: Sequence[NewEntry], *, level: int, password: str | None = None, comment: str = "") -> Written:
    """Return a ZIP file.

    Args:
        entries: The files, at most 65,535 with less than 4 GB in all.
        level: 0 stores; 1 is the fastest, 9 the smallest.
        password: Encrypts the contents with AES-256 (WinZip AE-2).
        comment: Comment of the archive, at most 65,535 bytes of UTF-8.
    """
    parts, directory, stored, position = [], [], [], 0
    for entry in entries:
        name, extra = entry.name.encode(), b""
        packed, method = entry.content, STORED
        if level and entry.content and detect(entry.content) not in COMPRESSED_TYPES:
            deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15)
            deflated = deflate.compress(entry.content) + deflate.flush()
            packed, method = (deflated, DEFLATED) if len(deflated) < len(packed) else (packed, STORED)
        if method == STORED:
            stored.append(entry.name)
        version, flags, crc = _VERSION, FLAG_UTF8, zlib_ng.crc32(entry.content)
        if password:  # without the CRC, which would say something about the content
            packed, extra = encryption.encrypt(packed, password, method)
            version, flags, crc, method = _VERSION_AES, flags | FLAG_ENCRYPTED, 0, encryption.AES_METHOD
        sizes = len(packed), len(entry.content), len(name), len(extra)
        common = version, flags, method, _TIME, _DATE, crc, *sizes  # what both headers have
        place = 0, 0, 0, _FILE_MODE, position
        directory += [_ENTRY.pack(ENTRY_SIGNATURE, _UNIX | version, *common, *place), name, extra]
        parts += [_LOCAL.pack(LOCAL_SIGNATURE, *common), name, extra, packed]
        position += _LOCAL.size + len(name) + len(extra) + len(packed)
    listed, note, count = b"".join(directory), comment.encode(), len(entries)
    end = _END.pack(END_SIGNATURE, 0, 0, count, count, len(listed), position, len(note))
    return Written(b"".join((*parts, listed, end, note)), stored)
