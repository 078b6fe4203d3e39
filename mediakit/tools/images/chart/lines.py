"""Line charts, and stacked line charts as areas."""

from collections.abc import Sequence
from itertools import accumulate, chain

from mediakit.engines.drawing.drawing import Box, polyline_path
from mediakit.engines.drawing.text import Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart import axes
from mediakit.tools.images.chart.axes import PlotArea
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.gaps import is_gap, segments, without_gaps
from mediakit.tools.images.chart.reference_lines import (
    draw_reference_labels,
    draw_reference_lines,
    reference_values,
)
from mediakit.tools.images.chart.scale import axis_range
from mediakit.tools.images.chart.title_and_legend import draw_title_and_legend, series_entries

LINE_WIDTH, DOT_RADIUS = 0.19, 0.28
"""In em."""

MIN_DOT_SPACING = 1.6
"""Lines have dots if the distance between two points is at least this; in em."""

SINGLE_POINT_HALF_WIDTH = 2
"""Half of the width of an area chart with one label, in em."""

MAX_CROWDED_SERIES = 2
"""If there is no space for all values, the minimum, maximum and last value are shown for up to this many series."""

Point = tuple[float, float]


def draw(canvas: Canvas) -> None:
    """Draw a line chart, or a stacked area chart."""
    stacked = canvas.request.stacked
    box = draw_title_and_legend(canvas, series_entries(canvas, "square" if stacked else "line"))
    levels = _cumulative_levels(canvas) if stacked else [list(series.data) for series in canvas.series]
    shown = [*without_gaps(value for level in levels for value in level), *reference_values(canvas)]
    low, high = axis_range(shown, include_zero=stacked)
    value_space = canvas.small_font_size * 1.1 if canvas.request.values else 0
    plot = axes.draw_vertical_axes(canvas, box, low, high, value_space, slots=False)
    lines = [points(plot, level) for level in levels]
    if len(lines) == 1 and not stacked:
        _draw_tinted_area(canvas, plot, lines[0])
    axes.draw_grid_lines(canvas, plot)
    if stacked:
        _draw_areas(canvas, plot, lines)
        draw_reference_lines(canvas, plot)
    else:
        draw_reference_lines(canvas, plot)
        draw_lines(canvas, plot, lines)
    draw_reference_labels(canvas, plot, chain.from_iterable(lines))
    if canvas.request.values:
        _draw_values(canvas, plot, lines)


def _cumulative_levels(canvas: Canvas) -> list[list[float]]:
    """Return the upper edge of each series when each is added to those before it; gaps add nothing."""
    rows = zip(*(series.data for series in canvas.series), strict=True)
    columns = [list(accumulate(0.0 if is_gap(value) else value for value in values)) for values in rows]
    return [list(level) for level in zip(*columns, strict=True)]


def _draw_tinted_area(canvas: Canvas, plot: PlotArea, line: list[Point]) -> None:
    """Tint the area between a single line and zero, if zero is on the axis."""
    if plot.count > 1 and plot.scale.low <= 0 <= plot.scale.high:
        areas = [_area_path(part, _base_line(plot, part)) for part in segments(line)]
        canvas.drawing.fill_path("".join(areas), canvas.theme.tint(canvas.series_colors[0]))


def points(plot: PlotArea, values: Sequence[float]) -> list[Point]:
    """Return the points of values above the labels."""
    return [(plot.label_position(index), plot.value_position(value)) for index, value in enumerate(values)]


def draw_lines(canvas: Canvas, plot: PlotArea, lines: list[list[Point]]) -> None:
    """Draw the lines; the first series is on top."""
    for line, color in reversed(list(zip(lines, canvas.series_colors, strict=True))):
        parts = segments(line)
        if plot.count > 1:
            path = "".join(polyline_path(part) for part in parts)
            canvas.drawing.stroke_path(path, color, canvas.font_size * LINE_WIDTH)
        has_dots = plot.label_spacing >= canvas.font_size * MIN_DOT_SPACING or plot.count == 1
        dots = [point for part in parts for point in part if has_dots or len(part) == 1]
        if dots:
            canvas.drawing.fill_dots(dots, canvas.font_size * DOT_RADIUS, color, canvas.knockout)


