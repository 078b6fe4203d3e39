"""Edges of filled boxes that separate cells.

Word processors fill a cell, and over it each line of its text. So a box inside another one of its color, and an edge
where two boxes of one color are one above the other, separate nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.tables.words import Box

ABUT = 0.8
"""Points. Boxes of one color that are nearer are one area."""

MAX_FILLS = 4_000

Edge = tuple[float, float, float]
"""Place, start and end of an edge."""


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled box."""

    box: Box
    color: tuple[float, ...]


def cell_edges(fills: Sequence[Fill]) -> tuple[list[Edge], list[Edge]]:
    """Return the horizontal and the vertical edges of boxes, without those inside an area of one color."""
    by_color: dict[tuple[float, ...], list[Box]] = defaultdict(list)
    for fill in fills[:MAX_FILLS]:
        by_color[tuple(round(part, 2) for part in fill.color)].append(fill.box)
    horizontal: list[Edge] = []
    vertical: list[Edge] = []
    for boxes in by_color.values():
        areas = _without_nested(boxes)
        horizontal += _changes(areas)
        vertical += [(x, box[1], box[3]) for box in areas for x in (box[0], box[2])]
    return horizontal, vertical


def _without_nested(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes that no larger one holds."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box[0] - box[2]) * (box[3] - box[1])):
        if not any(
            other[0] - ABUT <= box[0]
            and other[1] - ABUT <= box[1]
            and other[2] + ABUT >= box[2]
            and other[3] + ABUT >= box[3]
            for other in kept
        ):
            kept.append(box)
    return kept


def _changes(boxes: Iterable[Box]) -> list[Edge]:
    """Return the upper and lower edges of boxes that no other box abuts."""
    upper: dict[int, list[Edge]] = defaultdict(list)
    lower: dict[int, list[Edge]] = defaultdict(list)
    for x0, y0, x1, y1 in boxes:
        upper[round(y0)].append((y0, x0, x1))
        lower[round(y1)].append((y1, x0, x1))
    found: list[Edge] = []
    for edges, others in ((upper, lower), (lower, upper)):
        for key, group in edges.items():
            beside = [other for place in (key - 1, key, key + 1) for other in others.get(place, ())]
            for edge in group:
                found += _uncovered(edge, [other for other in beside if abs(other[0] - edge[0]) <= ABUT])
    return found


def _uncovered(edge: Edge, others: Sequence[Edge]) -> list[Edge]:
    """Return the parts of an edge beside which there is no other one."""
    at, start, end = edge
    parts: list[Edge] = []
    for _, low, high in sorted(others, key=lambda other: other[1]):
        if low > start:
            parts.append((at, start, min(low, end)))
        start = max(start, high)
        if start >= end:
            break
    if start < end:
        parts.append((at, start, end))
    return [part for part in parts if part[2] - part[1] > ABUT]
