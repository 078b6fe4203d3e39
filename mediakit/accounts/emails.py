"""Validation of email addresses."""

from mediakit.errors import InvalidInput

MAX_LENGTH = 254
"""RFC 5321, section 4.5.3.1.3, without the angle brackets."""

_FORBIDDEN = set('()<>[]:;,\\"')
"""Characters with a meaning in headers of email (RFC 5322, section 3.2.3). Only quoted names could contain them."""


def check_email(text: str) -> str:
    """Return an email address in lower case.

    The check finds typing errors only. Whether the mailbox exists is found by verification.

    Raises:
        InvalidInput: The text is not an email address.
    """
    email = text.strip().lower()
    if len(email) > MAX_LENGTH:
        raise InvalidInput(f"email: must have at most {MAX_LENGTH} characters, got {len(email)}.")
    if any(char.isspace() or not char.isprintable() for char in email):
        raise InvalidInput("email: must not contain spaces or control characters.")
    if email.count("@") != 1:
        raise InvalidInput("email: must contain one @, as in ada@example.com.")
    if forbidden := sorted(set(email) & _FORBIDDEN):
        raise InvalidInput(f"email: must not contain {' '.join(forbidden)}")
    local, domain = email.split("@")
    if not local or "." not in domain or not all(domain.split(".")):
        raise InvalidInput("email: must have a name and a full domain, as in ada@example.com.")
    if not local.isascii():
        raise InvalidInput("email: must have only ASCII characters before the @; few mail servers accept others.")
    return email


def ascii_address(email: str) -> str:
    """Return an email address with an internationalized domain in ASCII (RFC 3490), which every server supports."""
    local, domain = email.split("@")
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:  # a label is too long; the mail server will reject the address
        return email
