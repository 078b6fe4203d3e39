"""Small tools with files, for tests of the core, the results and the HTTP API."""

from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal

from pydantic import Field

from mediakit.core.inputs import File, FileBytes, Files, file_of, files_of
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.engines.pdf.page_ranges import Passwords
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult, ZipResult


class ValuesResult(DataResult):
    """The values that a tool received."""

    values: dict[str, Any]

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.values["files"]
        return rows

    def __repr__(self) -> str:
        return repr(self.values)


def described(file: FileBytes) -> dict[str, Any]:
    """Return the name and the content of a file as JSON values."""
    return {"name": file.name, "content": file[:1000].decode("latin-1"), "size": len(file)}


@request
class OneFileRequest:
    """One file."""

    file: File
    """The file."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=1, le=9)] = 1
    """A number."""


@tool(OneFileRequest, tag="Files", produces=("application/json",), raw={"text/plain": "file"})
def one_file(request: OneFileRequest) -> ValuesResult:
    """Return what a file is."""
    return ValuesResult({"files": [described(file_of(request.file))], "size": request.size})


@request
class ManyFilesRequest:
    """Several files with options of every kind."""

    files: Files
    """The files."""
    _: KW_ONLY
    title: Annotated[str, Field(max_length=100)] = ""
    """A text."""
    size: Annotated[int, Field(ge=64, le=2000)] = 64
    """A number."""
    dark: bool = False
    """A switch."""
    format: Literal["png", "jpeg", "webp"] = "png"
    """A choice."""
    tags: list[str] | None = None
    """A list of texts."""
    numbers: list[float] | None = None
    """A list of numbers."""
    data: dict[str, Any] | None = None
    """An object."""
    password: Passwords | None = None
    """Passwords."""


@tool(ManyFilesRequest, tag="Files", produces=("application/json",), errors=[NotConvertible])
def many_files(request: ManyFilesRequest) -> ValuesResult:
    """Return what several files are."""
    if request.title == "fail":
        raise NotConvertible("title: cannot be converted.")
    options = {name: value for name, value in vars(request).items() if name != "files" and value is not None}
    return ValuesResult({"files": [described(file) for file in files_of(request.files)], **options})


@request
class TextRequest:
    """A text and the name of its file."""

    text: str
    """The text."""
    filename: str = "note.txt"
    """The name of the file."""


@tool(TextRequest, tag="Files", produces=("text/plain",), raw={"text/plain": "text"})
def text_file(request: TextRequest) -> FileResult:
    """Return a text as a file."""
    return FileResult(request.text.encode(), "text/plain", request.filename, {"words": len(request.text.split())})


@tool(ManyFilesRequest, tag="Files", produces=("application/zip",))
def pack_files(request: ManyFilesRequest) -> ZipResult[FileResult]:
    """Return files in an archive."""
    files = [FileResult(bytes(file), "text/plain", file.name) for file in files_of(request.files)]
    return ZipResult(files, "files.zip", {"count": len(files)})
