"""Folders and files that only their owner can read."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from mediakit.errors import MediakitError

PARTIAL_SUFFIX = ".part"
"""Suffix of a file that is still being written."""


def private_folder(path: Path) -> Path:
    """Create a folder that only its owner can access, if it does not exist, and return its path.

    Raises:
        MediakitError: The folder cannot be created, is not writable, or belongs to another user.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable_home(f"cannot create {path} ({error.strerror})") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise _unusable_home(f"{path} is not writable")
    is_world_writable = stat.S_IWOTH & path.parent.stat().st_mode  # others can create folders, and read what they own
    if is_world_writable and hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
        raise _unusable_home(f"{path} belongs to another user")
    return path


def _unusable_home(reason: str) -> MediakitError:
    return MediakitError(f"MEDIAKIT_HOME: {reason}. Set it to a folder that you can write to.")


def write_private(path: Path, *parts: bytes, replace: bool) -> None:
    """Write a file atomically, readable only by its owner. An existing file is replaced, or else not changed."""
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=PARTIAL_SUFFIX, dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(parts)
        if replace:
            partial.replace(path)
        else:
            with suppress(FileExistsError):
                os.link(partial, path)
    finally:
        partial.unlink(missing_ok=True)
