"""Values of cells as texts: dates in ISO 8601, percent and currency as Excel shows them, other numbers as stored."""

import re
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from mediakit.tools.documents.document_to_markdown.readers.workbook.number_formats import NumberFormat

_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  # workbooks have no time zone
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001
_LAST_DAY = 2_958_466
"""The day after 9999-12-31."""

_MISSING_DAY = 60
"""1900-02-29, which Excel has and the calendar has not. Days before it are one too low."""

_MILLISECONDS = 86_400_000
_INTEGER = re.compile(r"-?\d+")
_EXACT = Decimal(10) ** 15
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?")


def number_text(raw: str, number_format: NumberFormat, *, is_1904: bool) -> str:
    """Return a number as text. Empty for NaN and infinity, which Excel does not have; other text stays as it is."""
    try:
        number = Decimal(raw.strip())
    except InvalidOperation:
        return raw
    if not number.is_finite():
        return ""
    if abs(number.adjusted()) > 400:
        return raw
    if number_format.is_date and 0 <= number < _LAST_DAY:
        days = float(number)
        return duration_text(days) if number_format.is_elapsed else moment_text(days, is_1904=is_1904)
    return number_format.shown(number) or plain_number(raw.strip())


def plain_number(raw: str) -> str:
    """Return a number as stored: whole numbers without a fraction, others with the digits that tell them apart."""
    if _INTEGER.fullmatch(raw):
        return raw
    number = Decimal(raw)
    if number == number.to_integral_value() and abs(number) < _EXACT:
        return f"{number.to_integral_value():f}"
    return repr(float(raw))


def moment_text(days: float, *, is_1904: bool) -> str:
    """Return a date, a time, or both, in ISO 8601 with a space between them."""
    milliseconds = round(days * _MILLISECONDS)
    whole, time = divmod(milliseconds, _MILLISECONDS)
    if not whole and not is_1904:
        return time_text(time)
    if not is_1904 and whole < _MISSING_DAY:
        whole += 1
    date = f"{(_EPOCH_1904 if is_1904 else _EPOCH) + timedelta(days=whole):%Y-%m-%d}".rjust(10, "0")
    return f"{date} {time_text(time)}" if time else date


def time_text(milliseconds: int) -> str:
    """Return a time of the day, or a duration."""
    seconds, rest = divmod(milliseconds, 1000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:03}".rstrip("0") if rest else text


def duration_text(days: float) -> str:
    """Return a duration in hours, minutes and seconds."""
    return time_text(round(days * _MILLISECONDS))


def iso_text(raw: str) -> str:
    """Return a date that is stored in ISO 8601 with a space before its time, and without a time of midnight."""
    match = _ISO.fullmatch(raw.strip())
    if not match:
        return raw
    date, time = match[1], match[2]
    if time and "." in time:
        time = time.rstrip("0").rstrip(".")
    if date and time and not time.strip("0:"):
        return date
    return " ".join(filter(None, (date, time)))
