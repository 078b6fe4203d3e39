"""Sign-up and sign-in with links that are sent by email, and the sessions of browsers. There are no passwords.

A request for a link only adds a message to the outbox, for every address alike. Whether the address gets a link is
decided when the message is sent. The response and its duration therefore do not depend on whether an account exists.

The database stores the digests of the tokens of links and sessions, never the tokens themselves.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import delete, select, update

from mediakit.accounts.account import Account, account_of, add_account, check_email, find_account
from mediakit.accounts.database import Database, searchable
from mediakit.accounts.mail import SIGN_IN_KIND, Outbox
from mediakit.accounts.models import AccountRow, SessionRow, SignInLinkRow
from mediakit.accounts.rate_limits import count_request

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
_SESSION_TOKEN = re.compile(r"([0-9a-f]{16})\.([\w-]{43})", re.ASCII)
_LAST_SEEN_INTERVAL = timedelta(minutes=5)
"""Minimum time between updates of `last_seen`, to avoid a write with every request."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session. Its token cannot be read again."""

    session: SessionRow
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
        return NewSession(row, f"{session_id}.{secret}")

    def find(self, token: str) -> tuple[Account, SessionRow] | None:
        """Return the account and the session of a token, and prolong the session; None if the token is not valid."""
        match = _SESSION_TOKEN.fullmatch(token)
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
            row.last_seen, row.expires = now, min(now + IDLE_LIFETIME, row.created + LIFETIME)
            values = {"last_seen": row.last_seen, "expires": row.expires}
            with self._database.write() as transaction:  # does not restore a session that has ended in the meantime
                transaction.execute(update(SessionRow).where(SessionRow.id == row.id).values(**values))
        return account_of(account, now), row

    def list_of_account(self, account_id: int) -> list[SessionRow]:
        """Return the sessions of an account, the last used one first."""
        with self._database.read() as transaction:
            current = SessionRow.expires > self._database.now(transaction)
            statement = select(SessionRow).where(SessionRow.account_id == account_id, current)
            return list(transaction.scalars(statement.order_by(SessionRow.last_seen.desc())))

    def end(self, account_id: int, session_id: str) -> None:
        """End a session of an account. The operation is idempotent."""
        with self._database.write() as transaction:
            of_account = SessionRow.account_id == account_id
            transaction.execute(delete(SessionRow).where(of_account, SessionRow.id == searchable(session_id)))

    def end_all(self, account_id: int) -> None:
        """End all sessions of an account."""
        with self._database.write() as transaction:
            transaction.execute(delete(SessionRow).where(SessionRow.account_id == account_id))


def csrf_token(token: str) -> str:
    """Return the CSRF token of a session. It is derived from the session's token, which it does not reveal."""
    return hmac.digest(token.encode(), b"mediakit csrf", "sha256").hex()


def _digest(token: str) -> bytes:
    """Return the digest of a random token. With 256 random bits, it needs neither a salt nor a slow hash."""
    return hashlib.sha256(token.encode()).digest()


LINK_LIFETIME = timedelta(minutes=20)
LINKS_PER_EMAIL = 5
"""Links per hour for one email address."""
LINKS_PER_NETWORK = 30
"""Links per hour from one IPv4 address, or from one /64 of IPv6."""

_LINK_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SignInLink:
    """Whom a link signs in."""

    email: str
    token: str = field(repr=False)
    is_new: bool
    """Whether the link creates the account."""


class SignIn:
    """The sign-in links of a database."""

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    def request_link(self, email: str, base_url: str, network: str) -> str:
        """Request a link by email to a URL without a trailing slash, and return the email address in lower case.

        Raises:
            InvalidInput: The text is not an email address.
            SignInLimitReached: Too many links were requested for this address, or from this network.
        """
        email = check_email(email)
        with self._database.write() as session:
            now = self._database.now(session)
            count_request(session, f"network {network}", LINKS_PER_NETWORK, now)
            count_request(session, f"email {email}", LINKS_PER_EMAIL, now)
            self._outbox.add(session, SIGN_IN_KIND, email, {"base_url": base_url}, now)
        return email

    def create_link(self, email: str, *, sign_up: bool) -> SignInLink | None:
        """Return a new link for an address; None if the address may not sign in. Its token cannot be read again."""
        token = secrets.token_urlsafe(_SECRET_BYTES)
        with self._database.write() as session:
            now = self._database.now(session)
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.expires <= now))
            account = find_account(session, email)
            if account.disabled is not None if account else not sign_up:
                return None
            session.add(SignInLinkRow(digest=_digest(token), email=email, expires=now + LINK_LIFETIME))
        return SignInLink(email, token, is_new=account is None)

    def find_link(self, token: str, *, sign_up: bool) -> SignInLink | None:
        """Return whom a link signs in, without using it; None if it has expired or was used."""
        if not _LINK_TOKEN.fullmatch(token):
            return None
        with self._database.read() as session:
            row = session.get(SignInLinkRow, _digest(token))
            if row is None or row.expires <= self._database.now(session):
                return None
            account = find_account(session, row.email)
            if account.disabled is not None if account else not sign_up:
                return None
            return SignInLink(row.email, token, is_new=account is None)

    def use_link(self, token: str, *, sign_up: bool) -> Account | None:
        """Return the account that a link signs in, and verify its email address. A new account is on the free plan.

        A link works once. The other links of the address are deleted with it.

        Returns:
            The account; None if the link has expired or was used, or the account is disabled.
        """
        if not _LINK_TOKEN.fullmatch(token):
            return None
        with self._database.write() as session:
            now = self._database.now(session)
            of_token = delete(SignInLinkRow).where(SignInLinkRow.digest == _digest(token), SignInLinkRow.expires > now)
            email = session.scalars(of_token.returning(SignInLinkRow.email)).one_or_none()
            if email is None:
                return None
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.email == email))
            row = find_account(session, email, lock=True)
            if row is None and sign_up:
                row = add_account(session, email, "free", now)
            if row is None or row.disabled is not None:
                return None
            row.verified = True
            return account_of(row, now)


def sign_in_url(base_url: str, token: str) -> str:
    """Return the URL of the page that confirms a link."""
    return f"{base_url}/dashboard/sign-in/{token}"
