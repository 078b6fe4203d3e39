"""Bar charts: grouped or stacked bars, vertical or horizontal; and bars with lines."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from mediakit.engines.drawing.drawing import Box, Corners, polyline_path
from mediakit.engines.drawing.text import Anchor, Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout import annotations, axes
from mediakit.tools.images.chart.layout.axes import PlotArea
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap
from mediakit.tools.images.chart.layout.legend import Swatch, draw_title_and_legend, series_entries
from mediakit.tools.images.chart.layout.scales import axis_range
from mediakit.tools.images.chart.theme import text_color_on
from mediakit.tools.images.chart.types import lines

GROUP_SHARE, MAX_BAR_WIDTH = 0.72, 5.6
"""Total width of the bars in a slot as a share of the slot, and the maximum width of one bar in em."""

MAX_ROTATED_VALUE_SHARE = 0.18
"""Maximum share of the height for rotated values above narrow bars."""

CORNER_RADIUS = 0.24
"""Radius of the corners at the free end of a bar, in em."""

MIN_SNAP_WIDTH = 4
"""Minimum width in pixels of bars whose sides are moved to whole pixels."""


class Bar(NamedTuple):
    """One bar of the chart."""

    series: int
    """Index of the series."""
    start: float
    """Position on the category axis, in pixels."""
    end: float
    base: float
    """Value at which the bar begins."""
    top: float
    """Value at which the bar ends."""
    value: float
    """Value that the bar represents."""
    outermost: bool = True
    """Whether no other bar is stacked on this one."""

    @property
    def center(self) -> float:
        """Center on the category axis, in pixels."""
        return (self.start + self.end) / 2


def draw(canvas: Canvas) -> None:
    """Draw bars, and the lines of a combo chart above them."""
    request, kinds = canvas.request, series_kinds(canvas)
    swatches: list[Swatch] = ["line" if kind == "line" else "square" for kind in kinds]
    box = draw_title_and_legend(canvas, series_entries(canvas, *swatches))
    columns, curves = (
        canvas.with_series([index for index, kind in enumerate(kinds) if kind == wanted]) for wanted in ("bar", "line")
    )
    space = 0.0
    if request.values:
        space = value_space(columns, box) if columns.values else canvas.small_font_size * 1.5
    draw_axes = axes.draw_horizontal_axes if request.horizontal else axes.draw_vertical_axes
    values = canvas.values
    if request.stacked:
        rows = list(zip(*(series.data for series in canvas.series), strict=True))
        values = [sum(value for value in row if value > 0) for row in rows]
        values += [sum(value for value in row if value < 0) for row in rows]
    value_range = axis_range([*values, *annotations.reference_values(canvas)], include_zero=True)
    plot = draw_axes(canvas, box, *value_range, space)
    axes.draw_grid_lines(canvas, plot)
    place_bars = _stacked_bars if request.stacked else _grouped_bars
    bars = list(place_bars(columns, plot)) if columns.series else []
    for bar in bars:
        _draw_bar(columns, plot, bar)
    annotations.draw_reference_lines(canvas, plot)
    line_plot = lines.LinePlot.of_labels(plot)
    paths = [line_plot.line(series.data) for series in curves.series]
    lines.draw_lines(curves, line_plot, paths)
    annotations.draw_reference_labels(canvas, plot, chain.from_iterable(paths))
    if request.values:
        for path, series in zip(paths, curves.series, strict=True):
            annotations.draw_point_values(canvas, plot, path, series.data, range(plot.count), above=True)
        if bars:
            draw_values(columns, plot, bars, space)


def series_kinds(canvas: Canvas) -> list[str]:
    """Return whether each series is bars or a line: as its `type` says; otherwise the last of several is a line."""
    stated = [each.get("type") for each in canvas.request.series]
    has_line = canvas.request.type == "combo" and len(stated) > 1 and not any(stated)
    default = ["bar"] * (len(stated) - 1) + ["line" if has_line else "bar"]
    return [kind or other for kind, other in zip(stated, default, strict=True)]


def _grouped_bars(canvas: Canvas, plot: PlotArea) -> Iterator[Bar]:
    count = len(canvas.series)
    slot = plot.inset * 2
    width = min(slot * GROUP_SHARE / count, canvas.font_size * MAX_BAR_WIDTH)
    gap = min(width * 0.08, canvas.hairline * 2) if count > 1 else 0
    for number, series in enumerate(canvas.series):
        for index, value in enumerate(series.data):
            if is_gap(value):
                continue
            start = plot.label_position(index) + (number - count / 2) * width
            yield Bar(number, start + gap / 2, start + width - gap / 2, plot.scale.base, value, value)


def _stacked_bars(canvas: Canvas, plot: PlotArea) -> Iterator[Bar]:
    """Yield stacked bars: positive values upwards from zero, negative ones downwards."""
    width = min(plot.inset * 2 * GROUP_SHARE, canvas.font_size * MAX_BAR_WIDTH)
    for index in range(plot.count):
        start = plot.label_position(index) - width / 2
        values = [(number, series.data[index]) for number, series in enumerate(canvas.series)]
        for part in ([pair for pair in values if pair[1] > 0], [pair for pair in values if pair[1] < 0]):
            base = 0.0
            for number, value in part:
                yield Bar(number, start, start + width, base, base + value, value, number == part[-1][0])
                base += value


def _draw_bar(canvas: Canvas, plot: PlotArea, bar: Bar) -> None:
    """Draw a bar with rounded corners at its free end."""
    base, top = plot.value_position(bar.base), plot.value_position(bar.top)
    start, end = bar.start, bar.end
    if end - start >= MIN_SNAP_WIDTH:
        start, end = round(start), round(end)
    low, high = min(base, top), max(base, top)
    box = Box(low, start, high, end) if plot.horizontal else Box(start, low, end, high)
    if box.width <= 0 or box.height <= 0:
        return
    positive, negative = (Corners.RIGHT, Corners.LEFT) if plot.horizontal else (Corners.TOP, Corners.BOTTOM)
    corners = (positive if bar.top >= bar.base else negative) if bar.outermost else Corners.NONE
    canvas.drawing.fill_rectangle(box, canvas.series_colors[bar.series], canvas.font_size * CORNER_RADIUS, corners)
    if canvas.request.stacked and not bar.outermost:
        edge = [(top, box.top), (top, box.bottom)] if plot.horizontal else [(box.left, top), (box.right, top)]
        canvas.drawing.stroke_lines([polyline_path(edge)], canvas.theme.background, canvas.hairline)


def value_space(canvas: Canvas, box: Box) -> float:
    """Return the space that value labels need beyond the ends of the bars, in pixels."""
    if canvas.request.stacked:
        return 0
    size = canvas.small_font_size
    widest = max(text_width(canvas.format_value(value), size) for value in canvas.values)
    if canvas.request.horizontal:
        return widest + size * 0.7 if box.height / len(canvas.values) * GROUP_SHARE >= size else 0
    bar_width = (box.width - size * 4) / len(canvas.values) * GROUP_SHARE
    if widest + size * 0.3 <= bar_width:
        return size * 1.5
    return widest + size * 0.5 if bar_width >= size and widest < box.height * MAX_ROTATED_VALUE_SHARE else 0


def draw_values(canvas: Canvas, plot: PlotArea, bars: list[Bar], space: float) -> None:
    """Draw the values of bars, where they overlap no other text; none if the bars are too thin."""
    if canvas.request.stacked:
        for text in filter(None, [_text_inside(canvas, plot, bar) for bar in bars]):
            canvas.drawing.add_text(text)
        return
    size, placed = canvas.small_font_size, PlacedTexts(canvas.drawing.texts)
    is_thick = min(bar.end - bar.start for bar in bars) >= size * 0.95
    widest = max(text_width(canvas.format_value(bar.value), size) for bar in bars)
    pitch = plot.label_spacing * GROUP_SHARE / len(canvas.series) if len(canvas.series) > 1 else plot.label_spacing
    rotated = not plot.horizontal and widest + size * 0.3 > pitch
    has_room = is_thick if plot.horizontal else not rotated or (space > widest and is_thick)
    for bar in bars if has_room else ():
        text = _text_outside(canvas, plot, bar, rotated=rotated)
        if placed.try_add(text):
            canvas.drawing.add_text(text)


def _text_outside(canvas: Canvas, plot: PlotArea, bar: Bar, *, rotated: bool) -> Text:
    """Return the value beyond the end of a bar: above it, right of it, or on the other side of a negative one."""
    size, fill, content = canvas.small_font_size, canvas.theme.strong, canvas.format_value(bar.value)
    end, center, is_positive = plot.value_position(bar.top), bar.center, bar.value >= 0
    anchor: Anchor = "start" if is_positive else "end"
    if plot.horizontal:
        x, y = end + size * (0.45 if is_positive else -0.45), center + size * CAP_HEIGHT / 2
        return Text(x, y, content, size, fill, anchor=anchor)
    if rotated:
        x, y = center + size * CAP_HEIGHT / 2, end + size * (-0.35 if is_positive else 0.35)
        return Text(x, y, content, size, fill, anchor=anchor, rotation=-90)
    y = end - size * 0.45 if is_positive else end + size * (0.45 + CAP_HEIGHT)
    return Text(center, y, content, size, fill, anchor="middle")


def _text_inside(canvas: Canvas, plot: PlotArea, bar: Bar) -> Text | None:
    """Return the value inside a stacked bar, or None if it does not fit."""
    size, text = canvas.small_font_size, canvas.format_value(bar.value)
    top, base = plot.value_position(bar.top), plot.value_position(bar.base)
    length, thickness = abs(top - base), bar.end - bar.start
    width, height = (length, thickness) if plot.horizontal else (thickness, length)
    if text_width(text, size) + size * 0.5 > width or height < size * 1.25:
        return None
    middle = (top + base) / 2
    x, y = (middle, bar.center) if plot.horizontal else (bar.center, middle)
    fill = text_color_on(canvas.series_colors[bar.series])
    return Text(x, y + size * CAP_HEIGHT / 2, text, size, fill, anchor="middle")
