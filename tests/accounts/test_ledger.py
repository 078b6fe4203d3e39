"""The ledger: charged and refused calls, sums by day, and deletion of old calls."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, text

from mediakit.accounts import Accounts, Outcome, database
from mediakit.accounts.database import Database
from mediakit.accounts.models import CallRow
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, commit, new_principal, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


def charge(accounts: Accounts, email: str = ADA, tool: str = "qr") -> None:
    principal = accounts.authenticate(accounts.create_key(email).key)
    commit(accounts, reserve(accounts, principal, 30), Outcome(tool, 200, 12, "abc"))


def test_charged_call_is_in_ledger_at_once(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    commit(accounts, reserve(accounts, principal, 30), Outcome("qr", 200, 12, "abc"))
    [call] = accounts.ledger.recent(principal.account_id)
    assert (call.tool, call.status, call.milliseconds, call.request_id) == ("qr", 200, 12, "abc")
    assert (call.key_id, call.charged, call.created) == (principal.key_id, True, clock.now)


def test_refused_calls_are_written_when_accounts_close(settings: AccountSettings, clock: ManualClock) -> None:
    with closing(Accounts.open(settings, clock)) as accounts:
        principal = new_principal(accounts)
        for status in (400, 429):
            accounts.record_refused(principal, Outcome("chart", status, 3, "def"))
    with closing(Accounts.open(settings, clock)) as accounts:
        calls = accounts.ledger.recent(principal.account_id)
        assert {(call.tool, call.status, call.charged) for call in calls} == {
            ("chart", 400, False),
            ("chart", 429, False),
        }
        assert accounts.usage(principal).used == 0


def test_recent_returns_newest_calls_page_by_page(accounts: Accounts, clock: ManualClock) -> None:
    account = new_principal(accounts).account_id
    for tool in ("a", "b", "c"):
        charge(accounts, tool=tool)
        clock.forward(seconds=1)
    first = accounts.ledger.recent(account, limit=2)
    second = accounts.ledger.recent(account, limit=2, before=first[-1].created)
    assert [call.tool for call in [*first, *second]] == ["c", "b", "a"]


def test_by_day_counts_calls_of_utc_days_by_tool(accounts: Accounts, clock: ManualClock) -> None:
    clock.now = datetime(2026, 11, 21, 23, 59, 59, tzinfo=UTC)
    account = new_principal(accounts).account_id
    accounts.create_account("bo@example.com", verified=True)
    charge(accounts)
    clock.forward(seconds=1)  # midnight
    charge(accounts)
    charge(accounts, tool="chart")
    charge(accounts, "bo@example.com")
    found = [(str(each.day), each.tool, each.calls, each.charged) for each in accounts.ledger.by_day(account)]
    assert found == [("2026-11-21", "qr", 1, 1), ("2026-11-22", "chart", 1, 1), ("2026-11-22", "qr", 1, 1)]
    assert [each.tool for each in accounts.ledger.by_day(account, days=1)] == ["chart", "qr"]
    assert sum(each.calls for each in accounts.ledger.by_day()) == 4


def test_by_day_counts_in_utc_whatever_the_time_zone_of_the_connection(
    accounts: Accounts, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGTZ", "America/Los_Angeles")
    clock.now = datetime(2026, 11, 21, 1, tzinfo=UTC)
    new_principal(accounts)
    charge(accounts)
    clock.forward(hours=22)
    charge(accounts)
    assert [(str(each.day), each.calls) for each in accounts.ledger.by_day()] == [("2026-11-21", 2)]


def test_totals_count_calls_of_each_account(accounts: Accounts, clock: ManualClock) -> None:
    new_principal(accounts)
    accounts.create_account("bo@example.com", verified=True)
    charge(accounts, "bo@example.com")
    charge(accounts, "bo@example.com")
    charge(accounts)
    totals = accounts.ledger.totals()
    assert [(each.email, each.calls, each.charged, each.failed) for each in totals] == [
        ("bo@example.com", 2, 2, 0),
        (ADA, 1, 1, 0),
    ]
    assert totals[0].last_call == clock.now


def test_delete_before_keeps_calls_of_current_month(accounts: Accounts, clock: ManualClock) -> None:
    account = new_principal(accounts).account_id
    charge(accounts, tool="old")
    clock.now = datetime(2026, 12, 21, tzinfo=UTC)
    charge(accounts, tool="current")
    clock.forward(days=30)
    assert accounts.ledger.delete_before(clock.now) == 1
    assert [call.tool for call in accounts.ledger.recent(account)] == ["current"]


def test_delete_before_deletes_many_calls_in_steps(accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts)
    values = {"account_id": principal.account_id, "tool": "", "status": 400, "milliseconds": 0, "request_id": ""}
    old = clock.now - timedelta(days=500)
    with accounts._database.write() as session:
        rows = [{"id": str(n), "created": old, "period_start": old, "charged": False} | values for n in range(2500)]
        session.execute(insert(CallRow), rows)
    assert accounts.ledger.delete_before(clock.now - timedelta(days=400)) == 2500


def test_retention_deletes_old_calls_once_a_day(accounts: Accounts, clock: ManualClock) -> None:
    account, retention = new_principal(accounts).account_id, accounts.retention(days=400)
    charge(accounts)
    clock.forward(days=400)
    retention.run()
    assert len(accounts.ledger.recent(account)) == 1
    clock.forward(hours=1)
    retention.run()
    assert len(accounts.ledger.recent(account)) == 1
    clock.forward(days=1)
    retention.run()
    assert accounts.ledger.recent(account) == []


def test_migration_copies_charges_of_older_version(
    settings: AccountSettings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Database.open(settings)) as older, older._writer.begin() as connection:
        with monkeypatch.context() as patch:
            patch.setattr(database, "HEAD_REVISION", "0001")
            database._migrate(connection)
        connection.execute(text(ACCOUNT))
        connection.execute(text(KEY))
        connection.execute(text(f"INSERT INTO charge VALUES ('c1', 7, 'k', '{NOON}', '{NOON}')"))
    with closing(Accounts.open(settings, clock)) as accounts:
        [call] = accounts.ledger.recent(7)
        assert (call.id, call.tool, call.status, call.charged, call.created) == ("c1", "", 200, True, clock.now)


NOON = "2026-11-21 12:00:00.000000"
ACCOUNT = f"""
INSERT INTO account (id, email, verified, made, plan, since, unlimited)
VALUES (7, 'ada@example.com', true, '{NOON}', 'free', '2026-11-21', false)
"""
KEY = f"INSERT INTO api_key (id, account_id, digest, made) VALUES ('k', 7, '', '{NOON}')"
