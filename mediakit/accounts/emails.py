"""Validation of email addresses."""

from mediakit.errors import InvalidInput

MAX_LENGTH = 254
"""RFC 5321, section 4.5.3.1.3, without the angle brackets."""


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
    local, domain = email.split("@")
    if not local or "." not in domain or not all(domain.split(".")):
        raise InvalidInput("email: must have a name and a full domain, as in ada@example.com.")
    return email
