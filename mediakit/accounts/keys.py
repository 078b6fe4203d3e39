"""API keys: made, shown once, checked, revoked. The database keeps ids and digests, never a key."""

import hmac
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database
from mediakit.accounts.key_format import KeyText, key_prefix
from mediakit.accounts.models import AccountRow, KeyRow
from mediakit.accounts.pepper import load_pepper
from mediakit.errors import EmailNotVerified, InvalidInput, InvalidKey, NotFound, ServerBusy
from mediakit.settings import Plan

MAX_NAME = 100

_MISSING = "Missing API key. Send it in the x-api-key header."
_INVALID = "This API key is not valid."
_NOT_VERIFIED = "Verify your email address to use the tools."

_LAST_USED_STEP = timedelta(minutes=1)
"""How often "last used" is written, so that a busy key does not write with every call."""

_BY_ID = select(KeyRow, AccountRow).join(AccountRow, KeyRow.account_id == AccountRow.id)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made; nobody can read it again."""

    id: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as its owner sees it in a list."""

    id: str
    prefix: str
    name: str | None
    made: datetime
    last_used: datetime | None
    revoked: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request: an account, through one of its keys."""

    account_id: int
    key_id: str
    email: str
    verified: bool
    plan: Plan
    unlimited: bool

    def require_verified(self) -> None:
        """Let only those through who confirmed their email address.

        Raises:
            EmailNotVerified: The address was not confirmed yet.
        """
        if not self.verified:
            raise EmailNotVerified(_NOT_VERIFIED)


class Keys:
    """The keys of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pepper: bytes | None = None
        self._loading = threading.Lock()

    def create(self, account_id: int, name: str | None, key: KeyText | None = None) -> NewKey:
        """Make a key, or note one that was drawn before.

        Raises:
            InvalidInput: The name is too long, or holds line breaks or other control characters.
        """
        if name is not None:
            _check_name(name)
        key = key or KeyText.make()
        digest = self._digest(key)
        with self._database.write() as session:
            made = self._database.now(session)
            session.add(KeyRow(id=key.id, account_id=account_id, name=name, digest=digest, made=made))
        return NewKey(key.id, key.text())

    def of_account(self, account_id: int) -> list[ApiKey]:
        """List an account's keys, the oldest first."""
        with self._database.read() as session:
            rows = session.scalars(select(KeyRow).where(KeyRow.account_id == account_id).order_by(KeyRow.made))
            return [ApiKey(row.id, key_prefix(row.id), row.name, row.made, row.last_used, row.revoked) for row in rows]

    def revoke(self, key_id: str) -> None:
        """Make a key worthless, on every server at once. Revoking it again changes nothing.

        Raises:
            NotFound: There is no such key.
        """
        with self._database.write() as session:
            row = session.get(KeyRow, key_id)
            if row is None:
                raise NotFound(f"No key has the id {key_id!r}. `mediakit key list EMAIL` lists them.")
            row.revoked = row.revoked or self._database.now(session)

    def authenticate(self, text: str | None) -> Caller:
        """Find out who sent a key.

        An unknown id, a wrong secret and a revoked key take the same steps and get the same words.

        Raises:
            InvalidKey: There is no key, or it is not valid.
        """
        if not text:
            raise InvalidKey(_MISSING)
        key = KeyText.parse(text)
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
        self._note_use(row, now)
        plan = account.subscription.at(now).plan
        return Caller(account.id, row.id, account.email, account.verified, plan, account.unlimited)

    def _digest(self, key: KeyText) -> bytes:
        if self._pepper is None:
            with self._loading:
                self._pepper = load_pepper(self._database)
        return hmac.digest(self._pepper, key.secret.encode(), "sha256")

    def _note_use(self, row: KeyRow, now: datetime) -> None:
        if row.last_used is not None and now < row.last_used + _LAST_USED_STEP:
            return
        with suppress(ServerBusy), self._database.write() as session:  # not worth a refused call
            _touch(session, row.id, now)


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise InvalidInput(f"name: at most {MAX_NAME} characters, got {len(name)}.")
    if not name.isprintable():
        raise InvalidInput("name: a name has no line breaks or other control characters.")


def _touch(session: Session, key_id: str, now: datetime) -> None:
    stale = or_(KeyRow.last_used.is_(None), KeyRow.last_used <= now - _LAST_USED_STEP)
    session.execute(update(KeyRow).where(KeyRow.id == key_id, stale).values(last_used=now))
