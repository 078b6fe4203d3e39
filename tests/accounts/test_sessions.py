"""Sessions of browsers: tokens, lifetimes, the list of an account."""

from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import select

from mediakit.accounts import Accounts
from mediakit.accounts.models import SessionRow
from mediakit.accounts.sign_in import IDLE_LIFETIME, LIFETIME, csrf_token, shown_network
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


@pytest.fixture
def account_id(accounts: Accounts) -> int:
    return accounts.create_account(ADA).account_id


def test_token_returns_account_and_session(accounts: Accounts, account_id: int, clock: ManualClock) -> None:
    new = accounts.sessions.create(account_id, "Firefox\n140", "203.0.113.77")
    found = accounts.sessions.find(new.token)
    assert found is not None
    account, session = found
    assert (account.email, session.id) == (ADA, new.session.id)
    assert (session.user_agent, session.network, session.created) == ("Firefox140", "203.0.113.0/24", clock.now)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("fe80::1%eth0", "fe80::/48"),
        (None, "unknown"),
        ("testclient", "unknown"),
    ],
)
def test_session_stores_network_instead_of_address(address: str | None, network: str) -> None:
    assert shown_network(address) == network


def test_wrong_tokens_are_rejected(accounts: Accounts, account_id: int) -> None:
    token = accounts.sessions.create(account_id).token
    session_id, secret = token.split(".")
    other = accounts.sessions.create(account_id).token.split(".")[1]
    for wrong in (
        "",
        ".",
        session_id,
        f"{session_id}.",
        f"{session_id}.{other}",
        f".{secret}",
        token + "x",
        "\ud800.é",
    ):
        assert accounts.sessions.find(wrong) is None
    assert accounts.sessions.find(token) is not None


def test_database_contains_no_token(accounts: Accounts, account_id: int) -> None:
    new = accounts.sessions.create(account_id)
    secret = new.token.split(".")[1]
    with accounts._database.read() as session:
        row = session.scalars(select(SessionRow)).one()
        assert secret.encode() not in row.digest
        assert len(row.digest) == 32
    assert secret not in repr(new)


def test_idle_session_ends_after_14_days(accounts: Accounts, account_id: int, clock: ManualClock) -> None:
    token = accounts.sessions.create(account_id).token
    clock.forward(days=14, seconds=-1)
    assert accounts.sessions.find(token) is not None
    clock.forward(days=14, seconds=-1)
    assert accounts.sessions.find(token) is not None
    clock.now += IDLE_LIFETIME
    assert accounts.sessions.find(token) is None
    assert accounts.sessions.list_of_account(account_id) == []


def test_used_session_ends_after_90_days(accounts: Accounts, account_id: int, clock: ManualClock) -> None:
    token, end = accounts.sessions.create(account_id).token, clock.now + LIFETIME
    while clock.now + timedelta(days=10) < end:
        clock.forward(days=10)
        assert accounts.sessions.find(token) is not None
    clock.now = end
    assert accounts.sessions.find(token) is None


def test_expired_sessions_are_deleted_by_next_sign_in(accounts: Accounts, account_id: int, clock: ManualClock) -> None:
    accounts.sessions.create(account_id)
    clock.forward(days=15)
    kept = accounts.sessions.create(account_id).session
    with accounts._database.read() as session:
        assert session.scalars(select(SessionRow.id)).all() == [kept.id]


def test_last_seen_is_updated_and_orders_the_list(accounts: Accounts, account_id: int, clock: ManualClock) -> None:
    first, second = accounts.sessions.create(account_id), accounts.sessions.create(account_id)
    clock.forward(minutes=10)
    accounts.sessions.find(first.token)
    listed = accounts.sessions.list_of_account(account_id)
    assert [session.id for session in listed] == [first.session.id, second.session.id]
    assert listed[0].last_seen == clock.now


def test_end_ends_own_session_only(accounts: Accounts, account_id: int) -> None:
    other = accounts.create_account("bob@example.com").account_id
    mine, theirs = accounts.sessions.create(account_id), accounts.sessions.create(other)
    accounts.sessions.end(account_id, theirs.session.id)
    assert accounts.sessions.find(theirs.token) is not None
    accounts.sessions.end(account_id, mine.session.id)
    assert accounts.sessions.find(mine.token) is None


def test_end_all_ends_only_sessions_of_account(accounts: Accounts, account_id: int) -> None:
    other = accounts.sessions.create(accounts.create_account("bob@example.com").account_id)
    tokens = [accounts.sessions.create(account_id).token for _ in range(3)]
    accounts.sessions.end_all(account_id)
    assert [accounts.sessions.find(token) for token in tokens] == [None] * 3
    assert accounts.sessions.find(other.token) is not None


def test_session_is_valid_on_all_servers(
    accounts: Accounts, account_id: int, settings: AccountSettings, clock: ManualClock
) -> None:
    token = accounts.sessions.create(account_id).token
    with closing(Accounts.open(settings, clock)) as other:
        assert other.sessions.find(token) is not None
        other.sessions.end_all(account_id)
    assert accounts.sessions.find(token) is None


def test_unknown_session_is_ended_without_an_error(accounts: Accounts, account_id: int) -> None:
    token = accounts.sessions.create(account_id).token
    for session_id in ("", "0" * 16, "\0"):
        accounts.sessions.end(account_id, session_id)
    assert accounts.sessions.find(token) is not None


def test_csrf_token_differs_by_session_and_reveals_no_token(accounts: Accounts, account_id: int) -> None:
    one, two = accounts.sessions.create(account_id).token, accounts.sessions.create(account_id).token
    assert csrf_token(one) == csrf_token(one) != csrf_token(two)
    assert one not in csrf_token(one)
