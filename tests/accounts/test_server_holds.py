"""Holds of several servers: servers that stop or pause, and credits that are held."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import func, select

from mediakit.accounts import Accounting, Accounts, Principal, RateLimits
from mediakit.accounts.models import CallRow, HoldRow
from mediakit.errors import CreditsUsedUp
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, commit, new_principal, release, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]


@pytest.fixture
def other(settings: AccountSettings, clock: ManualClock) -> Iterator[Accounts]:
    """A second server with the same database."""
    with closing(Accounts.open(settings, clock)) as accounts:
        yield accounts


@pytest.fixture
def principal(accounts: Accounts) -> Principal:
    return new_principal(accounts)


def holds_of(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalar(select(func.count()).select_from(HoldRow)) or 0


def charges(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalar(select(func.count()).select_from(CallRow).where(CallRow.charged)) or 0


def use_all(accounts: Accounts, principal: Principal) -> int:
    for calls in range(100_000):
        try:
            commit(accounts, reserve(accounts, principal, 30))
        except CreditsUsedUp:
            return calls
    raise AssertionError


def test_each_running_call_has_a_hold(accounts: Accounts) -> None:
    principal = new_principal(accounts, plan="scale")
    holds = [reserve(accounts, principal, 30) for _ in range(10)]
    assert holds_of(accounts) == accounts.credits.held() == 10
    for hold in holds:
        commit(accounts, hold)
    assert (holds_of(accounts), accounts.usage(principal).used) == (0, 10)


def test_unlimited_account_needs_no_holds(accounts: Accounts) -> None:
    accounts.create_account("ada@example.com", unlimited=True, verified=True)
    principal = accounts.authenticate(accounts.create_key("ada@example.com").key)
    hold = reserve(accounts, principal, 30)
    assert holds_of(accounts) == 0
    assert commit(accounts, hold).used == commit(accounts, hold).used == charges(accounts) == 1


def test_two_servers_use_exactly_all_credits_of_a_month(accounts: Accounts, other: Accounts) -> None:
    principal = new_principal(accounts, plan="pro")
    for _ in range(300):
        commit(accounts, reserve(accounts, principal, 30))
        if accounts.usage(principal).remaining == 0:
            break
    assert 300 + use_all(other, principal) + use_all(accounts, principal) == 500
    assert (accounts.usage(principal).used, charges(accounts), holds_of(accounts)) == (500, 500, 0)


def test_stopped_server_returns_its_credits(settings: AccountSettings, accounts: Accounts, clock: ManualClock) -> None:
    principal = new_principal(accounts, plan="scale")
    with closing(Accounts.open(settings, clock)) as stopped:
        reserve(stopped, principal, 30)
        assert holds_of(accounts) == 1
    assert holds_of(accounts) == 0


def test_credits_of_killed_server_are_free_after_5_seconds(
    accounts: Accounts, other: Accounts, principal: Principal, clock: ManualClock
) -> None:
    for _ in range(50):
        reserve(other, principal, 300)
    clock.forward(seconds=4.9)
    with pytest.raises(CreditsUsedUp):
        reserve(accounts, principal, 30)
    clock.forward(seconds=0.1)
    assert use_all(accounts, principal) == 50


def test_credits_of_running_server_stay_held(
    accounts: Accounts, other: Accounts, principal: Principal, clock: ManualClock
) -> None:
    holds = [reserve(other, principal, 300) for _ in range(50)]
    for _ in range(10):
        clock.forward(seconds=1)
        other.credits.beat()
    with pytest.raises(CreditsUsedUp):
        reserve(accounts, principal, 30)
    for hold in holds:
        commit(other, hold)
    assert charges(accounts) == 50


def test_paused_server_charges_nothing_beyond_the_limit(
    accounts: Accounts, other: Accounts, principal: Principal, clock: ManualClock
) -> None:
    paused = [reserve(other, principal, 300) for _ in range(2)]
    clock.forward(seconds=60)
    assert use_all(accounts, principal) == 50
    for hold in paused:
        with pytest.raises(CreditsUsedUp):
            commit(other, hold)
    assert accounts.usage(principal).used == charges(accounts) == 50


def test_paused_server_charges_calls_if_credits_are_left(
    accounts: Accounts, other: Accounts, principal: Principal, clock: ManualClock
) -> None:
    paused = [reserve(other, principal, 300) for _ in range(50)]
    clock.forward(seconds=60)
    commit(accounts, reserve(accounts, principal, 30))
    assert [commit(other, hold).used for hold in paused[:49]] == list(range(2, 51))
    with pytest.raises(CreditsUsedUp):
        commit(other, paused[49])
    assert charges(accounts) == 50


def test_refusal_while_credits_are_held_says_when_they_may_be_free(
    accounts: Accounts, other: Accounts, principal: Principal, clock: ManualClock
) -> None:
    for _ in range(49):
        commit(accounts, reserve(accounts, principal, 30))
    reserve(accounts, principal, 30)
    clock.forward(seconds=3)
    with pytest.raises(CreditsUsedUp) as caught:
        reserve(other, principal, 30)
    assert caught.value.retry_after == 27
    assert caught.value.message == (
        "Every remaining credit of this month is held by a running call. Try again in 27 seconds."
    )


def test_credit_of_failed_call_is_free_for_other_server(
    accounts: Accounts, other: Accounts, principal: Principal
) -> None:
    holds = [reserve(accounts, principal, 30) for _ in range(50)]
    release(accounts, holds[0])
    commit(other, reserve(other, principal, 30))
    assert charges(accounts) == 1


def test_upgrade_takes_effect_while_server_has_leases(accounts: Accounts, other: Accounts) -> None:
    principal = new_principal(accounts)
    key = accounts.create_key("ada@example.com").key
    assert use_all(accounts, principal) == 50
    other.set_plan("ada@example.com", "pro")
    assert use_all(accounts, accounts.authenticate(key)) == 450


def test_late_call_is_charged_with_credit_of_another_call_after_its_deadline(
    accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    late = reserve(accounts, principal, 30)
    clock.forward(seconds=30)
    accounts.credits.beat()
    for _ in range(49):
        commit(accounts, reserve(accounts, principal, 30))
    reserve(accounts, principal, 30)
    with pytest.raises(CreditsUsedUp):
        commit(accounts, late)
    clock.forward(seconds=30)
    assert commit(accounts, late).used == charges(accounts) == 50


def test_late_idempotent_call_is_charged_with_credit_of_another_call_after_its_deadline(
    accounts: Accounts, principal: Principal, clock: ManualClock
) -> None:
    late = reserve(accounts, principal, 30)
    clock.forward(seconds=30)
    accounts.credits.beat()
    for _ in range(49):
        commit(accounts, reserve(accounts, principal, 30))
    reserve(accounts, principal, 30)
    clock.forward(seconds=30)
    assert commit(accounts, late, record=lambda _session, _usage: None).used == charges(accounts) == 50


@pytest.mark.anyio
async def test_call_that_is_cancelled_while_its_credit_is_reserved_holds_none(
    settings: AccountSettings, accounts: Accounts, principal: Principal
) -> None:
    rates = RateLimits.open(settings)
    with closing(rates), closing(Accounting(accounts.keys, accounts.credits, rates)) as accounting:
        call = asyncio.create_task(accounting.reserve(principal, 30))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert holds_of(accounts) == 0
