"""Calendar events: the part of iCalendar (RFC 5545) that phones want from a code.

A code has neither UID nor DTSTAMP: they would make it larger, and phones give their own.
"""

from datetime import UTC, date, datetime, timedelta

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import single_line

TEXT = 200
DETAILS = 500


def event(
    title: str,
    start: datetime | date,
    end: datetime | date | None = None,
    *,
    location: str | None = None,
    description: str | None = None,
    url: str | None = None,
) -> str:
    """Give the text of an event.

    Args:
        title: What takes place.
        start: When it begins; a day alone for an event of whole days. A time without a zone is that of the place.
        end: When it ends, of the same kind as `start`; the last of whole days. Left out: a moment, or one day.
        location: Where.
        description: Anything else; may have several lines.
        url: Web page.

    Raises:
        InvalidInput: A text is empty or too long, or the end is before the start or of another kind.
    """
    _check_times(start, end)
    lines = [f"SUMMARY:{_escaped(single_line('title', title, TEXT))}", _time("DTSTART", start)]
    if end is not None:
        # The last day is the first one that it no longer takes place on (RFC 5545, 3.6.1).
        lines.append(_time("DTEND", end if isinstance(end, datetime) else end + timedelta(days=1)))
    if location is not None:
        lines.append(f"LOCATION:{_escaped(single_line('location', location, TEXT))}")
    if description is not None:
        if len(description) > DETAILS:
            raise InvalidInput(f"description: must have at most {DETAILS} characters, got {len(description)}.")
        lines.append(f"DESCRIPTION:{_escaped(description)}")
    if url is not None:
        lines.append(f"URL:{single_line('url', url, TEXT)}")
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"])


def _check_times(start: datetime | date, end: datetime | date | None) -> None:
    if end is None:
        return
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise InvalidInput("end: must be a day as start is, or both must be times.")
    if isinstance(start, datetime) and isinstance(end, datetime) and (start.tzinfo is None) != (end.tzinfo is None):
        raise InvalidInput("end: must have a time zone as start has, or neither must.")
    if end < start:
        raise InvalidInput("end: is before start.")


def _time(label: str, moment: datetime | date) -> str:
    if not isinstance(moment, datetime):
        return f"{label};VALUE=DATE:{moment:%Y%m%d}"
    if moment.tzinfo is None:
        return f"{label}:{moment:%Y%m%dT%H%M%S}"
    return f"{label}:{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Escape a value (RFC 5545, section 3.3.11)."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
