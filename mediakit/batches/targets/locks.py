"""A lock that one batch holds while it writes to a folder."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from mediakit.errors import InvalidInput

_held: set[str] = set()
"""Locks of this process. The system does not refuse a process a lock that it holds already."""
_guard = threading.Lock()


class FolderLock:
    """A locked file in a folder. The system releases the lock when the process ends, also if it is killed.

    Args:
        path: The file, which is removed when the lock is released.
        location: How messages show the target.
    """

    def __init__(self, path: Path, location: str) -> None:
        self._path = path
        self._location = location
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Lock the folder.

        Raises:
            InvalidInput: Another batch holds the lock.
            OSError: The file cannot be created.
        """
        with _guard:
            if str(self._path) in _held:
                raise in_use(self._location)
            while self._descriptor is None:
                self._descriptor = self._locked()
            _held.add(str(self._path))

    def release(self) -> None:
        """Unlock the folder; do nothing if it is not locked."""
        with _guard:
            if self._descriptor is None:
                return
            if sys.platform != "win32":
                with suppress(OSError):
                    self._path.unlink()
            os.close(self._descriptor)
            self._descriptor = None
            _held.discard(str(self._path))

    def _locked(self) -> int | None:
        """Return the locked file; None if it was removed in between, by the batch that had the lock before."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0))
        try:
            _lock(descriptor)
            if os.path.samestat(os.fstat(descriptor), self._path.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except OSError:
            os.close(descriptor)
            raise in_use(self._location) from None
        os.close(descriptor)
        return None


def in_use(location: str) -> InvalidInput:
    """Return the error for a target to which another batch writes."""
    return InvalidInput(
        f"to: another batch is writing to {location}. Wait until it has finished, or choose another one."
    )


def _lock(descriptor: int) -> None:
    """Lock a file for this process, and not for its child processes, which may outlive it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
