"""Sends the messages of the outbox in the background. Each process of each server does this; messages are sent once.

A message is sent at least once: if a process stops between the delivery and its note in the database, another process
sends the message again.
"""

import asyncio
import logging
from contextlib import suppress
from email.message import EmailMessage

from mediakit.accounts.mail import DEFAULT_SENDER, parse_sender, quota_message, sign_in_message
from mediakit.accounts.mail_transports import (
    FileTransport,
    MailError,
    MailRefused,
    MailServerUnavailable,
    SmtpTransport,
    Transport,
)
from mediakit.accounts.outbox import QUOTA_KIND, Message, Outbox
from mediakit.accounts.sign_in import LINK_LIFETIME, MESSAGE_KIND, SignIn, sign_in_url
from mediakit.accounts.smtp_address import SmtpAddress
from mediakit.errors import InvalidInput, MediakitError
from mediakit.settings import HomeSettings, MailSettings

POLL_SECONDS = 5.0
"""Time until messages of other processes, and repeated attempts, are noticed."""

SEND_TIMEOUT_SECONDS = 90
"""Shorter than the time for which this process has claimed the message."""

STOP_SECONDS = 5.0

_log = logging.getLogger(__name__)


def transport_of(settings: MailSettings, home: HomeSettings) -> Transport:
    """Return the transport of the settings.

    Raises:
        InvalidInput: The SMTP URL or the sender is missing or invalid.
    """
    if settings.smtp_url is None:
        return FileTransport(home.home)
    if settings.mail_from is None:
        raise InvalidInput("MEDIAKIT_MAIL_FROM: is required with MEDIAKIT_SMTP_URL, as in no-reply@example.com.")
    return SmtpTransport(SmtpAddress.parse(settings.smtp_url), parse_sender(settings.mail_from).addr_spec)


class MailDelivery:
    """Composes and sends messages, one after another."""

    def __init__(self, outbox: Outbox, sign_in: SignIn, settings: MailSettings, home: HomeSettings) -> None:
        self._outbox = outbox
        self._sign_in = sign_in
        self._sign_up = settings.sign_up == "open"
        self._sender = settings.mail_from or DEFAULT_SENDER
        self._transport = transport_of(settings, home)
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

    async def _send(self, message: Message) -> None:
        if message.kind == QUOTA_KIND:
            base_url = message.values["base_url"]
            url = f"{base_url}/dashboard/plan" if base_url else ""
            email = quota_message(
                sender=self._sender,
                recipient=message.recipient,
                url=url,
                values=message.values,
                message_id=message.id,
            )
        elif message.kind == MESSAGE_KIND:
            found = await self._sign_in_message(message)
            if found is None:
                return  # the address has no account, or it is disabled
            email, url = found
        else:
            raise MailRefused(f"unknown kind {message.kind!r}")
        try:
            async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
                await self._transport.send(email, message.recipient, url)
        except TimeoutError:
            raise MailServerUnavailable("the mail server is too slow") from None
        _log.info("sent email %s (%s)", message.id, message.kind)

    async def _sign_in_message(self, message: Message) -> tuple[EmailMessage, str] | None:
        """Return the message with a new link, and the link."""
        link = await asyncio.to_thread(self._sign_in.create_link, message.recipient, sign_up=self._sign_up)
        if link is None:
            return None
        url = sign_in_url(message.values["base_url"], link.token)
        email = sign_in_message(
            sender=self._sender,
            recipient=message.recipient,
            url=url,
            lifetime=LINK_LIFETIME,
            is_new=link.is_new,
            message_id=message.id,
        )
        return email, url

    async def _retry_later(self, message: Message, reason: str) -> None:
        is_scheduled = await asyncio.to_thread(self._outbox.retry, message)
        result = "will be sent again" if is_scheduled else "was given up"
        _log.warning("email %s %s after attempt %d: %s", message.id, result, message.attempts, reason)
