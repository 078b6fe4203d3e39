"""The plot of lines and areas with many points: over categories, or on an axis of dates, times or numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.engines.drawing.drawing import Box, polyline_path, svg_points
from mediakit.tools.images.chart import axes
from mediakit.tools.images.chart.axes import PlotArea
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.gaps import segments
from mediakit.tools.images.chart.point_values import draw_point_values, notable_points
from mediakit.tools.images.chart.simplify import simplify
from mediakit.tools.images.chart.xy_plot import XRange, draw_xy_axes

LINE_WIDTHS = ((2.0, 0.19), (0.5, 0.15), (0.0, 0.12))
"""Least distance of two points, and the width of the line; in em."""

DOT_RADIUS, MIN_DOT_SPACING = 0.26, 1.6
"""Radius of dots, and the least distance of points that have dots; in em."""

MAX_LABELED_SERIES = 4
"""Values are shown for up to this many series."""

Point = tuple[float, float]


@dataclass(frozen=True)
class LinePlot:
    """A plot area, and the positions of the points on its horizontal axis."""

    area: PlotArea
    positions: tuple[float, ...]
    """From left to right, in pixels."""
    order: tuple[int, ...]
    """The index of the label at each position."""

    def values(self, values: Sequence[float]) -> list[float]:
        """Return the values of a series from left to right."""
        return [values[index] for index in self.order]

    def line(self, values: Sequence[float]) -> list[Point]:
        """Return the points of values from left to right, in pixels."""
        return list(zip(self.positions, self.area.heights(values), strict=True))

    @property
    def spacing(self) -> float:
        """Mean distance of two points, in pixels."""
        return (self.positions[-1] - self.positions[0]) / max(1, len(self.positions) - 1)


def draw_line_axes(canvas: Canvas, box: Box, value_range: tuple[float, float]) -> LinePlot:
    """Draw both axes and return the plot between them."""
    value_space = canvas.small_font_size * 1.1 if canvas.request.values else 0
    x = canvas.x_values
    if x is None:
        area = axes.draw_vertical_axes(canvas, box, *value_range, value_space, slots=False)
        positions = tuple(area.label_position(index) for index in range(area.count))
        return LinePlot(area, positions, tuple(range(area.count)))
    order = tuple(sorted(range(len(x.values)), key=x.values.__getitem__))
    plot = draw_xy_axes(canvas, box, value_range, XRange(x.values, x.kind, padded=False), value_space)
    return LinePlot(plot.area, tuple(plot.columns(x.values[index] for index in order)), order)


@dataclass(frozen=True)
class Line:
    """A line that can have gaps, and the paths of its parts, which its area shares."""

    parts: Sequence[list[Point]]
    """The points between gaps."""
    paths: Sequence[str]
    """The path of each part."""

    @classmethod
    def through(cls, points: list[Point]) -> "Line":
        """Return the line through points, without those that would not be visible."""
        parts = segments(simplify(points))
        return cls(parts, [polyline_path(part) for part in parts])


def draw_line(canvas: Canvas, plot: LinePlot, line: Line, color: str, *, dots: bool = True) -> None:
    """Draw a line, optionally with dots if its points are far apart; always with dots at points between gaps."""
    spacing = plot.spacing / canvas.font_size
    width = next(width for least, width in LINE_WIDTHS if spacing >= least) * canvas.font_size
    path = "".join(path for path, part in zip(line.paths, line.parts, strict=True) if len(part) > 1)
    if path:
        canvas.drawing.stroke_path(path, color, width)
    has_dots = dots and (spacing >= MIN_DOT_SPACING or len(plot.positions) == 1)
    points = [point for part in line.parts for point in part if has_dots or len(part) == 1]
    if points:
        radius = canvas.font_size * DOT_RADIUS if has_dots else width * 0.75
        canvas.drawing.fill_dots(points, radius, color, canvas.knockout if has_dots else "")


def area_paths(plot: LinePlot, line: Line) -> str:
    """Return the path of the area between a line and zero, or the end of the axis that is closest to zero."""
    base = plot.area.value_position(plot.area.scale.base)
    return "".join(
        f"{path}L{svg_points([(part[-1][0], base), (part[0][0], base)], 'L')}z"
        for path, part in zip(line.paths, line.parts, strict=True)
        if len(part) > 1
    )


def draw_values(canvas: Canvas, plot: LinePlot, lines: Sequence[list[Point]], data: Sequence[Sequence[float]]) -> None:
    """Draw the values of each line: all if there is space, otherwise the last, the largest and the smallest."""
    if len(lines) > MAX_LABELED_SERIES:
        return
    is_dense = plot.spacing < canvas.font_size * MIN_DOT_SPACING
    for line, values in zip(lines, data, strict=True):
        others = [] if is_dense else range(len(values))
        draw_point_values(canvas, plot.area, line, values, dict.fromkeys([*notable_points(values), *others]))
