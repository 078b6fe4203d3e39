"""Line charts, areas and timelines: over categories, or on an axis of dates, times or numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from mediakit.engines.drawing.drawing import Box, polyline_path, svg_points
from mediakit.engines.drawing.text import Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout import axes
from mediakit.tools.images.chart.layout.annotations import (
    draw_point_values,
    draw_reference_labels,
    draw_reference_lines,
    notable_points,
    reference_values,
)
from mediakit.tools.images.chart.layout.axes import PlotArea, XRange, draw_xy_axes
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap, segments, without_gaps
from mediakit.tools.images.chart.layout.legend import draw_title_and_legend, series_entries
from mediakit.tools.images.chart.layout.scales import axis_range, simplify

LINE_WIDTH, CATEGORY_DOT_RADIUS = 0.19, 0.28
"""In em."""

MIN_CATEGORY_DOT_SPACING = 1.6
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
        has_dots = plot.label_spacing >= canvas.font_size * MIN_CATEGORY_DOT_SPACING or plot.count == 1
        dots = [point for part in parts for point in part if has_dots or len(part) == 1]
        if dots:
            canvas.drawing.fill_dots(dots, canvas.font_size * CATEGORY_DOT_RADIUS, color, canvas.knockout)


def _draw_areas(canvas: Canvas, plot: PlotArea, lines: list[list[Point]]) -> None:
    """Draw the area of each series between its line and the line below it."""
    lower_lines = [_base_line(plot, lines[0]), *lines]
    half_width = canvas.font_size * SINGLE_POINT_HALF_WIDTH
    for line, lower, color in zip(lines, lower_lines, canvas.series_colors, strict=False):
        ends = (
            (_widened_point(line, half_width), _widened_point(lower, half_width)) if plot.count == 1 else (line, lower)
        )
        canvas.drawing.fill_path(_area_path(*ends), canvas.theme.soft(color))
    for line in lines[:-1] if plot.count > 1 and canvas.knockout else []:
        canvas.drawing.stroke_path(polyline_path(line), canvas.theme.background, canvas.hairline)


def _widened_point(line: list[Point], half_width: float) -> list[Point]:
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


LINE_WIDTHS = ((2.0, 0.19), (0.5, 0.15), (0.0, 0.12))
"""Least distance of two points, and the width of the line; in em."""

DOT_RADIUS, MIN_DOT_SPACING = 0.26, 1.6
"""Radius of dots, and the least distance of points that have dots; in em."""

MAX_LABELED_SERIES = 4
"""Values are shown for up to this many series."""


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


OPACITY = 0.18
"""Opacity of areas that overlap."""


def draw_area(canvas: Canvas) -> None:
    """Draw an area chart."""
    stacked = canvas.request.stacked
    box = draw_title_and_legend(canvas, series_entries(canvas, "square"))
    levels = _cumulative_levels(canvas) if stacked else [list(series.data) for series in canvas.series]
    shown = without_gaps(value for level in levels for value in level)
    plot = draw_line_axes(canvas, box, axis_range([*shown, *reference_values(canvas)], include_zero=True))
    data = [plot.values(level) for level in levels]
    lines = [_widened(canvas, plot.line(values)) for values in data]
    if stacked:
        axes.draw_grid_lines(canvas, plot.area)
        _draw_stacked(canvas, plot, lines)
    else:
        _draw_overlapping(canvas, plot, lines)
    draw_reference_lines(canvas, plot.area)
    if canvas.request.values and not stacked:
        draw_values(canvas, plot, [plot.line(values) for values in data], data)
    draw_reference_labels(canvas, plot.area, chain.from_iterable(lines))


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
        canvas.drawing.fill_path(area_paths(plot, line), color, OPACITY)
    axes.draw_grid_lines(canvas, plot.area)
    for line, color in colored:
        draw_line(canvas, plot, line, color, dots=False)


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


def draw_timeline(canvas: Canvas) -> None:
    """Draw a timeline; the first series is on top."""
    box = draw_title_and_legend(canvas, series_entries(canvas, "line"))
    value_range = axis_range([*canvas.values, *reference_values(canvas)], include_zero=False)
    plot = draw_line_axes(canvas, box, value_range)
    data = [plot.values(series.data) for series in canvas.series]
    lines = [plot.line(values) for values in data]
    drawn, scale = [Line.through(line) for line in lines], plot.area.scale
    if len(drawn) == 1 and scale.low <= 0 <= scale.high:
        canvas.drawing.fill_path(area_paths(plot, drawn[0]), canvas.theme.tint(canvas.series_colors[0]))
    axes.draw_grid_lines(canvas, plot.area)
    draw_reference_lines(canvas, plot.area)
    for line, color in reversed(list(zip(drawn, canvas.series_colors, strict=True))):
        draw_line(canvas, plot, line, color)
    if canvas.request.values:
        draw_values(canvas, plot, lines, data)
    draw_reference_labels(canvas, plot.area, chain.from_iterable(lines))
