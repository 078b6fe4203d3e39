"""The time, as something that is handed in."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Tells the time, aware of its zone."""


def utc_now() -> datetime:
    """Read this machine's clock."""
    return datetime.now(UTC)
