"""Positions on a page."""

from mediakit.core.fields import Position


def offset(
    position: Position, room: tuple[float, float], size: tuple[float, float], margin: float
) -> tuple[float, float]:
    """Return left and top of a box in an area; a box that fits never leaves the area, whatever the margin.

    Args:
        position: Where the box goes.
        room: Width and height of the area.
        size: Width and height of the box.
        margin: Distance from the edges that the position names.
    """
    words = position.split()
    return (
        _on_axis(room[0] - size[0], margin, at_start="left" in words, at_end="right" in words),
        _on_axis(room[1] - size[1], margin, at_start="top" in words, at_end="bottom" in words),
    )


def _on_axis(free: float, margin: float, *, at_start: bool, at_end: bool) -> float:
    if not at_start and not at_end:
        return free / 2
    return max(0.0, min(free, margin if at_start else free - margin))
