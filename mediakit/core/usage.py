"""Plan and credits of an account: the response of `GET /status`."""

from pydantic.dataclasses import dataclass

from mediakit.settings import Plan


@dataclass(frozen=True)
class Loyalty:
    """The bonus for long-time subscribers."""

    pct: int
    """Bonus in percent of the plan's credits."""
    bonus: int
    """Extra credits a month, included in `limit`."""


@dataclass(frozen=True)
class Usage:
    """Plan and credits of an account in the current month."""

    plan: Plan
    limit: int | None
    """Credits of the month, including the loyalty bonus; None: unlimited."""
    unlimited: bool
    used: int
    remaining: int | None
    loyalty: Loyalty
    reset: str
    """Start of the next month: ISO 8601, UTC."""

    def _repr_html_(self) -> str:
        unit = "credit" if self.used == 1 else "credits"
        until = f"resets on {self.reset[:10]}"
        if self.limit is None:
            return f"<div><b>{self.plan}</b> plan, unlimited: {self.used:,} {unit} used this month, {until}</div>"
        bar = f"<progress max='{self.limit}' value='{self.used}'></progress><br>"
        used = f"{self.used:,} of {self.limit:,} {unit if self.limit == 1 else 'credits'} used this month"
        left = f"{self.remaining:,} left, {until}"
        return f"<div style='line-height:1.7'><b>{self.plan}</b> plan: {used}<br>{bar}{left}</div>"
