"""Saving results: one file, several files in a folder, or a ZIP file of them."""

import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pybase64

from mediakit.core.media import extension_of, media_type, safe_name, type_of
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Entries have a fixed date, so that the same files are the same archive."""

COMPRESSED_PREFIXES = ("image/", "application/pdf", "application/zip", "application/gzip")
"""Media types that are stored: deflate does not make them smaller."""


@dataclass(frozen=True)
class SavedFile:
    """A file of a result: what `file`, `save` and `data_uri` use."""

    content: bytes
    mime_type: str
    filename: str = ""
    """Empty if the tool does not name the file."""

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return extension_of(self.mime_type.partition(";")[0])

    def data_uri(self) -> str:
        """Return the file as a `data:` URI."""
        return f"data:{self.mime_type};base64,{pybase64.b64encode(self.content).decode()}"


def zip_content(files: Iterable[SavedFile]) -> bytes:
    """Return a ZIP file; the same files are the same bytes."""
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        for file in files:
            entry = ZipInfo(file.filename, ZIP_DATE)
            is_stored = file.mime_type.startswith(COMPRESSED_PREFIXES) and file.mime_type != "image/svg+xml"
            entry.compress_type = ZIP_STORED if is_stored else ZIP_DEFLATED
            archive.writestr(entry, file.content)
    return target.getvalue()


def check_suffix(path: PurePath, saved: SavedFile) -> None:
    """Refuse the suffix of another format than that of a file. Plain text can have that of any text format.

    Raises:
        InvalidInput: The path has such a suffix.
    """
    named = type_of(path)
    if saved.mime_type.startswith("text/plain") and named and (media := media_type(named)) and media.is_text:
        return
    if named not in (None, saved.mime_type):
        raise InvalidInput(f"path: the file is named {path.suffix}, but the result is {saved.extension.upper()}.")


def save_one(file: SavedFile, target: Path) -> Path:
    """Write a file, into a folder if it has a name, and return its path.

    Raises:
        InvalidInput: The path is a folder and the file has no name, or the extension belongs to another format.
    """
    if target.is_dir() and file.filename:
        target /= PurePath(file.filename).name
    if target.is_dir():
        raise InvalidInput(f"path: {target} is a folder; add a file name.")
    is_device = target.exists() and not target.is_file()  # such as /dev/stdout, or a pipe
    if not target.suffix and not is_device:
        target = target.with_suffix(f".{file.extension}")
    check_suffix(target, file)
    return write(target, file.content)


def save_all(files: Sequence[SavedFile], target: Path, *, with_folders: bool) -> Path:
    """Write files into a folder, or as an archive, or the only one under a name, and return the path.

    Args:
        files: The files.
        target: A folder, or a path that ends with `.zip` or, if there is one file, with the extension of its format.
        with_folders: Whether names have folders, which are created; else the names in folders are used alone.

    Raises:
        InvalidInput: The path is an existing file where a folder is needed, or a link leads a file out of the folder.
    """
    suffix = "" if target.is_dir() else target.suffix.lower()
    if suffix == ".zip":
        return write(target, zip_content(files))
    if suffix and len(files) == 1:
        return save_one(files[0], target)
    if target.is_file() or (suffix and type_of(target)):
        raise InvalidInput(f"path: must be a folder or end with .zip, got {quote(str(target))}.")
    target.mkdir(parents=True, exist_ok=True)
    for file in files:
        name = file.filename if with_folders else PurePath(file.filename).name
        parts = [safe_name(part) for part in name.split("/")] if sys.platform == "win32" else name.split("/")
        path = target.joinpath(*parts)
        if not path.resolve().is_relative_to(target.resolve()):  # a folder on the way is a link
            raise InvalidInput(f"path: {quote(name)} would be written outside of {target}.")
        write(path, file.content)
    return target


def write(path: Path, content: bytes) -> Path:
    """Write a file, create its folder, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
