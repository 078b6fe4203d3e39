"""Which elements of two arrays are the same: a longest common subsequence, bounded in time."""

from collections.abc import Hashable, Sequence

from mediakit.tools.data.data_diff.moves import in_order
from mediakit.tools.data.data_diff.tree_values import common_ends

_MAX_STEPS = 1_000_000
"""Pairs of elements that are compared for one pair of arrays."""


def align(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of equal elements in ascending order.

    Elements that are unique in both are matched first, as patience diff does; the gaps between them are matched
    exactly while they are small.
    """
    start, end = common_ends(first, second)
    pairs = [(place, place) for place in range(start)]
    last, last2 = len(first) - end, len(second) - end
    anchors = _anchors(first, second, start, last, last2)
    budget = _MAX_STEPS
    place, place2 = start, start
    for anchor, anchor2 in [*anchors, (last, last2)]:
        size = (anchor - place) * (anchor2 - place2)
        if 0 < size <= budget:
            budget -= size
            pairs += _exact(first, second, range(place, anchor), range(place2, anchor2))
        if anchor < last:
            pairs.append((anchor, anchor2))
        place, place2 = anchor + 1, anchor2 + 1
    return pairs + [(last + place, last2 + place) for place in range(end)]


def _anchors(
    first: Sequence[Hashable], second: Sequence[Hashable], start: int, last: int, last2: int
) -> list[tuple[int, int]]:
    """Return the longest ascending sequence of elements that are unique on both sides."""
    places, places2 = _unique(first, start, last), _unique(second, start, last2)
    shared = [(place, places2[item]) for item, place in places.items() if item in places2]
    return [shared[index] for index in in_order([place2 for _, place2 in shared])]


def _unique(items: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    """Return the place of each element that occurs once, in ascending order."""
    found: dict[Hashable, int] = {}
    repeated = set()
    for place in range(start, end):
        if items[place] in found:
            repeated.add(items[place])
        found[items[place]] = place
    return {item: place for item, place in found.items() if item not in repeated}


def _exact(
    first: Sequence[Hashable], second: Sequence[Hashable], places: range, places2: range
) -> list[tuple[int, int]]:
    """Return a longest common subsequence by dynamic programming."""
    lengths = [[0] * (len(places2) + 1) for _ in range(len(places) + 1)]
    for row in range(len(places) - 1, -1, -1):
        item, below, current = first[places[row]], lengths[row + 1], lengths[row]
        for column in range(len(places2) - 1, -1, -1):
            if item == second[places2[column]]:
                current[column] = below[column + 1] + 1
            else:
                current[column] = max(below[column], current[column + 1])
    found = []
    row = column = 0
    while row < len(places) and column < len(places2):
        if first[places[row]] == second[places2[column]]:
            found.append((places[row], places2[column]))
            row, column = row + 1, column + 1
        elif lengths[row + 1][column] >= lengths[row][column + 1]:
            row += 1
        else:
            column += 1
    return found
