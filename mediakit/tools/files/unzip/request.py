"""The request of `unzip`."""

from dataclasses import KW_ONLY
from typing import Annotated

from pydantic import Field

from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.engines.archives.passwords import ArchivePassword
from mediakit.tools.files.unzip.job import UnzipJob

MAX_NAMES = 100
MAX_FILES = 100

Name = Annotated[str, Field(min_length=1, max_length=1000)]


@request
class UnzipRequest:
    """An archive, and what to take from it."""

    file: File
    """The archive: ZIP and its relatives (JAR, DOCX, XLSX, EPUB), TAR, TAR.GZ or GZ."""
    _: KW_ONLY
    names: Annotated[list[Name], Field(min_length=1, max_length=MAX_NAMES)] | None = None
    """Files to take: exact names, or patterns such as `*.csv` (in every folder) and `data/**`. Default: all files."""
    password: ArchivePassword | None = None
    """Password of encrypted files."""
    list_only: bool = False
    """List the entries and unpack none."""
    name_encoding: Annotated[str, Field(min_length=1, max_length=40)] = "auto"
    """Charset of names that do not say theirs, such as cp866 or shift_jis; `auto` detects it."""
    max_files: Annotated[int, Field(ge=1, le=MAX_FILES)] = 20
    """Number of files to unpack at most; if more are chosen, nothing is unpacked."""

    @property
    def job(self) -> UnzipJob:
        """The work that the request describes."""
        file = file_of(self.file)
        return UnzipJob(
            bytes(file),
            file.name,
            self.names,
            password=self.password,
            list_only=self.list_only,
            name_encoding=self.name_encoding,
            max_files=self.max_files,
        )
