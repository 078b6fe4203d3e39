"""The clock of this machine, and threads that call a function at an interval."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from mediakit.errors import MediakitError

Clock = Callable[[], datetime]
"""Returns the current time with a time zone."""

BEAT_SECONDS = 1.0

_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the current time of this machine's clock in UTC."""
    return datetime.now(UTC)


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
