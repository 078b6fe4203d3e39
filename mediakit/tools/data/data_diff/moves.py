"""Which rows keep their order: the longest increasing subsequence."""

from bisect import bisect_left
from collections.abc import Sequence


def in_order(positions: Sequence[int]) -> list[int]:
    """Return the indexes of a longest increasing subsequence of different positions, in ascending order."""
    if all(map(int.__lt__, positions, positions[1:])):
        return list(range(len(positions)))
    tops: list[int] = []
    indexes: list[int] = []
    before: list[int] = []
    for index, position in enumerate(positions):
        place = bisect_left(tops, position)
        before.append(indexes[place - 1] if place else -1)
        tops[place : place + 1] = [position]
        indexes[place : place + 1] = [index]
    found = []
    index = indexes[-1] if indexes else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]
