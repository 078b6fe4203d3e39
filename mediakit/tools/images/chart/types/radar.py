"""Radar charts: a spoke for each label, a ring for each tick, a polygon for each series."""

import math
from dataclasses import dataclass
from itertools import pairwise

from mediakit.engines.drawing.drawing import Box, polyline_path
from mediakit.engines.drawing.text import Anchor, Text, text_width, truncate
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap, segments
from mediakit.tools.images.chart.layout.legend import draw_title_and_legend, series_entries
from mediakit.tools.images.chart.layout.scales import Scale, axis_range, fit_scale

GAP = 0.9
"""Between the outer ring and the labels, in em."""

MAX_STEPS = 4
"""Rings between the center and the outer ring."""

MAX_LABEL_WIDTH_SHARE = 0.3
"""The most that a horizontal label takes of the width at each side."""

MAX_ROTATED_LABEL_SHARE = 0.42
"""The most that a rotated label takes of half the shorter side."""

MAX_TINTED_SERIES, FILL_OPACITY = 3, 0.12
"""Polygons are filled for up to this many series; more fills would be indistinguishable."""

MIN_RADIUS_SHARE = 0.2
"""Labels are rotated if horizontal ones would reduce the radius below this share of the shorter side."""

Point = tuple[float, float]


@dataclass(frozen=True)
class RadarGrid:
    """Maps labels and positions on the scale to pixels."""

    x: float
    """Center, in pixels."""
    y: float
    radius: float
    """Radius of the outer ring, in pixels."""
    count: int
    """Number of spokes."""

    def angle(self, index: int) -> float:
        """Return the angle of a spoke, in radians clockwise from the top."""
        return math.tau * index / self.count

    def point(self, index: int, position: float) -> Point:
        """Return the point on a spoke at a position: 0 is the center, 1 the outer ring."""
        angle, distance = self.angle(index), position * self.radius
        return self.x + distance * math.sin(angle), self.y - distance * math.cos(angle)

    def ring_path(self, position: float) -> str:
        """Return the path of a ring: a polygon, or a circle if there are one or two spokes."""
        if self.count > 2:
            return polyline_path([self.point(index, position) for index in range(self.count)]) + "z"
        radius = self.radius * position
        arc = f"a{radius:.2f} {radius:.2f} 0 1 1"
        return f"M{self.x:.2f} {self.y - radius:.2f}{arc} 0 {2 * radius:.2f}{arc} 0 {-2 * radius:.2f}z"


def draw(canvas: Canvas) -> None:
    """Draw a radar chart."""
    box = draw_title_and_legend(canvas, series_entries(canvas, "square"))
    grid, labels = _horizontal_labels(canvas, box) or _rotated_labels(canvas, box)
    fitting_steps = int(grid.radius / (canvas.small_font_size * 2.4))
    low, high = axis_range(canvas.values, include_zero=True)
    scale = fit_scale(low, high, max(1, min(MAX_STEPS, fitting_steps)), integers=canvas.has_only_integers)
    polygons = [
        [grid.point(index, scale.position(value)) for index, value in enumerate(series.data)]
        for series in canvas.series
    ]
    _draw_tinted_areas(canvas, grid, polygons)
    rings = {tick: grid.ring_path(scale.position(tick)) for tick in scale.ticks if scale.position(tick) > 0}
    spokes = [polyline_path([(grid.x, grid.y), grid.point(index, 1)]) for index in range(grid.count)]
    web = [*(ring for tick, ring in rings.items() if tick), *spokes]
    canvas.drawing.stroke_lines(web, canvas.theme.web, canvas.hairline)
    canvas.drawing.stroke_lines([rings[0]] if 0 in rings else [], canvas.theme.zero, canvas.hairline)
    for polygon, color in zip(polygons, canvas.series_colors, strict=True):
        _draw_polygon(canvas, grid, polygon, color)
    for label in labels:
        canvas.drawing.add_text(label)
    _draw_tick_labels(canvas, grid, scale, PlacedTexts(labels))


def _draw_tinted_areas(canvas: Canvas, grid: RadarGrid, polygons: list[list[Point]]) -> None:
    """Tint the polygons, the largest first, so that each stays visible."""
    if len(polygons) > MAX_TINTED_SERIES or grid.count < 3:
        return
    colored = zip(polygons, canvas.series_colors, strict=True)
    closed = [(polygon, color) for polygon, color in colored if not _has_gaps(polygon)]
    for polygon, color in sorted(closed, key=lambda pair: -_double_area(pair[0])):
        canvas.drawing.fill_path(polyline_path(polygon) + "z", color, FILL_OPACITY)


