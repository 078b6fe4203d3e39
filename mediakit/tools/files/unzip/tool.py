"""`unzip`: lists and unpacks ZIP, TAR and gzip files."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Annotated, Any, overload

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.inputs import File
from mediakit.core.messages import readable_size
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, Wire, tool
from mediakit.display import ShownColumn, table_html
from mediakit.engines.archives import UNSAFE, ArchivePassword, Entry, clean_path, unique_paths
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.data import Data
from mediakit.results.files import ZIP, FileResult, FilesResult, file_result
from mediakit.results.item import to_plain
from mediakit.results.result import Bundle, Coded
from mediakit.results.saving import SavedFile, zip_content
from mediakit.samples import ARCHIVE

MAX_NAMES = 100
MAX_FILES = 100

Name = Annotated[str, Field(min_length=1, max_length=1000)]

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

RAW_TYPES = ("application/zip", "application/x-zip-compressed", "application/gzip", "application/x-tar")

META = {
    "entries": meta_schemas.integer("Number of entries.", 1),
    "warnings": meta_schemas.texts("What was omitted, renamed, or may not be as expected."),
}


@request
class UnzipRequest:
    """An archive, and what to take from it."""

    file: File
    """The archive: ZIP and its relatives (JAR, DOCX, XLSX, EPUB), TAR, TAR.GZ or GZ."""
    _: KW_ONLY
    names: (
        Annotated[list[Name], Field(min_length=1, max_length=MAX_NAMES), Synonyms("members, only, select, pattern")]
        | None
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
    """That of the entry with `/` between folders; a second file of the same name is numbered, `a (2).txt`."""
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


class UnzippedFiles(Data, Coded, FilesResult[FileResult]):
    """The files of an archive by position or name, `result["a.csv"]`, and the list of all its `entries`.

    `file` is the file itself where exactly one was unpacked, else the list as JSON. `save` writes the files into a
    folder, or into a ZIP file if the path ends with `.zip`.
    """

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True)
    _items = "files"

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
    """The chosen files with the names of their entries, in the order of the archive; absent with `list_only`."""

    @overload
    def __getitem__(self, index: int | str) -> FileResult: ...
    @overload
    def __getitem__(self, index: slice) -> list[FileResult]: ...
    def __getitem__(self, index: int | str | slice) -> FileResult | list[FileResult]:
        """Return the file at an index or of a name; that of its entry, which may have backslashes, is one as well."""
        if isinstance(index, str) and index not in self.names:
            index = clean_path(index)
        return super().__getitem__(index)

    @property
    def content(self) -> bytes:
        """A ZIP file of the files."""
        return zip_content(self._parts() or ())

    @property
    def mime_type(self) -> str:
        """The media type of the ZIP file."""
        return ZIP

    def _only(self) -> FileResult | None:
        """Return the file if exactly one was unpacked."""
        return self.files[0] if self.files and len(self.files) == 1 else None

    def _has_file(self) -> bool:
        return self._only() is not None

    def _saved(self) -> SavedFile:
        only = self._only()
        return super()._saved() if only is None else only._saved()

    def _parts(self) -> Sequence[SavedFile] | None:
        """Return the files to save, named so that none overwrites another one on Windows or macOS."""
        if self.files is None:
            return None
        names = unique_paths(self.names, is_portable=True)
        return [replace(file._saved(), filename=name) for file, name in zip(self.files, names, strict=True)]

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


@tool(
    UnzipRequest,
    tag="Files",
    raw=dict.fromkeys(RAW_TYPES, "file"),
    produces=("application/json", "application/octet-stream"),
    media_type_of=lambda values: "application/json" if values.get("list_only") else ZIP,  # that a call saves
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("One file", {"file": ARCHIVE, "names": ["data/cities.csv"]}),
        Example("All files", {"file": ARCHIVE}),
        Example("The list of the entries", {"file": ARCHIVE, "list_only": True}),
        Example("All CSV files, in every folder", {"file": ARCHIVE, "names": ["*.csv"]}),
    ],
)
async def unzip(request: UnzipRequest) -> UnzippedFiles:
    """List and unpack a ZIP, TAR, TAR.GZ or GZ file, and relatives of ZIP such as DOCX, XLSX, EPUB and JAR.

    Decompression bombs are refused before they use memory: 100 MB in all, 20 MB a file, 200 times the packed size.
    Unsafe entries, such as `../x`, absolute paths and links, are listed with the reason and never unpacked. Names in
    the charsets of Windows are detected; `name_encoding` sets their charset. ZipCrypto and AES are decrypted with
    `password`. Archives inside the archive are files like others.

    Raises:
        InvalidInput: The file is not an archive, is damaged, encrypted or a decompression bomb, or a name is not in it.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.files.unzip.unpacking:unpack", Guard("archive", seconds=10)
    unpacked = await run_guarded(work, request, returns=Unpacked, guard=guard)
    files = [file_result(file.content, file.name, file.mime_type) for file in unpacked.files]
    return UnzippedFiles(
        entries=unpacked.entries,
        truncated=unpacked.is_cut,
        total_bytes=unpacked.total_bytes,
        name_encoding=unpacked.name_encoding,
        comment=unpacked.comment,
        files=None if request.list_only else files,
        meta={"entries": unpacked.entry_count, "warnings": unpacked.warnings},
    )


def _row(entry: Entry) -> list[str | None]:
    notes = ["encrypted" if entry.encrypted else "", f"unsafe: {UNSAFE[entry.unsafe]}" if entry.unsafe else ""]
    name = entry.name  # its middle is omitted if it is long, so that the other columns stay in view
    return [
        name if len(name) <= MAX_SHOWN_NAME else f"{name[: MAX_SHOWN_NAME - 20]}…{name[-19:]}",
        "" if entry.is_folder else readable_size(entry.size_bytes),
        (entry.modified or "").replace("T", " "),
        "folder" if entry.is_folder else entry.method,
        ", ".join(filter(None, notes)),
    ]
