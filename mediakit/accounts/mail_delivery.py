"""Sends the messages of the outbox: through an SMTP server, or to files when none is set.

Each process of each server does this in the background; messages are sent once. A message is sent at least once: if a
process stops between the delivery and its note in the database, another process sends the message again.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from mediakit.accounts.account import ascii_address
from mediakit.accounts.clock import utc_now
from mediakit.accounts.mail import (
    DEFAULT_SENDER,
    QUOTA_KIND,
    SIGN_IN_KIND,
    Outbox,
    compose,
    parse_sender,
)
from mediakit.accounts.models import MessageRow
from mediakit.accounts.private_files import private_folder, write_private
from mediakit.accounts.sign_in import LINK_LIFETIME, SignIn, sign_in_url
from mediakit.errors import InvalidInput, MediakitError
from mediakit.settings import HomeSettings, MailSettings

_log = logging.getLogger(__name__)


StartTls = Literal["required", "optional", "never"]

SUBMISSION_PORT = 587
"""RFC 6409."""
SUBMISSIONS_PORT = 465
"""TLS from the first byte, RFC 8314."""

_FORMAT = "must be smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class SmtpAddress:
    """Where and how to send email."""

    host: str
    port: int
    username: str | None
    password: str | None = field(repr=False)
    tls: bool
    """Whether the connection starts with TLS (`smtps`)."""
    start_tls: StartTls
    """Whether a connection without TLS is upgraded before anything else is sent."""

    @classmethod
    def parse(cls, url: str) -> "SmtpAddress":
        """Parse a URL. The error does not contain it, because it can contain a password.

        `?starttls=required|optional|never` applies to `smtp`. It is required by default, and optional on loopback.

        Raises:
            InvalidInput: The URL is not for SMTP.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise InvalidInput(f"MEDIAKIT_SMTP_URL: {_FORMAT}.") from None
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/"):
            raise InvalidInput(f"MEDIAKIT_SMTP_URL: {_FORMAT}.")
        tls = parts.scheme == "smtps"
        default: StartTls = "never" if tls else "optional" if parts.hostname in _LOOPBACK else "required"
        options = parse_qs(parts.query, keep_blank_values=True)
        if unknown := options.keys() - {"starttls"}:
            raise InvalidInput(f"MEDIAKIT_SMTP_URL: the only option is starttls, got {min(unknown)!r}.")
        value = options.get("starttls", [default])[-1]
        if value not in get_args(StartTls):
            raise InvalidInput(f"MEDIAKIT_SMTP_URL: starttls must be required, optional or never, got {value!r}.")
        if tls and value != "never":
            raise InvalidInput("MEDIAKIT_SMTP_URL: starttls requires smtp://; smtps:// uses TLS from the start.")
        return cls(
            host=parts.hostname,
            port=port or (SUBMISSIONS_PORT if tls else SUBMISSION_PORT),
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            tls=tls,
            start_tls=cast("StartTls", value),
        )


SMTP_TIMEOUT_SECONDS = 20
OUTBOX_FOLDER = "outbox"

_PERMANENT_ERROR = 500


class MailError(Exception):
    """A message could not be sent. The reason contains neither the recipient nor the text."""


class MailRefused(MailError):  # noqa: N818  # a kind of MailError
    """The server refused this message, and will refuse it again."""


class MailServerUnavailable(MailError):  # noqa: N818  # a kind of MailError
    """The server does not accept messages at this time."""


Send = Callable[[EmailMessage, str, str], Awaitable[None]]
"""Sends a message to its recipient, or raises a `MailError`. The last argument is the link in the message."""


async def _send_by_smtp(address: SmtpAddress, sender: str, message: EmailMessage, recipient: str, _link: str) -> None:
    """Send a message over a connection of its own, which is encrypted as the address requires."""
    import aiosmtplib

    connection = aiosmtplib.SMTP(
        hostname=address.host,
        port=address.port,
        username=address.username,
        password=address.password,
        use_tls=address.tls,
        start_tls={"required": True, "optional": None, "never": False}[address.start_tls],
        timeout=SMTP_TIMEOUT_SECONDS,
    )
    try:
        async with connection as client:
            await client.send_message(message, sender=sender, recipients=[ascii_address(recipient)])
    except aiosmtplib.SMTPRecipientsRefused as error:
        raise _refused(max(refused.code for refused in error.recipients)) from error
    except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPSenderRefused) as error:
        raise _refused(error.code) from error
    except aiosmtplib.SMTPResponseException as error:
        raise MailServerUnavailable(f"{type(error).__name__}, status {error.code}") from error
    except (aiosmtplib.SMTPException, OSError) as error:
        raise MailServerUnavailable(f"{type(error).__name__}: {str(error)[:200]}") from error


