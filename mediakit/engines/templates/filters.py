"""How the template language prints and compares values: filters, dates, numbers, and the order of values."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from mediakit.core.messages import quote

MAX_DECIMALS = 20
MAX_DIGITS = 100
"""Digits of a number that is written out."""

DEFAULT_DATE = "%d %B %Y"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_DIRECTIVE = re.compile(r"%([-#]?)(.)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d{1,60}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Filter:
    """A filter."""

    apply: Callable[..., Any]
    """Takes the value and the arguments."""
    arguments: tuple[int, int] = (0, 0)
    """The least and the most arguments."""
    is_default: bool = False
    """Whether its argument replaces a missing value; others do not change one."""
    is_image: bool = False
    """Whether it shows its value as an image."""


class ValueProblem(ValueError):  # noqa: N818  # of the data, not of the program
    """A value does not fit where it is used; the message follows its path."""


def as_text(value: Any) -> str:
    """Return a value as it is printed; empty for null.

    Raises:
        ValueProblem: It is an object, or a list of lists or objects.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f")
    if isinstance(value, list):
        return ", ".join(as_text(item) for item in value if not _is_nested(item))
    if isinstance(value, dict):
        raise ValueProblem("must be text, a number, true, false or null, got an object")
    return str(value)


def _is_nested(item: Any) -> bool:
    if isinstance(item, list | dict):
        raise ValueProblem('must be a list of texts or numbers here; repeat its items with "for"')
    return False


def format_date(value: Any, pattern: Any = DEFAULT_DATE) -> str:
    """Return an ISO 8601 date or time by a pattern of `strftime`, with English names in every environment.

    Raises:
        ValueProblem: It is not a date, or the pattern has an unknown directive.
    """
    if value in (None, ""):
        return ""
    moment = _moment(value)
    return _DIRECTIVE.sub(lambda match: _directive(moment, match[2], is_short=bool(match[1])), as_text(pattern))


def _moment(value: Any) -> datetime:
    if isinstance(value, str):
        text = value.strip()
        for parse in (datetime.fromisoformat, _time_of_day):
            try:
                return parse(text)
            except ValueError:
                continue
    raise ValueProblem(f'must be a date such as "2026-11-22" for the filter date, got {quote(value)}')


def _time_of_day(text: str) -> datetime:
    return datetime.combine(date(1900, 1, 1), time.fromisoformat(text))


def _directive(moment: datetime, name: str, *, is_short: bool) -> str:
    numbers = {
        "d": f"{moment.day:02}",
        "m": f"{moment.month:02}",
        "y": f"{moment.year % 100:02}",
        "H": f"{moment.hour:02}",
        "I": f"{moment.hour % 12 or 12:02}",
        "M": f"{moment.minute:02}",
        "S": f"{moment.second:02}",
        "j": f"{moment.timetuple().tm_yday:03}",
        "V": f"{moment.isocalendar().week:02}",
    }
    if name in numbers:
        return str(int(numbers[name])) if is_short else numbers[name]
    words = {
        "Y": f"{moment.year:04}",
        "B": MONTHS[moment.month - 1],
        "b": MONTHS[moment.month - 1][:3],
        "A": DAYS[moment.weekday()],
        "a": DAYS[moment.weekday()][:3],
        "p": "AM" if moment.hour < 12 else "PM",
        "e": str(moment.day),
        "%": "%",
    }
    if name not in words:
        raise ValueProblem(f'cannot be written with "%{name}"; use %d %m %Y %y %B %b %A %a %H %I %M %S %p %j %V')
    return words[name]


def format_number(value: Any, decimals: Any = None, point: Any = ".", group: Any = ",") -> str:
    """Return a number with a fixed count of decimals and groups of three digits, rounded half up.

    Raises:
        ValueProblem: It is not a number, or the decimals are not between 0 and 20.
    """
    if value in (None, ""):
        return ""
    number = to_decimal(value)
    if number is None:
        raise ValueProblem(f"must be a number for the filter number, got {quote(value)}")
    if decimals is not None:
        if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MAX_DECIMALS:
            raise ValueProblem(f"cannot have {quote(decimals)} decimals; use 0 to {MAX_DECIMALS}")
        number = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    if number == 0:
        number = abs(number)  # -0.004 is written as 0.00
    whole, dot, rest = f"{number:,f}".partition(".")
    return whole.replace(",", as_text(group)) + (as_text(point) if dot else "") + rest


def to_decimal(value: Any) -> Decimal | None:
    """Return a number, or a text that spells one, as a decimal; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = repr(value) if isinstance(value, float) else str(value).strip()[: MAX_DIGITS + 1]
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _length(value: Any) -> int:
    if not isinstance(value, list | dict | str):
        raise ValueProblem(f"must be a list to be counted, got {quote(value)}")
    return len(value)


FILTERS: Mapping[str, Filter] = {
    "upper": Filter(lambda value: as_text(value).upper()),
    "lower": Filter(lambda value: as_text(value).lower()),
    "date": Filter(format_date, (0, 1)),
    "number": Filter(format_number, (0, 3)),
    "default": Filter(lambda value, other: other if value in (None, "") else value, (1, 1), is_default=True),
    "length": Filter(_length),
    "count": Filter(_length),
    "e": Filter(lambda value: value),
}
"""The filters by name. `count` is `length`, and `e` does nothing: both are in templates of docxtpl."""

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def are_equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal; a text that spells a number is equal to it, `true` is not 1."""
    left, right = _comparable(left, right)
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def is_ordered(sign: str, left: Any, right: Any) -> bool:
    """Return whether `<`, `>`, `<=` or `>=` holds; never with null.

    Raises:
        ValueProblem: A text and a number, or lists or objects, cannot be compared.
    """
    left, right = _comparable(left, right)
    if left is None or right is None:
        return False
    try:
        return bool(_ORDERS[sign](left, right))
    except TypeError:
        raise ValueProblem(f'a text and a number cannot be compared with "{sign}"') from None


def is_in(item: Any, owner: Any) -> bool:
    """Return whether a list has an item, a text a part, or an object a key; null has none.

    Raises:
        ValueProblem: It is a number, true or false.
    """
    if owner is None:
        return False
    if isinstance(owner, str):
        return as_text(item) in owner
    if isinstance(owner, dict):
        return as_text(item) in owner
    if isinstance(owner, list):
        return any(are_equal(item, each) for each in owner)
    raise ValueProblem(f'what is behind "in" must be a list, a text or an object, got {quote(owner)}')


def _comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values, as numbers if both spell one and not both are texts."""
    numbers = to_decimal(left), to_decimal(right)
    is_numeric = None not in numbers and not (isinstance(left, str) and isinstance(right, str))
    return numbers if is_numeric else (left, right)
