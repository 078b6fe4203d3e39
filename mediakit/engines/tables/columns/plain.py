"""Single values as text and in ISO 8601."""

import datetime as dt
import json
import math
import struct
from decimal import Decimal
from typing import Any

_EXACT_FLOAT = 1e16


def text_of(value: Any) -> str:
    """Return a value as the text that a cell of it would hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, dt.date | dt.time):
        is_day = isinstance(value, dt.datetime) and value.tzinfo is None and value.time() == dt.time()
        return (value.date() if isinstance(value, dt.datetime) and is_day else value).isoformat()
    return json.dumps(value, ensure_ascii=False, default=text_of)


def _number(value: float | Decimal) -> str:
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOAT
    return str(int(value)) if isinstance(value, float) and is_whole else str(value)


def duration_text(value: dt.timedelta) -> str:
    """Return a duration as 37:45:00, with hours beyond 24 and a sign below zero, as spreadsheets and SQL write it."""
    microseconds = abs(value) // dt.timedelta(microseconds=1)
    seconds, fraction = divmod(microseconds, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    text = f"{hour:02}:{minute:02}:{second:02}" + (f".{fraction:06}".rstrip("0") if fraction else "")
    return f"-{text}" if value < dt.timedelta(0) else text


def shortest_float32(value: float) -> float:
    """Return the number with the fewest digits that is the same as a float of 32 bits: 0.1, not 0.10000000149."""
    if not math.isfinite(value):
        return value
    for digits in range(6, 10):
        short = float(f"{value:.{digits}g}")
        if struct.unpack("f", struct.pack("f", short))[0] == value:
            return short
    return value


def iso_of(value: Any, kind: str) -> str:
    """Return a moment in ISO 8601; a date among datetimes is its midnight."""
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if kind == "datetime" and not isinstance(value, dt.datetime):
        return f"{value.isoformat()}T00:00:00"
    return str(value.isoformat())
