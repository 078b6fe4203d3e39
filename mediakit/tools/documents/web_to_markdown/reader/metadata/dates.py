"""Converts dates of web pages to ISO 8601."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

MIN_YEAR, MAX_YEAR = 1950, 2100

_ISO = re.compile(
    r"^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{1,2}:\d{2})(:\d{2})?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{0,2})?)?",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\d/.])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d])")
_DOTTED = re.compile(r"(?<![\d/.])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar januari enero janvier gennaio janeiro ene janv gen jän jänner",
            "february feb februar februari febrero février fevrier febbraio fevereiro févr fev febr",
            "march mar märz maerz maart marzo mars março marco mrz mär",
            "april apr abril avril aprile avr abr",
            "may mai mei mayo maggio maio mag",
            "june jun juni junio juin giugno junho giu",
            "july jul juli julio juillet luglio julho juil lug",
            "august aug agosto août aout augustus ago ag",
            "september sep sept septiembre septembre settembre setembro set",
            "october oct oktober okt octubre octobre ottobre outubro ott out",
            "november nov noviembre novembre novembro",
            "december dec dezember dez december diciembre décembre decembre dicembre dezembro dic déc",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH_NAME = re.compile(
    r"(?<!\d)(?:(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,10})\.?,?\s+(?:de\s+|del\s+)?(\d{4})|([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}))(?!\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[\s,.]+([^\W\d_]{3,10})\.?\s+(\d{1,2})(?!\d)")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")


def parse_date(value: str | None) -> str | None:
    """Return a date or time in ISO 8601 with its original offset. None if it cannot be parsed."""
    text = (value or "").strip()
    return _parse_iso(text) or _parse_timestamp(text) or _parse_mail_date(text) or find_in_text(text)


def find_in_text(text: str) -> str | None:
    """Return the first date in a text."""
    if match := _EAST_ASIAN.search(text) or _SLASHED.search(text):
        return _iso_date(match[1], match[2], match[3])
    for match in _MONTH_NAME.finditer(text):
        day, month, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        if number := _MONTHS.get(month.lower()):
            return _iso_date(year, str(number), day)
    for match in _YEAR_FIRST.finditer(text):
        if number := _MONTHS.get(match[2].lower()):
            return _iso_date(match[1], str(number), match[3])
    if match := _DOTTED.search(text):
        first, second = int(match[1]), int(match[3])
        month_first = second > 12 or (match[2] == "/" and first <= 12)
        return _iso_date(match[4], *((match[1], match[3]) if month_first else (match[3], match[1])))
    if match := re.search(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)", text):
        return _iso_date(match[1], match[2], match[3])
    return None


def find_in_url(url: str) -> str | None:
    """Return the date in the path of a URL, such as `/2024/03/05/`."""
    match = _URL_DATE.search(url)
    return _iso_date(match[1], match[2], match[3]) if match else None


def _parse_iso(text: str) -> str | None:
    match = _ISO.match(text)
    if not match or not (day := _iso_date(match[1], match[2], match[3])):
        return None
    if not match[4]:
        return day
    zone = (match[6] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
    if zone and zone != "Z":
        zone = f"{zone[:3]}:{zone[3:].strip(':') or '00'}"
    written = f"{day}T{match[4].zfill(5)}{match[5] or ':00'}{zone}"
    with suppress(ValueError):
        return datetime.fromisoformat(written).isoformat().replace("+00:00", "Z")
    return day


def _parse_timestamp(text: str) -> str | None:
    if not re.fullmatch(r"\d{10}(?:\d{3})?", text):
        return None
    return datetime.fromtimestamp(int(text[:10]), UTC).isoformat().replace("+00:00", "Z")


def _parse_mail_date(text: str) -> str | None:
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        parsed = parsedate_to_datetime(text)
        if MIN_YEAR <= parsed.year <= MAX_YEAR and "," in text[:5]:
            return parsed.isoformat().replace("+00:00", "Z")
    return None


def _iso_date(year: str, month: str, day: str) -> str | None:
    with suppress(ValueError):
        parsed = date(int(year), int(month), int(day))
        return parsed.isoformat() if MIN_YEAR <= parsed.year <= MAX_YEAR else None
    return None
