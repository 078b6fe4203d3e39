"""50 credits are 50 successes: in threads, in processes, and when processes are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from threading import Barrier

import pytest
from sqlalchemy import func, select

from mediakit.accounts import Accounts, Caller, Hold
from mediakit.accounts.clock import utc_now
from mediakit.accounts.models import ChargeRow, HoldRow
from mediakit.errors import CreditsUsedUp
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import HandClock, new_caller

pytest_plugins = ["tests.support.accounts_fixtures"]

LIMIT = 50


@pytest.fixture
def shared(settings: AccountSettings) -> Iterator[Accounts]:
    """Accounts on the real clock, as other processes have it."""
    with closing(Accounts.open(settings)) as accounts:
        yield accounts


def count(accounts: Accounts, table: type[ChargeRow | HoldRow]) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(table)).one()


def test_80_calls_at_once_make_exactly_50_successes(shared: Accounts) -> None:
    caller, start = new_caller(shared), Barrier(80)

    def call(_: int) -> bool:
        start.wait()
        try:
            shared.commit(shared.reserve(caller, 60))
        except CreditsUsedUp:
            return False
        return True

    with ThreadPoolExecutor(80) as pool:
        assert sum(pool.map(call, range(80))) == LIMIT
    assert shared.usage(caller).used == count(shared, ChargeRow) == LIMIT


def test_the_last_credit_goes_to_one_of_32_calls_again_and_again(shared: Accounts) -> None:
    caller = new_caller(shared)
    for _ in range(LIMIT - 1):
        shared.commit(shared.reserve(caller, 60))

    holds: list[Hold] = []

    def reserve(_: int) -> bool:
        try:
            holds.append(shared.reserve(caller, 60))
        except CreditsUsedUp:
            return False
        return True

    with ThreadPoolExecutor(32) as pool:
        for _ in range(5):
            holds.clear()
            assert sum(pool.map(reserve, range(32))) == 1
            shared.release(holds[0])
    assert shared.usage(caller).remaining == 1


def test_one_call_committed_by_many_threads_is_charged_once(shared: Accounts) -> None:
    hold = shared.reserve(new_caller(shared), 60)
    with ThreadPoolExecutor(16) as pool:
        assert {usage.used for usage in pool.map(shared.commit, [hold] * 16)} == {1}
    assert count(shared, ChargeRow) == 1


def spend_everything(settings: AccountSettings, caller: Caller) -> int:
    """Call until no credit remains; every third call fails."""
    successes = attempt = 0
    with closing(Accounts.open(settings)) as accounts:
        while accounts.usage(caller).remaining:
            attempt += 1
            try:
                hold = accounts.reserve(caller, 60)
            except CreditsUsedUp:
                continue
            if attempt % 3 == 0:
                accounts.release(hold)
                continue
            accounts.commit(hold)
            successes += 1
    return successes


def test_processes_that_share_50_credits_have_exactly_50_successes(settings: AccountSettings, shared: Accounts) -> None:
    caller = new_caller(shared)
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        assert sum(pool.map(spend_everything, [settings] * 3, [caller] * 3)) == LIMIT
    assert shared.usage(caller).used == count(shared, ChargeRow) == LIMIT
    assert count(shared, HoldRow) == 0


HOLDER = """
import sys
from mediakit.accounts import Accounts
from mediakit.settings import AccountSettings
home, url, key, calls = sys.argv[1:]
accounts = Accounts.open(AccountSettings(home=home, database_url=url or None))
caller = accounts.authenticate(key)
for call in range(int(calls)):
    hold = accounts.reserve(caller, 60)
    if call % 2:
        accounts.commit(hold)
print("done", flush=True)
sys.stdin.read()
"""


def start_holder(settings: AccountSettings, key: str, calls: int) -> "subprocess.Popen[str]":
    arguments = [str(settings.home), settings.database_url or "", key, str(calls)]
    command = [sys.executable, "-c", HOLDER, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def kill(process: "subprocess.Popen[str]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def fresh_key(accounts: Accounts, email: str = "ada@example.com") -> str:
    accounts.create_account(email, verified=True)
    return accounts.create_key(email).key


def spend_the_rest(accounts: Accounts, caller: Caller) -> int:
    successes = 0
    while True:
        try:
            accounts.commit(accounts.reserve(caller, 60))
        except CreditsUsedUp:
            return successes
        successes += 1


def test_a_killed_process_takes_no_credit_with_it(settings: AccountSettings) -> None:
    clock = HandClock(utc_now())
    with closing(Accounts.open(settings, clock)) as accounts:
        key = fresh_key(accounts)
        holder = start_holder(settings, key, calls=LIMIT)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "done\n"
        kill(holder)
        caller = accounts.authenticate(key)
        with pytest.raises(CreditsUsedUp):
            accounts.reserve(caller, 60)
        clock.forward(minutes=10)
        assert spend_the_rest(accounts, caller) == LIMIT // 2
        assert accounts.usage(caller).used == count(accounts, ChargeRow) == LIMIT


def test_processes_killed_in_the_middle_of_calls_leave_the_books_right(
    settings: AccountSettings,
) -> None:
    clock = HandClock(utc_now())
    with closing(Accounts.open(settings, clock)) as accounts:
        key = fresh_key(accounts)
        caller = accounts.authenticate(key)
        holders = [start_holder(settings, key, calls=LIMIT) for _ in range(3)]
        while accounts.usage(caller).used < 3:
            time.sleep(0.01)
        for holder in holders:
            kill(holder)
        used = accounts.usage(caller).used
        assert used == count(accounts, ChargeRow)
        clock.forward(minutes=10)
        assert spend_the_rest(accounts, caller) == LIMIT - used
        assert accounts.usage(caller).used == count(accounts, ChargeRow) == LIMIT
