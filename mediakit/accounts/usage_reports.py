"""Usage reports: plan, credits and calls of an account, from its subscription and the ledger."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta

from mediakit.accounts.account import Account
from mediakit.accounts.accounts import Accounts
from mediakit.accounts.keys import Principal
from mediakit.accounts.ledger import Call, DayUsage
from mediakit.usage import DayCalls, RecentCall, ToolCalls, UsageReport

MAX_DAYS = 90
MAX_RECENT_CALLS = 200


def usage_report(accounts: Accounts, account: Account | Principal, *, days: int = 30, recent: int = 20) -> UsageReport:
    """Return the usage of an account.

    Args:
        accounts: All accounts.
        account: The account.
        days: Number of days in UTC, including today.
        recent: Maximum number of recent calls.
    """
    by_day = accounts.ledger.by_day(account.account_id, days)
    calls = accounts.ledger.recent(account.account_id, recent) if recent else []
    return UsageReport(
        usage=accounts.usage(account),
        days=calls_per_day(by_day, days),
        tools=calls_per_tool(by_day),
        recent=[_recent_call(call) for call in calls],
    )


def calls_per_day(usage: Sequence[DayUsage], days: int, today: date | None = None) -> list[DayCalls]:
    """Return the calls of each day, oldest first, including days without calls."""
    # The clock of the database can be ahead of that of this machine.
    last = max([today or datetime.now(UTC).date(), *(each.day for each in usage)])
    calls = {last - timedelta(days=age): [0, 0] for age in reversed(range(days))}
    for each in usage:
        if each.day in calls:
            calls[each.day][0] += each.calls
            calls[each.day][1] += each.charged
    return [DayCalls(day, total, charged) for day, (total, charged) in calls.items()]


def calls_per_tool(usage: Iterable[DayUsage]) -> list[ToolCalls]:
    """Return the calls of each tool, most calls first."""
    calls: dict[str, list[int]] = {}
    for each in usage:
        total = calls.setdefault(each.tool, [0, 0])
        total[0] += each.calls
        total[1] += each.charged
    ordered = sorted(calls.items(), key=lambda item: (-item[1][0], item[0]))
    return [ToolCalls(tool, total, charged) for tool, (total, charged) in ordered]


def _recent_call(call: Call) -> RecentCall:
    return RecentCall(call.created, call.tool, call.status, call.milliseconds, call.request_id, call.charged)
