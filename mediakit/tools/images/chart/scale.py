"""Scales: map values to positions on an axis with ticks at round numbers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

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
    first, last = _end_ticks(low, high, step)
    return Scale(tuple(number * step for number in range(first, last + 1)), step)


def _end_ticks(low: float, high: float, step: float) -> tuple[int, int]:
    """Return the numbers of the first and the last tick, in steps from zero."""
    return math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)


def _cost(low: float, high: float, step: float, max_steps: int) -> float:
    """Return the cost of a tick step: by simplicity, unused space and the difference from the number of steps."""
    first, last = _end_ticks(low, high, step)
    waste = 1 - (high - low) / ((last - first) * step)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    simplicity = next((cost for known, cost in STEP_COSTS.items() if math.isclose(known, mantissa)), 0.2)
    return (
        0.8 * waste
        + simplicity
        + 0.5 * max(0, last - first - max_steps)
        + 0.6 * abs(last - first - max_steps) / max_steps
    )
