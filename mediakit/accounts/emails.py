"""Email addresses as the names of accounts."""

from mediakit.errors import InvalidInput

MAX_LENGTH = 254
"""RFC 5321, section 4.5.3.1.3, less the angle brackets."""


def check_email(text: str) -> str:
    """Take an email address, in lower case.

    Only a slip of the pen is looked for: whether mail arrives is what verification is for.

    Raises:
        InvalidInput: It cannot be an email address.
    """
    email = text.strip().lower()
    if len(email) > MAX_LENGTH:
        raise InvalidInput(f"email: at most {MAX_LENGTH} characters, got {len(email)}.")
    if any(char.isspace() or not char.isprintable() for char in email):
        raise InvalidInput("email: an address has no spaces or control characters.")
    if email.count("@") != 1:
        raise InvalidInput("email: an address has one @, as in ada@example.com.")
    local, domain = email.split("@")
    if not local or "." not in domain or not all(domain.split(".")):
        raise InvalidInput("email: give a name and a full domain, as in ada@example.com.")
    return email
