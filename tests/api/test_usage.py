"""`GET /usage`: the calls per day and per tool, and the newest calls."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from mediakit.accounts import DayUsage
from mediakit.accounts.accounts import calls_per_day, calls_per_tool
from mediakit.api import responses
from mediakit.errors import InvalidInput
from mediakit.usage import RecentCall
from tests.conftest import Api

pytestmark = pytest.mark.anyio


async def test_usage_lists_the_calls_of_the_account(api: Api) -> None:
    for data in ("one", "two"):
        await api.json("/qr", {"data": data})
    await api.json("/barcode", {"data": "12"})
    async with api.client() as client:
        report = await client.usage(days=7, recent=2)
        assert report.usage == await client.status()
    assert report.usage.used == report.calls == 3
    assert len(report.days) == 7
    assert report.days[-1].day - report.days[0].day == timedelta(days=6)
    assert [(tool.tool, tool.calls, tool.charged) for tool in report.tools] == [("qr", 2, 2), ("barcode", 1, 1)]
    assert [(call.tool, call.status, call.charged) for call in report.recent] == [
        ("barcode", 200, True),
        ("qr", 200, True),
    ]
    assert report.recent[0].request_id
    assert abs(datetime.now(UTC) - report.recent[0].created) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("days=0", "days: must be between 1 and 90, got 0."),
        ("days=91", "days: must be between 1 and 90, got 91."),
        ("days=ten", "days: "),
        ("recent=201", "recent: must be between 0 and 200, got 201."),
        ("day=3", 'day: is not a known field; did you mean "days"?'),
        ("days=1&days=2", "days: must not be repeated in the query."),
    ],
)
async def test_invalid_options_are_400(api: Api, query: str, problem: str) -> None:
    response = await api.http.get(f"/usage?{query}", headers={"x-api-key": api.key})
    assert response.status_code == InvalidInput.status
    assert response.json()["error"].startswith(problem)


async def test_usage_needs_a_key_and_is_free(api: Api) -> None:
    assert (await api.http.get("/usage")).status_code == 401
    await api.http.get("/usage", headers={"x-api-key": api.key})
    assert (await api.status())["used"] == 0


async def test_days_without_calls_are_included_and_a_database_clock_can_be_ahead() -> None:
    today = datetime(2026, 3, 1, tzinfo=UTC).date()
    usage = [DayUsage(today - timedelta(days=2), "qr", 5, 4), DayUsage(today + timedelta(days=1), "pdf", 1, 1)]
    days = calls_per_day(usage, 5, today)
    assert [(day.day.isoformat(), day.calls, day.charged) for day in days] == [
        ("2026-02-26", 0, 0),
        ("2026-02-27", 5, 4),
        ("2026-02-28", 0, 0),
        ("2026-03-01", 0, 0),
        ("2026-03-02", 1, 1),
    ]
    assert [tool.tool for tool in calls_per_tool(usage)] == ["qr", "pdf"]


async def test_call_that_fails_after_its_charge_is_in_the_ledger_once(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_result: object, _usage: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch, suppress(RuntimeError):
        patch.setattr(responses, "envelope_response", fail)
        await api.http.post("/qr", json={"data": "one"}, headers={"x-api-key": api.key})
    await api.http.post("/barcode", json={}, headers={"x-api-key": api.key})
    with anyio.fail_after(30):
        while not (calls := await _refused_calls(api)):  # noqa: ASYNC110  # another thread writes the ledger
            await anyio.sleep(0.05)
    assert [(call.tool, call.charged) for call in calls] == [("barcode", False), ("qr", True)]


async def _refused_calls(api: Api) -> list[RecentCall]:
    """Return the newest calls, once refused calls are among them."""
    async with api.client() as client:
        report = await client.usage(days=1, recent=10)
    return list(report.recent) if any(not call.charged for call in report.recent) else []
