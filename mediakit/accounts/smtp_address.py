"""The address of an SMTP server, parsed from `MEDIAKIT_SMTP_URL`."""

from dataclasses import dataclass, field
from typing import Literal, cast, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from mediakit.errors import InvalidInput

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
        return cls(
            host=parts.hostname,
            port=port or (SUBMISSIONS_PORT if tls else SUBMISSION_PORT),
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            tls=tls,
            start_tls=_start_tls(parts.query, default, tls=tls),
        )


def _start_tls(query: str, default: StartTls, *, tls: bool) -> StartTls:
    options = parse_qs(query, keep_blank_values=True)
    if unknown := options.keys() - {"starttls"}:
        raise InvalidInput(f"MEDIAKIT_SMTP_URL: the only option is starttls, got {min(unknown)!r}.")
    value = options.get("starttls", [default])[-1]
    if value not in get_args(StartTls):
        raise InvalidInput(f"MEDIAKIT_SMTP_URL: starttls must be required, optional or never, got {value!r}.")
    if tls and value != "never":
        raise InvalidInput("MEDIAKIT_SMTP_URL: starttls requires smtp://; smtps:// uses TLS from the start.")
    return cast("StartTls", value)
