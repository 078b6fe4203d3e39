"""Texts of QR codes that phones act on: join a network, save a contact, make a payment.

`mediakit.qr(mediakit.payloads.wifi("Guests", password="sunflower-42"))`

Each function returns the text of a code, escaped as its format requires, and validates the values.
"""

import inspect
import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, get_type_hints
from urllib.parse import quote

from pydantic import GetPydanticSchema, PlainValidator, SkipValidation, ValidationError, validate_call
from pydantic_core import core_schema

from mediakit.core.inputs import is_missing
from mediakit.core.messages import explain
from mediakit.core.messages import quote as quote_value
from mediakit.core.request import invalid
from mediakit.errors import InvalidInput

__all__ = ["contact", "email", "event", "location", "payment", "phone", "wifi"]

Security = Literal["WPA", "SAE", "WEP", "open"]

MAX_LINE_LENGTH = 200
MAX_NOTE_LENGTH = 500
MAX_MESSAGE_LENGTH = 1000
MAX_SSID_BYTES = 32
WPA_PASSWORD = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")
"""IEEE 802.11: an ASCII passphrase, or the key in hexadecimal digits."""

PHONE = re.compile(r"\+?\d[\d*#]{1,19}", re.ASCII)
EMAIL = re.compile(r"[^\s@<>\",;:\\()\[\]]{1,64}@[^\s@<>\",;:\\()\[\]]{1,255}")
IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.ASCII)
BIC = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", re.ASCII)
REFERENCE = re.compile(r"RF\d{2}[A-Z0-9]{1,21}", re.ASCII)
PURPOSE = re.compile(r"[A-Z0-9]{1,4}", re.ASCII)
MIN_AMOUNT, MAX_AMOUNT = Decimal("0.01"), Decimal("999999999.99")
MAX_PAYMENT_BYTES = 331
"""Capacity of a version 13 QR code at error correction level M, the largest allowed."""

SECURITY_SYNONYMS = {"WPA": "wpa2, wpa3, wpa2 psk, wpa psk", "SAE": "wpa3 sae", "open": "none, nopass"}

P = ParamSpec("P")


def _listed(value: Any) -> Any:
    if value is None:
        return []
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def _moment(value: Any) -> Any:
    if isinstance(value, date) and not is_missing(value):
        return value
    try:
        return date.fromisoformat(value) if len(value) <= len("2026-05-01") else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(
            f'must be a date such as "2026-05-01", or a time such as "2026-05-01T18:30", got {quote_value(value)}.'
        ) from None


_TEXTS = core_schema.no_info_before_validator_function(_listed, core_schema.list_schema(core_schema.str_schema()))
Texts = Annotated[str | Iterable[str] | None, GetPydanticSchema(lambda _source, _handler: _TEXTS)]
"""Several texts, or one; a function receives a list."""

Moment = Annotated[date | datetime, PlainValidator(_moment)]
"""The day of an all-day event, or a time; a text of a day is that day."""


def _checked(function: Callable[P, str]) -> Callable[P, str]:
    """Return a function that checks the types of its arguments; numbers are texts, and ISO 8601 texts are dates."""
    call = validate_call(config={"coerce_numbers_to_str": True})(function)
    function.__annotations__ = get_type_hints(function)  # without the validators, for help and completion
    names = tuple(inspect.signature(function).parameters)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return call(*args, **kwargs)
        except ValidationError as error:
            raise invalid(explain(error, names=names, choices={"security": SECURITY_SYNONYMS})) from None

    return checked


@_checked
def wifi(name: str, *, password: str | None = None, security: Security | None = None, hidden: bool = False) -> str:
    """Return the text that connects to a Wi-Fi network.

    The format is ZXing's, which the WPA3 specification adopted in section 7.

    Args:
        name: Name of the network (SSID), at most 32 bytes.
        password: Password; none for an open network.
        security: WPA (also WPA2 and WPA3 with a password), SAE (WPA3 only), WEP or open. Default: WPA with a
            password, otherwise open.
        hidden: Whether the network does not broadcast its name.

    Raises:
        InvalidInput: The name or the password is invalid for the type of network.
    """
    kind = security or ("WPA" if password else "open")
    if not 1 <= len(name.encode()) <= MAX_SSID_BYTES:
        raise InvalidInput(f"name: must have 1 to {MAX_SSID_BYTES} bytes, got {len(name.encode())}.")
    if bool(password) == (kind == "open"):
        raise InvalidInput(
            f"password: {'must be omitted for an open network' if password else f'is required for {kind}'}."
        )
    if kind == "WPA" and password and not WPA_PASSWORD.fullmatch(password):
        raise InvalidInput("password: must have 8 to 63 ASCII characters for WPA, or 64 hexadecimal digits for a key.")
    escaped = {key: re.sub(r'[\\;,:"]', r"\\\g<0>", text) for key, text in (("S", name), ("P", password)) if text}
    parts = [f"T:{'nopass' if kind == 'open' else kind}", *(f"{key}:{text}" for key, text in escaped.items())]
    return f"WIFI:{';'.join([*parts, *(['H:true'] if hidden else [])])};;"