def _draw_polygon(canvas: Canvas, grid: RadarGrid, polygon: list[Point], color: str) -> None:
    """Draw the outline and the dots of a series; the outline is open at gaps."""
    parts = segments(polygon)
    if grid.count > 1:
        path = polyline_path(polygon) + "z"
        if _has_gaps(polygon):
            lines = parts
            if len(parts) > 1 and not is_gap(polygon[0][1]) and not is_gap(polygon[-1][1]):
                lines = [*parts[1:-1], [*parts[-1], *parts[0]]]  # the last one continues with the first
            path = "".join(map(polyline_path, lines))
        canvas.drawing.stroke_path(path, color, canvas.font_size * 0.16)
    has_dots = grid.radius * math.tau / grid.count > canvas.font_size * 1.2
    dots = [point for part in parts for point in part if has_dots or len(part) == 1]
    if dots:
        canvas.drawing.fill_dots(dots, canvas.font_size * 0.24, color)


def _has_gaps(polygon: list[Point]) -> bool:
    return any(is_gap(y) for _, y in polygon)


def _double_area(polygon: list[Point]) -> float:
    """Return twice the area of a polygon."""
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairwise([*polygon, polygon[0]])))


def _draw_tick_labels(canvas: Canvas, grid: RadarGrid, scale: Scale, placed: PlacedTexts) -> None:
    """Draw the tick labels beside the first spoke, except those that would overlap another text."""
    format_tick, size = canvas.tick_formatter(scale.ticks, scale.step), canvas.small_font_size * 0.92
    fill, halo = canvas.theme.text, canvas.knockout
    for tick in scale.ticks:
        y = grid.y - scale.position(tick) * grid.radius + size * CAP_HEIGHT * (0.5 if tick < scale.high else 1.3)
        text = Text(grid.x - size * 0.45, y, format_tick(tick), size, fill, anchor="end", halo=halo)
        if placed.try_add(text):
            canvas.drawing.add_text(text)


def _horizontal_labels(canvas: Canvas, box: Box) -> tuple[RadarGrid, list[Text]] | None:
    """Return the grid with horizontal labels around it, or None if labels overlap or the radius would be too small."""
    size, count = canvas.small_font_size, len(canvas.labels)
    longest = max(text_width(label, size) for label in canvas.labels)
    width = min(box.width * MAX_LABEL_WIDTH_SHARE, longest)
    height = size * (GAP + 1)
    radius = min((box.width - 2 * (width + size * GAP)) / 2, (box.height - 2 * height) / 2)
    if radius < min(box.width, box.height) * MIN_RADIUS_SHARE:
        return None
    grid = RadarGrid((box.left + box.right) / 2, (box.top + box.bottom) / 2, radius, count)
    labels, placed = [], PlacedTexts([])
    for index, label in enumerate(canvas.labels):
        sine, cosine = math.sin(grid.angle(index)), math.cos(grid.angle(index))
        distance = radius + size * GAP
        x, y = grid.x + distance * sine, grid.y - distance * cosine
        anchor: Anchor = "middle" if abs(sine) < 0.02 else "start" if sine > 0 else "end"
        max_width = {"start": box.right - x, "end": x - box.left, "middle": box.width}[anchor]
        baseline, content = y + size * CAP_HEIGHT * (1 - cosine) / 2, truncate(label, max_width, size)
        labels.append(Text(x, baseline, content, size, canvas.theme.text, anchor=anchor, full=label))
    return (grid, labels) if all(placed.try_add(label) for label in labels) else None


def _rotated_labels(canvas: Canvas, box: Box) -> tuple[RadarGrid, list[Text]]:
    """Return the grid with labels along the spokes; only every second, third, ... label if all would overlap."""
    size = max(canvas.small_font_size * 0.92, 9.0)
    half_side = min(box.width, box.height) / 2
    longest = max(text_width(label, size) for label in canvas.labels)
    max_width = min(longest, half_side * MAX_ROTATED_LABEL_SHARE)
    center = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    grid = RadarGrid(*center, half_side - max_width - size * GAP, len(canvas.labels))
    spacing = math.tau * (grid.radius + size * GAP) / grid.count
    interval = math.ceil(size * 1.15 / spacing)
    texts = []
    for index in range(0, grid.count - interval + 1, interval):
        angle, label = grid.angle(index), canvas.labels[index]
        distance, is_right = grid.radius + size * GAP, angle <= math.pi
        shift = size * CAP_HEIGHT / 2 * (1 if is_right else -1)
        x = grid.x + distance * math.sin(angle) + shift * math.cos(angle)
        y = grid.y - distance * math.cos(angle) + shift * math.sin(angle)
        rotation = math.degrees(angle) - (90 if is_right else 270)
        anchor: Anchor = "start" if is_right else "end"
        text = truncate(label, max_width + 0.01, size)
        texts.append(Text(x, y, text, size, canvas.theme.text, anchor=anchor, rotation=rotation, full=label))
    return grid, texts
