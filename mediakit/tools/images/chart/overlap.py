"""Whether lines of text meet, turned ones too."""

import math
from collections.abc import Iterable

from mediakit.tools.images.chart.text import Text, width

Corners = tuple[tuple[float, float], ...]

ABOVE, BELOW, BESIDE = 0.85, 0.25, 0.2
"""What a line takes around its baseline, in em."""

SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


def corners(text: Text) -> Corners:
    """Give the corners of what a line takes, with a little air."""
    wide, air = width(text.content, text.size, text.weight), BESIDE * text.size
    left = -wide * SHARES[text.anchor]
    angle = math.radians(text.turn)
    sine, cosine = math.sin(angle), math.cos(angle)
    ends = [(x, y) for y in (-ABOVE * text.size, BELOW * text.size) for x in (left - air, left + wide + air)]
    return tuple((text.x + x * cosine - y * sine, text.y + x * sine + y * cosine) for x, y in ends)


def meet(one: Corners, other: Corners) -> bool:
    """Tell whether two rectangles overlap: no side of either lies between them (separating axes)."""
    axes = [(each[end][0] - each[0][0], each[end][1] - each[0][1]) for each in (one, other) for end in (1, 2)]
    return not any(_apart(one, other, axis) for axis in axes)


class Crowd:
    """Lines of text that keep off each other."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._taken = [corners(text) for text in texts]

    def admits(self, text: Text) -> bool:
        """Take a line in, if it meets no other."""
        place = corners(text)
        if any(_near(place, other) and meet(place, other) for other in self._taken):
            return False
        self._taken.append(place)
        return True


def _near(one: Corners, other: Corners) -> bool:
    """Tell in no time that most pairs are far apart: corners come in the order of a Z."""
    reach = abs(one[0][0] - one[3][0]) + abs(one[0][1] - one[3][1]) + abs(one[1][0] - one[2][0])
    away = abs(other[0][0] - other[3][0]) + abs(other[0][1] - other[3][1]) + abs(other[1][0] - other[2][0])
    return abs(one[0][0] - other[0][0]) < reach + away and abs(one[0][1] - other[0][1]) < reach + away


def _apart(one: Corners, other: Corners, axis: tuple[float, float]) -> bool:
    mine, theirs = ([x * axis[0] + y * axis[1] for x, y in each] for each in (one, other))
    return max(mine) <= min(theirs) or max(theirs) <= min(mine)
