"""Reads TAR, gzip, and TAR compressed with gzip within limits, and opens an archive of any kind that can be read."""

import io
import re
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePosixPath

from mediakit.core.media import describe
from mediakit.engines.archives import MAX_TOTAL_BYTES, Entry, shown, too_large, unsafe_reason, without_links
from mediakit.engines.archives.container import Archive, ZipArchive
from mediakit.engines.archives.inflate import GZIP, CutError, InflateError, inflated_parts
from mediakit.engines.archives.zip_directory import LOCAL_SIGNATURE, is_zip
from mediakit.errors import InvalidInput

BLOCK_BYTES = 512

_OCTAL = re.compile(rb"[ \0]*[0-7]+[ \0]*")
_TAR_ERRORS = (tarfile.TarError, OSError, ValueError, KeyError, EOFError, OverflowError, RecursionError)


def is_tar(content: bytes) -> bool:
    """Return whether the first block is the header of an entry: its checksum is right (POSIX.1-1988)."""
    block = content[:BLOCK_BYTES]
    if len(block) < BLOCK_BYTES or not _OCTAL.fullmatch(stated := block[148:156]):
        return False
    values = block[:148] + b" " * 8 + block[156:]
    signed = sum(value - 256 if value > 127 else value for value in values)
    return block[0] != 0 and int(stated.strip(b" \0"), 8) in (sum(values), signed)


def file_sizes(content: bytes) -> list[int]:
    """Return the sizes of at most 100,000 files of a TAR file, as their headers state them, up to a damaged header."""
    sizes: list[int] = []
    with suppress(*_TAR_ERRORS), tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        sizes.extend(member.size for member in islice(filter(tarfile.TarInfo.isfile, _tar_members(archive)), 100_000))
    return sizes


def _tar_members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the members, up to one whose size is below 0: it would lead back to headers that are already read."""
    while (member := archive.next()) is not None:
        if member.size < 0 or archive.offset <= member.offset:
            raise tarfile.ReadError("negative size")
        yield member


MAX_TAR_BYTES = MAX_TOTAL_BYTES + MAX_TOTAL_BYTES // 2
"""Bytes of an unpacked TAR file: its files, and their headers."""

GZIP_SIGNATURE = b"\x1f\x8b"
_GZIP_HEADER_BYTES = 10
_FLAG_EXTRA, _FLAG_NAME = 4, 8


class TarArchive(Archive):
    """The entries of a TAR file."""

    def __init__(self, content: bytes, field: str = "file", *, list_only: bool = False) -> None:
        """Read the headers. If entries are only listed, those of a file that unpacks to too much are listed in part.

        Raises:
            InvalidInput: The file is damaged, or unpacks to more than 100 MB.
        """
        super().__init__(field)
        self._method = "stored"
        if content.startswith(GZIP_SIGNATURE):
            self._method = "gzip"
            content, self.is_cut = inflate_gzip_start(content, field, MAX_TAR_BYTES)
            if self.is_cut and not list_only:
                raise too_large(field)
        self._infos: list[tarfile.TarInfo] = []
        try:
            self._tar = tarfile.open(fileobj=io.BytesIO(content), mode="r:", errorlevel=2)  # noqa: SIM115
            self._infos += _tar_members(self._tar)
        except _TAR_ERRORS as error:
            if not self.is_cut:
                raise InvalidInput(f"{self.field}: is a damaged TAR file.") from error
        self.entries = list(without_links(list(map(self._entry, self._infos))))

    def _read(self, index: int, password: str | None) -> bytes:  # noqa: ARG002  # TAR has none
        entry = self.entries[index]
        try:
            file = self._tar.extractfile(self._infos[index])
            content = file.read() if file else b""
        except _TAR_ERRORS as error:
            raise InvalidInput(f"{self.field}: {shown(entry.name)} is damaged.") from error
        if len(content) < entry.size_bytes:
            raise InvalidInput(f"{self.field}: {shown(entry.name)} is cut.")
        return content

    def _entry(self, info: tarfile.TarInfo) -> Entry:
        name = info.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        is_file = info.isfile() or info.isdir()
        kind = "link" if info.issym() or info.islnk() else None if is_file else "device"
        return Entry(
            name=f"{name}/" if info.isdir() else name,
            size_bytes=info.size if info.isfile() else 0,
            compressed_bytes=None,
            modified=utc_date(info.mtime),
            crc32=None,
            encrypted=False,
            method=self._method,
            is_folder=info.isdir(),
            unsafe=kind or unsafe_reason(name),
        )


def utc_date(seconds: float) -> str | None:
    """Return seconds since 1970 as ISO 8601; None if there is no such time."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).replace(tzinfo=None).isoformat() if seconds else None
    except (ValueError, OverflowError, OSError):
        return None


