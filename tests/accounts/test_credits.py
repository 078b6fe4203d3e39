"""Credits: holds, charges, releases, months, and database errors."""

import threading
from contextlib import closing
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import func, make_url, select, text

from mediakit.accounts import Accounts, Hold, Principal, database, database_engine
from mediakit.accounts.credits import HOLD_LIFETIME
from mediakit.accounts.database import Database
from mediakit.accounts.direct_connection import UncertainCommit
from mediakit.accounts.models import AccountRow, CallRow, HoldRow
from mediakit.errors import CreditsUsedUp, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import POSTGRESQL, ManualClock, commit, new_principal, release, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


@pytest.fixture
def principal(accounts: Accounts) -> Principal:
    return new_principal(accounts)


def reserve_all(accounts: Accounts, principal: Principal, lifetime_seconds: float = 30) -> list[Hold]:
    return [reserve(accounts, principal, lifetime_seconds) for _ in range(50)]


def count_charges(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(CallRow)).one()


def test_commit_uses_one_credit_and_release_uses_none(accounts: Accounts, principal: Principal) -> None:
    after = commit(accounts, reserve(accounts, principal, 30))
    release(accounts, reserve(accounts, principal, 30))
    assert (after.used, after.remaining) == (1, 49)
    assert accounts.usage(principal) == after


def test_51st_of_50_credits_is_rejected_with_reset_date(accounts: Accounts, principal: Principal) -> None:
    for hold in reserve_all(accounts, principal):
        commit(accounts, hold)
    with pytest.raises(CreditsUsedUp) as caught:
        reserve(accounts, principal, 30)
    assert caught.value.body() == {
        "error": "Monthly credit limit reached (50). It resets on 2026-12-21.",
        "reason": "credits",
        "plan": "free",
        "limit": 50,
        "retry_after": 29 * 86400 + 12 * 3600,
    }


def test_released_credits_are_available_again(accounts: Accounts, principal: Principal) -> None:
    first, *others = reserve_all(accounts, principal)
    with pytest.raises(CreditsUsedUp):
        reserve(accounts, principal, 30)
    release(accounts, first)
    commit(accounts, reserve(accounts, principal, 30))
    for hold in others:
        commit(accounts, hold)
    assert accounts.usage(principal).used == 50


def test_commit_is_idempotent(accounts: Accounts, principal: Principal) -> None:
    hold = reserve(accounts, principal, 30)
    assert commit(accounts, hold) == commit(accounts, hold)
    assert count_charges(accounts) == 1


def test_release_after_commit_keeps_charge(accounts: Accounts, principal: Principal) -> None:
    hold = reserve(accounts, principal, 30)
    commit(accounts, hold)
    release(accounts, hold)
    assert accounts.usage(principal).used == 1


def test_expired_holds_are_deleted(accounts: Accounts, principal: Principal, clock: ManualClock) -> None:
    reserve_all(accounts, principal, lifetime_seconds=30)
    clock.forward(seconds=29.9)
    accounts.credits.beat()
    with pytest.raises(CreditsUsedUp):
        reserve(accounts, principal, 30)
    clock.forward(seconds=0.1)
    commit(accounts, reserve(accounts, principal, 30))
    with accounts._database.read() as session:
        assert session.scalars(select(func.count()).select_from(HoldRow)).one() == 0


