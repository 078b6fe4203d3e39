"""Email: the messages that wait to be sent, and their texts."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, getaddresses
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.account import ascii_address, check_email
from mediakit.accounts.clock import utc_now
from mediakit.accounts.database import Database
from mediakit.accounts.models import AccountRow, MessageRow, QuotaMailRow
from mediakit.errors import InvalidInput
from mediakit.usage import Usage

if TYPE_CHECKING:
    from jinja2 import Environment


DEFAULT_SENDER = "mediakit <mediakit@localhost.invalid>"
"""Sender of messages that are only written to files."""

SIGN_IN_KIND = "sign_in"
QUOTA_KIND = "quota"
"""Kind of the messages about used credits."""
QUOTA_PERCENTS = (100, 80)

CLAIM = timedelta(minutes=2)
"""Time for which a message belongs to the server that sends it. If it stops, another one sends the message later."""
FIRST_RETRY = timedelta(seconds=30)
MAX_RETRY = timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=1)

_TITLES = {
    (SIGN_IN_KIND, True): "Create your mediakit account",
    (SIGN_IN_KIND, False): "Sign in to mediakit",
    (QUOTA_KIND, True): "Your mediakit credits are used up",
    (QUOTA_KIND, False): "80% of your mediakit credits are used",
}
"""The subjects of messages: to a new account or an old one, and about 100 or 80 percent of the credits."""


def compose(
    kind: str, *, sender: str, recipient: str, url: str, values: Mapping[str, Any], message_id: str
) -> EmailMessage:
    """Return a message as plain text and as HTML.

    Args:
        kind: `SIGN_IN_KIND` or `QUOTA_KIND`, the name of the templates.
        sender: Address, with an optional name.
        recipient: Address that `check_email` has accepted.
        url: The link to sign in, or the page of the plan; empty if the server does not know its own address.
        values: `minutes` and `is_new` for a link; `percent`, `used`, `limit`, `plan` and `reset` for credits.
        message_id: Identifies the message. Repeated deliveries have the same id, so that mail programs show one.
    """
    title = _TITLES[kind, bool(values.get("is_new")) or values.get("percent") == "100"]
    from_address = parse_sender(sender)
    message = EmailMessage(SMTP)
    message["From"] = from_address
    message["To"] = Address(addr_spec=ascii_address(recipient))
    message["Subject"] = title
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = f"<{message_id}@{from_address.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office replies
    host = urlsplit(url).netloc or "mediakit"
    shown = {**values, "title": title, "recipient": recipient, "url": url, "host": host}
    text = _environment().get_template(f"{kind}.txt").render(shown)
    message.set_content(text, cte="7bit" if text.isascii() else None)  # keeps links in one piece
    message.add_alternative(_environment().get_template(f"{kind}.html").render(shown), subtype="html")
    return message


def parse_sender(text: str) -> Address:
    """Return the sender of `MEDIAKIT_MAIL_FROM`.

    Raises:
        InvalidInput: The text is not an address such as `mediakit <no-reply@example.com>`.
    """
    addresses = getaddresses([text]) if text.isprintable() else []
    name, address = addresses[0] if len(addresses) == 1 else ("", "")
    try:
        return Address(name, addr_spec=check_email(address))
    except (InvalidInput, ValueError):
        raise InvalidInput(
            f"MEDIAKIT_MAIL_FROM: must be an address such as mediakit <no-reply@example.com>, got {text!r}."
        ) from None


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=PackageLoader("mediakit.accounts", "mails"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def quota_percents(usage: Usage) -> list[int]:
    """Return the limits that the used credits of a month have reached."""
    limit = usage.limit
    return [] if limit is None else [each for each in QUOTA_PERCENTS if usage.used * 100 >= limit * each]


class Outbox:
    """The outgoing messages of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, session: Session, kind: str, recipient: str, values: Mapping[str, str], now: datetime) -> None:
        """Add a message in the transaction of a session. It is sent after the transaction is committed."""
        row = MessageRow(id=uuid.uuid4().hex, kind=kind, recipient=recipient, values=dict(values), attempts=0)
        row.created = row.next_attempt = now
        session.add(row)

    def claim(self) -> MessageRow | None:
        """Return the next message to send; None if there is none. Other servers do not send it meanwhile."""
        with self._database.read() as session:  # without a write, because this runs every few seconds
            is_due = MessageRow.next_attempt <= self._database.now(session)
            if session.scalars(select(MessageRow.id).where(is_due).limit(1)).one_or_none() is None:
                return None
        with self._database.write() as session:
            now = self._database.now(session)
            due = select(MessageRow).where(MessageRow.next_attempt <= now).order_by(MessageRow.next_attempt).limit(1)
            row = session.scalars(due.with_for_update(skip_locked=True)).one_or_none()
            if row is not None:
                row.next_attempt, row.attempts = now + CLAIM, row.attempts + 1
            return row

    def remove(self, message: MessageRow) -> None:
        """Remove a message that was delivered, or that cannot be delivered."""
        with self._database.write() as session:
            session.execute(delete(MessageRow).where(MessageRow.id == message.id))

    def retry(self, message: MessageRow) -> bool:
        """Schedule another attempt, later after each one. Return False if the message is too old, and remove it."""
        delay = min(FIRST_RETRY * 2 ** min(message.attempts - 1, 16), MAX_RETRY)
        with self._database.write() as session:
            now = self._database.now(session)
            if now + delay >= message.created + GIVE_UP_AFTER:
                session.execute(delete(MessageRow).where(MessageRow.id == message.id))
                return False
            session.execute(update(MessageRow).where(MessageRow.id == message.id).values(next_attempt=now + delay))
            return True

    def report_quota(self, account_id: int, email: str, usage: Usage, base_url: str) -> None:
        """Write to an account that has used 80 or 100 percent of its credits, once a month each, on any server."""
        reset, reached = datetime.fromisoformat(usage.reset), quota_percents(usage)
        with self._database.write() as session:
            session.execute(select(AccountRow.id).where(AccountRow.id == account_id).with_for_update())
            of_month = select(QuotaMailRow.percent).where(
                QuotaMailRow.account_id == account_id, QuotaMailRow.reset == reset
            )
            due = set(reached) - set(session.scalars(of_month))
            session.add_all(QuotaMailRow(account_id=account_id, reset=reset, percent=percent) for percent in due)
            if percent := max(due, default=0):  # an account that passed both limits at once gets one message
                counts = {"percent": str(percent), "used": f"{usage.used:,}", "limit": f"{usage.limit:,}"}
                values = {**counts, "plan": usage.plan, "reset": usage.reset[:10], "base_url": base_url}
                self.add(session, QUOTA_KIND, email, values, self._database.now(session))

    def size(self) -> int:
        """Return the number of messages that are not delivered yet."""
        with self._database.read() as session:
            return session.scalars(select(func.count()).select_from(MessageRow)).one()
