"""Single values as text and in ISO 8601."""

import datetime as dt
import json
from decimal import Decimal
from typing import Any

_EXACT_FLOAT = 1e16
_MIDNIGHT = dt.datetime(2000, 1, 1)  # noqa: DTZ001  # a time of day has no zone


def text_of(value: Any) -> str:
    """Return a value as the text that a cell of it would hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal | dt.timedelta):
        return _number(value)
    if isinstance(value, dt.date | dt.time):
        is_day = isinstance(value, dt.datetime) and value.tzinfo is None and value.time() == dt.time()
        return (value.date() if isinstance(value, dt.datetime) and is_day else value).isoformat()
    return json.dumps(value, ensure_ascii=False, default=text_of)


def _number(value: float | Decimal | dt.timedelta) -> str:
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOAT
    return str(int(value)) if isinstance(value, float) and is_whole else str(value)


def iso_of(value: Any, kind: str) -> str:
    """Return a moment in ISO 8601; a date among datetimes is its midnight."""
    if isinstance(value, dt.timedelta):
        return (_MIDNIGHT + value).time().isoformat()
    if kind == "datetime" and not isinstance(value, dt.datetime):
        return f"{value.isoformat()}T00:00:00"
    return str(value.isoformat())
