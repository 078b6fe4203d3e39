"""The list of calls, with filters and pages."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.accounts import MAX_DAYS
from mediakit.api.context import Context
from mediakit.api.dashboard.session import page, require

CALLS_PER_PAGE = 50

STATUSES: Mapping[str, tuple[str, tuple[int, int] | None]] = {
    "": ("All statuses", None),
    "succeeded": ("Succeeded (2xx)", (200, 299)),
    "refused": ("Refused (4xx)", (400, 499)),
    "failed": ("Failed (5xx)", (500, 599)),
}
"""Label, and lowest and highest status, of the choices of the status filter."""


class Calls:
    """The calls of an account."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return one page of the list."""
        signed_in = await require(request, self.context)
        values = await self.context.run_blocking(self._values, request, signed_in.account.account_id)
        return page(request, "calls.html", signed_in, **values)

    def _values(self, request: Request, account_id: int) -> dict[str, Any]:
        ledger, query = self.context.accounts.ledger, request.query_params
        tool, status = query.get("tool", ""), query.get("status", "")
        status = status if status in STATUSES else ""
        before, day = _time(query.get("before", "")), _time(query.get("day", ""))
        keys = {key.id: key for key in self.context.accounts.keys.list_of_account(account_id)}
        key = query.get("key", "") if query.get("key", "") in keys else ""
        day = day.replace(hour=0, minute=0, second=0, microsecond=0) if day else None
        end = min(filter(None, (before, day and day + timedelta(days=1))), default=None)
        calls = ledger.recent(
            account_id,
            CALLS_PER_PAGE + 1,
            end,
            tool=tool or None,
            key_id=key or None,
            statuses=STATUSES[status][1],
            since=day,
        )
        tools = {usage.tool for usage in ledger.by_day(account_id, MAX_DAYS)} | ({tool} if tool else set())
        is_last_page = len(calls) <= CALLS_PER_PAGE
        calls = calls[:CALLS_PER_PAGE]
        return {
            "calls": calls,
            "tools": sorted(tools - {""}),
            "statuses": {name: label for name, (label, _) in STATUSES.items()},
            "keys": keys,
            "filters": {"tool": tool, "key": key, "day": day.date().isoformat() if day else "", "status": status},
            "is_first_page": before is None,
            "next_before": None if is_last_page else calls[-1].created.isoformat(),
        }


def _time(text: str) -> datetime | None:
    """Return the time in a query option in UTC; None if it is missing, not valid, or has no next day."""
    try:
        time = datetime.fromisoformat(text)
        time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
        time + timedelta(days=1)  # the end of a day must exist
    except (ValueError, OverflowError):
        return None
    return time
