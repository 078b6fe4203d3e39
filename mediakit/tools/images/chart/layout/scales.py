"""Scales: values and times as positions on an axis with ticks at round numbers, and lines without invisible points."""

import datetime as dt
import math
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from mediakit.tools.images.chart.fields import EPOCH
from mediakit.tools.images.chart.layout.canvas import is_gap

STEP_COSTS = {1.0: 0.0, 2.0: 0.06, 5.0: 0.06, 2.5: 0.2}
"""Allowed mantissas of a tick step and their cost: of steps that fit equally well, the simplest is used."""

MIN_RANGE_SHARE = 0.4
"""The axis of a line chart excludes zero if the values span less than this share of the largest value."""

MIN_MAGNITUDE = 1e-290
"""Smaller values are drawn as zero: tick steps would be subnormal floats."""


@dataclass(frozen=True)
class Scale:
    """The ticks of a value axis, in ascending order."""

    ticks: tuple[float, ...]
    step: float

    @property
    def low(self) -> float:
        """The lowest tick."""
        return self.ticks[0]

    @property
    def high(self) -> float:
        """The highest tick."""
        return self.ticks[-1]

    @property
    def base(self) -> float:
        """The value at which bars and areas begin: zero, or the end of the axis that is closest to zero."""
        return min(max(0.0, self.low), self.high)

    def position(self, value: float) -> float:
        """Return the position of a value: 0 at the lowest tick, 1 at the highest."""
        return (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])


def axis_range(
    values: Iterable[float], *, include_zero: bool, near_zero: float = MIN_RANGE_SHARE
) -> tuple[float, float]:
    """Return the lowest and the highest value that an axis must show.

    Args:
        values: The data.
        include_zero: Whether the range always includes zero, as bars require; otherwise only if the data are near it.
        near_zero: The share of the largest value that the values must span for the range to include zero.
    """
    rounded = [value if abs(value) > MIN_MAGNITUDE else 0.0 for value in values]
    low, high = min(rounded), max(rounded)
    largest = max(abs(low), abs(high))
    if include_zero or low < 0 < high or high - low >= near_zero * largest or high - low < 1e-9 * largest:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def fit_scale(low: float, high: float, max_steps: int, *, integers: bool = False) -> Scale:
    """Return a scale with ticks at round numbers that covers a range.

    Args:
        low: Lowest value of the range.
        high: Highest value of the range; equal to `low` only if both are zero.
        max_steps: How many steps between ticks fit on the axis.
        integers: Whether ticks must be integers, because the data are.
    """
    if high == low:
        return Scale((0.0, 1.0), 1.0)
    magnitude = 10.0 ** math.floor(math.log10((high - low) / max_steps))
    steps = [mantissa * factor * magnitude for mantissa in STEP_COSTS for factor in (1, 10)]
    allowed = [step for step in steps if not integers or (step >= 1 and float(step).is_integer())] or [1.0]
    step = min(allowed, key=lambda step: _cost(low, high, step, max_steps))
    first, last = _end_tick_numbers(low, high, step)
    return Scale(tuple(number * step for number in range(first, last + 1)), step)


def _end_tick_numbers(low: float, high: float, step: float) -> tuple[int, int]:
    """Return the numbers of the first and the last tick, in steps from zero."""
    return math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)


def _cost(low: float, high: float, step: float, max_steps: int) -> float:
    """Return the cost of a tick step: by simplicity, unused space and the difference from the number of steps."""
    first, last = _end_tick_numbers(low, high, step)
    waste = 1 - (high - low) / ((last - first) * step)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    simplicity = next((cost for known, cost in STEP_COSTS.items() if math.isclose(known, mantissa)), 0.2)
    return (
        0.8 * waste
        + simplicity
        + 0.5 * max(0, last - first - max_steps)
        + 0.6 * abs(last - first - max_steps) / max_steps
    )


SECOND, MINUTE, HOUR, DAY = 1, 60, 3600, 86400
MONTH, YEAR = 30.4 * DAY, 365.25 * DAY
QUARTER_MONTHS = 3
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


class Grid(NamedTuple):
    """The regular times that all points of an axis have: months, days, or a part of a day."""

    unit: Literal["month", "day", "second"]
    interval: int
    """Months, days or seconds between two times of the grid."""
    offset: float
    """A point of the grid: its number of months from year 0, or its seconds from 1970."""
    day: int = 1
    """Day of the month; 31 for the last one."""
    time: float = 0
    """Seconds after midnight."""
    quarters: bool = False
    """Whether three months are labelled as a quarter."""

    @property
    def is_yearly(self) -> bool:
        """Whether the grid has one point a year, at its begin or its end."""
        return self.unit == "month" and self.interval % 12 == 0 and self.offset % 12 in (0, 11)


def grid_of(values: Iterable[float]) -> Grid:
    """Return the coarsest grid of positions, in seconds from 1970: its ticks are never finer than the data."""
    points = sorted(set(values))
    times = {point % DAY for point in points}
    if len(times) > 1:
        unit = next(
            unit for unit in (HOUR, MINUTE, SECOND) if unit == SECOND or all(time % unit == 0 for time in times)
        )
        return Grid("second", unit, points[0])
    (time,) = times or {0.0}
    moments = [to_time(point) for point in points]
    months = [moment.year * 12 + moment.month - 1 for moment in moments]
    days = {moment.day for moment in moments}
    are_ends = all(moment.day == monthrange(moment.year, moment.month)[1] for moment in moments)
    if len(set(months)) > 1 and len(set(months)) == len(months) and (len(days) == 1 or are_ends):
        count = math.gcd(*(month - months[0] for month in months))
        return Grid("month", count, months[0], 31 if are_ends else days.pop(), time)
    return Grid("day", math.gcd(*(round((point - points[0]) / DAY) for point in points)) or 1, points[0], time=time)


