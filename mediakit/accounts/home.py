"""The private folder of this machine: files that only their owner may read."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from mediakit.errors import MediakitError

PART = ".part"
"""Ends the name of a file that is still being written."""


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter, if it is not there yet.

    Raises:
        MediakitError: It cannot be made, or not be written to.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(f"{path} cannot be made ({error.strerror})") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise _unusable(f"{path} cannot be written to")
    if _may_be_a_trap(path):
        raise _unusable(f"{path} belongs to somebody else")
    return path


def _may_be_a_trap(path: Path) -> bool:
    """Tell whether another user may have made a folder, where everybody may, to read what is put there."""
    anybody = stat.S_IWOTH & path.parent.stat().st_mode
    return bool(anybody) and hasattr(os, "getuid") and path.stat().st_uid != os.getuid()


def _unusable(reason: str) -> MediakitError:
    return MediakitError(f"MEDIAKIT_HOME: {reason}. Set it to a folder that you may write to.")


def write_private(path: Path, content: bytes, *, replace: bool) -> None:
    """Write a whole file at once, readable by its owner alone; nobody ever sees half of it.

    Args:
        path: Where to write.
        content: The file's bytes.
        replace: Whether to replace a file that is there; otherwise the first writer wins.
    """
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=PART, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if replace:
            part.replace(path)
        else:
            with suppress(FileExistsError):
                os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
