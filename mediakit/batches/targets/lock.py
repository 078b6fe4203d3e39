"""One batch at a time in a target: a locked file in a folder, or a lease in a remote store."""

import json
import os
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mediakit.batches.targets.store import LOCK, Store, UrlStore
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from filelock import BaseFileLock

SETTLE_SECONDS = 0.3
"""Time after which a lease is read again, because another batch may have written its own in the same moment."""

RENEW_SECONDS = 10.0

EXPIRY_SECONDS = 45.0
"""Time after which a lease that is not renewed is that of a killed batch."""


class FolderLock:
    """A locked file in a folder. The system releases the lock when the process ends, also if it is killed.

    Args:
        path: The file, which is removed when the lock is released.
        location: How messages show the target.
    """

    def __init__(self, path: Path, location: str) -> None:
        self._path = path
        self._location = location
        self._lock: BaseFileLock | None = None

    def acquire(self) -> None:
        """Lock the folder.

        Raises:
            InvalidInput: Another batch holds the lock.
            OSError: The file cannot be created.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self._path, blocking=False, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise _in_use(self._location) from None
        self._lock = lock

    def release(self) -> None:
        """Unlock the folder; do nothing if it is not locked."""
        lock, self._lock = self._lock, None
        if lock is None:
            return
        if sys.platform != "win32":
            with suppress(OSError):
                self._path.unlink()
        lock.release()


class Lease:
    """A file in a store that the batch with the lease renews.

    It expires if its batch does not renew it, or at once if its process on this machine has ended. Of two batches that
    start in the same moment, the one that wrote last has it. Two may both get it if the store takes longer than
    `SETTLE_SECONDS` to write: not all stores have an operation that excludes this.
    """

    def __init__(self, store: UrlStore) -> None:
        self._store = store
        self._token = uuid.uuid4().hex
        self._renewal: Repeating | None = None

    def acquire(self) -> None:
        """Lock the store.

        Raises:
            InvalidInput: Another batch holds the lease.
            OSError: The store cannot be written.
        """
        if _is_held(self._owner()):
            raise _in_use(self._store.location)
        self._renew()
        time.sleep(SETTLE_SECONDS)
        if self._owner().get("token") != self._token:
            raise _in_use(self._store.location)
        self._renewal = Repeating(self._renew, lambda: RENEW_SECONDS)

    def release(self) -> None:
        """Unlock the store; do nothing if it is not locked."""
        renewal, self._renewal = self._renewal, None
        if renewal:
            renewal.stop()
            self._store.delete(LOCK)

    def _renew(self) -> None:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "token": self._token, "time": time.time()}
        self._store.put(LOCK, json.dumps(owner).encode())

    def _owner(self) -> dict[str, Any]:
        try:
            owner = json.loads(self._store.read(LOCK))
        except (FileNotFoundError, ValueError):
            return {}
        return owner if isinstance(owner, dict) else {}


def lock_of(folder: Store) -> FolderLock | Lease:
    """Return what keeps other batches out of a folder."""
    if isinstance(folder, UrlStore):
        return Lease(folder)
    return FolderLock(Path(folder.path, LOCK), folder.location)


class Repeating:
    """A function that a thread calls at intervals, until it is stopped or fails.

    Args:
        function: The function.
        seconds: Returns the time until the next call.
    """

    def __init__(self, function: Callable[[], None], seconds: Callable[[], float]) -> None:
        self._function = function
        self._seconds = seconds
        self._error: OSError | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mediakit-batch-target", daemon=True)
        self._thread.start()

    def raise_error(self) -> None:
        """Raise the error of the last call, if it has failed."""
        if self._error:
            raise self._error

    def stop(self) -> None:
        """Wait for a running call, and call the function no more."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds()):
            try:
                self._function()
            except OSError as error:
                self._error = error
                return


def _in_use(location: str) -> InvalidInput:
    return InvalidInput(
        f"to: another batch is writing to {location}. Wait until it has finished, or choose another one."
    )


def _is_held(owner: dict[str, Any]) -> bool:
    written, pid = owner.get("time"), owner.get("pid")
    if not isinstance(written, int | float) or time.time() - written > EXPIRY_SECONDS:
        return False
    if owner.get("host") != socket.gethostname() or not isinstance(pid, int):
        return True
    import psutil

    return psutil.pid_exists(pid)
