"""Scales: from numbers to a place on an axis, with ticks at round numbers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

STEPS = {1.0: 0.0, 2.0: 0.06, 5.0: 0.06, 2.5: 0.2}
"""Mantissa of a tick's step, and what it costs: the simplest wins where it fits as well."""

FAR_FROM_ZERO = 0.4
"""A line's axis leaves out zero where the numbers span less than this part of the largest."""

NOTHING = 1e-290
"""What is smaller is drawn as zero: steps between ticks would no longer be normal floats."""


@dataclass(frozen=True)
class Scale:
    """An axis of numbers."""

    ticks: tuple[float, ...]
    step: float

    @property
    def low(self) -> float:
        """The least number."""
        return self.ticks[0]

    @property
    def high(self) -> float:
        """The largest number."""
        return self.ticks[-1]

    @property
    def base(self) -> float:
        """Where bars and areas begin: zero, or the end of the axis that is nearest to it."""
        return min(max(0.0, self.low), self.high)

    def place(self, number: float) -> float:
        """Give the place of a number, from 0 at the least to 1 at the largest."""
        return (number - self.low) / (self.high - self.low)


def extent(numbers: Iterable[float], *, from_zero: bool) -> tuple[float, float]:
    """Give the range that an axis must show.

    Args:
        numbers: The data.
        from_zero: Whether zero must be in it, as for bars; else it is where the data come near it.
    """
    known = [number if abs(number) > NOTHING else 0.0 for number in numbers]
    low, high = min(known), max(known)
    largest = max(abs(low), abs(high))
    if from_zero or low < 0 < high or high - low >= FAR_FROM_ZERO * largest or high - low < 1e-9 * largest:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def scaled(low: float, high: float, count: int, *, whole: bool = False) -> Scale:
    """Choose ticks at round numbers that hold a range.

    Args:
        low: Least number that is shown.
        high: Largest number that is shown; equal to `low` only where both are zero.
        count: How many steps there is room for.
        whole: Whether the data are whole numbers, which no tick then divides.
    """
    if high == low:
        return Scale((0.0, 1.0), 1.0)
    magnitude = 10.0 ** math.floor(math.log10((high - low) / count))
    steps = [mantissa * factor * magnitude for mantissa in STEPS for factor in (1, 10)]
    allowed = [step for step in steps if not whole or (step >= 1 and float(step).is_integer())] or [1.0]
    step = min(allowed, key=lambda step: _cost(low, high, step, count))
    first, last = _ends(low, high, step)
    return Scale(tuple(place * step for place in range(first, last + 1)), step)


def _ends(low: float, high: float, step: float) -> tuple[int, int]:
    return math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)


def _cost(low: float, high: float, step: float, count: int) -> float:
    """Judge a step by its simplicity, by the space that it wastes and by how near the number of ticks is."""
    first, last = _ends(low, high, step)
    waste = 1 - (high - low) / ((last - first) * step)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    simplicity = next((cost for known, cost in STEPS.items() if math.isclose(known, mantissa)), 0.2)
    return 0.8 * waste + simplicity + 0.5 * max(0, last - first - count) + 0.6 * abs(last - first - count) / count
