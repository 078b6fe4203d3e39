"""The request of `unzip`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated

from pydantic import Field

from mediakit.core.inputs import File
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.passwords import ArchivePassword

MAX_NAMES = 100
MAX_FILES = 100

Name = Annotated[str, Field(min_length=1, max_length=1000)]


@request
class UnzipRequest:
    """An archive, and what to take from it."""

    file: File
    """The archive: ZIP and its relatives (JAR, DOCX, XLSX, EPUB), TAR, TAR.GZ or GZ."""
    _: KW_ONLY
    names: (
        Annotated[list[Name], Field(min_length=1, max_length=MAX_NAMES), Synonyms("members, only, select")] | None
    ) = None
    """Files to take: exact names, or patterns such as `*.csv` (in every folder) and `data/**`. Default: all files."""
    password: ArchivePassword | None = None
    """Password of encrypted files."""
    list_only: Annotated[bool, Synonyms("list, dry_run")] = False
    """List the entries and unpack none."""
    name_encoding: Annotated[str, Field(min_length=1, max_length=40)] = "auto"
    """Charset of names that do not say theirs, such as cp866 or shift_jis; `auto` detects it."""
    max_files: Annotated[int, Field(ge=1, le=MAX_FILES)] = 20
    """Number of files to unpack at most; if more are chosen, nothing is unpacked."""


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
