"""Calls with an idempotency key: executed and charged once, and their response stored for 24 hours.

A call first claims its key. Its response is stored in the transaction of its charge, so that a call is never charged
without a stored response. Until then, other calls with the key fail. The claim of a call that fails is released. A
claim is renewed while its call runs, so the claims of a server that stopped expire within seconds.

The `call_id` of a stored response is the id of its charge: when a charge is undone, its response has to be deleted.

The database contains digests of the keys, and the rows belong to their account.
"""

import hashlib
import json
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Insert, bindparam, delete, func, null, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from mediakit.accounts.clock import Heartbeat
from mediakit.accounts.database import Database
from mediakit.accounts.models import IdempotentCallRow
from mediakit.errors import CallInProgress, InvalidInput, ServerBusy

RESPONSE_LIFETIME = timedelta(hours=24)

RENEW_SECONDS = 1.0
"""Time between two renewals of a claim. Shorter calls need none."""

DELETE_SECONDS = 10.0
"""Time between two deletions of expired rows."""

CLAIM_LIFETIME = timedelta(seconds=10)
"""Lifetime of a claim that is not renewed. A server that was paused for longer has lost its claims."""

MAX_STORED_BYTES = 32 * 1024 * 1024
"""Size of the largest body that is stored. After a larger one, a repeated call runs again without a charge."""

ACCOUNT_BYTES = 64 * 1024 * 1024
"""Size of all bodies that are stored for an account. When they are as large, no further large one is stored."""

SMALL_BYTES = 64 * 1024
"""Bodies up to this size are always stored; the rate limit bounds their number."""

ROWS_PER_DELETE = 20
"""Expired rows that one transaction deletes, so that calls do not wait for it. A row can have a large body."""

_REUSED = "was used for another request in the last 24 hours; use a new key for each request."
_IN_PROGRESS = "Idempotency-Key: a call with this key is running. Try again in 1 second to receive its response."
_LOST_CLAIM = "Idempotency-Key: the call took too long, and another call with this key has started."

