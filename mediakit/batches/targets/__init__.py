"""Where the files of a batch go: a folder, or one file that combines all rows."""

import errno
import os
from collections.abc import Mapping
from pathlib import PurePath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mediakit.batches.targets.combined import CombinedTarget, ZipTarget
from mediakit.batches.targets.pdf import PdfTarget
from mediakit.batches.targets.sheet import FORMATS, SheetTarget
from mediakit.batches.targets.store import Store, UrlStore
from mediakit.batches.targets.target import Target
from mediakit.core.media import media_type, type_of
from mediakit.errors import InvalidInput

COMBINED: Mapping[str, type[CombinedTarget]] = {
    "zip": ZipTarget,
    "pdf": PdfTarget,
    **dict.fromkeys(FORMATS, SheetTarget),
}
"""How the files of all rows are combined, by the suffix of the target."""


def open_target(to: "str | os.PathLike[str]", *, title: str = "") -> Target:
    """Return the target of a path or URL, without reading or writing anything before its `open`.

    Args:
        to: A folder, or a file that combines all rows; a path, or a URL such as `s3://bucket/folder`.
        title: Title of a file that combines all rows; by default, the name of the file.

    Raises:
        InvalidInput: The path is empty, or that of a file of another type.
    """
    path = os.fspath(to)
    if not path.strip():
        raise InvalidInput("to: must be a path or URL, got an empty text.")
    parent, file = path.rpartition("/")[::2] if "://" in path else os.path.split(path)
    stem, _, suffix = file.rpartition(".")
    if make := COMBINED.get(suffix.lower()):
        return make(_folder(parent or ".", path), file, _folder(f"{path}.parts", path), title or stem, path)
    if media := media_type(type_of(PurePath(file)) or ""):
        raise InvalidInput(f"to: must be a folder, .zip, .pdf, .png, .jpg or .webp, got {media.label}.")
    return Target(_folder(path, path))


def _folder(path: str, location: str) -> Store:
    """Return the folder of a path or URL; `file:` URLs are paths of this machine."""
    if path.startswith("file://"):
        return Store(url2pathname(urlsplit(path).path), location)
    return UrlStore(path, location) if "://" in path else Store(path, location)


_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def failure_message(error: OSError, location: str, saved: int) -> str:
    """Return what happened, what is saved, and how to continue."""
    files = "1 file is saved" if saved == 1 else f"{saved} files are saved" if saved else "no file is saved"
    if isinstance(error, FileNotFoundError):
        return f"to: {location} was removed while the batch was running. Run the batch again to make its files again."
    if error.errno in _FULL:
        problem, fix = f"no space left on device in {location}", "Free space and run the batch again to continue."
    elif error.errno in _FORBIDDEN or isinstance(error, PermissionError):
        problem, fix = f"no permission to write in {location}", "Change the permissions and run the batch again."
    elif error.errno == errno.EFBIG:
        problem, fix = f"a file for {location} is larger than allowed", "Run the batch again to continue."
    else:
        problem = f"cannot write to {location}: {error.strerror or error}"
        fix = "Run the batch again to continue."
    return f"to: {problem}; {files}. {fix}"
