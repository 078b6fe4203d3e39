"""Missing values. A canvas stores them as NaN, so that they have no position and no sum."""

import math
from collections.abc import Iterable

GAP = math.nan

Point = tuple[float, float]


def is_gap(value: float) -> bool:
    """Return whether a value is missing."""
    return math.isnan(value)


def without_gaps(values: Iterable[float]) -> list[float]:
    """Return the values that are not missing."""
    return [value for value in values if not math.isnan(value)]


def segments(line: Iterable[Point]) -> list[list[Point]]:
    """Return the parts of a line between its gaps, in order."""
    points = list(line)
    if not any(math.isnan(y) for _, y in points):
        return [points] if points else []
    found: list[list[Point]] = [[]]
    for point in points:
        if is_gap(point[1]):
            found.append([])
        else:
            found[-1].append(point)
    return [part for part in found if part]
