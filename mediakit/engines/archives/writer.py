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
class _Written:
    """An entry as its two headers describe it."""

    name: bytes
    packed: bytes = field(repr=False)
    size: int
    crc: int
    method: int
    """The method in the headers, which is 99 for AES."""
    flags: int
    extra: bytes

    @property
    def common(self) -> tuple[int, ...]:
        """The fields that both headers have, from the needed version to the length of the extra field."""
        version = _VERSION_AES if self.extra else _VERSION
        sizes = len(self.packed), self.size, len(self.name), len(self.extra)
        return (version, self.flags, self.method, _TIME, _DATE, self.crc, *sizes)


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
    parts, directory, position = [], [], 0
    stored = []
    for entry in entries:
        packed, method = _packed(entry.content, level)
        if method == STORED:
            stored.append(entry.name)
        written = _encrypted(entry, packed, method, password) if password else _plain(entry, packed, method)
        local = _LOCAL.pack(LOCAL_SIGNATURE, *written.common) + written.name + written.extra
        directory.append(_directory_entry(written, position))
        parts += [local, written.packed]
        position += len(local) + len(written.packed)
    listed, note, count = b"".join(directory), comment.encode(), len(directory)
    end = _END.pack(END_SIGNATURE, 0, 0, count, count, len(listed), position, len(note))
    return Written(b"".join((*parts, listed, end, note)), stored)


def _directory_entry(written: _Written, position: int) -> bytes:
    version, *rest = written.common
    header = _ENTRY.pack(ENTRY_SIGNATURE, _UNIX | version, version, *rest, 0, 0, 0, _FILE_MODE, position)
    return header + written.name + written.extra


def _packed(content: bytes, level: int) -> tuple[bytes, int]:
    """Return deflated content, or the content itself where that is not larger."""
    if not level or not content or detect(content) in COMPRESSED_TYPES:
        return content, STORED
    deflate = zlib_ng.compressobj(level, zlib_ng.DEFLATED, -15)
    packed = deflate.compress(content) + deflate.flush()
    return (packed, DEFLATED) if len(packed) < len(content) else (content, STORED)


def _plain(entry: NewEntry, packed: bytes, method: int) -> _Written:
    name, size = entry.name.encode(), len(entry.content)
    return _Written(name, packed, size, zlib_ng.crc32(entry.content), method, FLAG_UTF8, b"")


def _encrypted(entry: NewEntry, packed: bytes, method: int, password: str) -> _Written:
    """Return an encrypted entry. It has no CRC, which would say something about the content."""
    content, extra = encryption.encrypt(packed, password), encryption.aes_field(method)
    flags = FLAG_UTF8 | FLAG_ENCRYPTED
    return _Written(entry.name.encode(), content, len(entry.content), 0, encryption.AES_METHOD, flags, extra)
