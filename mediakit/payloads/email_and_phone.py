"""Email messages and phone calls."""

from urllib.parse import quote

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import email_address, phone_number

MAX_TEXT_LENGTH = 1000


def email(to: str, *, subject: str | None = None, body: str | None = None) -> str:
    """Return the text that opens a new email (RFC 6068).

    Args:
        to: Email address.
        subject: Subject of the email.
        body: Text of the email, which may have several lines.

    Raises:
        InvalidInput: The address is invalid, or a text is too long.
    """
    fields = {"subject": subject, "body": body}
    for name, text in fields.items():
        if text and len(text) > MAX_TEXT_LENGTH:
            raise InvalidInput(f"{name}: must have at most {MAX_TEXT_LENGTH} characters, got {len(text)}.")
    query = "&".join(f"{name}={_encoded(text)}" for name, text in fields.items() if text)
    return f"mailto:{quote(email_address(to, 'to'), safe='@!$*+')}{'?' if query else ''}{query}"


def phone(number: str) -> str:
    """Return the text that dials a number (RFC 3966).

    Args:
        number: Phone number with country code, as in "+49 30 901820", so that it works everywhere.

    Raises:
        InvalidInput: The text is not a phone number.
    """
    return f"tel:{phone_number(number, 'number')}"


def _encoded(text: str) -> str:
    """Percent-encode, line breaks as CRLF (RFC 6068, section 5)."""
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
