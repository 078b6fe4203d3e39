"""Describes the entries of a ZIP file: names, dates, kinds, and which of them are unsafe."""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mediakit.engines.archives.directory import RawEntry
from mediakit.engines.archives.encryption import has_crc, real_method
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.names import clean_path, unsafe_reason
from mediakit.engines.archives.packed import method_name

_UNIX_SYSTEMS = (3, 19)
"""Systems whose attributes hold the mode of the file: Unix and macOS."""

_DOS_FOLDER = 0x10

_SPECIAL = (stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK)

_APPLE_FOLDER = "__MACOSX"
_SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


@dataclass(frozen=True)
class Listed:
    """A described entry."""

    entry: Entry
    index: int
    """Its place in the archive."""

    @property
    def is_file(self) -> bool:
        """Whether it can be unpacked."""
        return not self.entry.is_folder and self.entry.unsafe is None

    @property
    def path(self) -> str:
        """The name with `/` between folders."""
        return clean_path(self.entry.name)


def describe(raw: Sequence[RawEntry], names: Sequence[str]) -> list[Entry]:
    """Return the entries of a directory with their decoded names."""
    entries = [_entry(each, name) for each, name in zip(raw, names, strict=True)]
    return list(without_links(entries))


def without_links(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield entries; those below a link are unsafe."""
    links = {clean_path(entry.name) for entry in entries if entry.unsafe == "link"}
    for entry in entries:
        is_below = links and entry.unsafe is None and any(parent in links for parent in _parents(entry.name))
        yield replace(entry, unsafe="below a link") if is_below else entry


def is_system_file(name: str) -> bool:
    """Return whether an entry is what macOS or Windows adds to archives and folders by itself."""
    parts = clean_path(name).split("/")
    return parts[0] == _APPLE_FOLDER or parts[-1].lower() in _SYSTEM_FILES


def _parents(name: str) -> Iterator[str]:
    parts = clean_path(name).split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _entry(raw: RawEntry, name: str) -> Entry:
    mode = raw.attributes >> 16 if raw.system in _UNIX_SYSTEMS else 0
    is_folder = name.endswith(("/", "\\")) or stat.S_ISDIR(mode) or (not mode and bool(raw.attributes & _DOS_FOLDER))
    return Entry(
        name=name,
        size_bytes=raw.size_bytes,
        compressed_bytes=raw.compressed_bytes,
        modified=_date(raw.date, raw.time),
        crc32=f"{raw.crc32:08x}" if has_crc(raw) else None,
        encrypted=raw.is_encrypted,
        method=method_name(real_method(raw)),
        is_folder=is_folder,
        unsafe=unsafe_kind(mode) or unsafe_reason(name),
    )


def unsafe_kind(mode: int) -> str | None:
    """Return why a file of a Unix mode is unsafe: only files and folders are safe."""
    if stat.S_ISLNK(mode):
        return "link"
    return "device" if stat.S_IFMT(mode) in _SPECIAL else None


def _date(date: int, time: int) -> str | None:
    """Return an MS-DOS date and time as ISO 8601; None if there is no such day or time."""
    year, month, day = 1980 + (date >> 9), date >> 5 & 15, date & 31
    try:
        return datetime(year, month, day, time >> 11, time >> 5 & 63, (time & 31) * 2).isoformat()  # noqa: DTZ001
    except ValueError:
        return None
