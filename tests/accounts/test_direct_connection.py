"""Transactions of the direct connection to PostgreSQL: complete or not at all, on a connection that stays clean."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select, text

from mediakit.accounts import Accounts
from mediakit.accounts.credits import _INSERT_HOLD, _LOCK_WITHOUT_FLUSH
from mediakit.accounts.database import CLOCK
from mediakit.accounts.direct_connection import ConnectionLost, Step
from mediakit.accounts.models import HoldRow
from tests.support.accounts_kit import NOON, new_principal

pytest_plugins = ["tests.support.accounts_fixtures"]
pytestmark = pytest.mark.parametrize("settings", ["postgresql"], indirect=True)


@pytest.fixture
def steps(accounts: Accounts) -> list[Step]:
    """The steps of a reservation of three credits."""
    account_id = new_principal(accounts).account_id
    return [(_LOCK_WITHOUT_FLUSH, {"account": account_id}), *(insert_hold(account_id, name) for name in "abc")]


def insert_hold(account_id: int, name: str, **values: Any) -> Step:
    times = {"month": NOON, "until": NOON, "deadline": NOON}
    return _INSERT_HOLD, {"account": account_id, "hold": name, "limit": 50, **times, **values}


def count_holds(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(HoldRow)).one()


def assert_clean(accounts: Accounts) -> None:
    """Check the state of the open connection."""
    connection = accounts._database.direct._connection
    assert connection.info.transaction_status.name == "IDLE"
    assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


@contextmanager
def locked_account(accounts: Accounts) -> Iterator[None]:
    with accounts._database.write() as session:
        session.execute(text("SELECT id FROM account FOR UPDATE"))
        yield


def test_reservation_restores_synchronous_commit(accounts: Accounts, steps: list[Step]) -> None:
    accounts._database.direct.transact(*steps)
    assert count_holds(accounts) == 3
    assert_clean(accounts)


@pytest.mark.parametrize(
    "wrong", [{"limit": "many"}, {"until": "noon"}, {"name": "\0"}, {"name": "x" * 99}, {"account_id": -1}]
)
def test_error_in_any_step_rolls_back_all(accounts: Accounts, steps: list[Step], wrong: dict[str, Any]) -> None:
    bad = insert_hold(**{"account_id": steps[0][1]["account"], "name": "d", **wrong})
    for at in range(len(steps) + 1):
        with pytest.raises(Exception):  # noqa: B017, PT011  # of the driver, or of a conversion before it
            accounts._database.direct.transact(*steps[:at], bad, *steps[at:])
        assert count_holds(accounts) == 0
        assert_clean(accounts)


def test_interruption_between_steps_rolls_back_all(
    accounts: Accounts, steps: list[Step], monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = accounts._database.direct
    execute = direct._execute

    def interrupted(step: Step) -> Any:
        if step is steps[-1]:
            raise KeyboardInterrupt
        return execute(step)

    monkeypatch.setattr(direct, "_execute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        direct.transact(*steps)
    assert count_holds(accounts) == 0
    assert_clean(accounts)


def test_connection_lost_while_waiting_for_lock_stores_nothing(accounts: Accounts, steps: list[Step]) -> None:
    direct = accounts._database.direct
    direct.run((CLOCK, {}))
    pid = direct._connection.info.backend_pid

    def terminate() -> None:
        with accounts._database.read() as session:
            session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})

    with locked_account(accounts):
        timer = threading.Timer(0.3, terminate)
        timer.start()
        with pytest.raises(ConnectionLost):
            direct.transact(*steps)
        timer.join()
    assert count_holds(accounts) == 0
    direct.transact(*steps)
    assert count_holds(accounts) == 3
    assert_clean(accounts)


def test_timeout_of_lock_rolls_back_steps_before_it(accounts: Accounts, steps: list[Step]) -> None:
    direct = accounts._database.direct
    direct.run((CLOCK, {}))
    direct._connection.execute("SET lock_timeout = 100")
    with locked_account(accounts), pytest.raises(ConnectionLost):
        direct.transact((CLOCK, {}), *steps)
    assert count_holds(accounts) == 0


def test_lock_is_taken_before_balance_is_read(accounts: Accounts, steps: list[Step]) -> None:
    def reserve() -> None:
        accounts._database.direct.transact(*((step, {**values, "limit": 1}) for step, values in steps))

    with accounts._database.write() as session:
        session.execute(text("SELECT id FROM account FOR UPDATE"))
        thread = threading.Thread(target=reserve)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()  # waits for the lock, with the last credit free
        session.add(
            HoldRow(id="other", account_id=steps[0][1]["account"], period_start=NOON, expires=NOON, deadline=NOON)
        )
    thread.join()
    assert count_holds(accounts) == 1
