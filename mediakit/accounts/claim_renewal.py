"""A thread that renews the claims of running calls, and deletes expired ones."""

import logging
import threading
import time
from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from mediakit.errors import MediakitError

RENEW_SECONDS = 1.0
"""Time between two renewals. Shorter calls need none."""

DELETE_SECONDS = 10.0
"""Time between two deletions of expired rows."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class ClaimRenewal(Generic[T]):
    """The claims of one process, and the thread that renews them. It starts with the first claim.

    Args:
        renew: Extends the lifetime of claims in the database.
        release: Deletes claims from the database.
        delete_expired: Deletes expired rows.
    """

    def __init__(
        self,
        renew: Callable[[Collection[T]], None],
        release: Callable[[Collection[T]], None],
        delete_expired: Callable[[], None],
    ) -> None:
        self._renew = renew
        self._release = release
        self._delete_expired = delete_expired
        self._delete_at = 0.0
        self._started: dict[T, float] = {}
        self._unreleased: set[T] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, claim: T) -> None:
        """Renew a claim until it is removed."""
        with self._lock:
            self._started[claim] = time.monotonic()
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="mediakit-claims", daemon=True)
                self._thread.start()

    def remove(self, claim: T) -> None:
        """Stop renewing a claim."""
        with self._lock:
            self._started.pop(claim, None)

    def release_later(self, claim: T) -> None:
        """Release a claim as soon as the database responds."""
        with self._lock:
            self._unreleased.add(claim)

    def close(self) -> None:
        """Stop the thread. Claims that remain expire."""
        self._stopped.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(RENEW_SECONDS):
            latest = time.monotonic() - RENEW_SECONDS
            with self._lock:
                due = [claim for claim, started in self._started.items() if started <= latest]
                unreleased = list(self._unreleased)
            try:
                self._beat(due, unreleased)
            except MediakitError as error:  # the next beat tries again
                _log.warning("Claims of idempotency keys could not be renewed: %s", error)

    def _beat(self, due: Collection[T], unreleased: Collection[T]) -> None:
        if due:
            self._renew(due)
        if unreleased:
            self._release(unreleased)
            with self._lock:
                self._unreleased.difference_update(unreleased)
        if time.monotonic() >= self._delete_at:
            self._delete_expired()
            self._delete_at = time.monotonic() + DELETE_SECONDS
