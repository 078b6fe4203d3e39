"""API keys: create, list, authenticate, revoke. The database stores ids and digests, never complete keys.

The pepper is a secret that is part of every digest, so that a stolen table of digests is not sufficient. For the
embedded database it is stored in a private file beside it. For a shared database it is stored in a table, so that every
server can check every key. This is safe because a key has 190 random bits: it cannot be computed from its digest even
if the pepper is known.
"""

import hmac
import re
import secrets
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from mediakit.accounts.account import require_account
from mediakit.accounts.clock import utc_now
from mediakit.accounts.database import CLOCK, Database
from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.models import AccountRow, KeyRow, SecretRow
from mediakit.accounts.private_files import private_folder, write_private
from mediakit.accounts.subscriptions import Subscription
from mediakit.core.messages import quote
from mediakit.core.suggestions import meant
from mediakit.errors import (
    EmailNotVerified,
    InvalidInput,
    InvalidKey,
    KeyNotAllowed,
    MediakitError,
    NotFound,
    ServerBusy,
)
from mediakit.settings import Plan
from mediakit.tools.catalogue import CATALOGUE

PEPPER_BYTES = 32
PEPPER_NAME = "key-pepper"
_RESTORE = (
    "Restore the file from the same backup as accounts.sqlite3. "
    "If it is lost, revoke the keys with mediakit key revoke, then create new ones."
)

MAX_NAME_LENGTH = 100

TAG_PREFIX = "tag:"
"""Begins a scope that is a tag, because the tools `pdf` and `images` have the names of tags."""

_MISSING = "Missing API key. Send it in the x-api-key header."
_INVALID = "This API key is not valid."
_NOT_VERIFIED = "Verify your email address to use the tools: sign in once at /dashboard/sign-in."

_LAST_USED_INTERVAL = timedelta(minutes=1)
"""Minimum time between updates of `last_used`, to avoid a write with every call."""

