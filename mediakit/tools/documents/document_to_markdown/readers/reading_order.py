"""The order in which people read boxes on a page or slide: rows from top to bottom, columns from left to right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

TOLERANCE = 0.15
"""Share of the smaller of two boxes by which they may overlap and still be apart."""


@dataclass(frozen=True, slots=True)
class Box:
    """Position and size of a shape, in any unit."""

    left: float = 0
    top: float = 0
    width: float = 0
    height: float = 0


Item = TypeVar("Item")
Span = tuple[float, float]


def in_reading_order(items: Sequence[Item], box_of: Callable[[Item], Box]) -> list[Item]:
    """Return items in reading order, by cutting the page along its gaps: into rows first, then rows into columns.

    Items that overlap in both directions keep their order.
    """
    return [item for item, _ in _ordered([(item, box_of(item)) for item in items], depth=0)]


def _ordered(items: list[tuple[Item, Box]], depth: int) -> list[tuple[Item, Box]]:
    if len(items) < 2 or depth > 40:
        return items
    for span in (_vertical, _horizontal):
        groups = _groups(items, span)
        if len(groups) > 1:
            return [item for group in groups for item in _ordered(group, depth + 1)]
    return items


def _vertical(box: Box) -> Span:
    return box.top, box.top + box.height


def _horizontal(box: Box) -> Span:
    return box.left, box.left + box.width


def _groups(items: list[tuple[Item, Box]], span: Callable[[Box], Span]) -> list[list[tuple[Item, Box]]]:
    """Return the items between gaps, in the order of the gaps; within a group in their own order."""
    positions = sorted(range(len(items)), key=lambda index: span(items[index][1])[0])
    groups: list[list[int]] = []
    end, size = float("-inf"), 0.0
    for position in positions:
        start, stop = span(items[position][1])
        overlap = end - start
        if not groups or overlap <= TOLERANCE * min(size, stop - start):
            groups.append([])
            end, size = stop, stop - start
        elif stop > end:
            end, size = stop, max(size, stop - start)
        groups[-1].append(position)
    return [[items[position] for position in sorted(group)] for group in groups]
