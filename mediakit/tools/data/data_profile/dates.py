"""How a text writes a date: the order of day, month and year, and whether the calendar has such a day."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Order = Literal["ymd", "dmy", "mdy", "d mon y"]

_TIME = r"(?:[T ,]+\d{1,2}:\d\d.{0,24})?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}|\d\d){_TIME}")
_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED = re.compile(rf"(\d{{1,2}})[- ]({'|'.join(_NAMES)})[a-z]*[- ,.]+(\d{{4}}){_TIME}", re.IGNORECASE)
_LONGEST = 50
_ALL_DIGITS = 6
"""Digits of a date whose day, month and year have two each."""


@dataclass(frozen=True)
class Written:
    """A text that has the form of a date."""

    orders: tuple[Order, ...]
    """The orders in which it is a day of the calendar; empty for a day that does not exist."""
    has_short_year: bool = False


def read(text: str) -> Written | None:
    """Return how a text writes a date; None where it does not have the form of one."""
    text = text.strip()
    if len(text) > _LONGEST or not text[:1].isdigit():
        return None
    found = _YEAR_LAST.fullmatch(text)
    if found:
        if found[2] == "." and len(found[1] + found[3] + found[4]) < _ALL_DIGITS and len(found[4]) == 2:
            return None  # the number of a version
        return _year_last(int(found[1]), int(found[3]), found[4])
    found = _YEAR_FIRST.fullmatch(text)
    if found:
        return Written(("ymd",) if _exists(int(found[1]), int(found[3]), int(found[4])) else ())
    found = _NAMED.fullmatch(text)
    if found:
        month = _NAMES.index(found[2].lower()) + 1
        return Written(("d mon y",) if _exists(int(found[3]), month, int(found[1])) else ())
    return None


def _year_last(first: int, second: int, year: str) -> Written | None:
    is_short = len(year) == 2
    full = 2000 + int(year) if is_short else int(year)
    orders: list[Order] = ["dmy"] if _exists(full, second, first) else []
    orders += ["mdy"] if _exists(full, first, second) else []
    if is_short and not orders:  # three numbers of two digits are more often something else
        return None
    return Written(tuple(orders), is_short)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def formats_of(cells: Iterable[Any], *, is_uniform: bool) -> list[str]:
    """Return the orders that the cells of a column of dates are written in.

    Args:
        cells: The cells.
        is_uniform: Whether all cells have one order, so that the first clear one decides.
    """
    orders: set[tuple[Order, ...]] = set()
    for cell in cells:
        written = read(cell) if isinstance(cell, str) else None
        if written and written.orders:
            orders.add(written.orders)
            if is_uniform and len(written.orders) == 1:
                return list(written.orders)
    clear = {order for one in orders if len(one) == 1 for order in one}
    if any(len(one) > 1 for one in orders) and not clear & {"dmy", "mdy"}:
        clear |= {"dmy", "mdy"}
    names: tuple[Order, ...] = ("ymd", "dmy", "mdy", "d mon y")
    return [name for name in names if name in clear]
