"""Plans, months and subscriptions: what an account may use, and until when."""

import math
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from mediakit.core.messages import counted
from mediakit.errors import CreditsUsedUp, InvalidInput
from mediakit.settings import Plan
from mediakit.usage import Loyalty, Usage

CREDITS: dict[Plan, int] = {"free": 50, "pro": 500, "business": 2000, "scale": 10000}
"""Credits per month, from the smallest plan to the largest."""

LOYALTY_PCT_PER_YEAR = 5
MAX_LOYALTY_PCT = 25


def check_plan(name: str) -> Plan:
    """Return a plan by its name.

    Raises:
        InvalidInput: The plan does not exist.
    """
    for plan in CREDITS:
        if name == plan:
            return plan
    raise InvalidInput(f"plan: must be one of free, pro, business or scale, got {name!r}.")


def loyalty(plan: Plan, paid_since: date | None, day: date) -> Loyalty:
    """Return the bonus: 5 percent for each full paid year, at most 25 percent. The free plan has none."""
    if plan == "free" or paid_since is None:
        return Loyalty(pct=0, bonus=0)
    years = max(0, full_months(paid_since, day) // 12)
    pct = min(MAX_LOYALTY_PCT, LOYALTY_PCT_PER_YEAR * years)
    return Loyalty(pct=pct, bonus=CREDITS[plan] * pct // 100)


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


@dataclass(frozen=True, slots=True)
class Allowance:
    """The credits of an account in one month."""

    plan: Plan
    period: Period
    loyalty: Loyalty
    limit: int
    unlimited: bool

    def usage(self, used: int) -> Usage:
        """Return the usage of the month for a number of used credits."""
        return Usage(
            plan=self.plan,
            limit=None if self.unlimited else self.limit,
            unlimited=self.unlimited,
            used=used,
            remaining=None if self.unlimited else max(0, self.limit - used),
            loyalty=self.loyalty,
            reset=self.period.end.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )

    def credits_used_up(self, now: datetime) -> CreditsUsedUp:
        """Return the error for a call without an available credit."""
        return CreditsUsedUp(
            f"Monthly credit limit reached ({self.limit}). It resets on {self.period.end:%Y-%m-%d}.",
            plan=self.plan,
            limit=self.limit,
            retry_after=max(1, math.ceil((self.period.end - now).total_seconds())),
        )

    def credits_held(self, until: datetime, now: datetime) -> CreditsUsedUp:
        """Return the error for a call when the remaining credits are held by running calls, at the latest until a time.

        If those calls fail, their credits are available again.
        """
        seconds = max(1, math.ceil((until - now).total_seconds()))
        return CreditsUsedUp(
            "Every remaining credit of this month is held by a running call. "
            f"Try again in {counted(seconds, 'second')}.",
            plan=self.plan,
            limit=self.limit,
            retry_after=seconds,
        )


@dataclass(frozen=True, slots=True)
class Subscription:
    """A plan, its first day, and an optional downgrade at the next reset."""

    plan: Plan
    since: date
    """First day; the anchor of its months."""
    paid_since: date | None
    """First day of the loyalty years; None on the free plan."""
    unlimited: bool = False
    next_plan: Plan | None = None
    next_plan_from: datetime | None = None

    def at(self, now: datetime) -> "Subscription":
        """Return the subscription at a time, with a due downgrade applied."""
        if self.next_plan is None or self.next_plan_from is None or now < self.next_plan_from:
            return self
        return _with_plan(self, self.next_plan, now)

    def change(self, plan: Plan, now: datetime) -> "Subscription":
        """Return the subscription with another plan: an upgrade at once, a downgrade at the next reset.

        The credits used in the month and the day of the reset do not change.
        """
        current = self.at(now)
        if CREDITS[plan] < CREDITS[current.plan]:
            return replace(current, next_plan=plan, next_plan_from=period_at(self.since, now).end)
        return _with_plan(current, plan, now)

    def allowance(self, now: datetime) -> Allowance:
        """Return the credits of the month that contains a time. The loyalty bonus only changes at a reset."""
        current = self.at(now)
        period = period_at(self.since, now)
        bonus = loyalty(current.plan, current.paid_since, period.start.date())
        limit = CREDITS[current.plan] + bonus.bonus
        return Allowance(current.plan, period, bonus, limit, self.unlimited)


def _with_plan(current: Subscription, plan: Plan, now: datetime) -> Subscription:
    paid_since = None if plan == "free" else current.paid_since or now.date()
    return replace(current, plan=plan, paid_since=paid_since, next_plan=None, next_plan_from=None)
