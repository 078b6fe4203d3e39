"""The months of a subscription: half-open intervals in UTC that begin on the day of the month on which it started.

Each month is computed from that first day, the anchor. Computing it from the previous month would drift: January 31,
February 28, and then March 28.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time


@dataclass(frozen=True, slots=True)
class Period:
    """A month of credits: `start <= instant < end`."""

    start: datetime
    end: datetime


def add_months(anchor: date, months: int) -> date:
    """Return the date a number of months after the anchor, or the last day of the month if the month is shorter."""
    years, month = divmod(anchor.month - 1 + months, 12)
    year = anchor.year + years
    return date(year, month + 1, min(anchor.day, monthrange(year, month + 1)[1]))


def full_months(anchor: date, day: date) -> int:
    """Return the number of full months from the anchor to a date; negative if the date is before the anchor."""
    months = (day.year - anchor.year) * 12 + day.month - anchor.month
    return months - 1 if add_months(anchor, months) > day else months


def period_at(anchor: date, instant: datetime) -> Period:
    """Return the month that contains a time (with a time zone)."""
    months = full_months(anchor, instant.astimezone(UTC).date())
    return Period(start=_midnight(add_months(anchor, months)), end=_midnight(add_months(anchor, months + 1)))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
