"""The clocks of accounts, and threads that call a function at an interval."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from mediakit.errors import MediakitError

Clock = Callable[[], datetime]
"""Returns the current time with a time zone."""

MAX_AGE_SECONDS = 2.0
"""Time for which the last reading of the database's clock is used."""
BEAT_SECONDS = 1.0

_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the current time of this machine's clock in UTC."""
    return datetime.now(UTC)


class SharedClock:
    """The clock that all servers of a database share: of this machine for SQLite, of the database for PostgreSQL.

    Between two readings of the database's clock, the time is computed from this machine's monotonic clock.
    """

    def __init__(self, local: Clock | None) -> None:
        self._local = local
        self._read: tuple[datetime, float] | None = None

    @property
    def is_local(self) -> bool:
        """Whether the clock needs no database."""
        return self._local is not None

    def set(self, now: datetime) -> None:
        """Store a reading of the database's clock."""
        self._read = now, time.monotonic()

    def now(self) -> datetime | None:
        """Return the current time; None if the database's clock was not read recently."""
        if self._local:
            return self._local()
        if self._read is None:
            return None
        read, monotonic = self._read
        age = time.monotonic() - monotonic
        return read + timedelta(seconds=age) if age < MAX_AGE_SECONDS else None


class Heartbeat:
    """A thread that is started on first use, and ends with its process."""

    def __init__(self, beat: Callable[[], None], seconds: float = BEAT_SECONDS) -> None:
        self._beat = beat
        self._seconds = seconds
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, if it does not run."""
        if self._thread:
            return
        with self._lock:
            if not self._thread:
                self._thread = threading.Thread(target=self._run, name="mediakit-heartbeat", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait for its end."""
        self._stopped.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            try:
                self._beat()
            except MediakitError as error:
                _log.warning("A periodic task of the accounts failed: %s", error)
            except Exception:  # noqa: BLE001  # the next heartbeat tries again
                _log.exception("A periodic task of the accounts failed")
