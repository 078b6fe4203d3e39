"""A subscription: the plan of an account, the plan that follows it, and the credits of a month.

Pure values; the database stores them and time moves them on.
"""

import math
from dataclasses import dataclass, replace
from datetime import date, datetime

from mediakit.accounts.periods import Period, period_at
from mediakit.accounts.plans import CREDITS, loyalty
from mediakit.core.usage import Loyalty, Usage
from mediakit.errors import CreditsUsedUp
from mediakit.settings import Plan


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an account may use in one month."""

    plan: Plan
    period: Period
    loyalty: Loyalty
    limit: int
    unlimited: bool

    def covers(self, credits_taken: int) -> bool:
        """Tell whether one more credit may be taken beside those."""
        return self.unlimited or credits_taken < self.limit

    def usage(self, used: int) -> Usage:
        """Describe the month after so many credits were used."""
        return Usage(
            plan=self.plan,
            limit=None if self.unlimited else self.limit,
            unlimited=self.unlimited,
            used=used,
            remaining=None if self.unlimited else max(0, self.limit - used),
            loyalty=self.loyalty,
            reset=self.period.end.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )

    def used_up(self, now: datetime) -> CreditsUsedUp:
        """Make the error for a call that finds no credit left."""
        return CreditsUsedUp(
            f"Monthly credit limit reached ({self.limit}). It resets on {self.period.end:%Y-%m-%d}.",
            plan=self.plan,
            limit=self.limit,
            retry_after=max(1, math.ceil((self.period.end - now).total_seconds())),
        )


@dataclass(frozen=True, slots=True)
class Subscription:
    """A plan, since when, and the smaller plan that may follow it at a reset."""

    plan: Plan
    since: date
    """The day it started: the anchor of its months."""
    paid_since: date | None
    """The day from which the years of loyalty count; None on the free plan."""
    unlimited: bool = False
    next_plan: Plan | None = None
    next_plan_from: datetime | None = None

    def at(self, now: datetime) -> "Subscription":
        """Carry out the change of plan that was due by then."""
        if self.next_plan is None or self.next_plan_from is None or now < self.next_plan_from:
            return self
        return _with_plan(self, self.next_plan, now)

    def change(self, plan: Plan, now: datetime) -> "Subscription":
        """Go to a larger plan at once, to a smaller one at the next reset.

        The credits already used in the month stay used, and the day of the reset stays the same.
        """
        current = self.at(now)
        if CREDITS[plan] < CREDITS[current.plan]:
            return replace(current, next_plan=plan, next_plan_from=period_at(self.since, now).end)
        return _with_plan(current, plan, now)

    def allowance(self, now: datetime) -> Allowance:
        """Work out the month that runs then. Its loyalty is that of its first day, so it grows at a reset only."""
        current = self.at(now)
        period = period_at(self.since, now)
        bonus = loyalty(current.plan, current.paid_since, period.start.date())
        limit = CREDITS[current.plan] + bonus.bonus
        return Allowance(current.plan, period, bonus, limit, self.unlimited)


def _with_plan(current: Subscription, plan: Plan, now: datetime) -> Subscription:
    paid_since = None if plan == "free" else current.paid_since or now.date()
    return replace(current, plan=plan, paid_since=paid_since, next_plan=None, next_plan_from=None)
