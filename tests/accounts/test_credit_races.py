"""50 credits allow exactly 50 successful calls: in threads, in processes, and when processes are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from threading import Barrier

import pytest
from sqlalchemy import func, select

from mediakit.accounts import Accounts, Hold, Principal
from mediakit.accounts.clock import utc_now
from mediakit.accounts.models import CallRow, HoldRow
from mediakit.errors import CreditsUsedUp
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, commit, new_principal, release, reserve
from tests.support.server_process import wait_until

pytest_plugins = ["tests.support.accounts_fixtures"]

LIMIT = 50


@pytest.fixture
def shared(settings: AccountSettings) -> Iterator[Accounts]:
    """Accounts with the system clock, which other processes use, too."""
    with closing(Accounts.open(settings)) as accounts:
        yield accounts


def count_charges(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(CallRow)).one()


def held_credits(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(HoldRow)).one()


def test_80_concurrent_calls_charge_exactly_50_credits(shared: Accounts) -> None:
    principal, start = new_principal(shared), Barrier(80)

    def call(_: int) -> bool:
        start.wait()
        try:
            commit(shared, reserve(shared, principal, 60))
        except CreditsUsedUp:
            return False
        return True

    with ThreadPoolExecutor(80) as pool:
        assert sum(pool.map(call, range(80))) == LIMIT
    assert shared.usage(principal).used == count_charges(shared) == LIMIT


def test_last_credit_is_reserved_by_one_of_32_concurrent_calls(shared: Accounts) -> None:
    principal = new_principal(shared)
    for _ in range(LIMIT - 1):
        commit(shared, reserve(shared, principal, 60))

    holds: list[Hold] = []

    def is_reserved(_: int) -> bool:
        try:
            holds.append(reserve(shared, principal, 60))
        except CreditsUsedUp:
            return False
        return True

    with ThreadPoolExecutor(32) as pool:
        for _ in range(5):
            holds.clear()
            assert sum(pool.map(is_reserved, range(32))) == 1
            release(shared, holds[0])
    assert shared.usage(principal).remaining == 1


def test_hold_committed_by_concurrent_threads_is_charged_once(shared: Accounts) -> None:
    hold = reserve(shared, new_principal(shared), 60)
    with ThreadPoolExecutor(16) as pool:
        assert {usage.used for usage in pool.map(partial(commit, shared), [hold] * 16)} == {1}
    assert count_charges(shared) == 1


def use_all_credits(settings: AccountSettings, principal: Principal) -> int:
    """Call until no credit remains, and let every third call fail."""
    successes = attempt = 0
    with closing(Accounts.open(settings)) as accounts:
        while accounts.usage(principal).remaining:
            attempt += 1
            try:
                hold = reserve(accounts, principal, 60)
            except CreditsUsedUp:
                continue
            if attempt % 3 == 0:
                release(accounts, hold)
                continue
            commit(accounts, hold)
            successes += 1
    return successes


def test_processes_that_share_50_credits_charge_exactly_50(settings: AccountSettings, shared: Accounts) -> None:
    principal = new_principal(shared)
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        assert sum(pool.map(use_all_credits, [settings] * 3, [principal] * 3)) == LIMIT
    assert shared.usage(principal).used == count_charges(shared) == LIMIT
    assert held_credits(shared) == 0


HOLDER_SCRIPT = """
import sys
from mediakit.accounts import Accounts
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import commit, reserve
home, url, key, calls = sys.argv[1:]
accounts = Accounts.open(AccountSettings(home=home, database_url=url or None))
principal = accounts.authenticate(key)
for call in range(int(calls)):
    hold = reserve(accounts, principal, 60)
    if call % 2:
        commit(accounts, hold)
print("done", flush=True)
sys.stdin.read()
"""


def start_holder(settings: AccountSettings, key: str, calls: int) -> "subprocess.Popen[str]":
    arguments = [str(settings.home), settings.database_url or "", key, str(calls)]
    command = [sys.executable, "-c", HOLDER_SCRIPT, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def kill(process: "subprocess.Popen[str]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def fresh_key(accounts: Accounts, email: str = "ada@example.com") -> str:
    accounts.create_account(email, verified=True)
    return accounts.create_key(email).key


def use_remaining_credits(accounts: Accounts, principal: Principal) -> int:
    successes = 0
    while True:
        try:
            commit(accounts, reserve(accounts, principal, 60))
        except CreditsUsedUp:
            return successes
        successes += 1


def test_holds_of_killed_process_expire(settings: AccountSettings) -> None:
    clock = ManualClock(utc_now())
    with closing(Accounts.open(settings, clock)) as accounts:
        key = fresh_key(accounts)
        holder = start_holder(settings, key, calls=LIMIT)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "done\n"
        kill(holder)
        principal = accounts.authenticate(key)
        with pytest.raises(CreditsUsedUp):
            reserve(accounts, principal, 60)
        clock.forward(minutes=10)
        assert use_remaining_credits(accounts, principal) == LIMIT // 2
        assert accounts.usage(principal).used == count_charges(accounts) == LIMIT


def test_processes_killed_during_calls_leave_consistent_charges(
    settings: AccountSettings,
) -> None:
    clock = ManualClock(utc_now())
    with closing(Accounts.open(settings, clock)) as accounts:
        key = fresh_key(accounts)
        principal = accounts.authenticate(key)
        holders = [start_holder(settings, key, calls=LIMIT) for _ in range(3)]
        while accounts.usage(principal).used < 3:
            time.sleep(0.01)
        for holder in holders:
            kill(holder)
        # PostgreSQL can commit the last transaction of a killed process a moment later.
        wait_until(lambda: accounts.usage(principal).used == count_charges(accounts))
        clock.forward(minutes=10)
        assert use_remaining_credits(accounts, principal) <= LIMIT - 3
        assert accounts.usage(principal).used == count_charges(accounts) == LIMIT
