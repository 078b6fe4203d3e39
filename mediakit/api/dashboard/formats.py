"""How pages write numbers, times and names. All times are UTC."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from mediakit.api.dashboard.user_agents import short_name

MINUTE, HOUR, DAY = 60, 3600, 86_400
RECENT_DAYS = 7
"""Days for which a relative time is more helpful than a date."""


def number(value: int) -> str:
    """Return an integer with thousands separators, as in `1,234`."""
    return f"{value:,}"


def count(value: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, as in `1 call` and `1,234 calls`."""
    return f"{value:,} {singular if value == 1 else plural or f'{singular}s'}"


def day(value: date) -> str:
    """Return a date, as in `Nov 3, 2026`."""
    return f"{value:%b} {value.day}, {value.year}"


def short_day(value: date) -> str:
    """Return a date without its year, as in `Nov 3`."""
    return f"{value:%b} {value.day}"


def moment(value: datetime) -> str:
    """Return a time to the second, as in `Nov 3, 14:05:09`."""
    return f"{short_day(value)}, {value:%H:%M:%S}"


def full_moment(value: datetime) -> str:
    """Return a time with its date and time zone, as in `Nov 3, 2026, 14:05 UTC`."""
    return f"{day(value)}, {value:%H:%M} UTC"


def ago(value: datetime, now: datetime | None = None) -> str:
    """Return a time relative to now, as in `5 minutes ago`; after a week, the date."""
    seconds = int(((now or datetime.now(UTC)) - value).total_seconds())
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{count(seconds // MINUTE, 'minute')} ago"
    if seconds < DAY:
        return f"{count(seconds // HOUR, 'hour')} ago"
    if seconds < timedelta(days=RECENT_DAYS).total_seconds():
        return f"{count(seconds // DAY, 'day')} ago"
    return day(value)


def instant(text: str) -> datetime:
    """Return the time of an ISO 8601 text."""
    return datetime.fromisoformat(text)


def tool_name(name: str) -> str:
    """Return the name of a tool in the ledger; calls from before the ledger have none."""
    return name or "unknown"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "ago": ago,
    "count": count,
    "day": day,
    "full_moment": full_moment,
    "instant": instant,
    "moment": moment,
    "number": number,
    "short_day": short_day,
    "browser": short_name,
    "tool_name": tool_name,
}
"""Filters of the templates, by name."""
