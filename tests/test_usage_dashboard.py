"""`mediakit.dashboard()`: the usage of an account in a notebook and in a terminal."""

from datetime import UTC, date, datetime, timedelta

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.server import Dashboard, Server
from mediakit.usage import DayCalls, Loyalty, RecentCall, ToolCalls, Usage, UsageReport

USAGE = Usage("pro", 525, False, 42, 483, Loyalty(5, 25), "2026-12-03T00:00:00Z")
CALL = RecentCall(datetime(2026, 11, 22, 14, 5, 9, tzinfo=UTC), "qr", 400, 1234, "an-<id>", charged=False)


def report(days: int, calls: int = 3) -> UsageReport:
    first = date(2026, 9, 1)
    per_day = [DayCalls(first + timedelta(days=day), calls, calls - 1 if calls else 0) for day in range(days)]
    return UsageReport(USAGE, per_day, [ToolCalls("qr", 3, 2)], [CALL] if calls else [])


def test_dashboard_of_a_server_counts_a_call(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        before = mediakit.dashboard(client).report.calls
        client.qr("hi")
        shown = mediakit.dashboard(client, days=1, recent=1)
    assert shown.report.calls >= before + 1
    assert shown.report.recent[0].tool == "qr"
    assert "Today: " in repr(shown)


def test_dashboard_without_a_server_says_how_to_start_one() -> None:
    with pytest.raises(InvalidInput, match=r"^client: is required, .*mediakit\.serve\(\)"):
        mediakit.dashboard()


def test_terminal_shows_plan_tools_and_recent_calls() -> None:
    lines = repr(Dashboard(report(30))).splitlines()
    assert lines[0] == "pro plan: 42 of 525 credits used, 483 left, resets on 2026-12-03"
    assert lines[1] == "Last 30 days: 90 calls, 60 charged"
    assert lines[2].split() == ["qr", "3"]
    assert lines[4].split() == ["2026-11-22", "14:05:09", "qr", "400", "1,234", "ms", "an-<id>"]


@pytest.mark.parametrize("days", [1, 30, 90])
def test_notebook_shows_a_chart_for_each_theme_and_escaped_calls(days: int) -> None:
    html = Dashboard(report(days))._repr_html_()
    assert html.count("<img ") == 2
    assert html.count("data:image/svg+xml;base64,") == 2
    assert "an-&lt;id&gt;" in html
    assert "an-<id>" not in html


def test_notebook_shows_no_chart_without_calls() -> None:
    assert "<img" not in Dashboard(report(30, calls=0))._repr_html_()
