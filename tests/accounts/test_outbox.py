"""The outbox: one server sends a message at a time, failed messages are repeated later, old ones are given up."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

from sqlalchemy import select

from mediakit.accounts import Accounts
from mediakit.accounts.mail import CLAIM, GIVE_UP_AFTER, MAX_RETRY
from mediakit.accounts.models import MessageRow
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock

pytest_plugins = ["tests.support.accounts_fixtures"]


def add(accounts: Accounts, recipient: str = "ada@example.com") -> None:
    with accounts._database.write() as session:
        accounts.outbox.add(session, "test", recipient, {"name": "Ada"}, accounts._database.now(session))


def test_message_is_claimed_with_its_values(accounts: Accounts, clock: ManualClock) -> None:
    assert accounts.outbox.claim() is None
    add(accounts)
    message = accounts.outbox.claim()
    assert message is not None
    assert (message.kind, message.recipient, message.values) == ("test", "ada@example.com", {"name": "Ada"})
    assert (message.created, message.attempts, accounts.outbox.size()) == (clock.now, 1, 1)
    accounts.outbox.remove(message)
    assert accounts.outbox.size() == 0


def test_each_message_is_claimed_by_one_server(
    accounts: Accounts, settings: AccountSettings, clock: ManualClock
) -> None:
    for number in range(12):
        add(accounts, f"user{number}@example.com")
    with closing(Accounts.open(settings, clock)) as other, ThreadPoolExecutor(8) as threads:
        claimed = list(threads.map(lambda number: (accounts, other)[number % 2].outbox.claim(), range(24)))
    counts = Counter(message.recipient for message in claimed if message)
    assert set(counts.values()) == {1}
    while message := accounts.outbox.claim():  # PostgreSQL skips rows that another transaction has locked
        counts[message.recipient] += 1
    assert counts == Counter({f"user{number}@example.com": 1 for number in range(12)})


def test_message_of_stopped_server_is_claimed_later(accounts: Accounts, clock: ManualClock) -> None:
    add(accounts)
    assert accounts.outbox.claim()
    clock.now += CLAIM - timedelta(seconds=1)
    assert accounts.outbox.claim() is None
    clock.forward(seconds=1)
    again = accounts.outbox.claim()
    assert again is not None
    assert again.attempts == 2


def test_failed_message_is_repeated_later_each_time_until_given_up(accounts: Accounts, clock: ManualClock) -> None:
    add(accounts)
    start, waits = clock.now, []
    while (message := accounts.outbox.claim()) and accounts.outbox.retry(message):
        with accounts._database.read() as session:
            due = session.scalars(select(MessageRow.next_attempt)).one()
        waits.append(due - clock.now)
        clock.now = due - timedelta(seconds=1)
        assert accounts.outbox.claim() is None
        clock.now = due
    assert [wait.total_seconds() for wait in waits[:4]] == [30, 60, 120, 240]
    assert waits == sorted(waits)
    assert waits[-1] == MAX_RETRY
    assert GIVE_UP_AFTER - MAX_RETRY <= clock.now - start <= GIVE_UP_AFTER
    assert accounts.outbox.size() == 0
