"""Scatter charts: a dot for each pair of numbers."""

from itertools import chain

from mediakit.engines.drawing.drawing import polyline_path
from mediakit.tools.images.chart.fields import XValues, parse_x
from mediakit.tools.images.chart.layout import annotations, axes
from mediakit.tools.images.chart.layout.canvas import Canvas, Point, is_gap
from mediakit.tools.images.chart.layout.legend import draw_title_and_legend, series_entries
from mediakit.tools.images.chart.layout.scales import axis_range

NEAR_ZERO = 0.8
"""The axis includes zero if the values span this share of the largest value; less than in line charts."""

MAX_OUTLINED_DOTS = 60
"""Dots have an outline if there are at most this many; more are translucent, so that dense regions look darker."""

RADII = ((60, 0.38), (300, 0.3), (1500, 0.22), (1_000_000, 0.16))
"""Largest number of dots, and their radius in em."""

OPACITIES, LAYERS = ((300, 0.75), (1_000_000, 0.55)), 16
"""Largest number of translucent dots and their opacity; and the number of paths that they are distributed to, because
overlapping dots of one path do not look darker."""

MAX_VALUES = 60
"""All values are shown for up to this many dots, otherwise the largest and the smallest of each series."""


def draw(canvas: Canvas) -> None:
    """Draw a scatter chart."""
    box = draw_title_and_legend(canvas, series_entries(canvas, "dot"))
    shared = parse_x(labels) if (labels := list(canvas.request.labels)) else XValues("number", ())
    positions = [parse_x(each["x"]) if "x" in each else shared for each in canvas.request.series]
    x = XValues(positions[0].kind, tuple(value for each in positions for value in each.values))
    value_range = axis_range(
        [*canvas.values, *annotations.reference_values(canvas)], include_zero=False, near_zero=NEAR_ZERO
    )
    value_space = canvas.small_font_size * (1.1 if canvas.request.values else 0.2)
    plot = axes.draw_xy_axes(canvas, box, value_range, x, value_space, padded=True)
    axes.draw_grid_lines(canvas, plot)
    columns = [axes.snap_to_pixels(x, canvas.hairline) for x in plot.columns(tick.value for tick in plot.axis.ticks)]
    vertical = [polyline_path([(x, plot.box.top), (x, plot.box.bottom)]) for x in columns]
    canvas.drawing.stroke_lines(vertical, canvas.theme.grid, canvas.hairline)
    annotations.draw_reference_lines(canvas, plot)
    dots = [
        list(zip(plot.columns(each.values), plot.heights(series.data), strict=True))
        for each, series in zip(positions, canvas.series, strict=True)
    ]
    _draw_dots(canvas, dots)
    annotations.draw_reference_labels(canvas, plot, chain.from_iterable(dots))
    for points, series in zip(dots, canvas.series, strict=True) if canvas.request.values else ():
        others = range(len(series.data)) if len(canvas.values) <= MAX_VALUES else ()
        indexes = dict.fromkeys([*annotations.notable_points(series.data), *others])
        annotations.draw_point_values(canvas, plot, points, series.data, indexes, above=True)


def _draw_dots(canvas: Canvas, dots: list[list[Point]]) -> None:
    """Draw the dots of each series, those of the first one on top; gaps have none."""
    count = len(canvas.values)
    radius = next(radius for most, radius in RADII if count <= most) * canvas.font_size
    opacity = next(opacity for most, opacity in OPACITIES if count <= most)
    for each, color in reversed(list(zip(dots, canvas.series_colors, strict=True))):
        points = [point for point in each if not is_gap(point[1])]
        if count <= MAX_OUTLINED_DOTS:
            canvas.drawing.fill_dots(points, radius, color, canvas.knockout)
            continue
        for layer in range(LAYERS):
            canvas.drawing.stroke_points(points[layer::LAYERS], radius * 2, color, opacity)