_ROW = IdempotentCallRow
_KEY = (_ROW.account_id == bindparam("account"), _ROW.key_digest == bindparam("digest"))
_BULK = {"synchronize_session": False}
_BY_KEY = select(_ROW.fingerprint, _ROW.status, _ROW.headers, _ROW.body).where(*_KEY)
_STORED_BYTES = select(func.sum(func.length(_ROW.body))).where(_ROW.account_id == bindparam("account"))
_OWN = (*_KEY, _ROW.call_id == bindparam("call"), _ROW.status.is_(null()))
_RENEW = update(_ROW).where(*_OWN).values(expires=bindparam("until")).execution_options(**_BULK)
_RELEASE = delete(_ROW).where(*_OWN).execution_options(**_BULK)
_IS_EXPIRED = _ROW.expires <= bindparam("now")
_DELETE_KEY_IF_EXPIRED = delete(_ROW).where(*_KEY, _IS_EXPIRED).execution_options(**_BULK)
_EXPIRED = (
    select(_ROW.account_id, _ROW.key_digest).where(_IS_EXPIRED).limit(ROWS_PER_DELETE).with_for_update(skip_locked=True)
)
_DELETE_EXPIRED = (
    delete(_ROW)
    .where(tuple_(_ROW.account_id, _ROW.key_digest).in_(_EXPIRED))
    .returning(_ROW.call_id)
    .execution_options(**_BULK)
)
_INSERTS: dict[str, Insert] = {
    "sqlite": sqlite.insert(_ROW).on_conflict_do_nothing().returning(_ROW.call_id),
    "postgresql": postgresql.insert(_ROW).on_conflict_do_nothing().returning(_ROW.call_id),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A key that belongs to a running call."""

    account_id: int
    key_digest: bytes
    call_id: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The response of a completed call."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes | None
    """None if there was no room for the body."""


class IdempotentCalls:
    """The calls with idempotency keys of every account in a database, shared by all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._running: dict[Claim, float] = {}
        """The claims of running calls, and when they started."""
        self._delete_at = 0.0
        self._heartbeat = Heartbeat(self._beat, RENEW_SECONDS)

    def close(self) -> None:
        """Stop renewing claims. Claims that remain expire."""
        self._heartbeat.stop()

    def claim(self, account_id: int, key: str, fingerprint: bytes) -> Claim | StoredResponse:
        """Claim a key for a call, or return the response of the call that used it.

        Args:
            account_id: The account of the call. Keys of different accounts are independent.
            key: The key, 1 to 255 characters.
            fingerprint: A digest of the request, 32 bytes.

        Raises:
            CallInProgress: The call that claimed the key is running.
            InvalidInput: The key was used for another request.
        """
        claim = Claim(account_id, hashlib.sha256(key.encode()).digest(), uuid.uuid4().hex)
        with self._database.write() as session:
            now = self._database.now(session)
            if not _insert(session, claim, fingerprint, now):
                session.execute(_DELETE_KEY_IF_EXPIRED, {**_parameters(claim), "now": now})
                if not _insert(session, claim, fingerprint, now):
                    return _find(session, claim, fingerprint)
        self._running[claim] = time.monotonic()
        self._heartbeat.start()
        return claim

    def store(self, session: Session, claim: Claim, response: StoredResponse, charge_id: str | None = None) -> None:
        """Store the response of a call in a transaction of the caller, such as the transaction of the charge.

        Raises:
            CallInProgress: The claim has expired, and another call has claimed the key.
        """
        body = response.body
        if body is not None and len(body) > SMALL_BYTES:
            stored = session.scalar(_STORED_BYTES, {"account": claim.account_id}) or 0
            if len(body) > min(MAX_STORED_BYTES, ACCOUNT_BYTES - stored):
                body = None
        values: dict[str, Any] = {
            "expires": self._database.now(session) + RESPONSE_LIFETIME,
            "call_id": charge_id or claim.call_id,
            "status": response.status,
            "headers": json.dumps(list(response.headers)),
            "body": body,
        }
        own = update(_ROW).where(*_OWN).values(values).returning(_ROW.call_id).execution_options(**_BULK)
        if session.scalar(own, _parameters(claim)) is None:
            raise CallInProgress(_LOST_CLAIM)

    def finish(self, claim: Claim) -> None:
        """Stop renewing the claim of a call whose response is stored."""
        self._running.pop(claim, None)

    def store_failure(self, claim: Claim, response: StoredResponse) -> None:
        """Store the response of a call that failed and is not charged. If this is not possible, its claim expires."""
        self._running.pop(claim, None)
        with suppress(CallInProgress, ServerBusy), self._database.write() as session:
            self.store(session, claim, response)

    def release(self, claim: Claim) -> None:
        """Release the key of a call that failed, so that a repeated call runs again. A stored response is kept.

        If the database does not respond, the claim expires within seconds.
        """
        self._running.pop(claim, None)
        with suppress(ServerBusy), self._database.write() as session:
            session.execute(_RELEASE, _parameters(claim))

    def delete_expired(self) -> None:
        """Delete expired responses and claims, in small steps."""
        deleted = ROWS_PER_DELETE
        while deleted == ROWS_PER_DELETE:
            with self._database.write() as session:
                deleted = len(session.execute(_DELETE_EXPIRED, {"now": self._database.now(session)}).all())

    def _beat(self) -> None:
        """Renew the claims of running calls, and delete expired rows."""
        due = [claim for claim, at in list(self._running.items()) if at <= time.monotonic() - RENEW_SECONDS]
        if due:
            with self._database.write() as session:
                until = self._database.now(session) + CLAIM_LIFETIME
                for claim in due:
                    session.execute(_RENEW, {**_parameters(claim), "until": until})
        if time.monotonic() >= self._delete_at:
            self.delete_expired()
            self._delete_at = time.monotonic() + DELETE_SECONDS


def _parameters(claim: Claim) -> dict[str, Any]:
    return {"account": claim.account_id, "digest": claim.key_digest, "call": claim.call_id}


def _insert(session: Session, claim: Claim, fingerprint: bytes, now: datetime) -> bool:
    """Insert the row of a claim, and return False if the key has a row."""
    values = {"account_id": claim.account_id, "key_digest": claim.key_digest, "call_id": claim.call_id}
    insert = _INSERTS[session.get_bind().dialect.name]
    return session.scalar(insert.values(**values, fingerprint=fingerprint, expires=now + CLAIM_LIFETIME)) is not None


def _find(session: Session, claim: Claim, fingerprint: bytes) -> StoredResponse:
    """Return the response of the call that used the key, unless it is running, or was another request."""
    row = session.execute(_BY_KEY, _parameters(claim)).one_or_none()
    if row is not None and row.fingerprint != fingerprint:
        raise InvalidInput(f"Idempotency-Key: {_REUSED}", details=[{"field": "Idempotency-Key", "message": _REUSED}])
    if row is None or row.status is None:  # released since the insert failed, or running
        raise CallInProgress(_IN_PROGRESS)
    return StoredResponse(row.status, [(name, value) for name, value in json.loads(row.headers)], row.body)
