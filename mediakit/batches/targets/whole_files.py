"""Writes files that have their final name only when they are complete."""

import os
from contextlib import suppress

from mediakit.batches.targets.paths import TEMPORARY


def write_whole(path: str, content: bytes) -> None:
    """Write a file and give it its name when it is complete; it replaces an earlier file at once.

    Raises:
        OSError: The disk is full, or the folder does not exist.
    """
    if os.path.lexists(path) or not _write_unnamed(path, content):
        _write_beside(path, content)


def _write_unnamed(path: str, content: bytes) -> bool:
    """Write a file without a name, and then name it: one change of the folder instead of two.

    Processes that write to one folder wait for each other at each change of it.

    Returns:
        False if the system or the file system has no such files, or another file has the name by now.

    Raises:
        OSError: The content cannot be written.
    """
    if not hasattr(os, "O_TMPFILE"):
        return False
    try:
        unnamed = os.open(os.path.dirname(path), os.O_WRONLY | os.O_TMPFILE, 0o666)  # noqa: PTH120
    except OSError:
        return False
    with open(unnamed, "wb", buffering=0) as file:  # noqa: PTH123
        rest = memoryview(content)
        while rest:  # a write can be partial on a full disk; the next one raises the error
            rest = rest[file.write(rest) :]
        try:
            os.link(f"/proc/self/fd/{unnamed}", path, src_dir_fd=unnamed, follow_symlinks=True)
        except OSError:
            return False
    return True


def _write_beside(path: str, content: bytes) -> None:
    """Write a file beside its final name and rename it."""
    temporary = os.path.join(os.path.dirname(path), f"{TEMPORARY}{os.urandom(8).hex()}")  # noqa: PTH118, PTH120
    try:
        with open(temporary, "xb") as file:  # noqa: PTH123  # called for each row
            file.write(content)
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise
