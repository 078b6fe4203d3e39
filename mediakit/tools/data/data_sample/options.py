"""The options of fields: what each may be."""

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mediakit.core.messages import quote

Check = Callable[[Any], Any]
"""Returns the value of an option, or raises a ValueError that says what it must be."""

MAX_NUMBER = 10**15
MAX_CHOICES = 1000
MAX_CHOICE_LENGTH = 1000
MAX_PATTERN_LENGTH = 100
MAX_WORDS = 200
MAX_FORMULA_LENGTH = 500
MAX_STEP_SECONDS = 31_622_400

_FIRST_DAY, _LAST_DAY = dt.date(1, 1, 2), dt.date(9999, 12, 30)
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}")


def integer(least: int = -MAX_NUMBER, greatest: int = MAX_NUMBER) -> Check:
    """Return the check of an integer."""

    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= greatest:
            raise ValueError(f"must be an integer from {least} to {greatest}, got {quote(value)}.")
        return value

    return check


def number(least: float = -MAX_NUMBER, greatest: float = MAX_NUMBER) -> Check:
    """Return the check of a number."""

    def check(value: Any) -> float:
        ok = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not ok or not least <= value <= greatest:
            raise ValueError(f"must be a number from {least:g} to {greatest:g}, got {quote(value)}.")
        return value  # type: ignore[no-any-return]

    return check


def step(value: Any) -> int:
    """Check the step of an id: an integer other than 0."""
    found: int = integer()(value)
    if found == 0:
        raise ValueError("must not be 0.")
    return found


def boolean(value: Any) -> bool:
    """Check a boolean."""
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, got {quote(value)}.")  # noqa: TRY004  # as all checks
    return value


def text(longest: int) -> Check:
    """Return the check of a text."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
            raise ValueError(f"must be text of 1 to {longest} printable characters, got {quote(value)}.")
        return value

    return check


def choices(value: Any) -> list[Any]:
    """Check the values of a choice: texts, numbers or booleans."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping) or not isinstance(value, Sequence) or isinstance(value, str):
        raise ValueError(f"must be an array, got {quote(value)}.")  # noqa: TRY004  # as all checks
    if not 1 <= len(value) <= MAX_CHOICES:
        raise ValueError(f"must have 1 to {MAX_CHOICES} values, got {len(value)}.")
    kinds = {bool: "boolean", str: "text", int: "number", float: "number"}
    if len({kinds.get(type(item)) for item in value}) != 1 or type(value[0]) not in kinds:
        raise ValueError("must all be texts, all be numbers or all be booleans.")
    for item in value:
        if isinstance(item, str) and len(item) > MAX_CHOICE_LENGTH:
            raise ValueError(f"must have texts of at most {MAX_CHOICE_LENGTH} characters, got {len(item)}.")
        if isinstance(item, int | float):
            number()(float(item))
    return list(value)


def weights(value: Any) -> list[float]:
    """Check weights: numbers that are not negative, and not all 0."""
    check = number(0)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"must be an array of numbers, got {quote(value)}.")
    found = [check(item) for item in value]
    if not sum(found):
        raise ValueError("must not all be 0.")
    return found


def day(value: Any) -> dt.date:
    """Check a date in ISO 8601."""
    if isinstance(value, dt.datetime):
        value = value.date()
    try:
        found = value if isinstance(value, dt.date) else dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"must be a date such as 2024-01-31, got {quote(value)}.") from None
    if not _FIRST_DAY <= found <= _LAST_DAY:
        raise ValueError(f"must be from {_FIRST_DAY} to {_LAST_DAY}, got {quote(value)}.")
    return found


def moment(value: Any) -> dt.datetime:
    """Check a date, or a date and time without offset, in ISO 8601."""
    try:
        found = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"must be a date and time such as 2024-01-31T09:30:00, got {quote(value)}.") from None
    if found.tzinfo is not None:
        raise ValueError(f"must have no offset, because time_zone says it, got {quote(str(value))}.")
    day(found.date())
    return found.replace(microsecond=0)


def clock(value: Any) -> dt.time:
    """Check a time of day in ISO 8601."""
    try:
        found = value if isinstance(value, dt.time) else dt.time.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"must be a time such as 09:30, got {quote(value)}.") from None
    return found.replace(microsecond=0, tzinfo=None)


def zone(value: Any) -> str:
    """Check the name of a time zone."""
    if not isinstance(value, str) or not _ZONE.fullmatch(value) or not _exists(value):
        raise ValueError(f"must be a time zone such as Europe/Madrid or UTC, got {quote(value)}.")
    return value


def _exists(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def one_of(names: Sequence[str]) -> Check:
    """Return the check of a code of capital letters."""

    def check(value: Any) -> str:
        code = value.upper() if isinstance(value, str) else value
        if code not in names:
            raise ValueError(f"must be one of {', '.join(names)}, got {quote(value)}.")
        return str(code)

    return check