async def _write_to_file(home: Path, message: EmailMessage, recipient: str, link: str) -> None:
    """Write a message to an `.eml` file in `MEDIAKIT_HOME` that only its owner can read, and its link to the log."""
    name = re.sub(r"[^\w.@+-]", "_", recipient)[:100]
    path = private_folder(private_folder(home) / OUTBOX_FOLDER) / f"{utc_now():%Y%m%dT%H%M%S%f}-{name}.eml"
    write_private(path, message.as_bytes(), replace=False)
    _log.info("No mail server is set (MEDIAKIT_SMTP_URL). Wrote %s with the link %s", path, link)


def _refused(code: int) -> MailError:
    kind = MailRefused if code >= _PERMANENT_ERROR else MailError
    return kind(f"the mail server responded with status {code}")


POLL_SECONDS = 5.0
"""Time until messages of other processes, and repeated attempts, are noticed."""

SEND_TIMEOUT_SECONDS = 90
"""Shorter than the time for which this process has claimed the message."""

STOP_SECONDS = 5.0


def _sender_of(settings: MailSettings, home: HomeSettings) -> Send:
    """Return how messages are sent with the settings."""
    if settings.smtp_url is None:
        return partial(_write_to_file, home.home)
    if settings.mail_from is None:
        raise InvalidInput("MEDIAKIT_MAIL_FROM: is required with MEDIAKIT_SMTP_URL, as in no-reply@example.com.")
    return partial(_send_by_smtp, SmtpAddress.parse(settings.smtp_url), parse_sender(settings.mail_from).addr_spec)


class MailDelivery:
    """Composes and sends messages, one after another."""

    def __init__(self, outbox: Outbox, sign_in: SignIn, settings: MailSettings, home: HomeSettings) -> None:
        self._outbox = outbox
        self._sign_in = sign_in
        self._sign_up = settings.sign_up == "open"
        self._sender = settings.mail_from or DEFAULT_SENDER
        self._send_message = _sender_of(settings, home)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def wake(self) -> None:
        """Send new messages now. Called in the event loop of `start`."""
        self._wake.set()

    def start(self) -> None:
        """Send messages in a task of the running event loop, until `stop`."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Finish the message that is being sent, for a few seconds at most, and stop."""
        if self._task is None:
            return
        self._stopping.set()
        self._wake.set()
        _, unfinished = await asyncio.wait([self._task], timeout=STOP_SECONDS)
        for task in unfinished:
            task.cancel()
            await asyncio.wait([task], timeout=STOP_SECONDS)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            with suppress(MediakitError):  # the database does not respond, which has been logged
                while not self._stopping.is_set() and await self.send_next():
                    pass
            if self._stopping.is_set():
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._wake.wait()

    async def send_next(self) -> bool:
        """Send one message. Return whether another one should be tried now."""
        message = await asyncio.to_thread(self._outbox.claim)
        if message is None:
            return False
        try:
            await self._send(message)
        except MailRefused as error:
            _log.warning("email %s was not delivered: %s", message.id, error)
        except MailError as error:
            await self._retry_later(message, str(error))
            return not isinstance(error, MailServerUnavailable)
        except MediakitError:
            raise
        except Exception:  # noqa: BLE001  # one message must not stop the others
            _log.exception("email %s was not sent", message.id)
            await self._retry_later(message, "unexpected error")
            return True
        await asyncio.to_thread(self._outbox.remove, message)
        return True

    async def _send(self, message: MessageRow) -> None:
        base_url, values = message.values["base_url"], dict[str, Any](message.values)
        if message.kind == QUOTA_KIND:
            url = f"{base_url}/dashboard/plan" if base_url else ""
        elif message.kind == SIGN_IN_KIND:
            link = await asyncio.to_thread(self._sign_in.create_link, message.recipient, sign_up=self._sign_up)
            if link is None:
                return  # the address has no account, or it is disabled
            url = sign_in_url(base_url, link.token)
            values |= {"minutes": int(LINK_LIFETIME.total_seconds() // 60), "is_new": link.is_new}
        else:
            raise MailRefused(f"unknown kind {message.kind!r}")
        sender, recipient = self._sender, message.recipient
        email = compose(message.kind, sender=sender, recipient=recipient, url=url, values=values, message_id=message.id)
        try:
            async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
                await self._send_message(email, recipient, url)
        except TimeoutError:
            raise MailServerUnavailable("the mail server is too slow") from None
        _log.info("sent email %s (%s)", message.id, message.kind)

    async def _retry_later(self, message: MessageRow, reason: str) -> None:
        is_scheduled = await asyncio.to_thread(self._outbox.retry, message)
        result = "will be sent again" if is_scheduled else "was given up"
        _log.warning("email %s %s after attempt %d: %s", message.id, result, message.attempts, reason)
