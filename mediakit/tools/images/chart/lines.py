"""Line charts, and stacked ones as areas."""

from collections.abc import Sequence
from itertools import accumulate

from mediakit.tools.images.chart import axes
from mediakit.tools.images.chart.axes import Plane
from mediakit.tools.images.chart.drawing import Box, polyline
from mediakit.tools.images.chart.frame import framed, series_entries
from mediakit.tools.images.chart.scale import extent
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, width
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

STROKE, DOT = 0.19, 0.28
"""Width of a line and radius of its dots, in em."""

LEAST_PITCH = 1.6
"""From a point to the next, in em, from which on points have dots."""

FEW = 2
"""Series of which a crowded chart still tells the extremes."""

Point = tuple[float, float]


def draw(sheet: Sheet) -> None:
    """Draw the chart."""
    stacked = sheet.request.stacked
    box = framed(sheet, series_entries(sheet, "square" if stacked else "line"))
    levels = _levels(sheet) if stacked else [list(row.data) for row in sheet.rows]
    low, high = extent([value for level in levels for value in level], from_zero=stacked)
    room = sheet.small * 1.1 if sheet.request.values else 0
    plane = axes.upright(sheet, box, low, high, room, slots=False)
    lines = [[(plane.middle(place), plane.at(value)) for place, value in enumerate(level)] for level in levels]
    if len(lines) == 1 and not stacked:
        _draw_ground(sheet, plane, lines[0])
    axes.draw_rules(sheet, plane)
    if stacked:
        _draw_areas(sheet, plane, lines)
    else:
        _draw_lines(sheet, plane, lines)
    if sheet.request.values:
        _write_values(sheet, plane, lines)


def _levels(sheet: Sheet) -> list[list[float]]:
    """Add each series to those below it."""
    columns = [list(accumulate(values)) for values in zip(*(row.data for row in sheet.rows), strict=True)]
    return [list(level) for level in zip(*columns, strict=True)]


def _draw_ground(sheet: Sheet, plane: Plane, line: list[Point]) -> None:
    """Tint what lies between a line that is alone and zero, where zero is in sight."""
    if plane.count > 1 and plane.scale.low <= 0 <= plane.scale.high:
        sheet.drawing.area(_between(line, _ground(plane, line)), sheet.theme.tint(sheet.row_colors[0]))


def _draw_lines(sheet: Sheet, plane: Plane, lines: list[list[Point]]) -> None:
    for line, color in reversed(list(zip(lines, sheet.row_colors, strict=True))):
        if plane.count > 1:
            sheet.drawing.curve(polyline(line), color, sheet.size * STROKE)
        if plane.slot >= sheet.size * LEAST_PITCH or plane.count == 1:
            sheet.drawing.dots(line, sheet.size * DOT, color, sheet.theme.background)


def _draw_areas(sheet: Sheet, plane: Plane, lines: list[list[Point]]) -> None:
    """Draw the highest first; each covers the ground of those that follow."""
    floors = [_ground(plane, lines[0]), *lines]
    for line, floor, color in zip(lines, floors, sheet.row_colors, strict=False):
        if plane.count == 1:
            (x, y), (_, bottom) = line[0], floor[0]
            half = sheet.size * 2
            line, floor = [(x - half, y), (x + half, y)], [(x - half, bottom), (x + half, bottom)]  # noqa: PLW2901
        sheet.drawing.area(_between(line, floor), color)
    for line in lines[:-1] if plane.count > 1 else []:
        sheet.drawing.curve(polyline(line), sheet.theme.background, sheet.hair)


def _ground(plane: Plane, line: list[Point]) -> list[Point]:
    return [(x, plane.at(plane.scale.base)) for x, _ in line]


def _between(line: list[Point], floor: list[Point]) -> str:
    return polyline([*line, *reversed(floor)]) + "z"


def _write_values(sheet: Sheet, plane: Plane, lines: list[list[Point]]) -> None:
    """Write the values above or below their points, where they meet no other; in a crowd only the extremes."""
    size = sheet.small
    widest = max(width(sheet.value_format(value), size) for value in sheet.numbers)
    crowded = plane.count > 1 and plane.slot < widest + size * 0.3
    if crowded and (sheet.request.stacked or len(lines) > FEW):
        return
    taken: list[Box] = []
    for row, line in zip(sheet.rows, lines, strict=True):
        told = _extremes(row.data) if crowded else range(plane.count)
        for place in told:
            text = sheet.value_format(row.data[place])
            box = _free_box(plane, line, place, (width(text, size), size), taken)
            if box:
                taken.append(box)
                x, y = (box.left + box.right) / 2, (box.top + box.bottom + size * CAP_HEIGHT) / 2
                ink, paper = sheet.theme.strong, sheet.theme.background
                sheet.drawing.write(Text(x, y, text, size, ink, anchor="middle", halo=paper))


def _extremes(data: Sequence[float]) -> list[int]:
    return sorted({data.index(min(data)), data.index(max(data)), len(data) - 1})


def _free_box(
    plane: Plane, line: list[Point], place: int, measure: tuple[float, float], taken: list[Box]
) -> Box | None:
    """Find room for a value above its point, or below, within the plot and apart from others."""
    (wide, size), (x, y) = measure, line[place]
    half = wide / 2 + size * 0.15
    x = min(max(x, plane.box.left + half), plane.box.right + size - half)
    peak = _is_peak(line, place)
    for above in (peak, not peak):
        top = y - size * 1.35 if above else y + size * 0.45
        box = Box(x - half, top, x + half, top + size * 0.9)
        if (above or box.bottom < plane.box.bottom) and not any(box.meets(other) for other in taken):
            return box
    return None


def _is_peak(line: list[Point], place: int) -> bool:
    """Tell whether a line bends downwards at a point, so that there is room above it."""
    y = line[place][1]
    neighbours = [line[other][1] for other in (place - 1, place + 1) if 0 <= other < len(line)]
    return not neighbours or y <= sum(neighbours) / len(neighbours)
