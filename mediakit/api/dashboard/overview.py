"""The overview: the usage of the month, charts of the calls, and the newest calls."""

import asyncio
from collections.abc import Mapping
from itertools import product
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.accounts import calls_per_day, calls_per_tool, usage_report
from mediakit.api.context import Context
from mediakit.api.dashboard import charts
from mediakit.api.dashboard.charts import Look, Size
from mediakit.api.dashboard.session import page, require
from mediakit.errors import NotFound

DAYS = 30
RECENT_CALLS = 8
NEARLY_USED_UP = 0.8
"""Share of the credits from which the page warns."""

LOOKS: Mapping[str, Look] = {
    f"{theme}-{size}": Look(theme, size) for theme, size in product(charts.THEMES, get_args(Size))
}
"""The variants of each chart by their name in the address."""


class Overview:
    """The first page after signing in."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the page."""
        signed_in = await require(request, self.context)
        run, accounts, account = self.context.run_blocking, self.context.accounts, signed_in.account
        report = await run(usage_report, accounts, account, days=DAYS, recent=RECENT_CALLS)
        keys = await run(accounts.list_keys, account.email)
        active = [key for key in keys if not key.revoked]
        return page(request, "overview.html", signed_in, report=report, has_key=bool(active), warn_at=NEARLY_USED_UP)

    async def chart(self, request: Request) -> Response:
        """Return a chart of the account's calls as SVG.

        Raises:
            NotFound: The chart does not exist.
        """
        signed_in = await require(request, self.context)
        return await chart_response(request, self.context, signed_in.account.account_id)


async def chart_response(request: Request, context: Context, account_id: int | None) -> Response:
    """Return a chart as SVG: the calls of an account, or of all accounts, per day or per tool.

    Raises:
        NotFound: The chart does not exist.
    """
    name, look = request.path_params["name"], LOOKS.get(request.path_params["look"])
    if name not in ("days", "tools") or look is None:
        raise NotFound("path: does not exist.")
    usage = await context.run_blocking(context.accounts.ledger.by_day, account_id, DAYS)
    if name == "days":
        svg = await asyncio.to_thread(charts.calls_per_day, calls_per_day(usage, DAYS), look)
    else:
        svg = await asyncio.to_thread(charts.calls_per_tool, calls_per_tool(usage), look)
    headers = {
        "Cache-Control": "private, no-cache",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": charts.POLICY,
    }
    return Response(svg, media_type="image/svg+xml", headers=headers)
