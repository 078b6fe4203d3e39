"""Reads the entries of a TAR file, plain or compressed with gzip: `TarArchive`."""

import io
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mediakit.engines.archives import gzip_stream
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.limits import MAX_TOTAL_BYTES, check_sizes, shown
from mediakit.engines.archives.listing import without_links
from mediakit.engines.archives.names import unsafe_reason
from mediakit.errors import InvalidInput

BLOCK_BYTES = 512

MAX_TAR_BYTES = MAX_TOTAL_BYTES + MAX_TOTAL_BYTES // 2
"""Bytes of an unpacked TAR file: its files, and their headers."""

_CHECKSUM = slice(148, 156)


def is_tar(content: bytes) -> bool:
    """Return whether a file begins with the header of a TAR entry: its checksum decides."""
    block = content[:BLOCK_BYTES]
    digits = block[_CHECKSUM].strip(b" \0")
    if len(block) < BLOCK_BYTES or not digits.isdigit() or not block[0]:
        return False
    expected = sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")
    try:
        return int(digits, 8) == expected
    except ValueError:
        return False


@dataclass(frozen=True)
class _Member:
    info: tarfile.TarInfo
    entry: Entry


class TarArchive:
    """The entries of a TAR file, which are read one by one within limits."""

    name_encoding = "utf-8"
    comment = ""

    def __init__(self, content: bytes, field: str = "file", *, list_only: bool = False) -> None:
        """Read the headers.

        Args:
            content: The file.
            field: Name of the request's field, for errors.
            list_only: Whether the entries are only listed; then a file that unpacks to too much is listed in part.

        Raises:
            InvalidInput: The file is damaged, or unpacks to more than 100 MB.
        """
        self._field, self.is_cut = field, False
        self._method = "stored"
        if content.startswith(gzip_stream.SIGNATURE):
            self._method = "gzip"
            if list_only:
                content, self.is_cut = gzip_stream.inflate_start(content, field, MAX_TAR_BYTES)
            else:
                content = gzip_stream.inflate(content, field, MAX_TAR_BYTES)
        self._members = list(self._read_members(content))
        self.entries: Sequence[Entry] = list(without_links([member.entry for member in self._members]))

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:  # noqa: ARG002  # TAR has none
        """Return the contents of entries by their places.

        Raises:
            InvalidInput: They are too large, or the file is cut.
        """
        check_sizes([self.entries[index] for index in chosen], self._field)
        return [self._read(index) for index in chosen]

    def _read(self, index: int) -> bytes:
        member = self._members[index]
        try:
            file = self._tar.extractfile(member.info)
            content = file.read() if file else b""
        except (tarfile.TarError, OSError, ValueError, KeyError, EOFError) as error:
            raise InvalidInput(f"{self._field}: {shown(member.entry.name)} is damaged.") from error
        if len(content) < member.entry.size_bytes:
            raise InvalidInput(f"{self._field}: {shown(member.entry.name)} is cut.")
        return content

    def _read_members(self, content: bytes) -> Iterator[_Member]:
        try:
            self._tar = tarfile.open(fileobj=io.BytesIO(content), mode="r:", errorlevel=2)  # noqa: SIM115
            while (info := self._tar.next()) is not None:
                yield _Member(info, self._entry(info))
        except (tarfile.TarError, OSError, ValueError, EOFError, OverflowError, RecursionError) as error:
            if not self.is_cut:
                raise InvalidInput(f"{self._field}: is a damaged TAR file.") from error

    def _entry(self, info: tarfile.TarInfo) -> Entry:
        name = info.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return Entry(
            name=f"{name}/" if info.isdir() else name,
            size_bytes=info.size if info.isfile() else 0,
            compressed_bytes=None,
            modified=utc_date(info.mtime),
            crc32=None,
            encrypted=False,
            method=self._method,
            is_folder=info.isdir(),
            unsafe=_unsafe_kind(info) or unsafe_reason(name),
        )


def _unsafe_kind(info: tarfile.TarInfo) -> str | None:
    if info.issym() or info.islnk():
        return "link"
    return None if info.isfile() or info.isdir() else "device"


def utc_date(seconds: float) -> str | None:
    """Return seconds since 1970 as ISO 8601; None if there is no such time."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).replace(tzinfo=None).isoformat() if seconds else None
    except (ValueError, OverflowError, OSError):
        return None
