"""Dates as pages write them, to ISO 8601."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

EARLIEST, LATEST = 1950, 2100

_ISO = re.compile(
    r"^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{1,2}:\d{2})(:\d{2})?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{0,2})?)?",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\d/.])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d])")
_DOTTED = re.compile(r"(?<![\d/.])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_HAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
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
_NAMED = re.compile(
    r"(?<!\d)(?:(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,10})\.?,?\s+(?:de\s+|del\s+)?(\d{4})|([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}))(?!\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[\s,.]+([^\W\d_]{3,10})\.?\s+(\d{1,2})(?!\d)")
_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")


def iso(value: str | None) -> str | None:
    """Give a stated date or time in ISO 8601, its offset kept; None where it is none that can be."""
    stated = (value or "").strip()
    return _as_iso(stated) or _as_timestamp(stated) or _as_mail(stated) or in_text(stated)


def in_text(words: str) -> str | None:
    """Find the first date in a text."""
    if match := _HAN.search(words) or _SLASHED.search(words):
        return _day(match[1], match[2], match[3])
    for match in _NAMED.finditer(words):
        day, month, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        if number := _MONTHS.get(month.lower()):
            return _day(year, str(number), day)
    for match in _YEAR_FIRST.finditer(words):
        if number := _MONTHS.get(match[2].lower()):
            return _day(match[1], str(number), match[3])
    if match := _DOTTED.search(words):
        first, second = int(match[1]), int(match[3])
        month_first = second > 12 or (match[2] == "/" and first <= 12)
        return _day(match[4], *((match[1], match[3]) if month_first else (match[3], match[1])))
    if match := re.search(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)", words):
        return _day(match[1], match[2], match[3])
    return None


def in_address(address: str) -> str | None:
    """Find the day that the path of an address names, as /2024/03/05/."""
    match = _ADDRESS.search(address)
    return _day(match[1], match[2], match[3]) if match else None


def _as_iso(stated: str) -> str | None:
    match = _ISO.match(stated)
    if not match or not (day := _day(match[1], match[2], match[3])):
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


def _as_timestamp(stated: str) -> str | None:
    if not re.fullmatch(r"\d{10}(?:\d{3})?", stated):
        return None
    return datetime.fromtimestamp(int(stated[:10]), UTC).isoformat().replace("+00:00", "Z")


def _as_mail(stated: str) -> str | None:
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        when = parsedate_to_datetime(stated)
        return (
            when.isoformat().replace("+00:00", "Z") if EARLIEST <= when.year <= LATEST and "," in stated[:5] else None
        )
    return None


def _day(year: str, month: str, day: str) -> str | None:
    with suppress(ValueError):
        made = date(int(year), int(month), int(day))
        return made.isoformat() if EARLIEST <= made.year <= LATEST else None
    return None
