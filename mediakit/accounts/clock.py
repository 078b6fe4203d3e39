"""The clock, as a parameter so that tests can replace it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the current time with a time zone."""


def utc_now() -> datetime:
    """Return the current time of this machine's clock in UTC."""
    return datetime.now(UTC)
