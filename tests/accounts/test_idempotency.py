"""Claims of idempotency keys and stored responses, on SQLite and PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from mediakit.accounts import Accounts, Claim, StoredResponse, idempotency
from mediakit.accounts.models import IdempotentCallRow
from mediakit.errors import CallInProgress, InvalidInput
from mediakit.usage import Usage
from tests.support.accounts_kit import ManualClock, commit, new_principal, reserve
from tests.support.server_process import wait_until

pytest_plugins = ["tests.support.accounts_fixtures"]

DIGEST, OTHER = b"1" * 32, b"2" * 32
RESPONSE = StoredResponse(200, [("content-type", "text/plain")], b"\x00hello")


def claim(accounts: Accounts, account_id: int, key: str = "key", digest: bytes = DIGEST) -> Claim:
    claimed = accounts.idempotent_calls.claim(account_id, key, digest)
    assert isinstance(claimed, Claim)
    return claimed


def rows(accounts: Accounts) -> int:
    with accounts._database.read() as session:
        return session.scalars(select(func.count()).select_from(IdempotentCallRow)).one()


def expiry(accounts: Accounts) -> datetime:
    with accounts._database.read() as session:
        return session.scalars(select(IdempotentCallRow.expires)).one()


def charge(accounts: Accounts, claimed: Claim) -> Usage:
    def record(session: Session, _usage: Usage) -> None:
        accounts.idempotent_calls.store(session, claimed, RESPONSE)

    principal = accounts.authenticate(accounts.create_key("ada@example.com").key)
    return commit(accounts, reserve(accounts, principal, 60), record=record)


def test_response_is_returned_until_24_hours_after_the_charge(accounts: Accounts, clock: ManualClock) -> None:
    account = new_principal(accounts).account_id
    assert charge(accounts, claim(accounts, account)).used == 1
    clock.forward(hours=23, minutes=59)
    assert accounts.idempotent_calls.claim(account, "key", DIGEST) == RESPONSE
    with pytest.raises(InvalidInput, match="was used for another request"):
        accounts.idempotent_calls.claim(account, "key", OTHER)
    clock.forward(minutes=1)
    claim(accounts, account, digest=OTHER)


def test_claim_expires_so_that_a_stopped_server_does_not_block_a_key(accounts: Accounts, clock: ManualClock) -> None:
    account = new_principal(accounts).account_id
    lost = claim(accounts, account)
    accounts.idempotent_calls.close()
    clock.forward(seconds=9)
    with pytest.raises(CallInProgress):
        claim(accounts, account)
    clock.forward(seconds=1)
    charge(accounts, claim(accounts, account))
    with pytest.raises(CallInProgress, match="another call with this key has started"):
        charge(accounts, lost)
    accounts.idempotent_calls.release(lost)
    assert accounts.usage(accounts.account("ada@example.com")).used == 1
    assert accounts.idempotent_calls.claim(account, "key", DIGEST) == RESPONSE


def test_account_has_room_for_64_mb_of_stored_responses(
    accounts: Accounts, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "ACCOUNT_BYTES", 300_000)
    account, other = (new_principal(accounts, f"{name}@example.com").account_id for name in ("ada", "bob"))

    def stored_bytes(key: str, account_id: int, size: int) -> int | None:
        claimed = claim(accounts, account_id, key)
        with accounts._database.write() as session:
            accounts.idempotent_calls.store(session, claimed, StoredResponse(200, [], bytes(size)))
        found = accounts.idempotent_calls.claim(account_id, key, DIGEST)
        assert isinstance(found, StoredResponse)
        return None if found.body is None else len(found.body)

    assert stored_bytes("first", account, 200_000) == 200_000
    assert stored_bytes("second", account, 200_000) is None
    assert stored_bytes("small", account, 60_000) == 60_000
    assert stored_bytes("first", other, 200_000) == 200_000
    clock.forward(hours=25)
    accounts.idempotent_calls.delete_expired()
    assert stored_bytes("third", account, 200_000) == 200_000


def test_released_key_can_be_claimed_again(accounts: Accounts) -> None:
    account = new_principal(accounts).account_id
    accounts.idempotent_calls.release(claim(accounts, account))
    claim(accounts, account, digest=OTHER)


def test_one_of_16_concurrent_claims_succeeds(accounts: Accounts, clock: ManualClock) -> None:
    account = new_principal(accounts).account_id
    accounts.idempotent_calls.close()
    for _ in range(3):  # a new key, then twice an expired one

        def attempt(_: int) -> bool:
            try:
                return isinstance(accounts.idempotent_calls.claim(account, "key", DIGEST), Claim)
            except CallInProgress:
                return False

        with ThreadPoolExecutor(16) as pool:
            assert sum(pool.map(attempt, range(16))) == 1
        clock.forward(seconds=10)


def test_claim_of_running_call_is_renewed(
    accounts: Accounts, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts.idempotent_calls._heartbeat, "_seconds", 0.01)
    monkeypatch.setattr(idempotency, "RENEW_SECONDS", 0.01)
    account = new_principal(accounts).account_id
    running = claim(accounts, account)
    clock.forward(seconds=9)
    before = expiry(accounts)
    wait_until(lambda: expiry(accounts) > before)
    clock.forward(seconds=9)
    with pytest.raises(CallInProgress):
        claim(accounts, account)
    charge(accounts, running)
    assert accounts.idempotent_calls.claim(account, "key", DIGEST) == RESPONSE


def test_expired_responses_are_deleted(accounts: Accounts, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts.idempotent_calls._heartbeat, "_seconds", 0.01)
    monkeypatch.setattr(idempotency, "RENEW_SECONDS", 0.01)
    monkeypatch.setattr(idempotency, "DELETE_SECONDS", 0.0)
    monkeypatch.setattr(idempotency, "ROWS_PER_DELETE", 3)
    account = new_principal(accounts).account_id
    for number in range(10):
        accounts.idempotent_calls.store_failure(claim(accounts, account, f"old {number}"), RESPONSE)
    clock.forward(hours=24)
    accounts.idempotent_calls.store_failure(claim(accounts, account, "new"), RESPONSE)
    wait_until(lambda: rows(accounts) == 1)
    assert accounts.idempotent_calls.claim(account, "new", DIGEST) == RESPONSE
