"""`mediakit.status()` and `mediakit.dashboard()`: the usage of an account, read from a server."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from mediakit.core.introspection import PublicNames
from mediakit.core.messages import quote
from mediakit.display import ShownColumn, table_html, view
from mediakit.errors import InvalidInput
from mediakit.server.kernel import running

if TYPE_CHECKING:
    from mediakit.client import Client
    from mediakit.tools.images.chart.tool import ChartResult
    from mediakit.usage import DayCalls, RecentCall, Usage, UsageReport

CHART_WIDTH, CHART_HEIGHT = 800, 220
MAX_BARS = 50
"""Maximum number of days of a bar chart; more days are an area chart."""
PALETTES = {"light": ["#0d6b60", "#d9a441"], "dark": ["#72d3c2", "#c58f2f"]}

COLUMNS = (
    ShownColumn("Time (UTC)", ""),
    ShownColumn("Tool", ""),
    ShownColumn("Status", "", is_right_aligned=True),
    ShownColumn("Duration", "", is_right_aligned=True),
    ShownColumn("Credits", "", is_right_aligned=True),
    ShownColumn("Request ID", ""),
)


def status(base_url: str | None = None, *, api_key: str | None = None) -> "Usage":
    """Return the plan of an account and the credits used. The call costs no credits.

    Args:
        base_url: Base URL of a server. Default: the server that `serve()` started in this process.
        api_key: API key of the account. Default: the environment variable `MEDIAKIT_API_KEY`.

    Raises:
        InvalidInput: `base_url` is missing, and no server runs in this process.
        InvalidKey: The key is not valid.
        ServerUnreachable: The server does not respond.
    """
    from mediakit.client import Client

    with Client(base_url, api_key=api_key) if base_url is not None else _local_client("base_url", api_key) as client:
        return client.status()


class Dashboard(PublicNames):
    """The plan, the credits and the calls of an account. A notebook shows them with a chart, a terminal as text."""

    def __init__(self, report: "UsageReport") -> None:
        self.report = report
        """The numbers."""

    def __repr__(self) -> str:
        report, usage = self.report, self.report.usage
        used = f", unlimited: {usage.used:,} credits used this month"
        if usage.limit is not None:
            used = f": {usage.used:,} of {usage.limit:,} credits used, {usage.remaining:,} left"
        lines = [f"{usage.plan} plan{used}, resets on {usage.reset[:10]}", _calls_line(report)]
        lines += [f"  {tool.tool or 'unknown':<20} {tool.calls:>8,}" for tool in report.tools]
        if report.recent:
            lines.append("Recent calls (UTC):")
        for created, tool, status_, duration, _, request_id in map(_cells, report.recent):
            lines.append(f"  {created}  {tool:<20} {status_} {duration:>10}  {request_id}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        report, rows = self.report, list(map(_cells, self.report.recent))
        charts = {theme: _chart(report.days, theme) for theme in PALETTES} if report.calls else {}
        calls = table_html(COLUMNS, rows, "Recent calls", len(rows)) if rows else ""
        return view("dashboard", usage=report.usage, line=_calls_line(report), charts=charts, calls=calls)


def dashboard(client: "Client | None" = None, *, days: int = 30, recent: int = 10) -> Dashboard:
    """Return the plan, the credits, the calls per day and the newest calls of an account. The call costs no credits.

    Args:
        client: A client of a server. Default: the server that `serve()` started in this process.
        days: Number of days in UTC, including today; at most 90.
        recent: Maximum number of recent calls; at most 200.

    Raises:
        InvalidInput: `client` is missing and no server runs in this process, or a number is out of range.
        InvalidKey: The key is not valid.
        ServerUnreachable: The server does not respond.
    """
    if not hasattr(client, "usage") and client is not None:
        raise InvalidInput(f"client: must be a client, such as mediakit.Client(url, api_key=...), got {quote(client)}.")
    with _local_client("client") if client is None else nullcontext(client) as used:
        return Dashboard(used.usage(days, recent))


def _local_client(argument: str, api_key: str | None = None) -> "Client":
    """Return a client of the server that runs in this process; `argument` is what a call needs without it."""
    from mediakit.client import Client

    server = running()
    if not server:
        raise InvalidInput(
            f"{argument}: is required, because no server runs in this process. Start one with mediakit.serve()."
        )
    return Client(server.url, api_key=api_key or server.key)


def _calls_line(report: "UsageReport") -> str:
    charged = sum(day.charged for day in report.days)
    period = "Today" if len(report.days) == 1 else f"Last {len(report.days)} days"
    return f"{period}: {report.calls:,} {'call' if report.calls == 1 else 'calls'}, {charged:,} charged"


def _cells(call: "RecentCall") -> list[str]:
    created = f"{call.created:%Y-%m-%d %H:%M:%S}"
    credit = "1" if call.charged else "0"
    return [created, call.tool or "unknown", str(call.status), f"{call.milliseconds:,} ms", credit, call.request_id]


def _chart(days: Iterable["DayCalls"], theme: str) -> "ChartResult":
    """Return the chart of a theme."""
    from mediakit.tools.images.chart import chart

    shown = list(days)
    is_bar = len(shown) <= MAX_BARS
    return chart(
        "bar" if is_bar else "area",
        [f"{day.day:%b} {day.day.day}" if is_bar else day.day.isoformat() for day in shown],
        [
            {"name": "Charged", "data": [day.charged for day in shown]},
            {"name": "Not charged", "data": [day.calls - day.charged for day in shown]},
        ],
        stacked=True,
        width=CHART_WIDTH,
        height=CHART_HEIGHT,
        format="svg",
        theme="dark" if theme == "dark" else "light",
        palette=PALETTES[theme],
    )
