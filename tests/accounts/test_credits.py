from contextlib import closing
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import func, make_url, select, text

from mediakit.accounts import Accounts, Caller, Hold, dialects
from mediakit.accounts.database import Database
from mediakit.accounts.models import AccountRow, ChargeRow, HoldRow
from mediakit.errors import CreditsUsedUp, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import POSTGRESQL, HandClock, new_caller

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


@pytest.fixture
def caller(accounts: Accounts) -> Caller:
    return new_caller(accounts)


def reserve_all(accounts: Accounts, caller: Caller, lifetime_seconds: float = 30) -> list[Hold]:
    return [accounts.reserve(caller, lifetime_seconds) for _ in range(50)]


def ledger(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(ChargeRow)).one()


def test_a_success_costs_one_credit_and_a_failure_none(accounts: Accounts, caller: Caller) -> None:
    after = accounts.commit(accounts.reserve(caller, 30))
    accounts.release(accounts.reserve(caller, 30))
    assert (after.used, after.remaining) == (1, 49)
    assert accounts.usage(caller) == after


def test_the_51st_credit_of_50_is_refused_with_the_day_of_the_reset(accounts: Accounts, caller: Caller) -> None:
    for hold in reserve_all(accounts, caller):
        accounts.commit(hold)
    with pytest.raises(CreditsUsedUp) as caught:
        accounts.reserve(caller, 30)
    assert caught.value.body() == {
        "error": "Monthly credit limit reached (50). It resets on 2026-12-21.",
        "reason": "credits",
        "plan": "free",
        "limit": 50,
        "retry_after": 29 * 86400 + 12 * 3600,
    }


def test_credits_held_by_calls_that_fail_are_there_for_later_calls(accounts: Accounts, caller: Caller) -> None:
    first, *others = reserve_all(accounts, caller)
    with pytest.raises(CreditsUsedUp):
        accounts.reserve(caller, 30)
    accounts.release(first)
    accounts.commit(accounts.reserve(caller, 30))
    for hold in others:
        accounts.commit(hold)
    assert accounts.usage(caller).used == 50


def test_a_call_is_charged_once_however_often_it_is_committed(accounts: Accounts, caller: Caller) -> None:
    hold = accounts.reserve(caller, 30)
    assert accounts.commit(hold) == accounts.commit(hold)
    assert ledger(accounts) == 1


def test_a_charged_call_cannot_be_released(accounts: Accounts, caller: Caller) -> None:
    hold = accounts.reserve(caller, 30)
    accounts.commit(hold)
    accounts.release(hold)
    assert accounts.usage(caller).used == 1


def test_holds_that_nobody_ends_expire_and_are_swept_out(accounts: Accounts, caller: Caller, clock: HandClock) -> None:
    reserve_all(accounts, caller, lifetime_seconds=30)
    clock.forward(seconds=29.9)
    with pytest.raises(CreditsUsedUp):
        accounts.reserve(caller, 30)
    clock.forward(seconds=0.1)
    accounts.commit(accounts.reserve(caller, 30))
    with accounts._database.read() as session:
        assert session.scalars(select(func.count()).select_from(HoldRow)).one() == 0


def test_a_late_call_is_charged_while_a_credit_is_free(accounts: Accounts, caller: Caller, clock: HandClock) -> None:
    late = accounts.reserve(caller, 30)
    clock.forward(minutes=1)
    assert accounts.commit(late).used == 1
    assert accounts.commit(late).used == 1


def test_a_late_call_whose_credit_went_to_another_is_refused(
    accounts: Accounts, caller: Caller, clock: HandClock
) -> None:
    late = accounts.reserve(caller, 30)
    clock.forward(minutes=1)
    others = reserve_all(accounts, caller)
    with pytest.raises(CreditsUsedUp):
        accounts.commit(late)
    for hold in others:
        accounts.commit(hold)
    assert accounts.usage(caller).used == ledger(accounts) == 50


def test_a_call_is_charged_to_the_month_in_which_it_began(accounts: Accounts, caller: Caller, clock: HandClock) -> None:
    clock.now = datetime(2026, 12, 20, 23, 59, 59, tzinfo=UTC)
    hold = accounts.reserve(caller, 30)
    clock.forward(seconds=2)
    charged = accounts.commit(hold)
    assert (charged.used, charged.reset) == (1, "2026-12-21T00:00:00Z")
    running = accounts.usage(caller)
    assert (running.used, running.reset) == (0, "2027-01-21T00:00:00Z")


