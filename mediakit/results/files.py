"""`FilesResult`: several files."""

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Generic, Self, TypeVar, overload
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pybase64

from mediakit.core.media import type_of
from mediakit.core.messages import quote, readable_size
from mediakit.display.gallery import gallery_html
from mediakit.errors import InvalidInput
from mediakit.results.file import FileResult
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result, without_usage

R = TypeVar("R", bound=Result)

ZIP = "application/zip"
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Entries have a fixed date, so that the same files are the same archive."""

COMPRESSED_PREFIXES = ("image/", "application/pdf", "application/zip", "application/gzip")
"""Media types that are stored: deflate does not make them smaller."""


class FilesResult(Result, Sequence[R], Generic[R]):
    """Several files: a sequence of results in Python, a ZIP file over HTTP and in `.content`.

    Raises:
        ValueError: Two results have the same name, or one has none.
    """

    def __init__(self, results: Sequence[R], filename: str, meta: Mapping[str, Any] | None = None) -> None:
        _check_names(results)
        super().__init__(zip_content(results), ZIP, meta)
        self.filename = filename
        self._results = list(results)

    @overload
    def __getitem__(self, index: int | str) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> list[R]: ...
    def __getitem__(self, index: int | str | slice) -> R | list[R]:
        """Return the result at an index or of a file name."""
        if not isinstance(index, str):
            return self._results[index]
        found = next((result for result in self._results if result.filename == index), None)
        if found is None:
            raise KeyError(index)
        return found

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[R]:
        return iter(self._results)

    @property
    def names(self) -> list[str]:
        """The names of the files."""
        return [result.filename for result in self._results]

    @property
    def extent(self) -> str:
        """Number of files, such as `3 files`."""
        return f"{len(self)} {'file' if len(self) == 1 else 'files'}"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the files into a folder, or the archive if the path ends with `.zip`, and return the path.

        Raises:
            InvalidInput: The path has another extension than `.zip`, or is an existing file.
        """
        target = Path(path)
        if target.suffix.lower() == ".zip":
            return super().save(target)
        if target.is_file() or (target.suffix and not target.is_dir() and type_of(target)):
            raise InvalidInput(f"path: must be a folder or end with .zip, got {quote(str(path))}.")
        for result in self._results:
            file = target / PurePath(result.filename).name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(result.file)
        return target

    def extra_fields(self) -> dict[str, Any]:
        """Return the name of the archive."""
        return {"filename": self.filename}

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name."""
        return {"filename": {"type": "string"}}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        content = pybase64.b64decode(body[cls.member])
        with ZipFile(io.BytesIO(content)) as archive:
            results = [result_of(archive.read(entry), entry.filename) for entry in archive.infolist()]
        made = cls(results, body["filename"], without_usage(body["meta"]))  # type: ignore[arg-type]  # R is Result here
        made.content = content
        return made

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        cards = (result.card(result.filename) for result in self._results)
        return {"text/plain": repr(self), "text/html": gallery_html(cards)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.extent}, {readable_size(len(self.content))}>"


def _check_names(results: Sequence[Result]) -> None:
    names = {PurePath(result.filename).name for result in results} - {"", ".."}
    if len(names) < len(results):
        raise ValueError(f"every file needs its own name, got {[result.filename for result in results]}.")


def zip_content(results: Sequence[Result]) -> bytes:
    """Return a ZIP file of results by their names; the same results are the same bytes."""
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        for result in results:
            entry = ZipInfo(result.filename, ZIP_DATE)
            stored = result.mime_type.startswith(COMPRESSED_PREFIXES) and result.mime_type != "image/svg+xml"
            entry.compress_type = ZIP_STORED if stored else ZIP_DEFLATED
            archive.writestr(entry, result.file)
    return target.getvalue()


def result_of(content: bytes, filename: str) -> Result:
    """Return a file as the result class of its kind, which is judged by its name."""
    mime_type = type_of(PurePath(filename)) or "application/octet-stream"
    result: Result
    if mime_type == "application/pdf":
        result = PdfResult(content, mime_type)
    elif mime_type.startswith("image/"):
        result = ImageResult(content, mime_type)
    else:
        return FileResult(content, mime_type, filename)
    result.filename = filename
    return result
