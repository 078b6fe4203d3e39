"""A real SMTP server on loopback, with TLS, login and errors as a test needs them."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.conftest import free_port


@dataclass
class Mailbox:
    """The messages that a server has accepted, and the errors that it responds with first."""

    errors: list[str] = field(default_factory=list)
    """Responses to the next messages, such as `451 Try again later`."""
    recipient_errors: list[str] = field(default_factory=list)
    """Responses to the next recipients."""
    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    users: list[bytes] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802  # the name of the command
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.recipient_errors:
            return self.recipient_errors.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # as above
        if self.errors:
            return self.errors.pop(0)
        assert isinstance(envelope.content, bytes)
        assert server.transport
        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        self.recipients.append(envelope.rcpt_tos)
        self.senders.append(envelope.mail_from or "")
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        return "250 OK"

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: LoginPassword
    ) -> AuthResult:
        self.users.append(data.login)
        return AuthResult(success=data.password == b"s3cr3t@:/", handled=False)


@contextmanager
def smtp_server(
    mailbox: Mailbox,
    port: int = 0,
    *,
    tls: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    login: bool = False,
) -> Iterator[int]:
    """Run a server, and return its port. With login, only encrypted connections can log in."""
    # The library only knows encryption by STARTTLS.
    options: dict[str, Any] = {"auth_require_tls": False} if tls else {"auth_required": login}
    if login:
        options["authenticator"] = mailbox.authenticate
    port = port or free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port, ssl_context=tls, tls_context=starttls, **options)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()
