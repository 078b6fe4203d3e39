"""The plans: credits per month, and the loyalty bonus."""

from datetime import date

from mediakit.accounts.periods import full_months
from mediakit.errors import InvalidInput
from mediakit.settings import Plan
from mediakit.usage import Loyalty

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