@_checked
def contact(
    name: str,
    *,
    family_name: str | None = None,
    phone: Texts = (),
    email: Texts = (),
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
    """Return the text of a contact, as vCard 3.0 (RFC 2426), the version that all phones support.

    Long lines are not folded, because code readers do not unfold them.

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
    given, family = _line("name", name), "" if family_name is None else _line("family_name", family_name)
    if family_name is None and " " in given:
        given, _, family = given.rpartition(" ")
    lines = [f"N:{_escaped(family)};{_escaped(given)};;;", f"FN:{_escaped(f'{given} {family}'.strip())}"]
    if organization is not None:
        lines.append(f"ORG:{_escaped(_line('organization', organization))}")
    if title is not None:
        lines.append(f"TITLE:{_escaped(_line('title', title))}")
    lines += [f"TEL:{_phone_number(number)}" for number in phone or ()]
    lines += [f"EMAIL:{_escaped(_email_address(one))}" for one in email or ()]
    if url is not None:
        lines.append(f"URL:{_line('url', url)}")
    address = [street, city, region, postal_code, country]
    if any(address):
        lines.append(f"ADR:;;{';'.join(_escaped(_line('address', part)) if part else '' for part in address)}")
    if birthday:
        lines.append(f"BDAY:{birthday:%Y-%m-%d}")
    if note is not None:
        lines.append(f"NOTE:{_escaped(_limited('note', note, MAX_NOTE_LENGTH))}")
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", *lines, "END:VCARD"])


@_checked
def event(
    title: str,
    start: Moment,
    end: Moment | None = None,
    *,
    location: str | None = None,
    description: str | None = None,
    url: str | None = None,
) -> str:
    """Return the text of an event: the subset of iCalendar (RFC 5545) that phones read from a code.

    UID and DTSTAMP are omitted: they make the code larger, and phones add their own.

    Args:
        title: Title of the event.
        start: Start time, or the first day of an all-day event. A time without a time zone is local time.
        end: End time, or the last day of an all-day event. Default: no duration, or one day.
        location: Location of the event.
        description: Further text, which may have several lines.
        url: Web page.

    Raises:
        InvalidInput: A text is empty or too long, or `end` is before `start` or of another type.
    """
    lines = [f"SUMMARY:{_escaped(_line('title', title))}", _time("DTSTART", start)]
    if end is not None:
        if isinstance(start, datetime) != isinstance(end, datetime):
            raise InvalidInput("end: must be a date if start is a date, and a time if start is a time.")
        if isinstance(start, datetime) and isinstance(end, datetime) and (start.tzinfo is None) != (end.tzinfo is None):
            raise InvalidInput("end: must have a time zone if start has one, and must not have one otherwise.")
        if end < start:
            raise InvalidInput("end: must not be before start.")
        # DTEND is exclusive (RFC 5545, 3.6.1).
        lines.append(_time("DTEND", end if isinstance(end, datetime) else end + timedelta(days=1)))
    if location is not None:
        lines.append(f"LOCATION:{_escaped(_line('location', location))}")
    if description is not None:
        lines.append(f"DESCRIPTION:{_escaped(_limited('description', description, MAX_NOTE_LENGTH))}")
    if url is not None:
        lines.append(f"URL:{_line('url', url)}")
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"])


def _time(label: str, moment: datetime | date) -> str:
    if not isinstance(moment, datetime):
        return f"{label};VALUE=DATE:{moment:%Y%m%d}"
    if moment.tzinfo is None:
        return f"{label}:{moment:%Y%m%dT%H%M%S}"
    return f"{label}:{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


@_checked
def email(to: str, *, subject: str | None = None, body: str | None = None) -> str:
    """Return the text that opens a new email (RFC 6068).

    Args:
        to: Email address.
        subject: Subject of the email.
        body: Text of the email, which may have several lines.

    Raises:
        InvalidInput: The address is invalid, or a text is too long.
    """
    texts = {"subject": subject, "body": body}
    # Line breaks are CRLF (RFC 6068, section 5).
    fields = {
        name: _limited(name, text, MAX_MESSAGE_LENGTH).replace("\r\n", "\n").replace("\n", "\r\n")
        for name, text in texts.items()
        if text
    }
    query = "&".join(f"{name}={quote(text, safe='')}" for name, text in fields.items())
    return f"mailto:{quote(_email_address(to, 'to'), safe='@!$*+')}{'?' if query else ''}{query}"


@_checked
def phone(number: str) -> str:
    """Return the text that dials a number (RFC 3966).

    Args:
        number: Phone number with country code, as in "+49 30 901820", so that it works everywhere.

    Raises:
        InvalidInput: The text is not a phone number.
    """
    return f"tel:{_phone_number(number, 'number')}"


@_checked
def location(latitude: float, longitude: float) -> str:
    """Return the text of a location (RFC 5870), with a resolution of 0.1 m.

    Args:
        latitude: Degrees north, -90 to 90.
        longitude: Degrees east, -180 to 180.

    Raises:
        InvalidInput: A coordinate is out of range.
    """
    degrees = []
    for name, value, limit in (("latitude", latitude, 90), ("longitude", longitude, 180)):
        if not -limit <= value <= limit:
            raise InvalidInput(f"{name}: must be from -{limit} to {limit} degrees, got {value}.")
        # The standard does not allow an exponent.
        text = f"{value:.6f}".rstrip("0").rstrip(".")
        degrees.append("0" if text == "-0" else text)
    return f"geo:{','.join(degrees)}"


@_checked
def payment(
    name: str,
    iban: str,
    amount: SkipValidation[Decimal | float | str | None] = None,
    *,
    reference: str | None = None,
    text: str | None = None,
    bic: str | None = None,
    purpose: str | None = None,
    hint: str | None = None,
) -> str:
    """Return the text of a bank transfer in euro. The standard requires a QR code with `ecc="M"`.

    It is the code of the European Payments Council (EPC069-12), also called Girocode.

    Args:
        name: Name of the payee, at most 70 characters.
        iban: Account of the payee; spaces are ignored.
        amount: Amount in euro, 0.01 to 999999999.99. Default: the payer enters it.
        reference: Creditor reference (ISO 11649), as in "RF18539007547034"; excludes `text`.
        text: Remittance text, at most 140 characters.
        bic: BIC of the bank; required outside the European Economic Area.
        purpose: Purpose code (ISO 20022), such as "CHAR" for a charity payment.
        hint: Information for the payer, at most 70 characters.

    Raises:
        InvalidInput: A value is invalid, or all values together are too long.
    """
    if reference is not None and text is not None:
        raise InvalidInput("reference, text: only one of them is allowed.")
    account = "".join(iban.split()).upper()
    if not IBAN.fullmatch(account):
        raise InvalidInput(f'iban: must be an IBAN such as "DE89 3704 0044 0532 0130 00", got {iban[:40]!r}.')
    lines = [
        "BCD",
        "002",
        "1",
        "SCT",
        _match("bic", bic, BIC, "BELADEBEXXX"),
        _line("name", name, 70),
        _with_check_digits("iban", account),
        _euro(amount),
        _match("purpose", purpose, PURPOSE, "CHAR"),
        _with_check_digits("reference", _match("reference", reference, REFERENCE, "RF18539007547034")),
        "" if text is None else _line("text", text, 140),
        "" if hint is None else _line("hint", hint, 70),
    ]
    payload = "\n".join(lines).rstrip("\n")
    if (size := len(payload.encode())) > MAX_PAYMENT_BYTES:
        raise InvalidInput(f"text: all values together must have at most {MAX_PAYMENT_BYTES} bytes, got {size}.")
    return payload


def _euro(amount: Decimal | float | str | None) -> str:
    if amount is None:
        return ""
    try:
        value = Decimal(str(amount))
    except InvalidOperation:
        value = Decimal("nan")
    if not (value.is_finite() and MIN_AMOUNT <= value <= MAX_AMOUNT and value == round(value, 2)):
        raise InvalidInput(f"amount: must be from {MIN_AMOUNT} to {MAX_AMOUNT} euro in whole cents, got {amount!r}.")
    return f"EUR{value:.2f}"


def _match(field: str, text: str | None, pattern: re.Pattern[str], example: str) -> str:
    value = "" if text is None else "".join(text.split()).upper()
    if text is not None and not pattern.fullmatch(value):
        raise InvalidInput(f'{field}: must be of the form "{example}", got {text[:40]!r}.')
    return value


def _with_check_digits(field: str, text: str) -> str:
    """Verify the check digits at the third and fourth position (ISO/IEC 7064, MOD 97-10)."""
    if text:
        digits = "".join(str(int(character, 36)) for character in f"{text[4:]}{text[:2]}00")
        expected = f"{98 - int(digits) % 97:02}"
        if text[2:4] != expected:
            raise InvalidInput(f"{field}: check digits are {text[2:4]}, should be {expected}.")
    return text


def _escaped(text: str) -> str:
    """Escape a value of a vCard or of iCalendar (RFC 5545, section 3.3.11)."""
    return re.sub(r"\r\n?|\n", r"\\n", re.sub(r"[\\;,]", r"\\\g<0>", text))


def _line(field: str, text: str, max_length: int = MAX_LINE_LENGTH) -> str:
    """Validate a single-line text and remove surrounding spaces."""
    value = text.strip()
    if not value:
        raise InvalidInput(f"{field}: must not be empty.")
    if re.search(r"[\x00-\x1f\x7f]", _limited(field, value, max_length)):
        raise InvalidInput(f"{field}: must be a single line without control characters.")
    return value


def _limited(field: str, text: str, max_length: int) -> str:
    if len(text) > max_length:
        raise InvalidInput(f"{field}: must have at most {max_length} characters, got {len(text)}.")
    return text


def _phone_number(text: str, field: str = "phone") -> str:
    """Validate a phone number and remove its spacing (RFC 3966)."""
    number = re.sub(r"[\s().\-/]", "", text)
    if not PHONE.fullmatch(number):
        raise InvalidInput(f'{field}: must be a phone number such as "+49 30 901820", got {text[:40]!r}.')
    return number


def _email_address(text: str, field: str = "email") -> str:
    address = text.strip()
    if not EMAIL.fullmatch(address):
        raise InvalidInput(f'{field}: must be an email address such as "ada@example.com", got {text[:40]!r}.')
    return address
