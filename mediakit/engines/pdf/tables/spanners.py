"""Headings without a ruling that are centered over the headings of several columns."""

from __future__ import annotations

from collections.abc import Sequence

from mediakit.engines.pdf.tables.columns import column_of
from mediakit.engines.pdf.tables.lines import Line, Segment

CENTERED = 0.12
"""Share of the width of the columns by which the middle of a heading may differ from theirs."""


def centered_over(line: Line, below: Line, bounds: Sequence[float]) -> dict[int, tuple[int, int]]:
    """Return the first and last column of each heading, by its index in the line; none if they are not centered.

    Args:
        line: Headings, fewer than the columns.
        below: The next line of the header, with a heading for each column.
        bounds: Boundaries of the columns.
    """
    headings = [segment for segment in line.segments if column_of(_middle(segment), bounds) > 0]
    children = [segment for segment in below.segments if column_of(_middle(segment), bounds) > 0]
    if len(headings) < len(line.segments) or not headings or len(children) < 2 * len(headings):
        return {}
    groups: list[list[Segment]] = [[] for _ in headings]
    for child in children:
        groups[min(range(len(headings)), key=lambda index: abs(_middle(headings[index]) - _middle(child)))].append(
            child
        )
    found: dict[int, tuple[int, int]] = {}
    for index, (heading, group) in enumerate(zip(headings, groups, strict=True)):
        if len(group) < 2:
            return {}
        left, right = group[0].x0, group[-1].x1
        if abs((left + right) / 2 - _middle(heading)) > max(line.size, CENTERED * (right - left)):
            return {}
        found[index] = (column_of(_middle(group[0]), bounds), column_of(_middle(group[-1]), bounds))
    return found


def _middle(segment: Segment) -> float:
    return (segment.x0 + segment.x1) / 2
