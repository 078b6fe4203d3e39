"""Ways to send an email message: through an SMTP server, or to a file when none is set."""

import logging
import re
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mediakit.accounts.account import ascii_address
from mediakit.accounts.clock import utc_now
from mediakit.accounts.private_files import private_folder, write_private
from mediakit.accounts.smtp_address import SmtpAddress

if TYPE_CHECKING:
    import aiosmtplib

SMTP_TIMEOUT_SECONDS = 20
OUTBOX_FOLDER = "outbox"

_PERMANENT_ERROR = 500
_log = logging.getLogger(__name__)


class MailError(Exception):
    """A message could not be sent. The reason contains neither the recipient nor the text."""


class MailRefused(MailError):  # noqa: N818  # a kind of MailError
    """The server refused this message, and will refuse it again."""


class MailServerUnavailable(MailError):  # noqa: N818  # a kind of MailError
    """The server does not accept messages at this time."""


class Transport(Protocol):
    """Sends messages."""

    async def send(self, message: EmailMessage, recipient: str, link: str) -> None:
        """Send a message.

        Raises:
            MailError: The message was not sent.
        """


class SmtpTransport:
    """Sends each message over its own connection."""

    def __init__(self, address: SmtpAddress, sender: str) -> None:
        self._address = address
        self._sender = sender

    async def send(self, message: EmailMessage, recipient: str, link: str) -> None:  # noqa: ARG002  # for files only
        """Send a message. It is encrypted as the address requires.

        Raises:
            MailRefused: The server rejected the recipient, the sender or the message with a permanent error.
            MailServerUnavailable: The connection, the login or TLS failed.
            MailError: The server rejected the message for now.
        """
        import aiosmtplib

        try:
            async with self._client() as client:
                await client.send_message(message, sender=self._sender, recipients=[ascii_address(recipient)])
        except aiosmtplib.SMTPRecipientsRefused as error:
            raise _refused(max(refused.code for refused in error.recipients)) from error
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPSenderRefused) as error:
            raise _refused(error.code) from error
        except aiosmtplib.SMTPResponseException as error:
            raise MailServerUnavailable(f"{type(error).__name__}, status {error.code}") from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise MailServerUnavailable(f"{type(error).__name__}: {str(error)[:200]}") from error

    def _client(self) -> "aiosmtplib.SMTP":
        import aiosmtplib

        address = self._address
        return aiosmtplib.SMTP(
            hostname=address.host,
            port=address.port,
            username=address.username,
            password=address.password,
            use_tls=address.tls,
            start_tls={"required": True, "optional": None, "never": False}[address.start_tls],
            timeout=SMTP_TIMEOUT_SECONDS,
        )


class FileTransport:
    """Writes each message to a file in `MEDIAKIT_HOME`, and its link to the log."""

    def __init__(self, home: Path) -> None:
        self._folder = home / OUTBOX_FOLDER

    async def send(self, message: EmailMessage, recipient: str, link: str) -> None:
        """Write a message to an `.eml` file that only its owner can read."""
        name = re.sub(r"[^\w.@+-]", "_", recipient)[:100]
        path = self._folder / f"{utc_now():%Y%m%dT%H%M%S%f}-{name}.eml"
        private_folder(self._folder.parent)
        private_folder(self._folder)
        write_private(path, message.as_bytes(), replace=False)
        _log.info("No mail server is set (MEDIAKIT_SMTP_URL). Wrote %s with the link %s", path, link)


def _refused(code: int) -> MailError:
    kind = MailRefused if code >= _PERMANENT_ERROR else MailError
    return kind(f"the mail server responded with status {code}")
