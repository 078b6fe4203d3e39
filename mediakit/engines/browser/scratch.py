"""A temporary folder that lives as long as its process: what a killed one leaves, a later one removes."""

import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

PREFIX = "mediakit-browser-"
LOCK = "in-use"

YOUNG = 5.0
"""Seconds in which a folder without a lock may be one that is just being made."""


class Scratch:
    """A private folder in the system's temporary one, locked by this process.

    A lock, unlike a process id, is never reused and holds between containers that share the folder.
    """

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = (self.path / LOCK).open("w")
        _try_lock(self._lock)

    def remove(self) -> None:
        """Remove the folder with all it holds."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of processes that ended without doing so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or one that another process sweeps right now
            if time.time() - folder.stat().st_mtime > YOUNG and _is_free(folder / LOCK):
                shutil.rmtree(folder, ignore_errors=True)


def _is_free(lock: Path) -> bool:
    if not lock.exists():  # a dying Chromium wrote while its folder was being removed
        return True
    with lock.open("r+") as file:
        return _try_lock(file)


def _try_lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
