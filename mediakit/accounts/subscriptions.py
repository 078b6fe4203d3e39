"""Subscriptions: the plan of an account, a scheduled downgrade, and the credits of a month."""

import math
from dataclasses import dataclass, replace
from datetime import date, datetime

from mediakit.accounts.periods import Period, period_at
from mediakit.accounts.plans import CREDITS, loyalty
from mediakit.errors import CreditsUsedUp
from mediakit.settings import Plan
from mediakit.usage import Loyalty, Usage


@dataclass(frozen=True, slots=True)
class Allowance:
    """The credits of an account in one month."""

    plan: Plan
    period: Period
    loyalty: Loyalty
    limit: int
    unlimited: bool

    def has_credit(self, used_or_held: int) -> bool:
        """Return whether another credit is available."""
        return self.unlimited or used_or_held < self.limit

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
            f"Every remaining credit of this month is held by a running call. Try again in {seconds} "
            f"second{'' if seconds == 1 else 's'}.",
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