def test_expired_hold_is_charged_if_credit_is_available(
    accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    expired = reserve(accounts, principal, 30)
    clock.forward(minutes=1)
    assert commit(accounts, expired).used == 1
    assert commit(accounts, expired).used == 1


def test_expired_hold_is_rejected_if_no_credit_is_available(
    accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    expired = reserve(accounts, principal, 30)
    clock.forward(minutes=1)
    others = reserve_all(accounts, principal)
    with pytest.raises(CreditsUsedUp):
        commit(accounts, expired)
    for hold in others:
        commit(accounts, hold)
    assert accounts.usage(principal).used == count_charges(accounts) == 50


def test_call_is_charged_to_month_in_which_it_started(
    accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    clock.now = datetime(2026, 12, 20, 23, 59, 59, tzinfo=UTC)
    hold = reserve(accounts, principal, 30)
    clock.forward(seconds=2)
    previous = commit(accounts, hold)
    assert (previous.used, previous.reset) == (1, "2026-12-21T00:00:00Z")
    current = accounts.usage(principal)
    assert (current.used, current.reset) == (0, "2027-01-21T00:00:00Z")


def test_unused_credits_do_not_carry_over(accounts: Accounts, principal: Principal, clock: ManualClock) -> None:
    commit(accounts, reserve(accounts, principal, 30))
    clock.now = datetime(2026, 12, 21, tzinfo=UTC)
    assert (accounts.usage(principal).used, accounts.usage(principal).remaining) == (0, 50)


@pytest.mark.parametrize("step", [{"hours": -1}, {"days": -31}, {"days": -400}])
def test_clock_set_back_gives_no_additional_credits(
    accounts: Accounts, principal: Principal, clock: ManualClock, step: dict[str, float]
) -> None:
    for hold in reserve_all(accounts, principal):
        commit(accounts, hold)
    correct_time = clock.now
    clock.forward(**step)
    assert datetime.fromisoformat(accounts.usage(principal).reset) > clock.now
    clock.now = correct_time
    with pytest.raises(CreditsUsedUp):
        reserve(accounts, principal, 30)


def test_subscription_from_leap_day_resets_every_month(accounts: Accounts, clock: ManualClock) -> None:
    clock.now = datetime(2027, 2, 27, 23, 59, 59, tzinfo=UTC)
    principal = new_principal(accounts, "leap@example.com", since=date(2024, 2, 29))
    commit(accounts, reserve(accounts, principal, 30))
    assert accounts.usage(principal).reset == "2027-02-28T00:00:00Z"
    clock.forward(seconds=1)
    assert (accounts.usage(principal).used, accounts.usage(principal).reset) == (0, "2027-03-29T00:00:00Z")


def test_unlimited_account_is_counted_but_never_rejected(accounts: Accounts) -> None:
    accounts.create_account(ADA, unlimited=True, verified=True)
    principal = accounts.authenticate(accounts.create_key(ADA).key)
    for _ in range(51):
        after = commit(accounts, reserve(accounts, principal, 30))
    assert (after.used, after.limit, after.remaining, after.unlimited) == (51, None, None, True)


def test_downgrade_during_call_does_not_affect_it(accounts: Accounts, principal: Principal) -> None:
    accounts.set_plan(ADA, "pro")
    hold = reserve(accounts, principal, 30)
    accounts.set_plan(ADA, "free")
    assert (commit(accounts, hold).used, accounts.usage(principal).limit) == (1, 500)


def test_key_revoked_during_call_is_still_charged(accounts: Accounts, principal: Principal) -> None:
    hold = reserve(accounts, principal, 30)
    accounts.revoke_key(principal.key_id)
    assert commit(accounts, hold).used == 1


def test_locked_database_raises_server_busy_and_recovers(
    settings: AccountSettings,
    accounts: Accounts,
    principal: Principal,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database_engine, "DATABASE_TIMEOUT_SECONDS", 1)
    with closing(Accounts.open(settings, clock)) as waiting:
        with accounts._database.write() as session:
            session.execute(select(AccountRow.id).with_for_update())
            with pytest.raises(ServerBusy):
                reserve(waiting, principal, 30)
        assert commit(waiting, reserve(waiting, principal, 30)).used == 1


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_database_lost_during_call_charges_nothing(
    settings: AccountSettings, accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    name = make_url(str(settings.database_url)).database
    admin = Database.open(AccountSettings(home=settings.home, database_url=POSTGRESQL))
    hold = reserve(accounts, principal, 30)
    with closing(admin), admin._engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        assert not accounts.ready()
        with pytest.raises(ServerBusy):
            commit(accounts, hold)
        release(accounts, hold)
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    clock.forward(seconds=31)
    assert accounts.usage(principal).used == 0
    assert len(reserve_all(accounts, principal)) == 50


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_charge_that_is_committed_after_its_error_is_undone(
    settings: AccountSettings, principal: Principal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_engine, "DATABASE_TIMEOUT_SECONDS", 2)
    frozen = []
    with closing(Accounts.open(settings, clock)) as accounts:
        direct, hold = accounts._database.direct, reserve(accounts, principal, 30)

        def freeze() -> None:
            if direct._transaction == "open":
                frozen.append(direct._connection)
                direct._connection, direct._transaction = None, "none"
                raise UncertainCommit

        with monkeypatch.context() as patch:
            patch.setattr(direct, "_commit", freeze)
            with pytest.raises(ServerBusy):
                commit(accounts, hold)
        committing = threading.Timer(0.5, lambda: frozen[0].execute("COMMIT"))
        committing.start()
        release(accounts, hold)
        committing.join()
        frozen[0].close()
        assert accounts.usage(principal).used == 0
        with accounts._database.read() as session:
            assert session.scalars(select(CallRow.charged)).all() == [False]


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_renewal_does_not_wait_for_a_charge(
    settings: AccountSettings, principal: Principal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_engine, "DATABASE_TIMEOUT_SECONDS", 2)
    with closing(Accounts.open(settings, clock)) as accounts:
        charged, other = reserve(accounts, principal, 30), reserve(accounts, principal, 30)
        clock.forward(seconds=4)
        commit(accounts, charged, record=lambda _session, _usage: accounts.credits.beat())
        with accounts._database.read() as session:
            held = session.execute(select(HoldRow.id, HoldRow.expires)).all()
        assert held == [(other.id, clock.now + HOLD_LIFETIME)]


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_transaction_of_frozen_server_ends(accounts: Accounts) -> None:
    with accounts._database.read() as session:
        assert session.scalar(text("SHOW idle_in_transaction_session_timeout")) == "10s"


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_full_disk_raises_server_busy_and_recovers(accounts: Accounts, principal: Principal) -> None:
    connection = accounts._database.direct._open()
    [pages] = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts._database.direct, "close", lambda: None)  # a new connection would have no limit
        with pytest.raises(ServerBusy):
            commit_100_calls(accounts, principal)
    connection.execute("PRAGMA max_page_count = 100000")
    assert accounts.usage(principal).used == count_charges(accounts)
    assert commit(accounts, reserve(accounts, principal, 30)).used == count_charges(accounts)


def commit_100_calls(accounts: Accounts, principal: Principal) -> None:
    accounts.set_plan(ADA, "pro")
    for _ in range(100):
        commit(accounts, reserve(accounts, principal, 30))


def test_migration_frees_the_leases_of_an_older_version(
    settings: AccountSettings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Database.open(settings)) as older, older._writer.begin() as connection:
        with monkeypatch.context() as patch:
            patch.setattr(database, "HEAD_REVISION", "0003")
            database._migrate(connection)
        for row in (
            f"account {COLUMNS} VALUES (7, '{ADA}', true, '{NOON}', 'free', '2026-11-21', false, false)",
            f"period VALUES (7, '{MONTH}', 12)",
            f"call VALUES ('c1', 7, NULL, 'qr', 200, 5, 'r1', '{NOON}', '{MONTH}', true)",
            f"server VALUES ('s1', '{NOON}')",
            f"lease VALUES ('s1', 7, '{MONTH}', 38, '{NOON}')",
        ):
            connection.execute(text(f"INSERT INTO {row}"))
    with closing(Accounts.open(settings, clock)) as accounts:
        principal = accounts.authenticate(accounts.create_key(ADA).key)
        assert commit(accounts, reserve(accounts, principal, 30)).used == 13
        assert "c1" in {call.id for call in accounts.ledger.recent(7)}


NOON = "2026-11-21 12:00:00.000000"
MONTH = "2026-11-21 00:00:00.000000"
COLUMNS = "(id, email, verified, made, plan, since, unlimited, admin)"
