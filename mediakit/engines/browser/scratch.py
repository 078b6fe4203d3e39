"""A temporary folder that its process removes when it exits, or a later process removes if the first was killed."""

import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

PREFIX = "mediakit-browser-"
LOCK_NAME = "in-use"

MIN_AGE_SECONDS = 5.0
"""A newer folder without a lock is not removed, because another process may still be creating it."""


class Scratch:
    """A private folder in the system's temporary folder, locked by this process.

    Unlike a process ID, a lock is never reused, and it works between containers that share the folder.
    """

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = (self.path / LOCK_NAME).open("w")
        _try_lock(self._lock)

    def remove(self) -> None:
        """Remove the folder and its content."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of processes that ended without removing them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # owned by another user, or being removed by another process
            if time.time() - folder.stat().st_mtime > MIN_AGE_SECONDS and _is_unlocked(folder / LOCK_NAME):
                shutil.rmtree(folder, ignore_errors=True)


def _is_unlocked(lock: Path) -> bool:
    if not lock.exists():  # Chromium wrote files while its folder was being removed
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
