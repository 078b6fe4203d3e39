"""Rules that several payloads share."""

import re

from mediakit.errors import InvalidInput

PHONE = re.compile(r"\+?\d[\d*#]{1,19}", re.ASCII)
PHONE_SPACING = re.compile(r"[\s().\-/]")
EMAIL = re.compile(r"[^\s@<>\",;:\\()\[\]]{1,64}@[^\s@<>\",;:\\()\[\]]{1,255}")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def single_line(field: str, text: str, longest: int) -> str:
    """Give a text without the spaces around it.

    Raises:
        InvalidInput: It is empty, too long, or holds a line break or another control character.
    """
    value = text.strip()
    if not value:
        raise InvalidInput(f"{field}: is empty.")
    if len(value) > longest:
        raise InvalidInput(f"{field}: must have at most {longest} characters, got {len(value)}.")
    if CONTROL.search(value):
        raise InvalidInput(f"{field}: must be one line, without control characters.")
    return value


def phone_number(text: str, field: str = "phone") -> str:
    """Give a phone number without what only people need (RFC 3966).

    Raises:
        InvalidInput: It is no phone number.
    """
    number = PHONE_SPACING.sub("", text)
    if not PHONE.fullmatch(number):
        raise InvalidInput(f'{field}: is no phone number, got {text[:40]!r}; write it as "+49 30 901820".')
    return number


def email_address(text: str, field: str = "email") -> str:
    """Give an e-mail address.

    Raises:
        InvalidInput: It is none.
    """
    address = text.strip()
    if not EMAIL.fullmatch(address):
        raise InvalidInput(f'{field}: is no e-mail address, got {text[:40]!r}; write it as "ada@example.com".')
    return address
