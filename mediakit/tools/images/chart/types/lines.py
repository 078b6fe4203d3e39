"""Line charts, areas and timelines: over categories, or on an axis of dates, times or numbers."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from mediakit.engines.drawing.drawing import polyline_path, svg_points
from mediakit.engines.drawing.text import Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout import annotations, axes
from mediakit.tools.images.chart.layout.axes import PlotArea
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts
from mediakit.tools.images.chart.layout.canvas import Canvas, Point, is_gap, segments, without_gaps
from mediakit.tools.images.chart.layout.legend import draw_title_and_legend, series_entries
from mediakit.tools.images.chart.layout.scales import axis_range, simplify
from mediakit.tools.images.chart.theme import text_color_on

LINE_WIDTHS = ((2.0, 0.19), (0.5, 0.15), (0.0, 0.12))
"""Least distance of two points, and the width of the line; in em."""

DOT_RADIUS, MIN_DOT_SPACING = 0.26, 1.6
"""Radius of dots, and the least distance of points that have dots; in em."""

SINGLE_POINT_HALF_WIDTH = 2
"""Half of the width of an area with one label, in em."""

MAX_LABELED_SERIES = 4
"""Where there is no space for all values, some are shown for up to this many series."""

AREA_OPACITY = 0.18
"""Opacity of areas that overlap."""


@dataclass(frozen=True)
class LinePlot:
    """A plot area, and the positions of the points on its horizontal axis."""

    area: PlotArea
    positions: tuple[float, ...]
    """From left to right, in pixels."""
    order: tuple[int, ...]
    """The index of the label at each position."""

    @classmethod
    def of_labels(cls, area: PlotArea) -> "LinePlot":
        """Return the plot of points above the labels of a category axis."""
        return cls(area, tuple(map(area.label_position, range(area.count))), tuple(range(area.count)))

    def values(self, values: Sequence[float]) -> list[float]:
        """Return the values of a series from left to right."""
        return [values[index] for index in self.order]

    def line(self, values: Sequence[float]) -> list[Point]:
        """Return the points of a series from left to right, in pixels."""
        return list(zip(self.positions, self.area.heights(self.values(values)), strict=True))

    @property
    def spacing(self) -> float:
        """Mean distance of two points, in pixels."""
        return (self.positions[-1] - self.positions[0]) / max(1, len(self.positions) - 1)


def draw(canvas: Canvas) -> None:
    """Draw lines, or areas that overlap or are stacked."""
    request = canvas.request
    is_area = request.stacked or request.type == "area"
    box = draw_title_and_legend(canvas, series_entries(canvas, "square" if is_area else "line"))
    levels = _cumulative_levels(canvas) if request.stacked else [series.data for series in canvas.series]
    shown = without_gaps(chain.from_iterable(levels))
    value_range = axis_range([*shown, *annotations.reference_values(canvas)], include_zero=is_area)
    value_space = canvas.small_font_size * 1.1 if request.values else 0
    if (x := canvas.x_values) is None:
        plot = LinePlot.of_labels(axes.draw_vertical_axes(canvas, box, *value_range, value_space, slots=False))
    else:
        order = tuple(sorted(range(len(x.values)), key=x.values.__getitem__))
        area = axes.draw_xy_axes(canvas, box, value_range, x, value_space)
        plot = LinePlot(area, tuple(area.columns(x.values[index] for index in order)), order)
    lines = [plot.line(level) for level in levels]
    if request.stacked:
        axes.draw_grid_lines(canvas, plot.area)
        _draw_stacked_areas(canvas, plot, lines)
        annotations.draw_reference_lines(canvas, plot.area)
    else:
        _draw_areas(canvas, plot, lines)
        axes.draw_grid_lines(canvas, plot.area)
        annotations.draw_reference_lines(canvas, plot.area)
        draw_lines(canvas, plot, lines)
    annotations.draw_reference_labels(canvas, plot.area, chain.from_iterable(lines))
    if request.values:
        _draw_values(canvas, plot, lines)


def _cumulative_levels(canvas: Canvas) -> list[Sequence[float]]:
    """Return the upper edge of each series when each is added to those before it; gaps add nothing."""
    rows = zip(*(series.data for series in canvas.series), strict=True)
    columns = [list(accumulate(0.0 if is_gap(value) else value for value in values)) for values in rows]
    return list(zip(*columns, strict=True))


def draw_lines(canvas: Canvas, plot: LinePlot, lines: Iterable[list[Point]]) -> None:
    """Draw lines without points that would not be visible; the first series is on top.

    Points have dots if they are far apart, or are between gaps; areas have none.
    """
    spacing = plot.spacing / canvas.font_size
    width = next(width for least, width in LINE_WIDTHS if spacing >= least) * canvas.font_size
    has_dots = canvas.request.type != "area" and (spacing >= MIN_DOT_SPACING or len(plot.positions) == 1)
    for line, color in reversed(list(zip(lines, canvas.series_colors, strict=True))):
        parts = segments(simplify(_widened(canvas, line)))
        if path := "".join(polyline_path(part) for part in parts if len(part) > 1):
            canvas.drawing.stroke_path(path, color, width)
        if dots := [point for part in parts for point in part if has_dots or len(part) == 1]:
            radius = canvas.font_size * DOT_RADIUS if has_dots else width * 0.75
            canvas.drawing.fill_dots(dots, radius, color, canvas.knockout if has_dots else "")


def _widened(canvas: Canvas, line: list[Point]) -> list[Point]:
    """Return a line; of a single point in an area chart a short horizontal line through it."""
    if len(line) > 1 or not (canvas.request.stacked or canvas.request.type == "area"):
        return line
    ((x, y),) = line
    half_width = canvas.font_size * SINGLE_POINT_HALF_WIDTH
    return [(x - half_width, y), (x + half_width, y)]


def _draw_areas(canvas: Canvas, plot: LinePlot, lines: list[list[Point]]) -> None:
    """Draw translucent areas; below a single line a tint, if zero is on the axis."""
    scale, base = plot.area.scale, plot.area.value_position(plot.area.scale.base)
    is_tint = canvas.request.type != "area"
    if is_tint and (len(lines) > 1 or not scale.low <= 0 <= scale.high):
        return
    for line, color in reversed(list(zip(lines, canvas.series_colors, strict=True))):
        parts = (part for part in segments(simplify(_widened(canvas, line))) if len(part) > 1)
        path = "".join(
            f"{polyline_path(part)}L{svg_points([(part[-1][0], base), (part[0][0], base)], 'L')}z" for part in parts
        )
        if is_tint:
            canvas.drawing.fill_path(path, canvas.theme.tint(color))
        else:
            canvas.drawing.fill_path(path, color, AREA_OPACITY)


def _draw_stacked_areas(canvas: Canvas, plot: LinePlot, lines: list[list[Point]]) -> None:
    """Draw the area of each series between its line and the line below it, with thin gaps between the areas."""
    lines = [simplify(_widened(canvas, line)) for line in lines]
    base = plot.area.value_position(plot.area.scale.base)
    lower = [(x, base) for x, _ in (lines[0][0], lines[0][-1])]
    for line, color in zip(lines, canvas.series_colors, strict=True):
        canvas.drawing.fill_path(polyline_path([*line, *reversed(lower)]) + "z", canvas.theme.soft(color))
        lower = line
    for line in lines[:-1] if canvas.knockout else []:
        canvas.drawing.stroke_path(polyline_path(line), canvas.theme.background, canvas.hairline)


def _draw_values_in_bands(canvas: Canvas, plot: LinePlot, lines: Sequence[list[Point]]) -> None:
    """Draw the values of stacked areas in the middle of their areas, where they fit."""
    size, placed = canvas.small_font_size, PlacedTexts(canvas.drawing.texts)
    left, right = plot.positions[0], plot.positions[-1]
    base = plot.area.value_position(plot.area.scale.base)
    below = [(x, base) for x in plot.positions]
    for line, series, color in zip(lines, canvas.series, canvas.series_colors, strict=True):
        fill = text_color_on(canvas.theme.soft(color))
        for (x, _), value in zip(line, plot.values(series.data), strict=True):
            if is_gap(value):
                continue
            content = canvas.format_value(value)
            half_width = text_width(content, size) / 2 + size * 0.3
            center = max(left + half_width, min(x, right - half_width)) if right > left else x
            places = [center - half_width, center, center + half_width]
            edges = [sorted((_height_at(line, place), _height_at(below, place))) for place in places]
            top, bottom = max(edge[0] for edge in edges), min(edge[1] for edge in edges)
            text = Text(center, (top + bottom + size * CAP_HEIGHT) / 2, content, size, fill, anchor="middle")
            if bottom - top >= size * 1.25 and placed.try_add(text):
                canvas.drawing.add_text(text)
        below = line


def _height_at(line: Sequence[Point], x: float) -> float:
    """Return the vertical position of a line at a horizontal one, in pixels."""
    place = min(max(bisect_left(line, (x,)), 1), len(line) - 1)
    if len(line) == 1:
        return line[0][1]
    (x0, y0), (x1, y1) = line[place - 1], line[place]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1


def _draw_values(canvas: Canvas, plot: LinePlot, lines: Sequence[list[Point]]) -> None:
    """Draw the values of each line: all if there is space, otherwise the last, the largest and the smallest."""
    is_dense = plot.spacing < canvas.font_size * MIN_DOT_SPACING and len(plot.positions) > 1
    if canvas.request.stacked:
        _draw_values_in_bands(canvas, plot, lines)
        return
    if is_dense and len(lines) > MAX_LABELED_SERIES:
        return
    for line, series in zip(lines, canvas.series, strict=True):
        values = plot.values(series.data)
        others = [] if is_dense else range(len(values))
        annotations.draw_point_values(
            canvas, plot.area, line, values, dict.fromkeys([*annotations.notable_points(values), *others])
        )
