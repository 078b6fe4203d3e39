"""Sessions of browsers. The database stores the digest of a session's token, never the token itself."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import delete, select, update

from mediakit.accounts.account import Account, account_of
from mediakit.accounts.database import Database
from mediakit.accounts.models import AccountRow, SessionRow

UNKNOWN = "unknown"

_SHOWN_BITS = {4: 24, 6: 48}


def shown_network(address: str | None) -> str:
    """Return the network of an address for a list of sessions, as in `203.0.113.0/24` or `2001:db8:1::/48`."""
    try:
        ip = ip_address(address or "")
    except ValueError:  # a Unix socket, or no address
        return UNKNOWN
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip.compressed.partition('%')[0]}/{_SHOWN_BITS[ip.version]}", strict=False))


IDLE_LIFETIME = timedelta(days=14)
"""A session ends after this time without a request."""
LIFETIME = timedelta(days=90)
"""A session ends after this time in any case."""
MAX_USER_AGENT_LENGTH = 200

_ID_BYTES = 8
_SECRET_BYTES = 32
_TOKEN = re.compile(r"([0-9a-f]{16})\.([\w-]{43})", re.ASCII)
_LAST_SEEN_INTERVAL = timedelta(minutes=5)
"""Minimum time between updates of `last_seen`, to avoid a write with every request."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in."""

    id: str
    created: datetime
    last_seen: datetime
    expires: datetime
    user_agent: str
    network: str
    """Network of the client's address, as in `203.0.113.0/24`."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session. Its token cannot be read again."""

    session: Session
    token: str = field(repr=False)


class Sessions:
    """The sessions of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, account_id: int, user_agent: str = "", address: str | None = None) -> NewSession:
        """Create a session, and delete expired ones.

        Args:
            account_id: The account that is signed in.
            user_agent: The `User-Agent` of the browser.
            address: IP address of the browser. Only its network is stored.
        """
        session_id, secret = secrets.token_hex(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES)
        with self._database.write() as transaction:
            now = self._database.now(transaction)
            transaction.execute(delete(SessionRow).where(SessionRow.expires <= now))
            row = SessionRow(
                id=session_id,
                account_id=account_id,
                digest=_digest(secret),
                created=now,
                last_seen=now,
                expires=now + IDLE_LIFETIME,
                user_agent="".join(filter(str.isprintable, user_agent))[:MAX_USER_AGENT_LENGTH],
                network=shown_network(address),
            )
            transaction.add(row)
        return NewSession(_session(row), f"{session_id}.{secret}")

    def find(self, token: str) -> tuple[Account, Session] | None:
        """Return the account and the session of a token, and prolong the session; None if the token is not valid."""
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        session_id, digest = match[1], _digest(match[2])
        with self._database.read() as transaction:
            statement = select(SessionRow, AccountRow).join(AccountRow, SessionRow.account_id == AccountRow.id)
            found = transaction.execute(statement.where(SessionRow.id == session_id)).one_or_none()
            now = self._database.now(transaction)
        if found is None:
            return None
        row, account = found
        is_usable = row.expires > now and account.disabled is None and account.deleted is None
        if not hmac.compare_digest(row.digest, digest) or not is_usable:
            return None
        if now >= row.last_seen + _LAST_SEEN_INTERVAL:
            self._prolong(row, now)
        return account_of(account, now), _session(row)

    def list_of_account(self, account_id: int) -> list[Session]:
        """Return the sessions of an account, the last used one first."""
        with self._database.read() as transaction:
            current = SessionRow.expires > self._database.now(transaction)
            statement = select(SessionRow).where(SessionRow.account_id == account_id, current)
            return [_session(row) for row in transaction.scalars(statement.order_by(SessionRow.last_seen.desc()))]

    def end(self, account_id: int, session_id: str) -> None:
        """End a session of an account. The operation is idempotent."""
        with self._database.write() as transaction:
            of_account = SessionRow.account_id == account_id
            transaction.execute(delete(SessionRow).where(of_account, SessionRow.id == session_id))

    def end_all(self, account_id: int, *, except_id: str | None = None) -> None:
        """End all sessions of an account, or all except one."""
        statement = delete(SessionRow).where(SessionRow.account_id == account_id)
        if except_id is not None:
            statement = statement.where(SessionRow.id != except_id)
        with self._database.write() as transaction:
            transaction.execute(statement)

    def _prolong(self, row: SessionRow, now: datetime) -> None:
        """Update the row in the database and in memory. A session that has ended in the meantime is not restored."""
        row.last_seen, row.expires = now, min(now + IDLE_LIFETIME, row.created + LIFETIME)
        values = {"last_seen": row.last_seen, "expires": row.expires}
        with self._database.write() as transaction:
            transaction.execute(update(SessionRow).where(SessionRow.id == row.id).values(**values))


def csrf_token(token: str) -> str:
    """Return the CSRF token of a session. It is derived from the session's token, which it does not reveal."""
    return hmac.digest(token.encode(), b"mediakit csrf", "sha256").hex()


def _digest(secret: str) -> bytes:
    """Return the digest of a random secret. With 256 random bits, it needs neither a salt nor a slow hash."""
    return hashlib.sha256(secret.encode()).digest()


def _session(row: SessionRow) -> Session:
    return Session(row.id, row.created, row.last_seen, row.expires, row.user_agent, row.network)