_BY_ID = (
    select(
        KeyRow.id,
        KeyRow.digest,
        KeyRow.revoked,
        KeyRow.last_used,
        KeyRow.expires,
        KeyRow.scope_text,
        AccountRow.id,
        AccountRow.email,
        AccountRow.verified,
        AccountRow.disabled,
        AccountRow.plan,
        AccountRow.since,
        AccountRow.paid_since,
        AccountRow.unlimited,
        AccountRow.next_plan,
        AccountRow.next_plan_from,
    )
    .join(AccountRow, KeyRow.account_id == AccountRow.id)
    .where(KeyRow.id == bindparam("key"))
)
_BY_ID_WITH_TIME = _BY_ID.add_columns(CLOCK.scalar_subquery())


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key. The complete key cannot be read again."""

    id: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Principal:
    """The account and the API key that a request is authenticated with."""

    account_id: int
    key_id: str
    email: str
    verified: bool
    plan: Plan
    unlimited: bool
    subscription: Subscription
    """The subscription, from which the credits of a month are computed."""
    scopes: tuple[str, ...] = ()
    """Tools and tags that the key may call; empty for all tools."""

    def require_scope(self, tool: str, tag: str) -> None:
        """Check that the key may call a tool.

        Raises:
            KeyNotAllowed: It may not.
        """
        if self.scopes and tool not in self.scopes and f"{TAG_PREFIX}{tag.lower()}" not in self.scopes:
            allowed = ", ".join(self.scopes)
            raise KeyNotAllowed(f"x-api-key: this key may only call {allowed}; {tool} needs a key with another scope.")

    def not_verified(self) -> EmailNotVerified:
        """Return the error of a call without a verified email address."""
        return EmailNotVerified(_NOT_VERIFIED)


class Keys:
    """The keys of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pepper: bytes | None = None
        self._pepper_lock = threading.Lock()

    def create(
        self,
        email: str,
        name: str | None = None,
        key: PlaintextKey | None = None,
        *,
        scopes: Collection[str] = (),
        expires: datetime | None = None,
    ) -> NewKey:
        """Create a key for an account, or store one that was generated before. Only this call returns the complete key.

        Args:
            email: Email address of the account.
            name: Label that describes the purpose of the key.
            key: A key from `PlaintextKey.generate()`. Default: a new key.
            scopes: Tools such as `qr`, and tags such as `tag:pdf`, that the key may call; all tools by default.
            expires: When the key stops working; never by default.

        Raises:
            InvalidInput: The name is too long or contains control characters, a scope is neither a tool nor a tag, the
                expiry is not in the future, or the id exists.
            NotFound: No account has this email.
        """
        key = key or PlaintextKey.generate()
        digest = self._digest(key)
        try:
            with self._database.write() as session:
                account = require_account(session, email)
                created = self._database.now(session)
                if name is not None:
                    if len(name) > MAX_NAME_LENGTH:
                        raise InvalidInput(f"name: must have at most {MAX_NAME_LENGTH} characters, got {len(name)}.")
                    if not name.isprintable():
                        raise InvalidInput("name: must not contain line breaks or other control characters.")
                allowed = " ".join(check_scopes(scopes)) or None
                if expires and expires <= created:
                    raise InvalidInput(f"expires: must be in the future, got {expires:%Y-%m-%d %H:%M} UTC.")
                row = KeyRow(id=key.id, account_id=account.id, name=name, digest=digest, created=created)
                row.expires, row.scope_text = expires, allowed
                session.add(row)
        except IntegrityError as error:
            raise InvalidInput("id: a key with this id already exists. Create the key again.") from error
        return NewKey(key.id, key.text())

    def list_of_account(self, account_id: int) -> list[KeyRow]:
        """Return the keys of an account, oldest first."""
        with self._database.read() as session:
            of_account = select(KeyRow).where(KeyRow.account_id == account_id)
            return list(session.scalars(of_account.order_by(KeyRow.created)))

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
            ServerBusy: The database does not respond.
        """
        [principal] = self.authenticate_many([text])
        if isinstance(principal, InvalidKey):
            raise principal
        return principal

    def authenticate_many(self, texts: Sequence[str | None]) -> list[Principal | InvalidKey]:
        """Return the principals of several requests, or their errors, after one query.

        Every request reads the database, so that a revoked key, a disabled account and a new plan take effect
        at once on all servers.

        Raises:
            ServerBusy: The database does not respond.
        """
        keys = [PlaintextKey.parse(text) if text else None for text in texts]
        stored, now = self._stored({key.id for key in keys if key})
        stale = now - _LAST_USED_INTERVAL
        unused = [row.id for row in stored.values() if row.last_used is None or row.last_used <= stale]
        if unused:
            is_stale = or_(KeyRow.last_used.is_(None), KeyRow.last_used <= stale)
            with suppress(ServerBusy), self._database.write() as session:  # not worth failing the call
                session.execute(update(KeyRow).where(KeyRow.id.in_(sorted(unused)), is_stale).values(last_used=now))
        return [self._principal(text, key, stored, now) for text, key in zip(texts, keys, strict=True)]

    def _stored(self, key_ids: Collection[str]) -> tuple[dict[str, "_StoredKey"], datetime]:
        """Return the stored keys by id, and the time."""
        if not key_ids:
            return {}, utc_now()
        statement = _BY_ID if self._database.has_local_clock else _BY_ID_WITH_TIME
        results, now = self._database.read_directly(*((statement, {"key": key_id}) for key_id in key_ids))
        rows = [_StoredKey(Subscription(*row[10:16]), *row[:10]) for result in results for row in result]
        return {row.id: row for row in rows}, now

    def _principal(
        self, text: str | None, key: PlaintextKey | None, stored: Mapping[str, "_StoredKey"], now: datetime
    ) -> Principal | InvalidKey:
        if not text:
            return InvalidKey(_MISSING)
        if key is None:
            return InvalidKey(_INVALID)
        digest, row = self._digest(key), stored.get(key.id)
        is_equal = hmac.compare_digest(row.digest if row else bytes(len(digest)), digest)
        if not is_equal or row is None or row.revoked or row.disabled:
            return InvalidKey(_INVALID)
        if row.expires and row.expires <= now:
            return InvalidKey(f"This API key expired on {row.expires:%Y-%m-%d %H:%M} UTC. Create a new key.")
        plan, unlimited = row.subscription.at(now).plan, row.subscription.unlimited
        scopes = tuple((row.scopes or "").split())
        return Principal(row.account_id, row.id, row.email, row.verified, plan, unlimited, row.subscription, scopes)

    def load_pepper(self) -> bytes:
        """Return the secret that is part of the digests of all keys, and create it on first use.

        Raises:
            MediakitError: The database has keys, but their secret is missing.
        """
        if self._pepper is None:
            with self._pepper_lock:
                self._pepper = _load_pepper(self._database)
        return self._pepper

    def _digest(self, key: PlaintextKey) -> bytes:
        return hmac.digest(self.load_pepper(), key.secret.encode(), "sha256")


class _StoredKey(NamedTuple):
    """A key with its account."""

    subscription: Subscription
    id: str
    digest: bytes
    revoked: datetime | None
    last_used: datetime | None
    expires: datetime | None
    scopes: str | None
    account_id: int
    email: str
    verified: bool
    disabled: datetime | None


def _load_pepper(database: Database) -> bytes:
    """Return the pepper, and create it on first use. Servers that start at the same time agree on one."""
    if not database.embedded:
        while True:
            with database.read() as session:
                if stored := session.scalar(select(SecretRow.value).where(SecretRow.name == PEPPER_NAME)):
                    return stored
            with suppress(IntegrityError), database.write() as session:  # another server can create it first
                session.add(SecretRow(name=PEPPER_NAME, value=secrets.token_bytes(PEPPER_BYTES)))
    path = private_folder(database.home) / PEPPER_NAME
    if not path.exists():
        _require_no_keys(database)
        write_private(path, secrets.token_bytes(PEPPER_BYTES), replace=False)
    pepper = path.read_bytes()
    if len(pepper) != PEPPER_BYTES:
        raise MediakitError(
            f"MEDIAKIT_HOME: the file {PEPPER_NAME} in {database.home} is damaged: it has {len(pepper)} bytes and must "
            f"have {PEPPER_BYTES}. {_RESTORE}"
        )
    return pepper


def _require_no_keys(database: Database) -> None:
    with database.read() as session:
        count = session.scalar(select(func.count()).select_from(KeyRow).where(KeyRow.revoked.is_(None)))
    if count:
        raise MediakitError(
            f"MEDIAKIT_HOME: the file {PEPPER_NAME} is missing from {database.home}, but the database has {count} API "
            f"keys, which are not valid without it. {_RESTORE}"
        )


def check_scopes(scopes: Collection[str]) -> list[str]:
    """Return scopes in the form in which they are stored, each once: `pdf_merge`, `tag:images`.

    Raises:
        InvalidInput: A scope is neither a tool nor a tag.
    """
    tags = {f"{TAG_PREFIX}{tag.lower()}" for tag in CATALOGUE}
    tools = {name for names in CATALOGUE.values() for name in names}
    found = [each.strip().lower().removeprefix("/").replace("-", "_") for each in scopes]
    for scope, given in zip(found, scopes, strict=True):
        if scope not in tags | tools:
            known = f"must be the name of a tool such as qr, or one of {', '.join(sorted(tags))}"
            hints = " or ".join(meant(scope, sorted(tools | tags)))
            hint = f"; did you mean {hints}?" if hints else "."
            raise InvalidInput(f"scope: {known}; got {quote(given)}{hint}")
    return list(dict.fromkeys(found))


def parse_expiry(text: str, now: datetime | None = None) -> datetime:
    """Return the end of a day such as `2026-12-31` in UTC, or the time in a number of days such as `90d`.

    Raises:
        InvalidInput: The text is neither.
    """
    if match := re.fullmatch(r"([1-9]\d{0,3})\s*d(?:ays?)?", text.strip(), re.ASCII):
        return (now or utc_now()) + timedelta(days=int(match[1]))
    try:
        day = date.fromisoformat(text.strip())
        return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        message = "must be a day such as 2026-12-31, or a number of days such as 90d"
        raise InvalidInput(f"expires: {message}, got {quote(text)}.") from None
