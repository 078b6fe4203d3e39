"""Timelines: lines with up to thousands of points on an axis of dates, times or numbers."""

from itertools import chain

from mediakit.tools.images.chart import axes, line_plot
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.reference_lines import (
    draw_reference_labels,
    draw_reference_lines,
    reference_values,
)
from mediakit.tools.images.chart.scale import axis_range
from mediakit.tools.images.chart.title_and_legend import draw_title_and_legend, series_entries


def draw(canvas: Canvas) -> None:
    """Draw a timeline; the first series is on top."""
    box = draw_title_and_legend(canvas, series_entries(canvas, "line"))
    value_range = axis_range([*canvas.values, *reference_values(canvas)], include_zero=False)
    plot = line_plot.draw_line_axes(canvas, box, value_range)
    data = [plot.values(series.data) for series in canvas.series]
    lines = [plot.line(values) for values in data]
    drawn, scale = [line_plot.Line.through(line) for line in lines], plot.area.scale
    if len(drawn) == 1 and scale.low <= 0 <= scale.high:
        canvas.drawing.fill_path(line_plot.area_paths(plot, drawn[0]), canvas.theme.tint(canvas.series_colors[0]))
    axes.draw_grid_lines(canvas, plot.area)
    draw_reference_lines(canvas, plot.area)
    for line, color in reversed(list(zip(drawn, canvas.series_colors, strict=True))):
        line_plot.draw_line(canvas, plot, line, color)
    if canvas.request.values:
        line_plot.draw_values(canvas, plot, lines, data)
    draw_reference_labels(canvas, plot.area, chain.from_iterable(lines))
