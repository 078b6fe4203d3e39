"""The result of `unzip`."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, Self

import pybase64

from mediakit.core.media import safe_name
from mediakit.core.messages import quote, readable_size
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.names import UNSAFE
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.file import FileResult
from mediakit.results.files import FilesResult, zip_content
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result, without_usage
from mediakit.tools.files.unzip.job import Unpacked
from mediakit.tools.files.unzip.response_schema import SCHEMA

JSON = "application/json"

COLUMNS = (
    ShownColumn("name", ""), ShownColumn("size", "", is_right_aligned=True), ShownColumn("modified", ""),
    ShownColumn("method", ""), ShownColumn("note", ""),
)  # fmt: skip
"""Columns of the table that a notebook shows."""

MAX_SHOWN_NAME = 48
"""Characters of a name in this table."""


class UnzippedFiles(FilesResult[Result], DataResult):
    """The files of an archive by position or name, `result["a.csv"]`, and the list of all its `entries`.

    As a file it is the file itself where exactly one was unpacked, else the list as JSON.
    """

    _internal_names = frozenset(("of",))
    is_data = True
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")

    def __init__(
        self,
        files: Sequence[Result] | None,
        entries: Sequence[Entry],
        facts: Mapping[str, Any],
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        self._results = list(files or ())
        self._has_files = files is not None
        self._facts = dict(facts)
        self.entries = list(entries)
        """The first 1000 entries of the archive, unsafe ones and folders included."""
        self.meta: dict[str, Any] = dict(meta or {})
        self.alt = ""
        only = self._only
        self.mime_type = only.mime_type if only else JSON
        self.filename = PurePosixPath(only.filename).name if only else "unzip.json"

    @classmethod
    def of(cls, unpacked: Unpacked, *, has_files: bool) -> Self:
        """Return the result of the work; without `has_files` the entries are only listed."""
        files = [file_of_kind(file.name, file.content, file.mime_type) for file in unpacked.files]
        facts = {
            "truncated": unpacked.is_cut,
            "total_bytes": unpacked.total_bytes,
            "name_encoding": unpacked.name_encoding,
            "comment": unpacked.comment,
        }
        meta = {"entries": unpacked.entry_count, "warnings": unpacked.warnings}
        return cls(files if has_files else None, unpacked.entries, facts, meta)

    @property
    def truncated(self) -> bool:
        """Whether the archive has more entries than are listed."""
        return bool(self._facts["truncated"])

    @property
    def total_bytes(self) -> int:
        """Size of all files of the archive, as it claims."""
        return int(self._facts["total_bytes"])

    @property
    def name_encoding(self) -> str:
        """Charset of the names that do not say theirs."""
        return str(self._facts["name_encoding"])

    @property
    def comment(self) -> str:
        """Comment of the archive; empty if there is none."""
        return str(self._facts["comment"])

    @cached_property
    def content(self) -> bytes:  # type: ignore[override]  # made on first use
        """A ZIP file of the files."""
        return zip_content(self._results)

    @property
    def file(self) -> bytes:
        """The file if exactly one was unpacked, else the list as JSON."""
        return self._only.file if self._only else self.to_json().encode()

    @property
    def has_file(self) -> bool:
        """Whether exactly one file was unpacked."""
        return self._only is not None

    @property
    def _only(self) -> Result | None:
        return self._results[0] if len(self._results) == 1 else None

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the files into a folder, and return its path. No file is written outside of it.

        A path that ends with `.zip` gets an archive of the files, one that ends with `.json` the list. A single file
        can be saved under a name of your own.

        Raises:
            InvalidInput: The path is an existing file and there are several files, or a link in the folder leads a
                file out of it.
        """
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix == ".json" or (suffix and self._only and not target.is_dir()):
            return _written(target, self.file if suffix != ".json" or self._only else self.to_json().encode())
        if suffix == ".zip" and not target.is_dir():
            return _written(target, self.content)
        if target.is_file():
            raise InvalidInput(f"path: must be a folder or end with .zip, got {quote(str(path))}.")
        target.mkdir(parents=True, exist_ok=True)
        for result in self._results:
            _written(_inside(target, result.filename), result.file)
        return target

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the files."""
        return {"entries": [entry.to_dict() for entry in self.entries], **self._facts}

    def response(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        files = [
            {
                "name": result.filename,
                "file": pybase64.b64encode(result.file).decode(),
                "mime_type": result.mime_type,
                "size_bytes": len(result.file),
            }
            for result in self._results
        ]
        return {**self.fields(), **({"files": files} if self._has_files else {})}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the response, by name."""
        return {**SCHEMA}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each entry."""
        return [entry.to_dict() for entry in self.entries]

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        files = None
        if "files" in body:
            files = [
                file_of_kind(each["name"], pybase64.b64decode(each["file"]), each["mime_type"])
                for each in body["files"]
            ]
        facts = {name: body[name] for name in ("truncated", "total_bytes", "name_encoding", "comment")}
        return cls(files, [Entry(**entry) for entry in body["entries"]], facts, without_usage(body["meta"]))

    @property
    def extent(self) -> str:
        """Number of files, such as `3 files`; of entries with `list_only`."""
        if self._has_files:
            return super().extent
        count = int(self.meta["entries"])
        return f"{count:,} {'entry' if count == 1 else 'entries'}"

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        return DataResult.envelope(self, usage)

    def __bool__(self) -> bool:
        return True  # an archive without files is a result, too

    def __eq__(self, other: object) -> bool:
        return DataResult.__eq__(self, other)

    def __hash__(self) -> int:
        return DataResult.__hash__(self)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        rows = [_row(entry) for entry in self.entries]
        count = int(self.meta["entries"])
        counted = f"{count:,} {'entry' if count == 1 else 'entries'}"
        facts = (counted, self.extent if self._has_files else "", readable_size(self.total_bytes))
        caption = " · ".join(dict.fromkeys(filter(None, facts)))
        return {"text/plain": repr(self), "text/html": table_html(COLUMNS, rows, caption, count)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.extent}, {readable_size(sum(len(each.file) for each in self._results))}>"


def file_of_kind(name: str, content: bytes, mime_type: str) -> Result:
    """Return a file as the result class of its media type."""
    made: Result
    if mime_type == "application/pdf":
        made = PdfResult(content, mime_type)
    elif mime_type.startswith("image/"):
        made = ImageResult(content, mime_type)
    else:
        return FileResult(content, mime_type, name)
    made.filename = name
    return made


def _row(entry: Entry) -> list[str | None]:
    notes = ["encrypted" if entry.encrypted else "", f"unsafe: {UNSAFE[entry.unsafe]}" if entry.unsafe else ""]
    size = "" if entry.is_folder else readable_size(entry.size_bytes)
    modified = (entry.modified or "").replace("T", " ")
    return [
        _short(entry.name),
        size,
        modified,
        "folder" if entry.is_folder else entry.method,
        ", ".join(filter(None, notes)),
    ]


def _short(name: str) -> str:
    """Return a name with its middle omitted if it is long, so that the other columns stay in view."""
    return name if len(name) <= MAX_SHOWN_NAME else f"{name[: MAX_SHOWN_NAME - 20]}…{name[-19:]}"


def _inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder.

    Raises:
        InvalidInput: It is not in the folder, because a folder on the way is a link.
    """
    parts = name.split("/")
    if sys.platform == "win32":
        parts = [safe_name(part) for part in parts]
    path = folder.joinpath(*parts)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput(f"path: {quote(name)} would be written outside of {folder}.")
    return path


def _written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
