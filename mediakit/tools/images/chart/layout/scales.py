"""Scales: values and times as positions on an axis with ticks at round numbers, and lines without invisible points."""

import datetime as dt
import math
from calendar import monthrange
from collections.abc import Iterable, Iterator
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

    The range always includes zero, as bars require, or only if the values span the share `near_zero` of the largest.
    """
    rounded = [value if abs(value) > MIN_MAGNITUDE else 0.0 for value in values]
    low, high = min(rounded), max(rounded)
    largest = max(abs(low), abs(high))
    if include_zero or low < 0 < high or high - low >= near_zero * largest or high - low < 1e-9 * largest:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def fit_scale(low: float, high: float, max_steps: int, *, integers: bool = False) -> Scale:
    """Return a scale with ticks at round numbers, or integers, that covers a range.

    The ends of the range are equal only if both are zero. `max_steps` between ticks fit on the axis.
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
MONTH = 30.4 * DAY
TIMES_OF_DAY = (1, 2, 5, 15, 30, *(MINUTE * count for count in (1, 2, 5, 15, 30, 60, 120, 180, 360, 720)))
"""Steps of less than a day, in seconds."""
MONDAY = 4 * DAY
"""5 January 1970."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MIN_SECONDS, MAX_SECONDS = -62_135_596_800.0, 253_402_300_799.0
"""The first and the last second of the years 1 to 9999, from 1970."""

IN_YEAR, IN_QUARTER, IN_MONTH, IN_DAY = "{year}", "Q{quarter}", "{month}", "{month} {day}"
IN_HOUR, IN_MINUTE, DATE = "{time:%H:%M}", "{time:%H:%M:%S}", "{month} {day}, {year}"
"""Forms of labels."""


class XTick(NamedTuple):
    """A tick of a horizontal axis."""

    value: float
    label: str
    context: str = ""
    """A second line below the first label it applies to: the year of a day or month, the day of a time."""


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

    def is_yearly(self, interval: int) -> bool:
        """Return whether an interval of the grid has one point a year, at its begin or its end."""
        return self.unit == "month" and interval % 12 == 0 and self.offset % 12 in (0, 11)


class Step(NamedTuple):
    """The distance between ticks."""

    seconds: float
    anchor: float
    """A tick: its seconds from 1970; of a step of months its number of months from year 0."""
    label: str
    context: str
    months: int = 0


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
    is_monthly = grid.unit == "month"
    if grid.unit == "second":
        for seconds in TIMES_OF_DAY:
            if seconds >= grid.interval:
                yield Step(seconds, 0, IN_HOUR if seconds >= MINUTE else IN_MINUTE, DATE)
    if not is_monthly:
        interval, start = (grid.interval, grid.offset) if grid.unit == "day" else (1, 0.0)
        for days in (1, 2, 7) if interval == 1 else (interval, 2 * interval):
            anchor = MONDAY + grid.time if interval == 1 and days == 7 else start
            yield Step(days * DAY, anchor, IN_DAY, IN_YEAR)
    interval, offset = (grid.interval, int(grid.offset)) if is_monthly else (1, 0)
    counts = {1, 2, 3, 4, 6, *(12 * mantissa * 10**power for power in range(4) for mantissa in (1, 2, 5))}
    for count in sorted({*counts, *(interval * number for number in (1, 2, 5))}):
        if count % interval == 0:
            is_year = count % 12 == 0 and (not is_monthly or grid.is_yearly(count))
            label = IN_YEAR if is_year else IN_QUARTER if grid.quarters and count == 3 else IN_MONTH
            # Months of the calendar if they are on the grid, otherwise those of its first point.
            anchor = offset % count if offset % interval else 0
            yield Step(count * MONTH, anchor, label, "" if is_year else IN_YEAR, count)


def time_ticks(step: Step, grid: Grid, low: float, high: float) -> list[XTick]:
    """Return the ticks of a step between two times; the context is set where it changes."""
    found: list[XTick] = []
    shown = ""
    for value in _multiples(step, grid, low, high):
        context = time_label(value, step.context)
        found.append(XTick(value, time_label(value, step.label), context if context != shown else ""))
        shown = context
    return found


def _multiples(step: Step, grid: Grid, low: float, high: float) -> Iterator[float]:
    if not step.months:
        first, last = math.ceil((low - step.anchor) / step.seconds), math.floor((high - step.anchor) / step.seconds)
        yield from (step.anchor + number * step.seconds for number in range(first, last + 1))
        return
    first, last = (moment.year * 12 + moment.month - 1 for moment in map(to_time, (low, high)))
    anchor = int(step.anchor)
    for number in range((first - anchor) // step.months * step.months + anchor, last + 1, step.months):
        year, month = number // 12, number % 12 + 1
        if 1 <= year <= 9999:
            day = min(grid.day, monthrange(year, month)[1])
            value = (dt.datetime(year, month, day) - EPOCH).total_seconds() + grid.time  # noqa: DTZ001
            if low <= value <= high:
                yield value


def to_time(seconds: float) -> dt.datetime:
    """Return the time of a position on the axis."""
    return EPOCH + dt.timedelta(seconds=min(max(seconds, MIN_SECONDS), MAX_SECONDS))


def time_label(seconds: float, form: str) -> str:
    """Return a time in a form of labels."""
    time = to_time(seconds)
    month, quarter = MONTHS[time.month - 1], (time.month + 2) // 3
    return form.format(year=time.year, month=month, day=time.day, quarter=quarter, time=time)


def full_label(seconds: float, grid: Grid) -> str:
    """Return a year, a month with its year, or a date; a time of day only if the grid has several."""
    if grid.unit == "month":
        return time_label(seconds, IN_YEAR if grid.is_yearly(grid.interval) else f"{IN_MONTH} {IN_YEAR}")
    return time_label(seconds, f"{DATE}, {IN_HOUR}" if grid.unit == "second" else DATE)


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
    shown: list[Point] = []
    for (_, are_gaps), points in groupby(line, lambda point: (int(point[0] * COLUMNS_PER_PIXEL), is_gap(point[1]))):
        column = list(points)
        if are_gaps:
            column = column[:1]
        elif len(column) > POINTS_PER_COLUMN:
            by_height = sorted(range(len(column)), key=lambda index: column[index][1])
            column = [column[index] for index in sorted({0, by_height[0], by_height[-1], len(column) - 1})]
        shown += column
    return shown
