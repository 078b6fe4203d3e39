"""The result of `unzip`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.messages import readable_size
from mediakit.core.tool import Wire
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.names import UNSAFE
from mediakit.results.data import Data
from mediakit.results.files import ZIP, FileResult, FilesResult, file_result, zip_of
from mediakit.results.item import to_plain
from mediakit.results.result import Bundle, Coded
from mediakit.results.saving import SavedFile
from mediakit.tools.files.unzip.request import Unpacked

COLUMNS = (
    ShownColumn("name", ""), ShownColumn("size", "", is_right_aligned=True), ShownColumn("modified", ""),
    ShownColumn("method", ""), ShownColumn("note", ""),
)  # fmt: skip
"""Columns of the table that a notebook shows."""

MAX_SHOWN_NAME = 48
"""Characters of a name in this table."""

ENTRY_EXAMPLE = {
    "name": "data/cities.csv", "size_bytes": 24, "compressed_bytes": 26, "modified": "1980-01-01T00:00:00",
    "crc32": "5f0d8a36", "encrypted": False, "method": "deflate", "is_folder": False, "unsafe": None,
}  # fmt: skip

FILE_EXAMPLE = {
    "name": "data/cities.csv", "file": "Y2l0eSxvcmRlcnMKTGlzYm9uLDEyCg==", "mime_type": "text/csv", "size_bytes": 22,
}  # fmt: skip


class UnzippedFiles(Data, Coded, FilesResult[FileResult]):
    """The files of an archive by position or name, `result["a.csv"]`, and the list of all its `entries`.

    `file` is the file itself where exactly one was unpacked, else the list as JSON. `save` writes the files into a
    folder, or into a ZIP file if the path ends with `.zip`.
    """

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True)

    entries: Annotated[list[Entry], Field(max_length=1000, examples=[[ENTRY_EXAMPLE]])]
    """The first 1000 entries, in the order of the archive; with `list_only` and `names` those of the names."""
    truncated: Annotated[bool, Field(examples=[False])]
    """Whether there are more entries."""
    total_bytes: Annotated[int, Field(examples=[24])]
    """Size of all files, as the archive claims."""
    name_encoding: Annotated[str, Field(examples=["utf-8"])]
    """Charset of the names that do not say theirs."""
    comment: Annotated[str, Field(examples=[""])]
    """Comment of the archive."""
    files: Annotated[list[FileResult] | None, Field(examples=[[FILE_EXAMPLE]])] = None
    """The chosen files, in the order of the archive; absent with `list_only`."""

    @property
    def content(self) -> bytes:
        """A ZIP file of the files."""
        return zip_of(self)

    @property
    def mime_type(self) -> str:
        """The media type of the ZIP file."""
        return ZIP

    def _listed(self) -> Sequence[FileResult]:
        return self.files or ()

    def _only(self) -> FileResult | None:
        """Return the file if exactly one was unpacked."""
        return self.files[0] if self.files and len(self.files) == 1 else None

    def _has_file(self) -> bool:
        return self._only() is not None

    def _saved(self) -> SavedFile:
        only = self._only()
        return super()._saved() if only is None else only._saved()

    def _parts(self) -> Sequence[SavedFile] | None:
        return None if self.files is None else [file._saved() for file in self.files]

    def _rows(self) -> list[Mapping[str, Any]]:
        return [to_plain(entry) for entry in self.entries]

    def _counted(self) -> str:
        count = int(self.meta["entries"])
        return f"{count:,} {'entry' if count == 1 else 'entries'}"

    def _facts(self) -> str:
        return self._counted() if self.files is None else super()._facts()

    def _bundle(self) -> Bundle:
        facts = (self._counted(), "" if self.files is None else self._facts(), readable_size(self.total_bytes))
        caption = " · ".join(dict.fromkeys(filter(None, facts)))
        rows = [_row(entry) for entry in self.entries]
        return {"text/html": table_html(COLUMNS, rows, caption, int(self.meta["entries"]))}, {}

    def __repr__(self) -> str:
        return f"<UnzippedFiles {self._facts()}, {readable_size(sum(len(file.content) for file in self))}>"


def unzipped(unpacked: Unpacked, *, has_files: bool) -> UnzippedFiles:
    """Return the result of the work; without `has_files` the entries are only listed."""
    return UnzippedFiles(
        entries=unpacked.entries,
        truncated=unpacked.is_cut,
        total_bytes=unpacked.total_bytes,
        name_encoding=unpacked.name_encoding,
        comment=unpacked.comment,
        files=[file_result(file.content, file.name, file.mime_type) for file in unpacked.files] if has_files else None,
        meta={"entries": unpacked.entry_count, "warnings": unpacked.warnings},
    )


def _row(entry: Entry) -> list[str | None]:
    notes = ["encrypted" if entry.encrypted else "", f"unsafe: {UNSAFE[entry.unsafe]}" if entry.unsafe else ""]
    return [
        _short(entry.name),
        "" if entry.is_folder else readable_size(entry.size_bytes),
        (entry.modified or "").replace("T", " "),
        "folder" if entry.is_folder else entry.method,
        ", ".join(filter(None, notes)),
    ]


def _short(name: str) -> str:
    """Return a name with its middle omitted if it is long, so that the other columns stay in view."""
    return name if len(name) <= MAX_SHOWN_NAME else f"{name[: MAX_SHOWN_NAME - 20]}…{name[-19:]}"
