"""Validation rules that several payloads share."""

import re

from mediakit.errors import InvalidInput

PHONE = re.compile(r"\+?\d[\d*#]{1,19}", re.ASCII)
PHONE_SPACING = re.compile(r"[\s().\-/]")
EMAIL = re.compile(r"[^\s@<>\",;:\\()\[\]]{1,64}@[^\s@<>\",;:\\()\[\]]{1,255}")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def single_line(field: str, text: str, max_length: int) -> str:
    """Validate a single-line text and remove surrounding spaces.

    Raises:
        InvalidInput: The text is empty, too long, or contains a line break or another control character.
    """
    value = text.strip()
    if not value:
        raise InvalidInput(f"{field}: must not be empty.")
    if len(value) > max_length:
        raise InvalidInput(f"{field}: must have at most {max_length} characters, got {len(value)}.")
    if CONTROL.search(value):
        raise InvalidInput(f"{field}: must be a single line without control characters.")
    return value


def phone_number(text: str, field: str = "phone") -> str:
    """Validate a phone number and remove its spacing (RFC 3966).

    Raises:
        InvalidInput: The text is not a phone number.
    """
    number = PHONE_SPACING.sub("", text)
    if not PHONE.fullmatch(number):
        raise InvalidInput(f'{field}: must be a phone number such as "+49 30 901820", got {text[:40]!r}.')
    return number


def email_address(text: str, field: str = "email") -> str:
    """Validate an email address.

    Raises:
        InvalidInput: The text is not an email address.
    """
    address = text.strip()
    if not EMAIL.fullmatch(address):
        raise InvalidInput(f'{field}: must be an email address such as "ada@example.com", got {text[:40]!r}.')
    return address
