"""Contacts as vCard 3.0 (RFC 2426), the version that all phones support.

Long lines are not folded, because code readers do not unfold them.
"""

from collections.abc import Sequence
from datetime import date

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import email_address, phone_number, single_line

MAX_TEXT_LENGTH = 200
MAX_NOTE_LENGTH = 500


def contact(
    name: str,
    *,
    family_name: str | None = None,
    phone: str | Sequence[str] = (),
    email: str | Sequence[str] = (),
    organization: str | None = None,
    title: str | None = None,
    url: str | None = None,
    street: str | None = None,
    city: str | None = None,
    region: str | None = None,
    postal_code: str | None = None,
    country: str | None = None,
    birthday: date | None = None,
    note: str | None = None,
) -> str:
    """Return the text of a contact.

    Args:
        name: Full name, or the given name if `family_name` is set.
        family_name: Name by which phones sort. Default: the last word of `name`.
        phone: One number or several.
        email: One address or several.
        organization: Company, school or club.
        title: Job title.
        url: Web page.
        street: Street and number.
        city: Town or city.
        region: State or province.
        postal_code: ZIP code.
        country: Name of the country.
        birthday: Date of birth.
        note: Further text, which may have several lines.

    Raises:
        InvalidInput: A value is empty, too long, or not a valid phone number or email address.
    """
    given, family = _names(name, family_name)
    address = [street, city, region, postal_code, country]
    lines = [
        f"N:{_escaped(family)};{_escaped(given)};;;",
        f"FN:{_escaped(f'{given} {family}'.strip())}",
        *_line("ORG", "organization", organization),
        *_line("TITLE", "title", title),
        *(f"TEL:{phone_number(number)}" for number in _several(phone)),
        *(f"EMAIL:{_escaped(email_address(one))}" for one in _several(email)),
        *([f"URL:{single_line('url', url, MAX_TEXT_LENGTH)}"] if url is not None else []),
        *([f"ADR:;;{';'.join(_part(part) for part in address)}"] if any(address) else []),
        *([f"BDAY:{birthday:%Y-%m-%d}"] if birthday else []),
        *_note(note),
    ]
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", *lines, "END:VCARD"])


def _names(name: str, family_name: str | None) -> tuple[str, str]:
    whole = single_line("name", name, MAX_TEXT_LENGTH)
    if family_name is not None:
        return whole, single_line("family_name", family_name, MAX_TEXT_LENGTH)
    given, _, family = whole.rpartition(" ")
    return (given, family) if given else (family, "")


def _several(values: str | Sequence[str]) -> Sequence[str]:
    return [values] if isinstance(values, str) else values


def _line(label: str, field: str, value: str | None) -> list[str]:
    return [] if value is None else [f"{label}:{_escaped(single_line(field, value, MAX_TEXT_LENGTH))}"]


def _part(value: str | None) -> str:
    return _escaped(single_line("address", value, MAX_TEXT_LENGTH)) if value else ""


def _note(value: str | None) -> list[str]:
    if value is None:
        return []
    if len(value) > MAX_NOTE_LENGTH:
        raise InvalidInput(f"note: must have at most {MAX_NOTE_LENGTH} characters, got {len(value)}.")
    return [f"NOTE:{_escaped(value)}"]


def _escaped(text: str) -> str:
    """Escape a value (RFC 2426, section 4)."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
