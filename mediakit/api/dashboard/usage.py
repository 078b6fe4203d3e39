"""The overview and the calls: the usage of the month, charts of the calls, and the list of calls with filters."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from starlette.responses import Response

from mediakit.accounts.accounts import MAX_DAYS, calls_per_day, calls_per_tool, usage_report
from mediakit.api.dashboard.session import SignedIn
from mediakit.errors import NotFound

DAYS = 30
RECENT_CALLS = 8
NEARLY_USED_UP = 0.8
"""Share of the credits from which the page warns."""

Bars = tuple[tuple[str, int, int], ...]
"""Label, calls, and charged calls of each bar."""

PALETTES: Mapping[str, tuple[str, str]] = {"light": ("#0d6b60", "#d9a441"), "dark": ("#72d3c2", "#c58f2f")}
"""Colors of charged calls and of calls that were not charged."""
WIDTHS: Mapping[str, Mapping[str, int]] = {
    "days": {"wide": 640, "narrow": 320},
    "tools": {"wide": 360, "narrow": 320},
}
"""Width of each chart in pixels, on a wide and on a narrow screen."""

DAY_HEIGHT = 230
TOOL_MARGIN, TOOL_ROW = 40, 30
"""Height of the chart per tool, and of each of its bars."""
MAX_TOOLS = 8

CHART_HEADERS = {
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
}
"""The fonts and styles of a chart are in the file."""

CALLS_PER_PAGE = 50

STATUSES: Mapping[str, tuple[str, tuple[int, int] | None]] = {
    "": ("All statuses", None),
    "succeeded": ("Succeeded (2xx)", (200, 299)),
    "refused": ("Refused (4xx)", (400, 499)),
    "failed": ("Failed (5xx)", (500, 599)),
}
"""Label, and lowest and highest status, of the choices of the status filter."""


async def overview(signed_in: SignedIn) -> Response:
    """Return the first page after signing in."""
    accounts, account = signed_in.context.accounts, signed_in.account
    report = await signed_in.run(usage_report, accounts, account, days=DAYS, recent=RECENT_CALLS)
    keys = await signed_in.run(accounts.list_keys, account.email)
    has_key = any(not key.revoked for key in keys)
    return signed_in.page("overview.html", report=report, has_key=has_key, warn_at=NEARLY_USED_UP)


async def own_chart(signed_in: SignedIn) -> Response:
    """Return a chart of the calls of the account."""
    return await chart_of(signed_in, signed_in.account.account_id)


async def chart_of(signed_in: SignedIn, account_id: int | None) -> Response:
    """Return a chart as SVG: the calls of an account, or of all accounts, per day or per tool.

    Raises:
        NotFound: The chart does not exist.
    """
    name = signed_in.request.path_params["name"]
    theme, _, size = signed_in.request.path_params["look"].partition("-")
    if theme not in PALETTES or size not in WIDTHS.get(name, ()):
        raise NotFound("path: does not exist.")
    usage = await signed_in.run(signed_in.context.accounts.ledger.by_day, account_id, DAYS)
    if name == "days":
        bars = [(f"{day.day:%b} {day.day.day}", day.calls, day.charged) for day in calls_per_day(usage, DAYS)]
    else:
        bars = [(tool.tool or "unknown", tool.calls, tool.charged) for tool in calls_per_tool(usage)]
        if rest := bars[MAX_TOOLS - 1 :] if len(bars) > MAX_TOOLS else []:
            bars = [*bars[: MAX_TOOLS - 1], (f"{len(rest)} others", sum(calls for _, calls, _ in rest), 0)]
    svg = await asyncio.to_thread(_draw, name, tuple(bars), theme, WIDTHS[name][size])
    return Response(svg, media_type="image/svg+xml", headers=CHART_HEADERS)


@lru_cache(maxsize=256)
def _draw(name: str, bars: Bars, theme: str, width: int) -> bytes:
    from mediakit.tools.images.chart import chart

    series = [{"name": "Calls", "data": [calls for _, calls, _ in bars]}]
    look: dict[str, Any] = {"horizontal": True, "legend": "none", "values": True, "palette": [PALETTES[theme][0]]}
    height = max(200, TOOL_MARGIN + TOOL_ROW * len(bars))
    if name == "days":
        series = [
            {"name": "Charged", "data": [charged for _, _, charged in bars]},
            {"name": "Not charged", "data": [calls - charged for _, calls, charged in bars]},
        ]
        look, height = {"stacked": True, "palette": list(PALETTES[theme])}, DAY_HEIGHT
    look |= {"width": width, "height": height, "format": "svg", "theme": theme, "background": "transparent"}
    return chart("bar", [label for label, _, _ in bars], series, **look).content


async def calls(signed_in: SignedIn) -> Response:
    """Return one page of the list of calls."""
    return signed_in.page("calls.html", **await signed_in.run(_listed_calls, signed_in))


def _listed_calls(signed_in: SignedIn) -> dict[str, Any]:
    accounts, account_id = signed_in.context.accounts, signed_in.account.account_id
    query = signed_in.request.query_params
    tool, status = query.get("tool", ""), query.get("status", "")
    status = status if status in STATUSES else ""
    before, day = _time(query.get("before", "")), _time(query.get("day", ""))
    keys = {key.id: key for key in accounts.keys.list_of_account(account_id)}
    key = query.get("key", "") if query.get("key", "") in keys else ""
    day = day.replace(hour=0, minute=0, second=0, microsecond=0) if day else None
    found = accounts.ledger.recent(
        account_id,
        CALLS_PER_PAGE + 1,
        min(filter(None, (before, day and day + timedelta(days=1))), default=None),
        tool=tool or None,
        key_id=key or None,
        statuses=STATUSES[status][1],
        since=day,
    )
    tools = {usage.tool for usage in accounts.ledger.by_day(account_id, MAX_DAYS)} | ({tool} if tool else set())
    is_last_page = len(found) <= CALLS_PER_PAGE
    shown = found[:CALLS_PER_PAGE]
    return {
        "calls": shown,
        "tools": sorted(tools - {""}),
        "statuses": {name: label for name, (label, _) in STATUSES.items()},
        "keys": keys,
        "filters": {"tool": tool, "key": key, "day": day.date().isoformat() if day else "", "status": status},
        "is_first_page": before is None,
        "next_before": None if is_last_page else shown[-1].created.isoformat(),
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
