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
from typing import Any

from mediakit.batches.targets.store import LOCK, Store, UrlStore
from mediakit.errors import InvalidInput

SETTLE_SECONDS = 0.3
"""Time after which a lease is read again, because another batch may have written its own in the same moment."""

RENEW_SECONDS = 10.0

EXPIRY_SECONDS = 45.0
"""Time after which a lease that is not renewed is that of a killed batch."""


def lock(folder: Store) -> Callable[[], None]:
    """Keep other batches out of a folder, and return what ends this."""
    if isinstance(folder, UrlStore):
        return lease(folder)
    from filelock import FileLock, Timeout

    path = folder.local / LOCK
    file = FileLock(path, blocking=False, thread_local=False)  # which the system releases if the process is killed
    try:
        file.acquire()
    except Timeout:
        raise _in_use(folder.location) from None

    def release() -> None:
        if sys.platform != "win32":
            with suppress(OSError):
                path.unlink()
        file.release()

    return release


def lease(store: UrlStore) -> Callable[[], None]:
    """Write a file that is renewed while the batch runs, and return what deletes it.

    A lease expires if its batch does not renew it, or at once if its process on this machine has ended. Of two batches
    that start in the same moment, the one that wrote last has it. Two may both get it if the store takes longer than
    `SETTLE_SECONDS` to write: not all stores have an operation that excludes this.

    Raises:
        InvalidInput: Another batch holds the lease.
        OSError: The store cannot be written.
    """
    token = uuid.uuid4().hex

    def renew() -> None:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "token": token, "time": time.time()}
        store.put(LOCK, json.dumps(owner).encode())

    if _is_held(_owner(store)):
        raise _in_use(store.location)
    renew()
    time.sleep(SETTLE_SECONDS)
    if _owner(store).get("token") != token:
        raise _in_use(store.location)
    renewal = Repeating(renew, RENEW_SECONDS)

    def release() -> None:
        renewal.stop()
        store.delete(LOCK)

    return release


def _owner(store: UrlStore) -> dict[str, Any]:
    try:
        owner = json.loads(store.read(LOCK))
    except (FileNotFoundError, ValueError):
        return {}
    return owner if isinstance(owner, dict) else {}


def _is_held(owner: dict[str, Any]) -> bool:
    written, pid = owner.get("time"), owner.get("pid")
    if not isinstance(written, int | float) or time.time() - written > EXPIRY_SECONDS:
        return False
    if owner.get("host") != socket.gethostname() or not isinstance(pid, int):
        return True
    import psutil

    return psutil.pid_exists(pid)


def _in_use(location: str) -> InvalidInput:
    return InvalidInput(
        f"to: another batch is writing to {location}. Wait until it has finished, or choose another one."
    )


class Repeating:
    """A function that a thread calls at intervals of some seconds, until it is stopped or fails."""

    def __init__(self, function: Callable[[], None], seconds: float) -> None:
        self._function, self._seconds = function, seconds
        self.error: OSError | None = None
        """The error of the last call, if it has failed."""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mediakit-batch-target", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Wait for a running call, and call the function no more."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self.error and not self._stopped.wait(self._seconds):
            try:
                self._function()
            except OSError as error:
                self.error = error
