"""Admin rights, disabling and deletion of accounts, and keys that their owner manages."""

from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import text

from mediakit.accounts import Accounts, Links, StoredResponse
from mediakit.errors import InvalidKey, NotFound, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, commit, new_principal, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA, BOB = "ada@example.com", "bob@example.com"


def test_admin_right_is_given_and_removed(accounts: Accounts) -> None:
    assert accounts.create_account(ADA).admin is False
    assert accounts.create_account(BOB, admin=True).admin is True
    assert accounts.administration.set_admin(ADA, admin=True).admin is True
    assert accounts.account(ADA).admin is True
    assert accounts.administration.set_admin(ADA, admin=False).admin is False
    with pytest.raises(NotFound, match="has no account"):
        accounts.administration.set_admin("unknown@example.com", admin=True)


def test_disabled_account_is_rejected_on_all_servers(
    accounts: Accounts, settings: AccountSettings, clock: ManualClock
) -> None:
    account = accounts.create_account(ADA, verified=True)
    key, token = accounts.create_key(ADA).key, accounts.sessions.create(account.account_id).token
    with closing(Accounts.open(settings, clock)) as other:
        assert other.authenticate(key).email == ADA
        assert accounts.administration.disable(ADA).disabled == clock.now
        for server in (accounts, other):
            with pytest.raises(InvalidKey, match=r"^This API key is not valid\.$"):
                server.authenticate(key)
            assert server.sessions.find(token) is None


def test_enabled_account_works_again_without_its_sessions(accounts: Accounts) -> None:
    account = accounts.create_account(ADA, verified=True)
    key, token = accounts.create_key(ADA).key, accounts.sessions.create(account.account_id).token
    accounts.administration.disable(ADA)
    assert accounts.administration.enable(ADA).disabled is None
    assert accounts.authenticate(key).email == ADA
    assert accounts.sessions.find(token) is None


def test_deleted_account_leaves_calls_without_personal_data(accounts: Accounts, links: Links) -> None:
    principal = new_principal(accounts, ADA)
    key = accounts.create_key(ADA, "Ada's laptop")
    token = accounts.sessions.create(principal.account_id, "Ada's browser", "203.0.113.7").token
    commit(accounts, reserve(accounts, principal, 30))
    accounts.administration.delete(ADA, links)
    with pytest.raises(InvalidKey):
        accounts.authenticate(key.key)
    with pytest.raises(NotFound):
        accounts.account(ADA)
    assert accounts.sessions.find(token) is None
    assert accounts.list_accounts() == []
    with accounts._database.read() as session:
        assert session.execute(text("SELECT verified, admin FROM account")).all() == [(False, False)]
    assert accounts.usage(principal).used == 1
    with accounts._database.read() as session:
        for table in ("account", "api_key", "web_session", "sign_in_link", "outbox"):
            rows = session.execute(text(f"SELECT * FROM {table}")).all()
            assert "ada" not in repr(rows).lower()


def test_results_of_jobs_are_deleted_with_their_account(accounts: Accounts, links: Links) -> None:
    principal = new_principal(accounts, ADA)
    link = links.store(b"result", "text/plain", "result.txt", timedelta(hours=24))
    for job_id in ("done", "waiting"):
        accounts.jobs.create(
            job_id, principal, "qr", expected_seconds=1, claim=None, response=lambda _: StoredResponse(202, [], b"")
        )
    with accounts._database.write() as session:
        accounts.jobs.succeed(session, "done", {"result": {"token": link.token}}, link.size_bytes)
    accounts.administration.delete(ADA, links)
    with pytest.raises(NotFound):
        links.find(link.token)


def test_results_are_deleted_while_other_accounts_are_changed(
    accounts: Accounts, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    principal = new_principal(accounts, ADA)
    accounts.jobs.create(
        "job", principal, "qr", expected_seconds=1, claim=None, response=lambda _: StoredResponse(202, [], b"")
    )
    with accounts._database.write() as session:
        accounts.jobs.succeed(session, "job", {"result": {"token": "token"}}, 1)
    monkeypatch.setattr(Links, "delete", lambda _links, token: accounts.create_account(f"{token}@example.com"))
    accounts.administration.delete(ADA, links)
    assert [account.email for account in accounts.list_accounts()] == ["token@example.com"]


def test_account_is_not_deleted_while_the_store_of_results_does_not_respond(
    accounts: Accounts, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_links: Links, _token: str) -> None:
        raise ServerBusy("The link store does not respond.")

    principal = new_principal(accounts, ADA)
    accounts.jobs.create(
        "job", principal, "qr", expected_seconds=1, claim=None, response=lambda _: StoredResponse(202, [], b"")
    )
    with accounts._database.write() as session:
        accounts.jobs.succeed(session, "job", {"result": {"token": "token"}}, 1)
    monkeypatch.setattr(Links, "delete", fail)
    with pytest.raises(ServerBusy):
        accounts.administration.delete(ADA, links)
    assert accounts.account(ADA).account_id == principal.account_id
    assert accounts.jobs.find("job", principal.account_id)[0].state == "succeeded"


def test_deletion_removes_the_mail_of_that_account_only(accounts: Accounts, clock: ManualClock, links: Links) -> None:
    for email in (ADA, BOB):
        accounts.create_account(email)
        with accounts._database.write() as session:
            accounts.outbox.add(session, "quota_warning", email, {}, clock.now)
    accounts.administration.delete(ADA, links)
    with accounts._database.read() as session:
        assert set(session.execute(text("SELECT recipient FROM outbox")).scalars()) == {BOB}


def test_email_of_deleted_account_can_be_registered_again(accounts: Accounts, links: Links) -> None:
    first = new_principal(accounts, ADA)
    accounts.administration.delete(ADA, links)
    second = new_principal(accounts, ADA)
    assert first.account_id != second.account_id
    accounts.administration.delete(ADA, links)
    assert accounts.list_accounts() == []


def test_address_that_signs_up_again_continues_its_month(accounts: Accounts, clock: ManualClock, links: Links) -> None:
    for used in (1, 2):  # also after a second deletion
        principal = new_principal(accounts, ADA)
        commit(accounts, reserve(accounts, principal, 30))
        usage = accounts.usage(principal)
        assert usage.used == used
        clock.now += timedelta(days=1)
        accounts.administration.delete(ADA, links)
    again = accounts.usage(new_principal(accounts, ADA))
    assert (again.used, again.reset) == (2, usage.reset)
    assert accounts.usage(new_principal(accounts, BOB)).used == 0
    accounts.administration.delete(ADA, links)
    clock.now += timedelta(days=31)
    assert accounts.usage(new_principal(accounts, ADA)).used == 0
