"""Ticks of a time axis: at full seconds, minutes, hours, days, weeks, months or years."""

import datetime as dt
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mediakit.tools.images.chart.x_values import EPOCH

SECOND, MINUTE, HOUR, DAY = 1, 60, 3600, 86400
MONTH, YEAR = 30.4 * DAY, 365.25 * DAY
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MIN_SECONDS, MAX_SECONDS = -62_135_596_800.0, 253_402_300_799.0
"""The first and the last second of the years 1 to 9999, from 1970."""


class XTick(NamedTuple):
    """A tick of a horizontal axis."""

    value: float
    label: str
    context: str = ""
    """A second line below the first label it applies to: the year of a day or month, the day of a time."""


class Step(NamedTuple):
    """The distance between ticks."""

    seconds: float
    ticks: Callable[[float, float], Iterator[float]]
    """Returns the positions of the ticks between two times."""
    label: Callable[[dt.datetime], str]
    context: Callable[[dt.datetime], str]


def time_steps() -> Iterator[Step]:
    """Yield the steps between ticks, the shortest first."""
    for seconds in (1, 2, 5, 15, 30):
        yield Step(seconds * SECOND, _multiples(seconds), _clock_with_seconds, _day)
    for minutes in (1, 2, 5, 15, 30):
        yield Step(minutes * MINUTE, _multiples(minutes * MINUTE), _clock, _day)
    for hours in (1, 2, 3, 6, 12):
        yield Step(hours * HOUR, _multiples(hours * HOUR), _clock, _day)
    yield Step(DAY, _multiples(DAY), _month_and_day, _year)
    yield Step(2 * DAY, _days_of_month(*range(1, 30, 2)), _month_and_day, _year)
    yield Step(7 * DAY, _multiples(7 * DAY, start=4 * DAY), _month_and_day, _year)  # 5 January 1970 was a Monday
    yield Step(15 * DAY, _days_of_month(1, 15), _month_and_day, _year)
    for months in (1, 2, 3, 6):
        yield Step(months * MONTH, _months(months), _month, _year)
    for years in (mantissa * 10**power for power in range(4) for mantissa in (1, 2, 5)):
        yield Step(years * YEAR, _months(12 * years), _year, lambda _moment: "")


def time_ticks(step: Step, low: float, high: float) -> list[XTick]:
    """Return the ticks of a step between two times; the context is set where it changes."""
    found: list[XTick] = []
    shown = ""
    for value in step.ticks(low, high):
        moment = to_time(value)
        context = step.context(moment)
        found.append(XTick(value, step.label(moment), context if context != shown else ""))
        shown = context
    return found


def to_time(seconds: float) -> dt.datetime:
    """Return the time of a position on the axis."""
    return EPOCH + dt.timedelta(seconds=min(max(seconds, MIN_SECONDS), MAX_SECONDS))


def full_label(seconds: float) -> str:
    """Return a time with its date; without its time of day at midnight."""
    moment = to_time(seconds)
    date = f"{_month_and_day(moment)}, {_year(moment)}"
    return date if seconds % DAY == 0 else f"{date}, {_clock(moment)}"


def _multiples(seconds: float, start: float = 0) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        first = math.ceil((low - start) / seconds)
        for number in range(first, math.floor((high - start) / seconds) + 1):
            yield start + number * seconds

    return ticks


def _months(count: int) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        first, last = to_time(low), to_time(high)
        month = (first.year * 12 + first.month - 1) // count * count
        for number in range(month, last.year * 12 + last.month, count):
            value = _first_of_month(number)
            if value is not None and low <= value <= high:
                yield value

    return ticks


def _days_of_month(*days: int) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        for month in _months(1)(low - 31 * DAY, high):
            for value in (month + (day - 1) * DAY for day in days):
                if low <= value <= high:
                    yield value

    return ticks


def _first_of_month(number: int) -> float | None:
    """Return the start of a month that is counted from year 0; None before year 1."""
    year, month = divmod(number, 12)
    return (dt.datetime(year, month + 1, 1) - EPOCH).total_seconds() if 1 <= year <= 9999 else None  # noqa: DTZ001


def _clock_with_seconds(moment: dt.datetime) -> str:
    return f"{moment:%H:%M:%S}"


def _clock(moment: dt.datetime) -> str:
    return f"{moment:%H:%M}"


def _day(moment: dt.datetime) -> str:
    return f"{_month_and_day(moment)}, {moment.year}"


def _month_and_day(moment: dt.datetime) -> str:
    return f"{_month(moment)} {moment.day}"


def _month(moment: dt.datetime) -> str:
    return MONTHS[moment.month - 1]


def _year(moment: dt.datetime) -> str:
    return str(moment.year)
