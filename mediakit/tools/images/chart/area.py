"""Area charts: overlapping translucent areas, or stacked ones, over categories, dates or numbers."""

from itertools import accumulate, chain

from mediakit.engines.drawing.drawing import polyline_path
from mediakit.tools.images.chart import axes, line_plot
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.gaps import is_gap, without_gaps
from mediakit.tools.images.chart.line_plot import Line, LinePlot, Point
from mediakit.tools.images.chart.reference_lines import (
    draw_reference_labels,
    draw_reference_lines,
    reference_values,
)
from mediakit.tools.images.chart.scale import axis_range
from mediakit.tools.images.chart.simplify import simplify
from mediakit.tools.images.chart.title_and_legend import draw_title_and_legend, series_entries

OPACITY = 0.18
"""Opacity of areas that overlap."""

SINGLE_POINT_HALF_WIDTH = 2
"""Half of the width of an area with one point, in em."""


def draw(canvas: Canvas) -> None:
    """Draw an area chart."""
    stacked = canvas.request.stacked
    box = draw_title_and_legend(canvas, series_entries(canvas, "square"))
    levels = _stacked_levels(canvas) if stacked else [list(series.data) for series in canvas.series]
    shown = without_gaps(value for level in levels for value in level)
    plot = line_plot.draw_line_axes(canvas, box, axis_range([*shown, *reference_values(canvas)], include_zero=True))
    data = [plot.values(level) for level in levels]
    lines = [_widened(canvas, plot.line(values)) for values in data]
    if stacked:
        axes.draw_grid_lines(canvas, plot.area)
        _draw_stacked(canvas, plot, lines)
    else:
        _draw_overlapping(canvas, plot, lines)
    draw_reference_lines(canvas, plot.area)
    if canvas.request.values and not stacked:
        line_plot.draw_values(canvas, plot, [plot.line(values) for values in data], data)
    draw_reference_labels(canvas, plot.area, chain.from_iterable(lines))


def _stacked_levels(canvas: Canvas) -> list[list[float]]:
    """Return the upper edge of each series when each is added to those before it; gaps add nothing."""
    rows = zip(*(series.data for series in canvas.series), strict=True)
    columns = [list(accumulate(0.0 if is_gap(value) else value for value in values)) for values in rows]
    return [list(level) for level in zip(*columns, strict=True)]


def _widened(canvas: Canvas, line: list[Point]) -> list[Point]:
    """Return the line; of a single point a short horizontal line through it."""
    if len(line) > 1:
        return line
    ((x, y),) = line
    half_width = canvas.font_size * SINGLE_POINT_HALF_WIDTH
    return [(x - half_width, y), (x + half_width, y)]


def _draw_overlapping(canvas: Canvas, plot: LinePlot, lines: list[list[Point]]) -> None:
    """Draw translucent areas, then the grid, then their edges; the first series is on top."""
    colored = list(zip(map(Line.through, lines), canvas.series_colors, strict=True))[::-1]
    for line, color in colored:
        canvas.drawing.fill_path(line_plot.area_paths(plot, line), color, OPACITY)
    axes.draw_grid_lines(canvas, plot.area)
    for line, color in colored:
        line_plot.draw_line(canvas, plot, line, color, dots=False)


def _draw_stacked(canvas: Canvas, plot: LinePlot, lines: list[list[Point]]) -> None:
    """Draw the area of each series between its line and the line below it, with thin gaps between the areas."""
    base = plot.area.value_position(plot.area.scale.base)
    lower = [(x, base) for x, _ in lines[0]]
    for line, color in zip(lines, canvas.series_colors, strict=True):
        edges = [*simplify(line), *reversed(simplify(lower))]
        canvas.drawing.fill_path(polyline_path(edges) + "z", canvas.theme.soft(color))
        lower = line
    for line in lines[:-1] if canvas.knockout else []:
        canvas.drawing.stroke_path(polyline_path(simplify(line)), canvas.theme.background, canvas.hairline)
