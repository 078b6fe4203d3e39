"""Saving results: one file, several files in a folder, or a ZIP file of them."""

import io
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from mediakit.core.media import media_type, safe_name, type_of
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.results.result import FileResult, Result, SavedFile

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Entries have a fixed date, so that the same files are the same archive."""

COMPRESSED_PREFIXES = ("image/", "application/pdf", "application/zip", "application/gzip")
"""Media types that are stored: deflate does not make them smaller."""


def zip_content(files: Iterable[tuple[str, str, bytes]]) -> bytes:
    """Return a ZIP file; the same files are the same bytes.

    Args:
        files: Name, media type and content of each file.
    """
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        for name, mime_type, content in files:
            entry = ZipInfo(name, ZIP_DATE)
            is_stored = mime_type.startswith(COMPRESSED_PREFIXES) and mime_type != "image/svg+xml"
            entry.compress_type = ZIP_STORED if is_stored else ZIP_DEFLATED
            archive.writestr(entry, content)
    return target.getvalue()


def check_suffix(path: PurePath, saved: "SavedFile") -> None:
    """Refuse the suffix of another format than that of a file. Plain text can have that of any text format.

    Raises:
        InvalidInput: The path has such a suffix.
    """
    named = type_of(path)
    if saved.mime_type.startswith("text/plain") and named and (media := media_type(named)) and media.is_text:
        return
    if named not in (None, saved.mime_type):
        raise InvalidInput(f"path: the file is named {path.suffix}, but the result is {saved.extension.upper()}.")


def save(result: "Result", target: Path) -> Path:
    """Write the file or the files of a result. See `Result.save`."""
    parts, suffix = result._parts(), target.suffix.lower()
    if result._saves_json and suffix == ".json" and not target.is_dir():
        return _write(target, result.to_json().encode())
    if parts is None:
        return _save_one(result._saved(), target)
    if suffix == ".zip" and not target.is_dir():
        return _write(target, zip_content((each.filename, each.mime_type, each.content) for each in parts))
    if len(parts) == 1 and suffix and not target.is_dir():
        return _save_one(parts[0]._saved(), target)
    if target.is_file() or (suffix and not target.is_dir() and type_of(target)):
        raise InvalidInput(f"path: must be a folder or end with .zip, got {quote(str(target))}.")
    return _save_all(parts, target, with_folders=result._saves_json)


def _save_one(saved: "SavedFile", target: Path) -> Path:
    if target.is_dir() and saved.filename:
        target /= PurePath(saved.filename).name
    if target.is_dir():
        raise InvalidInput(f"path: {target} is a folder; add a file name.")
    if not target.suffix:
        target = target.with_suffix(f".{saved.extension}")
    check_suffix(target, saved)
    return _write(target, saved.content)


def _save_all(parts: Iterable["FileResult"], folder: Path, *, with_folders: bool) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        _write(_inside(folder, part.filename if with_folders else PurePath(part.filename).name), part.content)
    return folder


def _inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder.

    Raises:
        InvalidInput: It is not in the folder, because a folder on the way is a link.
    """
    parts = [safe_name(part) for part in name.split("/")] if sys.platform == "win32" else name.split("/")
    path = folder.joinpath(*parts)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput(f"path: {quote(name)} would be written outside of {folder}.")
    return path


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
