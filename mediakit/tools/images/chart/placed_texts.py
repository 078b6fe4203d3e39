"""Collision detection for lines of text, including rotated ones."""

import math
from collections.abc import Iterable

from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Text, text_width

Corners = tuple[tuple[float, float], ...]

ABOVE, BELOW, BESIDE = 0.85, 0.25, 0.2
"""Space that a line takes above and below its baseline, and the padding at its ends; in em."""


class PlacedTexts:
    """Lines of text with their final positions, to which lines are added only where they overlap no other line."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._placed = [text_corners(text) for text in texts]

    def try_add(self, text: Text) -> bool:
        """Add a line if it overlaps no other line, and return whether it was added."""
        corners = text_corners(text)
        if any(_may_overlap(corners, other) and overlap(corners, other) for other in self._placed):
            return False
        self._placed.append(corners)
        return True


def text_corners(text: Text) -> Corners:
    """Return the corners of the padded rectangle of a line: top left, top right, bottom left, bottom right."""
    width, padding = text_width(text.content, text.size, text.weight), BESIDE * text.size
    left = -width * ANCHOR_OFFSETS[text.anchor]
    angle = math.radians(text.rotation)
    sine, cosine = math.sin(angle), math.cos(angle)
    ends = [(x, y) for y in (-ABOVE * text.size, BELOW * text.size) for x in (left - padding, left + width + padding)]
    return tuple((text.x + x * cosine - y * sine, text.y + x * sine + y * cosine) for x, y in ends)


def overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles overlap, by the separating axis theorem."""
    axes = [(each[end][0] - each[0][0], each[end][1] - each[0][1]) for each in (one, other) for end in (1, 2)]
    return not any(_separates(axis, one, other) for axis in axes)


def _may_overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles are close enough to overlap: a cheap test that excludes most pairs.

    The order of the corners is top left, top right, bottom left, bottom right.
    """
    reach = abs(one[0][0] - one[3][0]) + abs(one[0][1] - one[3][1]) + abs(one[1][0] - one[2][0])
    other_reach = abs(other[0][0] - other[3][0]) + abs(other[0][1] - other[3][1]) + abs(other[1][0] - other[2][0])
    limit = reach + other_reach
    return abs(one[0][0] - other[0][0]) < limit and abs(one[0][1] - other[0][1]) < limit


def _separates(axis: tuple[float, float], one: Corners, other: Corners) -> bool:
    first, second = ([x * axis[0] + y * axis[1] for x, y in each] for each in (one, other))
    return max(first) <= min(second) or max(second) <= min(first)