def test_unused_credits_do_not_carry_over(accounts: Accounts, caller: Caller, clock: HandClock) -> None:
    accounts.commit(accounts.reserve(caller, 30))
    clock.now = datetime(2026, 12, 21, tzinfo=UTC)
    assert (accounts.usage(caller).used, accounts.usage(caller).remaining) == (0, 50)


@pytest.mark.parametrize("step", [{"hours": -1}, {"days": -31}, {"days": -400}])
def test_a_clock_that_is_set_back_gives_no_second_allowance(
    accounts: Accounts, caller: Caller, clock: HandClock, step: dict[str, float]
) -> None:
    for hold in reserve_all(accounts, caller):
        accounts.commit(hold)
    right = clock.now
    clock.forward(**step)
    assert datetime.fromisoformat(accounts.usage(caller).reset) > clock.now
    clock.now = right
    with pytest.raises(CreditsUsedUp):
        accounts.reserve(caller, 30)


def test_an_anchor_on_leap_day_resets_in_every_month(accounts: Accounts, clock: HandClock) -> None:
    clock.now = datetime(2027, 2, 27, 23, 59, 59, tzinfo=UTC)
    caller = new_caller(accounts, "leap@example.com", since=date(2024, 2, 29))
    accounts.commit(accounts.reserve(caller, 30))
    assert accounts.usage(caller).reset == "2027-02-28T00:00:00Z"
    clock.forward(seconds=1)
    assert (accounts.usage(caller).used, accounts.usage(caller).reset) == (0, "2027-03-29T00:00:00Z")


def test_an_unlimited_account_is_never_refused_but_counted(accounts: Accounts) -> None:
    accounts.create_account(ADA, unlimited=True, verified=True)
    caller = accounts.authenticate(accounts.create_key(ADA).key)
    for _ in range(51):
        after = accounts.commit(accounts.reserve(caller, 30))
    assert (after.used, after.limit, after.remaining, after.unlimited) == (51, None, None, True)


def test_a_downgrade_during_a_call_does_not_touch_it(accounts: Accounts, caller: Caller) -> None:
    accounts.set_plan(ADA, "pro")
    hold = accounts.reserve(caller, 30)
    accounts.set_plan(ADA, "free")
    assert (accounts.commit(hold).used, accounts.usage(caller).limit) == (1, 500)


def test_a_key_revoked_during_a_call_lets_it_finish_charged(accounts: Accounts, caller: Caller) -> None:
    hold = accounts.reserve(caller, 30)
    accounts.revoke_key(caller.key_id)
    assert accounts.commit(hold).used == 1


def test_a_database_locked_for_too_long_is_busy_and_recovers(
    settings: AccountSettings, accounts: Accounts, caller: Caller, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialects, "WAIT_SECONDS", 1)
    with closing(Accounts.open(settings, clock)) as waiting:
        with accounts._database.write() as session:
            session.execute(select(AccountRow.id).with_for_update())
            with pytest.raises(ServerBusy):
                waiting.reserve(caller, 30)
        assert waiting.commit(waiting.reserve(caller, 30)).used == 1


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_a_database_that_goes_away_during_a_call_charges_nothing(
    settings: AccountSettings, accounts: Accounts, caller: Caller, clock: HandClock
) -> None:
    name = make_url(str(settings.database_url)).database
    admin = Database.open(AccountSettings(home=settings.home, database_url=POSTGRESQL))
    hold = accounts.reserve(caller, 30)
    with closing(admin), admin._engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        assert not accounts.ready()
        with pytest.raises(ServerBusy):
            accounts.commit(hold)
        accounts.release(hold)
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    clock.forward(seconds=31)
    assert accounts.usage(caller).used == 0
    assert len(reserve_all(accounts, caller)) == 50


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_full_disk_is_busy_and_recovers(accounts: Accounts, caller: Caller) -> None:
    with accounts._database.read() as session:
        pages = session.scalars(text("PRAGMA page_count")).one()
        session.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(ServerBusy):
        commit_100_calls(accounts, caller)
    with accounts._database.read() as session:
        session.execute(text("PRAGMA max_page_count = 100000"))
    assert accounts.usage(caller).used == ledger(accounts)
    assert accounts.commit(accounts.reserve(caller, 30)).used == ledger(accounts)


def commit_100_calls(accounts: Accounts, caller: Caller) -> None:
    accounts.set_plan(ADA, "pro")
    for _ in range(100):
        accounts.commit(accounts.reserve(caller, 30))
