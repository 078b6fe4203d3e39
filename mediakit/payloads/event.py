"""Calendar events: the subset of iCalendar (RFC 5545) that phones read from a code.

UID and DTSTAMP are omitted: they make the code larger, and phones add their own.
"""

from datetime import UTC, date, datetime, timedelta

from mediakit.errors import InvalidInput
from mediakit.payloads.checks import single_line

MAX_TEXT_LENGTH = 200
MAX_DESCRIPTION_LENGTH = 500


def event(
    title: str,
    start: datetime | date,
    end: datetime | date | None = None,
    *,
    location: str | None = None,
    description: str | None = None,
    url: str | None = None,
) -> str:
    """Return an event as iCalendar text, for the data of a QR code.

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
    _check_times(start, end)
    lines = [f"SUMMARY:{_escaped(single_line('title', title, MAX_TEXT_LENGTH))}", _time("DTSTART", start)]
    if end is not None:
        # DTEND is exclusive (RFC 5545, 3.6.1).
        lines.append(_time("DTEND", end if isinstance(end, datetime) else end + timedelta(days=1)))
    if location is not None:
        lines.append(f"LOCATION:{_escaped(single_line('location', location, MAX_TEXT_LENGTH))}")
    if description is not None:
        if len(description) > MAX_DESCRIPTION_LENGTH:
            raise InvalidInput(
                f"description: must have at most {MAX_DESCRIPTION_LENGTH} characters, got {len(description)}."
            )
        lines.append(f"DESCRIPTION:{_escaped(description)}")
    if url is not None:
        lines.append(f"URL:{single_line('url', url, MAX_TEXT_LENGTH)}")
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"])


def _check_times(start: datetime | date, end: datetime | date | None) -> None:
    if end is None:
        return
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise InvalidInput("end: must be a date if start is a date, and a time if start is a time.")
    if isinstance(start, datetime) and isinstance(end, datetime) and (start.tzinfo is None) != (end.tzinfo is None):
        raise InvalidInput("end: must have a time zone if start has one, and must not have one otherwise.")
    if end < start:
        raise InvalidInput("end: must not be before start.")


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
