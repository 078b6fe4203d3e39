"""API keys: create, list, authenticate, revoke. The database stores ids and digests, never complete keys."""

import hmac
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database
from mediakit.accounts.key_format import PlaintextKey, key_prefix
from mediakit.accounts.models import AccountRow, KeyRow
from mediakit.accounts.pepper import load_pepper
from mediakit.errors import EmailNotVerified, InvalidInput, InvalidKey, NotFound, ServerBusy
from mediakit.settings import Plan

MAX_NAME_LENGTH = 100

_MISSING = "Missing API key. Send it in the x-api-key header."
_INVALID = "This API key is not valid."
_NOT_VERIFIED = "Verify your email address to use the tools."

_LAST_USED_INTERVAL = timedelta(minutes=1)
"""Minimum time between updates of `last_used`, to avoid a write with every call."""

_BY_ID = select(KeyRow, AccountRow).join(AccountRow, KeyRow.account_id == AccountRow.id)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key. The complete key cannot be read again."""

    id: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A stored key, without its secret."""

    id: str
    prefix: str
    name: str | None
    created: datetime
    last_used: datetime | None
    revoked: datetime | None


@dataclass(frozen=True, slots=True)
class Principal:
    """The account and the API key that a request is authenticated with."""

    account_id: int
    key_id: str
    email: str
    verified: bool
    plan: Plan
    unlimited: bool

    def require_verified(self) -> None:
        """Check that the email address of the account is verified.

        Raises:
            EmailNotVerified: The email address is not verified.
        """
        if not self.verified:
            raise EmailNotVerified(_NOT_VERIFIED)


class Keys:
    """The keys of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pepper: bytes | None = None
        self._pepper_lock = threading.Lock()

    def create(self, account_id: int, name: str | None, key: PlaintextKey | None = None) -> NewKey:
        """Create a key, or store one that was generated before.

        Raises:
            InvalidInput: The name is too long or contains control characters.
        """
        if name is not None:
            _check_name(name)
        key = key or PlaintextKey.generate()
        digest = self._digest(key)
        with self._database.write() as session:
            created = self._database.now(session)
            session.add(KeyRow(id=key.id, account_id=account_id, name=name, digest=digest, created=created))
        return NewKey(key.id, key.text())

    def list_of_account(self, account_id: int) -> list[ApiKey]:
        """Return the keys of an account, oldest first."""
        with self._database.read() as session:
            rows = session.scalars(select(KeyRow).where(KeyRow.account_id == account_id).order_by(KeyRow.created))
            return [
                ApiKey(row.id, key_prefix(row.id), row.name, row.created, row.last_used, row.revoked) for row in rows
            ]

    def revoke(self, key_id: str) -> None:
        """Revoke a key on all servers, effective immediately. The operation is idempotent.

        Raises:
            NotFound: The key does not exist.
        """
        with self._database.write() as session:
            row = session.get(KeyRow, key_id)
            if row is None:
                raise NotFound(
                    f"key id: {key_id!r} does not exist. List the ids of an account: mediakit key list EMAIL"
                )
            row.revoked = row.revoked or self._database.now(session)

    def authenticate(self, text: str | None) -> Principal:
        """Return the account and key that a request authenticates with.

        Unknown ids, wrong secrets and revoked keys take the same steps and return the same message.

        Raises:
            InvalidKey: The key is missing, or it is not valid.
        """
        if not text:
            raise InvalidKey(_MISSING)
        key = PlaintextKey.parse(text)
        if key is None:
            raise InvalidKey(_INVALID)
        digest = self._digest(key)
        with self._database.read() as session:
            found = session.execute(_BY_ID.where(KeyRow.id == key.id)).one_or_none()
            now = self._database.now(session)
        stored = found[0].digest if found else bytes(len(digest))
        if not hmac.compare_digest(stored, digest) or found is None or found[0].revoked:
            raise InvalidKey(_INVALID)
        row, account = found
        self._update_last_used(row, now)
        plan = account.subscription.at(now).plan
        return Principal(account.id, row.id, account.email, account.verified, plan, account.unlimited)

    def _digest(self, key: PlaintextKey) -> bytes:
        if self._pepper is None:
            with self._pepper_lock:
                self._pepper = load_pepper(self._database)
        return hmac.digest(self._pepper, key.secret.encode(), "sha256")

    def _update_last_used(self, row: KeyRow, now: datetime) -> None:
        if row.last_used is not None and now < row.last_used + _LAST_USED_INTERVAL:
            return
        with suppress(ServerBusy), self._database.write() as session:  # not worth failing the call
            _write_last_used(session, row.id, now)


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME_LENGTH:
        raise InvalidInput(f"name: must have at most {MAX_NAME_LENGTH} characters, got {len(name)}.")
    if not name.isprintable():
        raise InvalidInput("name: must not contain line breaks or other control characters.")


def _write_last_used(session: Session, key_id: str, now: datetime) -> None:
    stale = or_(KeyRow.last_used.is_(None), KeyRow.last_used <= now - _LAST_USED_INTERVAL)
    session.execute(update(KeyRow).where(KeyRow.id == key_id, stale).values(last_used=now))
