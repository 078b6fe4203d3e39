"""The text of email messages, as plain text and as HTML."""

from collections.abc import Mapping
from datetime import timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, getaddresses
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mediakit.accounts.account import ascii_address, check_email
from mediakit.accounts.clock import utc_now
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from jinja2 import Environment

DEFAULT_SENDER = "mediakit <mediakit@localhost.invalid>"
"""Sender of messages that are only written to files."""


def sign_in_message(
    *, sender: str, recipient: str, url: str, lifetime: timedelta, is_new: bool, message_id: str
) -> EmailMessage:
    """Return the message with a sign-in link.

    Args:
        sender: Address, with an optional name.
        recipient: Address that `check_email` has accepted.
        url: The link.
        lifetime: How long the link works.
        is_new: Whether the link creates an account.
        message_id: Identifies the message. Repeated deliveries have the same id, so that mail programs show one.
    """
    title = "Create your mediakit account" if is_new else "Sign in to mediakit"
    values = {
        "title": title,
        "recipient": recipient,
        "url": url,
        "host": urlsplit(url).netloc,
        "minutes": int(lifetime.total_seconds() // 60),
        "is_new": is_new,
    }
    message = _headers(sender, recipient, title, message_id)
    _add_text(message, "sign_in", values)
    return message


def quota_message(*, sender: str, recipient: str, url: str, values: Mapping[str, str], message_id: str) -> EmailMessage:
    """Return the message about the credits that an account has used.

    Args:
        sender: Address, with an optional name.
        recipient: Address that `check_email` has accepted.
        url: The page of the plan; empty if the server does not know its own address.
        values: `percent`, `used`, `limit`, `plan` and `reset` as texts.
        message_id: Identifies the message.
    """
    title = (
        "Your mediakit credits are used up" if values["percent"] == "100" else "80% of your mediakit credits are used"
    )
    message = _headers(sender, recipient, title, message_id)
    _add_text(message, "quota", {**values, "title": title, "url": url, "host": urlsplit(url).netloc or "mediakit"})
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


def _headers(sender: str, recipient: str, subject: str, message_id: str) -> EmailMessage:
    from_address = parse_sender(sender)
    message = EmailMessage(SMTP)
    message["From"] = from_address
    message["To"] = Address(addr_spec=ascii_address(recipient))
    message["Subject"] = subject
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = f"<{message_id}@{from_address.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office replies
    return message


def _add_text(message: EmailMessage, template: str, values: dict[str, Any]) -> None:
    """Add the plain text, and the same text in HTML."""
    text = _environment().get_template(f"{template}.txt").render(values)
    message.set_content(text, cte="7bit" if text.isascii() else None)  # keeps links in one piece
    message.add_alternative(_environment().get_template(f"{template}.html").render(values), subtype="html")


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
