"""Reads ZIP containers such as DOCX, XLSX and EPUB within limits: entries, size, ratio, overlaps.

The limits are those of the document tools: 10,000 entries, 300 MB in all, and a ratio of 200 above 1 MB.
"""

import io
import zipfile
import zlib
from contextlib import suppress
from copy import copy
from itertools import pairwise

from mediakit.errors import InvalidInput

MAX_ENTRIES = 10_000
MAX_UNPACKED_BYTES = 300_000_000
MAX_RATIO = 200
"""How many times its packed size an entry may have."""

_RATIO_FROM_BYTES = 1_000_000
"""Smaller entries may be packed as tightly as they like."""

_LOCAL_HEADER_BYTES = 30
_CHUNK_BYTES = 1 << 20

_READ_ERRORS = (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, RuntimeError, EOFError, zlib.error)
"""What `zipfile` raises for damaged, encrypted and unknown entries."""


class Container:
    """The entries of a ZIP container, read by name."""

    def __init__(self, content: bytes, field: str = "file") -> None:
        """Check the limits of a container.

        Raises:
            InvalidInput: It is damaged, or its content is larger than allowed.
        """
        self.field = field
        self._entries = {entry.filename: entry for entry in check_archive(content, field)}
        self._archive = zipfile.ZipFile(io.BytesIO(content))

    @property
    def names(self) -> list[str]:
        """The names of the entries, in the order of the archive; the last entry of a name counts."""
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the bytes of an entry.

        Raises:
            KeyError: There is no entry of this name.
            InvalidInput: The entry is damaged, or encrypted.
        """
        entry = self._entries[name]
        try:
            with self._archive.open(entry) as file:
                content = file.read(entry.file_size + 1)
        except _READ_ERRORS as error:
            _check_unpacked(self._archive, entry, self.field)
            raise InvalidInput(f"{self.field}: its part {name} is damaged.") from error
        return content


def check_archive(content: bytes, field: str) -> list[zipfile.ZipInfo]:
    """Return the entries of a ZIP container.

    Raises:
        InvalidInput: It is damaged, or its content is larger than allowed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{field}: is a damaged file or ZIP archive.") from error
    if len(entries) > MAX_ENTRIES:
        raise InvalidInput(f"{field}: must have at most {MAX_ENTRIES:,} entries in its archive, got {len(entries):,}.")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise InvalidInput(f"{field}: unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB.")
    if any(_is_bomb(entry) for entry in entries) or _overlap(entries):
        raise InvalidInput(f"{field}: is a decompression bomb.")
    return entries


def check_unpacked_sizes(content: bytes, field: str) -> None:
    """Check that no entry of a ZIP container unpacks to more than the container declares, by unpacking all of them.

    Readers that unpack containers themselves report such files as damaged: this names the cause.

    Raises:
        InvalidInput: The container is damaged, larger than allowed, or an entry has more bytes than it declares.
    """
    entries = check_archive(content, field)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in entries:
            _check_unpacked(archive, entry, field)


def _check_unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, field: str) -> None:
    larger = copy(entry)
    larger.file_size += 1
    larger.CRC = None  # type: ignore[assignment]  # only the size is compared
    unpacked = 0
    with suppress(*_READ_ERRORS), archive.open(larger) as file:
        while chunk := file.read(_CHUNK_BYTES):
            unpacked += len(chunk)
    if unpacked > entry.file_size:
        raise InvalidInput(
            f"{field}: is a decompression bomb: its part {entry.filename[:100]} unpacks to more than it declares."
        )


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _RATIO_FROM_BYTES and entry.file_size > MAX_RATIO * max(1, entry.compress_size)


def _overlap(entries: list[zipfile.ZipInfo]) -> bool:
    """Return whether two entries share packed bytes."""
    spans = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    pairs = pairwise(spans)
    return any(start + _LOCAL_HEADER_BYTES + size > after for (start, size), (after, _) in pairs)
