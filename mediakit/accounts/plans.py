"""What the plans give: credits of a month, and the bonus for loyalty."""

from datetime import date

from mediakit.accounts.periods import full_months
from mediakit.core.usage import Loyalty
from mediakit.errors import InvalidInput
from mediakit.settings import Plan

CREDITS: dict[Plan, int] = {"free": 50, "pro": 500, "business": 2000, "scale": 10000}
"""Credits of a month, from the smallest plan to the largest."""

PCT_PER_YEAR = 5
MAX_PCT = 25


def check_plan(name: str) -> Plan:
    """Take a plan by its name.

    Raises:
        InvalidInput: There is no such plan.
    """
    for plan in CREDITS:
        if name == plan:
            return plan
    raise InvalidInput(f"plan: {name!r} is no plan. Use free, pro, business or scale.")


def loyalty(plan: Plan, paid_since: date | None, day: date) -> Loyalty:
    """Work out the bonus: 5 per cent for each full paid year, at most 25; the free plan has none."""
    if plan == "free" or paid_since is None:
        return Loyalty(pct=0, bonus=0)
    years = max(0, full_months(paid_since, day) // 12)
    pct = min(MAX_PCT, PCT_PER_YEAR * years)
    return Loyalty(pct=pct, bonus=CREDITS[plan] * pct // 100)
