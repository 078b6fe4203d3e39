"""Opens an archive of any kind that can be read: ZIP, TAR, TAR compressed with gzip, gzip."""

from collections.abc import Sequence
from typing import Protocol

from mediakit.core.media import describe
from mediakit.engines.archives.entries import Entry
from mediakit.engines.archives.tar_archive import GZIP_SIGNATURE, GzipArchive, TarArchive, inflate_gzip_start
from mediakit.engines.archives.tar_headers import BLOCK_BYTES, is_tar
from mediakit.engines.archives.zip_archive import ZipArchive
from mediakit.engines.archives.zip_directory import LOCAL_SIGNATURE, is_zip
from mediakit.errors import InvalidInput

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


class Archive(Protocol):
    """An archive whose entries are read by their places."""

    name_encoding: str
    """Charset of the names that do not say theirs."""
    comment: str
    is_cut: bool
    """Whether only the first entries are listed, because the archive unpacks to too much."""

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, in the order of the archive."""

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:
        """Return the contents of entries by their places."""


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
        raise InvalidInput(f"{field}: must be a ZIP, TAR or gzip file, got {_kind(content)}.")
    return ZipArchive(content, name_encoding, field)


def _kind(content: bytes) -> str:
    return next((words for start, words in _OTHER_ARCHIVES if content.startswith(start)), None) or describe(content)