def _draw_areas(canvas: Canvas, plot: PlotArea, lines: list[list[Point]]) -> None:
    """Draw the area of each series between its line and the line below it."""
    lower_lines = [_base_line(plot, lines[0]), *lines]
    half_width = canvas.font_size * SINGLE_POINT_HALF_WIDTH
    for line, lower, color in zip(lines, lower_lines, canvas.series_colors, strict=False):
        ends = (_widened(line, half_width), _widened(lower, half_width)) if plot.count == 1 else (line, lower)
        canvas.drawing.fill_path(_area_path(*ends), canvas.theme.soft(color))
    for line in lines[:-1] if plot.count > 1 and canvas.knockout else []:
        canvas.drawing.stroke_path(polyline_path(line), canvas.theme.background, canvas.hairline)


def _widened(line: list[Point], half_width: float) -> list[Point]:
    """Return a horizontal line through a single point."""
    ((x, y),) = line
    return [(x - half_width, y), (x + half_width, y)]


def _base_line(plot: PlotArea, line: list[Point]) -> list[Point]:
    return [(x, plot.value_position(plot.scale.base)) for x, _ in line]


def _area_path(line: list[Point], lower: list[Point]) -> str:
    return polyline_path([*line, *reversed(lower)]) + "z"


def _draw_values(canvas: Canvas, plot: PlotArea, lines: list[list[Point]]) -> None:
    """Draw values above or below their points unless they overlap; if there is little space, only some of them."""
    size, format_value = canvas.small_font_size, canvas.format_value
    fill, halo = canvas.theme.strong, canvas.knockout
    widest = max(text_width(format_value(value), size) for value in canvas.values)
    crowded = plot.count > 1 and plot.label_spacing < widest + size * 0.3
    if crowded and (canvas.request.stacked or len(lines) > MAX_CROWDED_SERIES):
        return
    placed: list[Box] = []
    for series, line in zip(canvas.series, lines, strict=True):
        for index in _notable_points(series.data) if crowded else range(plot.count):
            if is_gap(series.data[index]):
                continue
            text = format_value(series.data[index])
            box = _free_box(plot, line, index, (text_width(text, size), size), placed)
            if box:
                placed.append(box)
                x, y = (box.left + box.right) / 2, (box.top + box.bottom + size * CAP_HEIGHT) / 2
                canvas.drawing.add_text(Text(x, y, text, size, fill, anchor="middle", halo=halo))


def _notable_points(data: Sequence[float]) -> list[int]:
    """Return the indexes of the minimum, the maximum and the last value."""
    found = [index for index, value in enumerate(data) if not is_gap(value)]
    if not found:
        return []
    return sorted({min(found, key=data.__getitem__), max(found, key=data.__getitem__), found[-1]})


def _free_box(
    plot: PlotArea, line: list[Point], index: int, text_size: tuple[float, float], placed: list[Box]
) -> Box | None:
    """Return a box for a value above or below its point, inside the plot and apart from other values; None if none."""
    (width, size), (x, y) = text_size, line[index]
    half = width / 2 + size * 0.15
    x = min(max(x, plot.box.left + half), plot.box.right + size - half)
    prefer_above = _is_peak(line, index)
    tops = [y - size * 1.35 if above else y + size * 0.45 for above in (prefer_above, not prefer_above)]
    boxes = [Box(x - half, top, x + half, top + size * 0.9) for top in tops]
    grid = plot.heights(plot.scale.ticks) if index == len(line) - 1 else []
    on_line = {box: any(box.top <= height <= box.bottom for height in grid) for box in boxes}
    for box in sorted(boxes, key=on_line.__getitem__):
        is_inside = box.top < y or box.bottom < plot.box.bottom
        if is_inside and not any(box.overlaps(other) for other in placed):
            return box
    return None


def _is_peak(line: list[Point], index: int) -> bool:
    """Return whether a point is above the average of its neighbors, so that there is space above it."""
    y = line[index][1]
    neighbors = without_gaps(line[other][1] for other in (index - 1, index + 1) if 0 <= other < len(line))
    return not neighbors or y <= sum(neighbors) / len(neighbors)
