"""Months of a subscription: half-open, in UTC, from the day of the month on which it started.

The n-th month is always computed from that first day, the anchor. Going from one month to the next would drift: 31
January, 28 February, 28 March for ever.
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
    """Give the day that lies a number of months after the anchor, or the month's last day where it is shorter."""
    years, month = divmod(anchor.month - 1 + months, 12)
    year = anchor.year + years
    return date(year, month + 1, min(anchor.day, monthrange(year, month + 1)[1]))


def full_months(anchor: date, day: date) -> int:
    """Count the whole months from the anchor to a day; negative when the day lies before the anchor."""
    months = (day.year - anchor.year) * 12 + day.month - anchor.month
    return months - 1 if add_months(anchor, months) > day else months


def period_at(anchor: date, instant: datetime) -> Period:
    """Find the month that holds an instant (aware of its time zone)."""
    months = full_months(anchor, instant.astimezone(UTC).date())
    return Period(start=_midnight(add_months(anchor, months)), end=_midnight(add_months(anchor, months + 1)))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
