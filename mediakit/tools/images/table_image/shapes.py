"""The shapes in cells: bars and sparklines."""

import math

from mediakit.engines.drawing.drawing import Box, Corners, Drawing, polyline_path
from mediakit.tools.images.table_image.content import ShownColumn

BAR_HEIGHT = 0.78
"""Height of a bar, in em."""
LINE_WIDTH = 1.6
DOT_RADIUS = 2.4


def bar_box(column: ShownColumn, number: float, area: Box) -> Box:
    """Return the rectangle of a bar: from zero to the number, on an axis that all rows share."""
    low, high = min(column.low, 0.0), max(column.high, 0.0)
    extent = high - low
    if not extent or not math.isfinite(extent):
        return Box(area.left, area.top, area.left, area.bottom)
    start, end = sorted((0.0, number))
    left, right = (area.left + (value - low) / extent * area.width for value in (start, end))
    return Box(left, area.top, right if number == 0 else max(right, left + 1), area.bottom)


def zero_line(column: ShownColumn, area: Box) -> float | None:
    """Return where zero is in the area of the bars; None if no number is negative."""
    low, high = min(column.low, 0.0), max(column.high, 0.0)
    extent = high - low
    return area.left - low / extent * area.width if low < 0 and math.isfinite(extent) else None


def draw_bar(drawing: Drawing, column: ShownColumn, number: float, area: Box, color: str) -> None:
    """Draw the bar of a number."""
    box = bar_box(column, number, area)
    if box.width > 0:
        corners = Corners.RIGHT if number > 0 else Corners.LEFT
        drawing.fill_rectangle(box, color, 2, corners)


def sparkline_points(points: tuple[float | None, ...], area: Box) -> list[list[tuple[float, float]]]:
    """Return the places of the numbers of a sparkline, in parts that gaps separate."""
    numbers = [number for number in points if number is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    extent = high - low
    step = area.width / max(1, len(points) - 1)
    parts: list[list[tuple[float, float]]] = [[]]
    for place, number in enumerate(points):
        if number is None:
            parts.append([])
            continue
        share = (number / extent - low / extent) if extent and math.isfinite(extent) else 0.5
        parts[-1].append((area.left + place * step, area.bottom - share * area.height))
    return [part for part in parts if part]


def draw_sparkline(drawing: Drawing, points: tuple[float | None, ...], area: Box, color: str) -> None:
    """Draw a line through numbers, with a dot at the last one."""
    inner = area.inset(DOT_RADIUS, DOT_RADIUS, DOT_RADIUS, DOT_RADIUS)
    parts = sparkline_points(points, inner)
    for part in parts:
        if len(part) > 1:
            drawing.stroke_path(polyline_path(part), color, LINE_WIDTH)
        elif part is not parts[-1]:
            drawing.fill_circle(*part[0], LINE_WIDTH / 2, color)
    if parts:
        drawing.fill_circle(*parts[-1][-1], DOT_RADIUS, color)
