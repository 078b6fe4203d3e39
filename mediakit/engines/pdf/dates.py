"""Dates of PDFs (ISO 32000-2, 7.9.4) and of ISO 8601."""

import re
from datetime import datetime

_PDF_DATE = re.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?", re.ASCII | re.IGNORECASE
)


def iso_of(text: str) -> str:
    """Return a date of a PDF in ISO 8601, as exact as it is; text that is not a date is returned unchanged."""
    match = _PDF_DATE.match(text.strip())
    if not match:
        return text
    year, month, day, hour, minute, second, utc, sign, hours, minutes = match.groups()
    date = "-".join(part for part in (year, month, day if month else None) if part)
    if not (month and day and hour):
        return date if _is_date(date) else text
    zone = "Z" if utc else f"{sign}{hours}:{minutes or '00'}" if sign else ""
    moment = f"{date}T{hour}:{minute or '00'}:{second or '00'}{'+00:00' if zone == 'Z' else zone}"
    return moment if _is_date(moment) else text


def pdf_of(iso: str) -> str:
    """Return a date of ISO 8601, with or without a time and a zone, as a PDF has it.

    Raises:
        ValueError: The text is not a date.
    """
    moment = datetime.fromisoformat(iso)
    if len(iso) <= len("2026-12-31"):
        return f"D:{moment:%Y%m%d}"
    zone = f"{moment:%z}"
    return f"D:{moment:%Y%m%d%H%M%S}" + (f"{zone[:3]}'{zone[3:5]}'" if zone else "")


def _is_date(iso: str) -> bool:
    try:
        datetime.fromisoformat(iso + "-01-01"[3 * (len(iso) == 7) :] if len(iso) < 10 else iso)
    except ValueError:
        return False
    return True
