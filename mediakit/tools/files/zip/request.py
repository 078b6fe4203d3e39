"""The request of `zip`."""

import unicodedata
from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.inputs import FileInput, FileList, files_of
from mediakit.core.request import request
from mediakit.engines.archives.names import MAX_NAME_BYTES, portable_problem
from mediakit.engines.archives.passwords import ArchivePassword
from mediakit.engines.archives.writer import NewEntry
from mediakit.tools.files.zip.entry_names import entry_names
from mediakit.tools.files.zip.job import ZipJob

_CONTROLS_OF_TEXT = "\t\n\r"


def _check_filename(name: str) -> str:
    named = unicodedata.normalize("NFC", name)
    named = named if named.lower().endswith(".zip") else f"{named}.zip"
    if "/" in named or "\\" in named:
        raise ValueError("must be a name without folders.")
    if problem := portable_problem(named):
        raise ValueError(problem)
    return named


def _check_folder(name: str) -> str:
    folder = unicodedata.normalize("NFC", name).removesuffix("/")
    if problem := portable_problem(folder):
        raise ValueError(problem)
    return folder


def _check_comment(comment: str) -> str:
    if any(not character.isprintable() and character not in _CONTROLS_OF_TEXT for character in comment):
        raise ValueError("must not contain control characters.")
    return comment


ArchivedFiles = Annotated[Sequence[FileInput] | FileInput, FileList(allow_empty=True)]
"""Files whose names keep their folders."""


@request
class ZipRequest:
    """Files, and how to pack them."""

    files: ArchivedFiles
    """Files of the archive: 1-20, with unique names. `{"name": "data/a.csv", "file": ...}` puts a file in a folder."""
    _: KW_ONLY
    password: ArchivePassword | None = None
    """Encrypts the contents with AES-256, which 7-Zip, WinZip and macOS tools open. The names stay readable."""
    level: Annotated[int, Field(ge=0, le=9)] = 6
    """0 stores the files, 1 is the fastest compression, 9 the smallest."""
    filename: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_filename)] = "files.zip"
    """Name of the archive."""
    folder: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_check_folder)] | None = None
    """A folder that contains all files."""
    comment: Annotated[str, Field(max_length=1000), AfterValidator(_check_comment)] | None = None
    """Comment of the archive."""

    @property
    def names(self) -> list[str]:
        """The names of the files in the archive."""
        return entry_names(files_of(self.files), self.folder or "")

    @property
    def job(self) -> ZipJob:
        """The work that the request describes."""
        contents = files_of(self.files)
        entries = [NewEntry(name, bytes(file)) for name, file in zip(self.names, contents, strict=True)]
        return ZipJob(entries, self.level, self.folder or "", self.comment or "", password=self.password)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for index, name in enumerate(self.names):
            if len(name.encode()) > MAX_NAME_BYTES:
                raise ValueError(f"files[{index}].name: must have at most {MAX_NAME_BYTES} bytes with its folder.")
        return self
