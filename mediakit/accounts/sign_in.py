"""Sign-up and sign-in with links that are sent by email. There are no passwords.

A request for a link only adds a message to the outbox, for every address alike. Whether the address gets a link is
decided when the message is sent. The response and its duration therefore do not depend on whether an account exists.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import delete

from mediakit.accounts.account import Account, account_of, add_account, check_email, find_account
from mediakit.accounts.database import Database
from mediakit.accounts.models import SignInLinkRow
from mediakit.accounts.outbox import Outbox
from mediakit.accounts.rate_limits import count_request

LINK_LIFETIME = timedelta(minutes=20)
LINKS_PER_EMAIL = 5
"""Links per hour for one email address."""
LINKS_PER_NETWORK = 30
"""Links per hour from one IPv4 address, or from one /64 of IPv6."""
MESSAGE_KIND = "sign_in"

_TOKEN_BYTES = 32
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SignInLink:
    """Whom a link signs in."""

    email: str
    is_new: bool
    """Whether the link creates the account."""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link. Its token cannot be read again."""

    token: str = field(repr=False)
    is_new: bool
    """Whether the link creates the account."""


class SignIn:
    """The sign-in links of a database."""

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    def request_link(self, email: str, base_url: str, network: str) -> str:
        """Request a link by email, and return the email address in lower case.

        Args:
            email: Email address, known or not.
            base_url: URL of the server, without a trailing slash.
            network: Network of the client, which has a limit of its own.

        Raises:
            InvalidInput: The text is not an email address.
            SignInLimitReached: Too many links were requested for this address, or from this network.
        """
        email = check_email(email)
        with self._database.write() as session:
            now = self._database.now(session)
            count_request(session, f"network {network}", LINKS_PER_NETWORK, now)
            count_request(session, f"email {email}", LINKS_PER_EMAIL, now)
            self._outbox.add(session, MESSAGE_KIND, email, {"base_url": base_url}, now)
        return email

    def create_link(self, email: str, *, sign_up: bool) -> NewLink | None:
        """Return a new link for an address; None if the address may not sign in.

        Args:
            email: Email address of an account, or of a new one.
            sign_up: Whether addresses without an account get a link.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._database.write() as session:
            now = self._database.now(session)
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.expires <= now))
            account = find_account(session, email)
            if account.disabled is not None if account else not sign_up:
                return None
            session.add(SignInLinkRow(digest=_digest(token), email=email, expires=now + LINK_LIFETIME))
        return NewLink(token, is_new=account is None)

    def find_link(self, token: str, *, sign_up: bool) -> SignInLink | None:
        """Return whom a link signs in, without using it; None if it has expired or was used."""
        if not _TOKEN.fullmatch(token):
            return None
        with self._database.read() as session:
            row = session.get(SignInLinkRow, _digest(token))
            if row is None or row.expires <= self._database.now(session):
                return None
            account = find_account(session, row.email)
            if account.disabled is not None if account else not sign_up:
                return None
            return SignInLink(row.email, is_new=account is None)

    def use_link(self, token: str, *, sign_up: bool) -> Account | None:
        """Return the account that a link signs in, and verify its email address. A new account is on the free plan.

        A link works once. The other links of the address are deleted with it.

        Returns:
            The account; None if the link has expired or was used, or the account is disabled.
        """
        if not _TOKEN.fullmatch(token):
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


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
