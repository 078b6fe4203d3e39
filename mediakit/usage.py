"""Plan, credits and calls of an account, as `GET /status` and `GET /usage` return them."""

from dataclasses import field
from datetime import date, datetime

from pydantic.dataclasses import dataclass

from mediakit.display import view
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
        return view("credits", usage=self)


@dataclass(frozen=True)
class DayCalls:
    """The calls on one day (UTC)."""

    day: date
    calls: int
    """Calls, including those that failed."""
    charged: int
    """Successful calls, which cost a credit each."""


@dataclass(frozen=True)
class ToolCalls:
    """The calls to one tool."""

    tool: str
    """Name of the tool; empty for calls from before the ledger."""
    calls: int
    charged: int


@dataclass(frozen=True)
class RecentCall:
    """A call, without its contents."""

    created: datetime
    tool: str
    status: int
    """HTTP status of the response."""
    milliseconds: int
    request_id: str
    """The `X-Request-Id` of the response."""
    charged: bool


@dataclass(frozen=True)
class UsageReport:
    """Plan, credits and calls of an account."""

    usage: Usage
    """Plan and credits of the current month: the response of `GET /status`."""
    days: list[DayCalls] = field(default_factory=list)
    """Every day of the report, oldest first, including days without calls."""
    tools: list[ToolCalls] = field(default_factory=list)
    """The tools that were called, most calls first."""
    recent: list[RecentCall] = field(default_factory=list)
    """The newest calls, newest first."""

    @property
    def calls(self) -> int:
        """Number of calls in the report."""
        return sum(day.calls for day in self.days)
