"""What travels to the worker and back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mediakit.engines.archives.entry import Entry

MAX_LISTED = 1000
"""Entries that are listed; of larger archives the first ones."""


@dataclass(frozen=True)
class UnzipJob:
    """An archive, and what to take from it."""

    content: bytes = field(repr=False)
    filename: str = ""
    names: Sequence[str] | None = None
    password: str | None = field(default=None, repr=False)
    list_only: bool = False
    name_encoding: str = "auto"
    max_files: int = 20


@dataclass(frozen=True)
class UnpackedFile:
    """A file of an archive."""

    name: str
    """Unique and safe, with `/` between folders."""
    content: bytes = field(repr=False)
    mime_type: str


@dataclass(frozen=True)
class Unpacked:
    """What an archive contains."""

    entries: list[Entry]
    """The first entries."""
    entry_count: int
    """Number of all entries."""
    total_bytes: int
    name_encoding: str
    comment: str
    files: list[UnpackedFile]
    warnings: list[str]
    is_cut: bool
    """Whether the archive has more entries than were read."""
