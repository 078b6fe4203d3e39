"""What an account has used: the answer of `GET /status`."""

from pydantic.dataclasses import dataclass

from mediakit.settings import Plan


@dataclass(frozen=True)
class Loyalty:
    """The bonus for long-time subscribers."""

    pct: int
    """Per cent of the plan's credits given on top."""
    bonus: int
    """Extra credits per month, counted inside `limit`."""


@dataclass(frozen=True)
class Usage:
    """Plan and credits of an account in the running month."""

    plan: Plan
    limit: int | None
    """Credits of the month, with the loyalty bonus; None: unlimited."""
    unlimited: bool
    used: int
    remaining: int | None
    loyalty: Loyalty
    reset: str
    """When the next month begins: ISO 8601, UTC."""

    def _repr_html_(self) -> str:
        of, left = ("unlimited", "") if self.limit is None else (f"of {self.limit:,}", f"{self.remaining:,} left · ")
        bar = "" if self.limit is None else f"<progress max='{self.limit}' value='{self.used}'></progress><br>"
        unit = "credit" if self.used == 1 else "credits"
        return (
            f"<div style='line-height:1.7'><b>{self.plan}</b> plan: {self.used:,} {unit} used, {of}<br>{bar}"
            f"{left}the next month begins {self.reset[:10]}</div>"
        )
