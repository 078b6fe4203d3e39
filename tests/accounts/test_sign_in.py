"""Sign-in links: who gets one, how long it works, that it works once, and how many can be requested."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlalchemy import select, text

from mediakit.accounts import Accounts, Links
from mediakit.accounts.models import MessageRow, RequestCountRow, SignInLinkRow
from mediakit.accounts.rate_limits import SignInLimitReached
from mediakit.accounts.sign_in import LINKS_PER_EMAIL, LINKS_PER_NETWORK
from mediakit.errors import InvalidInput
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA, BOB = "ada@example.com", "bob@example.com"
BASE = "https://api.example.com"


def token_for(accounts: Accounts, email: str = ADA, *, sign_up: bool = False) -> str:
    link = accounts.sign_in.create_link(email, sign_up=sign_up)
    assert link is not None
    return link.token


def test_link_signs_in_and_verifies_email(accounts: Accounts) -> None:
    created = accounts.create_account(ADA, "pro")
    token = token_for(accounts)
    link = accounts.sign_in.find_link(token, sign_up=False)
    assert link is not None
    assert (link.email, link.is_new) == (ADA, False)
    assert accounts.account(ADA).verified is False
    account = accounts.sign_in.use_link(token, sign_up=False)
    assert account is not None
    assert (account.account_id, account.verified, account.plan) == (created.account_id, True, "pro")


def test_link_works_once(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    token = token_for(accounts)
    assert accounts.sign_in.use_link(token, sign_up=False)
    assert accounts.sign_in.find_link(token, sign_up=False) is None
    assert accounts.sign_in.use_link(token, sign_up=False) is None


def test_link_works_once_in_parallel_requests(accounts: Accounts) -> None:
    token = token_for(accounts, sign_up=True)
    with ThreadPoolExecutor(8) as threads:
        used = list(threads.map(lambda _: accounts.sign_in.use_link(token, sign_up=True), range(8)))
    assert len([account for account in used if account]) == 1
    assert len(accounts.list_accounts()) == 1


def test_used_link_ends_other_links_of_address(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    accounts.create_account(BOB)
    first, second, bobs = token_for(accounts), token_for(accounts), token_for(accounts, BOB)
    assert accounts.sign_in.use_link(second, sign_up=False)
    assert accounts.sign_in.use_link(first, sign_up=False) is None
    assert accounts.sign_in.use_link(bobs, sign_up=False)


def test_link_expires_after_20_minutes(accounts: Accounts, clock: ManualClock) -> None:
    accounts.create_account(ADA)
    token = token_for(accounts)
    clock.forward(minutes=20, seconds=-1)
    assert accounts.sign_in.find_link(token, sign_up=False)
    clock.forward(seconds=1)
    assert accounts.sign_in.find_link(token, sign_up=False) is None
    assert accounts.sign_in.use_link(token, sign_up=False) is None


def test_unknown_links_are_rejected(accounts: Accounts) -> None:
    for token in ("", "x" * 43, "é" * 43, "\0" * 43, "x" * 100_000, "../" * 15):
        assert accounts.sign_in.find_link(token, sign_up=True) is None
        assert accounts.sign_in.use_link(token, sign_up=True) is None


def test_link_creates_account_on_free_plan_if_sign_up_is_open(accounts: Accounts) -> None:
    token = token_for(accounts, sign_up=True)
    link = accounts.sign_in.find_link(token, sign_up=True)
    assert link is not None
    assert link.is_new
    assert accounts.list_accounts() == []
    account = accounts.sign_in.use_link(token, sign_up=True)
    assert account is not None
    assert (account.email, account.plan, account.verified, account.admin) == (ADA, "free", True, False)
    assert accounts.usage(account).limit == 50


def test_unknown_address_gets_no_link_if_sign_up_is_closed(accounts: Accounts) -> None:
    assert accounts.sign_in.create_link(ADA, sign_up=False) is None


def test_link_creates_no_account_after_sign_up_was_closed(accounts: Accounts) -> None:
    token = token_for(accounts, sign_up=True)
    assert accounts.sign_in.find_link(token, sign_up=False) is None
    assert accounts.sign_in.use_link(token, sign_up=False) is None
    assert accounts.list_accounts() == []


def test_disabled_account_gets_no_link_and_cannot_use_one(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    token = token_for(accounts)
    accounts.administration.disable(ADA)
    assert accounts.sign_in.create_link(ADA, sign_up=True) is None
    assert accounts.sign_in.find_link(token, sign_up=True) is None
    assert accounts.sign_in.use_link(token, sign_up=True) is None


def test_link_of_deleted_account_is_deleted(accounts: Accounts, links: Links) -> None:
    accounts.create_account(ADA)
    token = token_for(accounts)
    accounts.administration.delete(ADA, links)
    assert accounts.sign_in.use_link(token, sign_up=True) is None


def test_database_contains_no_token(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    token = token_for(accounts)
    with accounts._database.read() as session:
        assert token.encode() not in session.scalars(select(SignInLinkRow.digest)).one()


def test_request_adds_same_rows_for_known_and_unknown_address(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    for email in (" Ada@Example.com", BOB):
        accounts.sign_in.request_link(email, BASE, "203.0.113.7")
    with accounts._database.read() as session:
        rows = session.execute(text("SELECT kind, recipient, content, attempts FROM outbox ORDER BY recipient")).all()
        assert session.scalars(select(SignInLinkRow)).all() == []
    assert [row.recipient for row in rows] == [ADA, BOB]
    assert len({(row.kind, repr(row.content), row.attempts) for row in rows}) == 1


def test_invalid_addresses_are_rejected(accounts: Accounts) -> None:
    headers = [f"a{char}b@example.com" for char in '<>()[]:;,\\"'] + ["ada@example.com\nBcc: bob@example.com"]
    for email in ("", "ada", "a@b@example.com", "ada@localhost", "a b@example.com", *headers):
        with pytest.raises(InvalidInput, match=r"^email: "):
            accounts.sign_in.request_link(email, BASE, "203.0.113.7")
    assert accounts.outbox.size() == 0


def _refused(request: Callable[[], object]) -> SignInLimitReached:
    with pytest.raises(SignInLimitReached) as caught:
        request()
    return caught.value


def test_links_per_address_are_limited_on_all_servers(
    accounts: Accounts, settings: AccountSettings, clock: ManualClock
) -> None:
    with closing(Accounts.open(settings, clock)) as other:
        for number in range(LINKS_PER_EMAIL):
            server = (accounts, other)[number % 2]
            server.sign_in.request_link(ADA, BASE, f"203.0.113.{number}")
        for server in (accounts, other):
            error = _refused(lambda server=server: server.sign_in.request_link(ADA, BASE, "203.0.113.99"))  # type: ignore[misc]
            assert error.retry_after == 3600
            server.sign_in.request_link(BOB, BASE, "203.0.113.99")
        clock.forward(seconds=error.retry_after)
        accounts.sign_in.request_link(ADA, BASE, "203.0.113.99")
    with accounts._database.read() as session:
        assert len(session.scalars(select(RequestCountRow)).all()) == 2
        assert ADA not in repr(session.scalars(select(RequestCountRow.subject)).all())


def test_links_per_network_are_limited(accounts: Accounts) -> None:
    for number in range(LINKS_PER_NETWORK):
        accounts.sign_in.request_link(f"user{number}@example.com", BASE, "203.0.113.7")
    assert "Too many sign-in links" in str(_refused(lambda: accounts.sign_in.request_link(ADA, BASE, "203.0.113.7")))
    accounts.sign_in.request_link(ADA, BASE, "203.0.113.8")
    with accounts._database.read() as session:
        assert len(session.scalars(select(MessageRow)).all()) == LINKS_PER_NETWORK + 1


def test_limit_is_exact_in_parallel_requests(accounts: Accounts) -> None:
    def request(_: int) -> bool:
        try:
            accounts.sign_in.request_link(ADA, BASE, "203.0.113.7")
        except SignInLimitReached:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(request, range(16))) == LINKS_PER_EMAIL
