"""Simplifies lines with many points, without a visible change."""

from collections.abc import Iterable
from itertools import groupby

from mediakit.tools.images.chart.gaps import is_gap

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
    return [point for _, points in columns for point in _outline(points)]


def _outline(points: Iterable[Point]) -> list[Point]:
    column = list(points)
    if len(column) <= POINTS_PER_COLUMN or is_gap(column[0][1]):
        return column if not is_gap(column[0][1]) else column[:1]
    by_height = sorted(range(len(column)), key=lambda index: column[index][1])
    return [column[index] for index in sorted({0, by_height[0], by_height[-1], len(column) - 1})]
