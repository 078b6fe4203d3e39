"""Combo charts: bars, and lines above them, on one value axis."""

from itertools import chain

from mediakit.tools.images.chart import axes, bars, lines
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.legend import LegendEntry
from mediakit.tools.images.chart.point_values import draw_point_values
from mediakit.tools.images.chart.reference_lines import (
    draw_reference_labels,
    draw_reference_lines,
    reference_values,
)
from mediakit.tools.images.chart.scale import axis_range
from mediakit.tools.images.chart.title_and_legend import draw_title_and_legend


def draw(canvas: Canvas) -> None:
    """Draw bars and lines."""
    kinds = series_kinds(canvas)
    box = draw_title_and_legend(canvas, _entries(canvas, kinds))
    columns, curves = (
        canvas.with_series([index for index, kind in enumerate(kinds) if kind == wanted]) for wanted in ("bar", "line")
    )
    low, high = axis_range([*canvas.values, *reference_values(canvas)], include_zero=True)
    value_space = bars.value_space(columns, box) if columns.values else canvas.small_font_size * 1.5
    plot = axes.draw_vertical_axes(canvas, box, low, high, value_space if canvas.request.values else 0)
    axes.draw_grid_lines(canvas, plot)
    drawn = bars.draw_grouped(columns, plot) if columns.series else []
    draw_reference_lines(canvas, plot)
    paths = [lines.points(plot, series.data) for series in curves.series]
    lines.draw_lines(curves, plot, paths)
    draw_reference_labels(canvas, plot, chain.from_iterable(paths))
    if canvas.request.values:
        for path, series in zip(paths, curves.series, strict=True):
            draw_point_values(canvas, plot, path, series.data, range(plot.count), above=True)
        if drawn:
            bars.draw_values(columns, plot, drawn, value_space)


def series_kinds(canvas: Canvas) -> list[str]:
    """Return whether each series is bars or a line: as its `type` says; otherwise the last of several is a line."""
    stated = [each.get("type") for each in canvas.request.series]
    default = ["bar"] * (len(stated) - 1) + ["line" if len(stated) > 1 and not any(stated) else "bar"]
    return [kind or other for kind, other in zip(stated, default, strict=True)]


def _entries(canvas: Canvas, kinds: list[str]) -> list[LegendEntry]:
    """Return a legend entry for each series that has a name."""
    colored = zip(canvas.series, canvas.series_colors, kinds, strict=True)
    return [
        LegendEntry(series.name, color, "line" if kind == "line" else "square")
        for series, color, kind in colored
        if series.name
    ]