class GzipArchive(Archive):
    """The file in a gzip file."""

    def __init__(self, content: bytes, filename: str, field: str = "file") -> None:
        """Read the header and the content. The entry has the file's name without `.gz`, unless the header has a name.

        Raises:
            InvalidInput: The file is damaged.
        """
        path = PurePosixPath(filename)
        bare = path.stem if path.suffix.lower() == ".gz" else path.name
        name = _name_in_header(content) or bare or "file"
        super().__init__(field)
        self._unpacked, self.is_cut = inflate_gzip_start(content, field, MAX_TOTAL_BYTES)
        entry = Entry(
            name=name,
            size_bytes=len(self._unpacked),
            compressed_bytes=len(content),
            modified=utc_date(int.from_bytes(content[4:8], "little")),
            crc32=None,
            encrypted=False,
            method="gzip",
            is_folder=False,
            unsafe=unsafe_reason(name),
        )
        self.entries = [entry]

    def _read(self, index: int, password: str | None) -> bytes:  # noqa: ARG002  # there is one file, and gzip has none
        return self._unpacked


def inflate_gzip_start(content: bytes, field: str, most: int) -> tuple[bytes, bool]:
    """Return the unpacked content up to a number of bytes, and whether it is cut."""
    target = bytearray()
    for part in _gzip_parts(content, field):
        target += part
        if len(target) > most:
            return bytes(target[:most]), True
    return bytes(target), False


def _gzip_parts(content: bytes, field: str) -> Iterator[bytes]:
    """Yield the unpacked content of all members in parts. Bytes after the last one are ignored, as gzip does."""
    rest = content
    while rest.startswith(GZIP_SIGNATURE):
        try:
            rest = yield from inflated_parts(rest, GZIP)
        except InflateError as error:
            why = "; it is cut" if isinstance(error, CutError) else ""
            raise InvalidInput(f"{field}: is a damaged gzip file{why}.") from error


def _name_in_header(content: bytes) -> str:
    """Return the name of the file in the first member of a gzip file (RFC 1952); empty if the header has none."""
    flags = content[3] if len(content) > _GZIP_HEADER_BYTES else 0
    start = _GZIP_HEADER_BYTES
    if flags & _FLAG_EXTRA:
        start += 2 + int.from_bytes(content[start : start + 2], "little")
    end = content.find(b"\0", start, start + 1000)
    name = content[start:end] if flags & _FLAG_NAME and end > start else b""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")  # the charset of the format


_OTHER_ARCHIVES = (
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\0", "an XZ file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"MSCF", "a Windows cabinet"),
    (b"PK\7\x08PK", "one part of a split ZIP file"),
)
"""Signatures of archives that cannot be read, for errors."""


def open_archive(
    content: bytes, *, filename: str = "", name_encoding: str = "auto", field: str = "file", list_only: bool = False
) -> Archive:
    """Return an archive of the kind that a file's bytes have.

    Raises:
        InvalidInput: The file is not an archive, or is damaged.
    """
    if content.startswith(GZIP_SIGNATURE):
        if is_tar(inflate_gzip_start(content, field, BLOCK_BYTES)[0]):
            return TarArchive(content, field, list_only=list_only)
        return GzipArchive(content, filename, field)
    if is_tar(content) and not content.startswith(LOCAL_SIGNATURE):
        return TarArchive(content, field, list_only=list_only)
    if not is_zip(content):
        known = next((words for start, words in _OTHER_ARCHIVES if content.startswith(start)), None)
        raise InvalidInput(f"{field}: must be a ZIP, TAR or gzip file, got {known or describe(content)}.")
    return ZipArchive(content, name_encoding, field)
