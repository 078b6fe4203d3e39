"""The clocks of accounts."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
"""Returns the current time with a time zone."""

MAX_AGE_SECONDS = 2.0
"""Time for which the last reading of the database's clock is used."""


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
