"""A lock in a store: a file that the batch with the lock renews."""

import json
import os
import socket
import time
import uuid
from typing import Any, Protocol

from mediakit.batches.targets.locks import in_use
from mediakit.batches.targets.repeating import Repeating

SETTLE_SECONDS = 0.3
"""Time after which a lock is read again, because another batch may have written its own in the same moment."""

RENEW_SECONDS = 10.0

EXPIRY_SECONDS = 45.0
"""Time after which a lock that is not renewed is that of a killed batch."""


class LockStore(Protocol):
    """The store of the lock."""

    @property
    def location(self) -> str:
        """How messages show the store."""

    def read(self, file: str) -> bytes:
        """Return the content of a file."""

    def put(self, file: str, content: bytes) -> None:
        """Write a file."""

    def delete(self, file: str) -> None:
        """Delete a file."""


class RemoteLock:
    """A lock that expires if its batch does not renew it, or at once if its process on this machine has ended.

    Of two batches that start in the same moment, the one that wrote last has it. Two may both get it if the store takes
    longer than `SETTLE_SECONDS` to write: not all stores have an operation that excludes this.
    """

    def __init__(self, store: LockStore, file: str) -> None:
        self._store = store
        self._file = file
        self._token = uuid.uuid4().hex
        self._renewal: Repeating | None = None

    def acquire(self) -> None:
        """Lock the store.

        Raises:
            InvalidInput: Another batch holds the lock.
            OSError: The store cannot be written.
        """
        if _is_held(self._owner()):
            raise in_use(self._store.location)
        self._renew()
        time.sleep(SETTLE_SECONDS)
        if self._owner().get("token") != self._token:
            raise in_use(self._store.location)
        self._renewal = Repeating(self._renew, lambda: RENEW_SECONDS)

    def release(self) -> None:
        """Unlock the store; do nothing if it is not locked."""
        renewal, self._renewal = self._renewal, None
        if renewal:
            renewal.stop()
            self._store.delete(self._file)

    def _renew(self) -> None:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "token": self._token, "time": time.time()}
        self._store.put(self._file, json.dumps(owner).encode())

    def _owner(self) -> dict[str, Any]:
        try:
            owner = json.loads(self._store.read(self._file))
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
