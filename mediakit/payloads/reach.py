"""Ways to reach someone: e-mail and phone."""

from urllib.parse import quote

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import email_address, phone_number

LONGEST = 1000


def email(to: str, *, subject: str | None = None, body: str | None = None) -> str:
    """Give the text that begins an e-mail (RFC 6068).

    Args:
        to: The address.
        subject: Its subject.
        body: Its text; may have several lines.

    Raises:
        InvalidInput: The address is none, or a text is too long.
    """
    fields = {"subject": subject, "body": body}
    for name, text in fields.items():
        if text and len(text) > LONGEST:
            raise InvalidInput(f"{name}: must have at most {LONGEST} characters, got {len(text)}.")
    query = "&".join(f"{name}={_encoded(text)}" for name, text in fields.items() if text)
    return f"mailto:{quote(email_address(to, 'to'), safe='@!$*+')}{'?' if query else ''}{query}"


def phone(number: str) -> str:
    """Give the text that calls a number (RFC 3966).

    Args:
        number: With the country's code, as in "+49 30 901820", so that it works everywhere.

    Raises:
        InvalidInput: It is no phone number.
    """
    return f"tel:{phone_number(number, 'number')}"


def _encoded(text: str) -> str:
    """Percent-encode, line breaks as CRLF (RFC 6068, section 5)."""
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
