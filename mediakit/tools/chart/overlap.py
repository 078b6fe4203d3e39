"""Whether lines of text meet, turned ones too."""

import math

from mediakit.tools.chart.text import Text, width

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


def _apart(one: Corners, other: Corners, axis: tuple[float, float]) -> bool:
    mine, theirs = ([x * axis[0] + y * axis[1] for x, y in each] for each in (one, other))
    return max(mine) <= min(theirs) or max(theirs) <= min(mine)
