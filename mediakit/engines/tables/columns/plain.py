"""Single values as text and in ISO 8601."""

import datetime as dt
import json
from decimal import Decimal
from typing import Any

_EXACT_FLOAT = 1e16


def text_of(value: Any) -> str:
    """Return a value as the text that a cell of it would hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOAT:
        return str(int(value))
    if isinstance(value, int | float | Decimal | dt.timedelta):
        return str(value)
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if _is_midnight(value) else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False, default=text_of)


def iso_of(value: Any, kind: str) -> str:
    """Return a moment in ISO 8601; a date among datetimes is its midnight."""
    if isinstance(value, dt.timedelta):
        return (dt.datetime.min + value).time().isoformat()
    if kind == "datetime" and not isinstance(value, dt.datetime):
        return f"{value.isoformat()}T00:00:00"
    return str(value.isoformat())


def _is_midnight(value: dt.datetime) -> bool:
    return value.tzinfo is None and value.time() == dt.time()