def time_steps(grid: Grid) -> Iterator[Step]:
    """Yield the steps between ticks that are not finer than a grid, the shortest first."""
    if grid.unit == "second":
        yield from _steps_of_day(grid)
    if grid.unit != "month":
        yield from _steps_of_days(grid)
    months = grid if grid.unit == "month" else Grid("month", 1, 0, time=grid.time)
    counts = {1, 2, 3, 4, 6, *(12 * mantissa * 10**power for power in range(4) for mantissa in (1, 2, 5))}
    for count in sorted({*counts, *(months.interval * number for number in (1, 2, 5))}):
        if count % months.interval == 0:
            is_year = count % 12 == 0 and (grid.unit != "month" or months._replace(interval=count).is_yearly)
            label = _year if is_year else _quarter if grid.quarters and count == QUARTER_MONTHS else _month
            yield Step(count * MONTH, _months(count, months), label, (lambda _moment: "") if is_year else _year)


def _steps_of_day(grid: Grid) -> Iterator[Step]:
    for seconds in (1, 2, 5, 15, 30, *(MINUTE * count for count in (1, 2, 5, 15, 30, 60, 120, 180, 360, 720))):
        if seconds >= grid.interval:
            yield Step(seconds, _multiples(seconds), _clock if seconds >= MINUTE else _clock_with_seconds, _day)


def _steps_of_days(grid: Grid) -> Iterator[Step]:
    count = grid.interval if grid.unit == "day" else 1
    anchor = grid.offset if grid.unit == "day" else 0.0
    time = grid.time if grid.unit == "day" else 0.0
    if count > 1:
        yield Step(count * DAY, _multiples(count * DAY, start=anchor), _month_and_day, _year)
        yield Step(2 * count * DAY, _multiples(2 * count * DAY, start=anchor), _month_and_day, _year)
    else:
        monday = 4 * DAY + time  # 5 January 1970 was a Monday
        yield Step(DAY, _multiples(DAY, start=time), _month_and_day, _year)
        yield Step(2 * DAY, _days_of_month(time, *range(1, 30, 2)), _month_and_day, _year)
        yield Step(7 * DAY, _multiples(7 * DAY, start=monday), _month_and_day, _year)
    if count <= 15:
        yield Step(15 * DAY, _days_of_month(time, 1, 15), _month_and_day, _year)


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


def full_label(seconds: float, grid: Grid) -> str:
    """Return a year, a month with its year, or a date; a time of day only if the grid has several."""
    moment = to_time(seconds)
    if grid.unit == "month":
        return _year(moment) if grid.is_yearly else f"{_month(moment)} {_year(moment)}"
    date = f"{_month_and_day(moment)}, {_year(moment)}"
    return f"{date}, {_clock(moment)}" if grid.unit == "second" else date


def _multiples(seconds: float, start: float = 0) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        first = math.ceil((low - start) / seconds)
        for number in range(first, math.floor((high - start) / seconds) + 1):
            yield start + number * seconds

    return ticks


def _months(count: int, grid: Grid) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        first, last = to_time(low), to_time(high)
        # Months of the calendar if they are on the grid, otherwise those of its first point.
        anchor = int(grid.offset) % count if grid.offset % grid.interval else 0
        month = (first.year * 12 + first.month - 1 - anchor) // count * count + anchor
        for number in range(month, last.year * 12 + last.month, count):
            value = _day_of_month(number, grid.day)
            if value is not None and low <= value + grid.time <= high:
                yield value + grid.time

    return ticks


def _days_of_month(time: float, *days: int) -> Callable[[float, float], Iterator[float]]:
    def ticks(low: float, high: float) -> Iterator[float]:
        for month in _months(1, Grid("month", 1, 0, time=time))(low - 31 * DAY, high):
            for value in (month + (day - 1) * DAY for day in days):
                if low <= value <= high:
                    yield value

    return ticks


def _day_of_month(number: int, day: int) -> float | None:
    """Return a day of a month that is counted from year 0, at most the last one; None outside the years 1 to 9999."""
    year, month = number // 12, number % 12 + 1
    if not 1 <= year <= 9999:
        return None
    moment = dt.datetime(year, month, min(day, monthrange(year, month)[1]))  # noqa: DTZ001
    return (moment - EPOCH).total_seconds()


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


def _quarter(moment: dt.datetime) -> str:
    return f"Q{(moment.month + 2) // QUARTER_MONTHS}"


def _year(moment: dt.datetime) -> str:
    return str(moment.year)


Point = tuple[float, float]

COLUMNS_PER_PIXEL, POINTS_PER_COLUMN = 2, 4
MIN_POINTS = 1000
"""Shorter lines are not simplified."""


def simplify(line: list[Point]) -> list[Point]:
    """Return a line with at most four points in each half pixel: the first, the lowest, the highest and the last.

    The result covers the same pixels (M4 aggregation, Jugel et al. 2014). Gaps are kept.
    """
    if len(line) < max(MIN_POINTS, (line[-1][0] - line[0][0]) * COLUMNS_PER_PIXEL * POINTS_PER_COLUMN):
        return line
    columns = groupby(line, lambda point: (int(point[0] * COLUMNS_PER_PIXEL), is_gap(point[1])))
    return [point for _, points in columns for point in _outline_of_column(points)]


def _outline_of_column(points: Iterable[Point]) -> list[Point]:
    column = list(points)
    if len(column) <= POINTS_PER_COLUMN or is_gap(column[0][1]):
        return column if not is_gap(column[0][1]) else column[:1]
    by_height = sorted(range(len(column)), key=lambda index: column[index][1])
    return [column[index] for index in sorted({0, by_height[0], by_height[-1], len(column) - 1})]
