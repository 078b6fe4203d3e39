"""The axes of a chart, of values, categories, dates, times or numbers, and the plot area between them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mediakit.engines.drawing.drawing import Box, polyline_path
from mediakit.engines.drawing.number_format import NumberFormatter, tick_format
from mediakit.engines.drawing.text import Text, is_truncated, text_width, wrap_balanced
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.fields import XKind, XValues, are_quarters
from mediakit.tools.images.chart.layout import axis_labels
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts
from mediakit.tools.images.chart.layout.canvas import Canvas
from mediakit.tools.images.chart.layout.scales import (
    Scale,
    XTick,
    fit_scale,
    full_label,
    grid_of,
    time_steps,
    time_ticks,
)

TICK_HEIGHT, TICK_WIDTH = 4.0, 8.0
"""Space for each step between ticks, on a vertical and on a horizontal value axis; in em."""

MAX_STEPS = 8
TICK_LABEL_GAP = 0.6
"""Between tick labels and plot, in em."""

LABEL_WIDTH_SHARES = (0.36, 0.42, 0.48)
"""How much the labels of horizontal bars take of the width: the first share at which all are complete."""

MAX_LABEL_LINES, LABEL_LINE_HEIGHT = 3, 1.15
"""Lines of a label of horizontal bars, and their distance in em."""

MIN_LABEL_FONT_SIZE = 9.0
"""In pixels."""


X_LABEL_GAP, X_LINE_HEIGHT, TICK_LENGTH = 0.75, 1.35, 0.35
"""In em: between plot and labels, distance of their lines, and length of the marks at the ticks."""

MIN_LABEL_SPACING = 1.4
"""Least space between two labels, in em."""

MAX_TICKS, MAX_NUMBER_TICKS = 40, 10
TIME_PADDING = 0.03
"""Empty space at the ends of a padded time axis, as a share of its range."""


@dataclass(frozen=True)
class XAxis:
    """Maps positions of dates, times or numbers to shares of the length of an axis, and lists its ticks."""

    low: float
    high: float
    ticks: tuple[XTick, ...] = ()

    def share(self, value: float) -> float:
        """Return the share of the axis left of a position, from 0 to 1; 0.5 if the axis has one position."""
        span = self.high - self.low
        return (value - self.low) / span if span else 0.5

    def height(self, size: float) -> float:
        """Return the height of the labels, in pixels."""
        has_context = any(tick.context for tick in self.ticks)
        return size * (X_LABEL_GAP + 1 + (X_LINE_HEIGHT if has_context else 0))


@dataclass(frozen=True)
class PlotArea:
    """Maps labels or positions, and values, to pixels."""

    box: Box
    scale: Scale
    count: int
    """Number of labels."""
    inset: float = 0
    """Distance from the ends of the plot to the center of the first and last label; half a slot if there are slots."""
    horizontal: bool = False
    """Whether bars grow to the right: labels are on the y axis."""
    axis: XAxis = XAxis(0, 1)
    """The axis of dates, times or numbers, if labels are not categories."""

    @cached_property
    def label_spacing(self) -> float:
        """Distance between the centers of two labels, in pixels."""
        return (self._label_axis_length - 2 * self.inset) / max(1, self.count - 1)

    def label_position(self, index: int) -> float:
        """Return the center of a label on the category axis, in pixels."""
        start = self.box.top if self.horizontal else self.box.left
        if self.count == 1:
            return start + self._label_axis_length / 2
        return start + self.inset + index * self.label_spacing

    def columns(self, positions: Iterable[float]) -> list[float]:
        """Return the pixel of each position on a horizontal axis of dates, times or numbers."""
        left, width, share = self.box.left, self.box.width, self.axis.share
        return [left + share(position) * width for position in positions]

    def value_position(self, value: float) -> float:
        """Return the position of a value on the value axis, in pixels."""
        share = self.scale.position(value)
        return self.box.left + share * self.box.width if self.horizontal else self.box.bottom - share * self.box.height

    def heights(self, values: Iterable[float]) -> list[float]:
        """Return the `value_position` of each value on a vertical axis."""
        low, span, bottom, height = self.scale.low, self.scale.high - self.scale.low, self.box.bottom, self.box.height
        return [bottom - (value - low) / span * height for value in values]

    def line_across(self, position: float) -> str:
        """Return the path of a line across the plot, at a position on the value axis in pixels."""
        left, top, right, bottom = self.box
        ends = [(position, top), (position, bottom)] if self.horizontal else [(left, position), (right, position)]
        return polyline_path(ends)

    @property
    def _label_axis_length(self) -> float:
        return self.box.height if self.horizontal else self.box.width


def draw_vertical_axes(
    canvas: Canvas, box: Box, low: float, high: float, value_space: float, *, slots: bool = True
) -> PlotArea:
    """Draw a category axis below and a value axis at the left of a box, and return the plot area.

    The space for value labels, in pixels, is above the plot, and below it if there are negative values. Each label has
    a slot, as bars need, or the end labels are at the plot's ends.
    """
    size = canvas.small_font_size
    space_below = value_space if low < 0 else 0
    inner = box
    for _ in range(2):  # the width of the tick labels and the height of the plot depend on each other
        scale, format_tick = value_scale(canvas, low, high, inner.height / (size * TICK_HEIGHT))
        left = tick_label_width(canvas, scale, format_tick)
        labels = axis_labels.layout_labels(canvas, box.inset(left=left), slots=slots)
        inner = box.inset(left + labels.extra_left, value_space + size * 0.4, 0, labels.height + space_below)
    plot = PlotArea(inner, scale, len(canvas.labels), labels.inset(inner.width))
    draw_tick_labels(canvas, plot, format_tick)
    centers = [plot.label_position(index) for index in range(plot.count)]
    axis_labels.draw_labels(canvas, labels, centers, inner.bottom + space_below)
    return plot


def draw_xy_axes(
    canvas: Canvas, box: Box, value_range: tuple[float, float], x: XValues, value_space: float, *, padded: bool = False
) -> PlotArea:
    """Draw an axis of dates, times or numbers below and a value axis at the left of a box, and return the plot area.

    The space for value labels, in pixels, is above the plot. A padded axis is longer than the positions, so that dots
    do not touch its ends.
    """
    size = canvas.small_font_size
    inner = box.inset(bottom=size * 3)
    for _ in range(2):  # the width of the tick labels and the height of the plot depend on each other
        scale, format_tick = value_scale(canvas, *value_range, inner.height / (size * TICK_HEIGHT))
        left = tick_label_width(canvas, scale, format_tick)
        axis = _fit_x_axis(canvas, x, box.width - left - size * 0.5, padded=padded)
        inner = box.inset(left, value_space + size * 0.4, size * 0.5, axis.height(size))
    plot = PlotArea(inner, scale, len(x.values), axis=axis)
    draw_tick_labels(canvas, plot, format_tick)
    placed, top, columns = PlacedTexts([]), inner.bottom, plot.columns(tick.value for tick in axis.ticks)
    for tick, center in zip(axis.ticks, columns, strict=True):
        for line, content in enumerate((tick.label, tick.context)):
            half = text_width(content, size) / 2
            x_text = min(max(center, half + 2), canvas.request.width - half - 2)  # inside the image
            y = top + size * (X_LABEL_GAP + CAP_HEIGHT + line * X_LINE_HEIGHT)
            text = Text(x_text, y, content, size, canvas.theme.text, anchor="middle")
            if content and placed.try_add(text):
                canvas.drawing.add_text(text)
    marks = [polyline_path([(center, top), (center, top + TICK_LENGTH * size)]) for center in columns]
    canvas.drawing.stroke_lines(marks, canvas.theme.zero, canvas.hairline)
    return plot


def draw_horizontal_axes(canvas: Canvas, box: Box, low: float, high: float, value_space: float) -> PlotArea:
    """Draw a category axis at the left and a value axis below; the arguments are those of `draw_vertical_axes`."""
    small = canvas.small_font_size
    size, interval, label_lines = _stacked_labels(canvas, box.height - small * 2, box.width)
    width = max(text_width(line, size) for lines in label_lines for line in lines)
    left = width + TICK_LABEL_GAP * size * 1.3 + (value_space if low < 0 else 0)
    scale, format_tick = value_scale(canvas, low, high, (box.width - left - value_space) / (small * TICK_WIDTH))
    last_tick_overhang = text_width(format_tick(scale.high), small) / 2
    inner = box.inset(left, small * 0.4, max(value_space, last_tick_overhang), small * 1.9)
    plot = PlotArea(inner, scale, len(canvas.labels), inner.height / len(canvas.labels) / 2, horizontal=True)
    draw_tick_labels(canvas, plot, format_tick)
    for index in range(0, plot.count, interval):
        label = canvas.labels[index]
        lines = label_lines[index]
        full = label if is_truncated(lines) else ""
        top = plot.label_position(index) + size * (CAP_HEIGHT - LABEL_LINE_HEIGHT * (len(lines) - 1)) / 2
        for number, line in enumerate(lines):
            y = top + number * size * LABEL_LINE_HEIGHT
            canvas.drawing.add_text(Text(box.left + width, y, line, size, canvas.theme.text, anchor="end", full=full))
    return plot


def draw_grid_lines(canvas: Canvas, plot: PlotArea) -> None:
    """Draw a grid line at each tick, and a stronger one at zero."""
    paths: dict[bool, list[str]] = {False: [], True: []}
    for tick in plot.scale.ticks:
        position = snap_to_pixels(plot.value_position(tick), canvas.hairline)
        paths[tick == 0].append(plot.line_across(position))
    canvas.drawing.stroke_lines(paths[False], canvas.theme.grid, canvas.hairline)
    canvas.drawing.stroke_lines(paths[True], canvas.theme.zero, canvas.hairline)


def value_scale(canvas: Canvas, low: float, high: float, fitting_steps: float) -> tuple[Scale, NumberFormatter]:
    """Return the scale of the values, and the formatter of its ticks."""
    integers = canvas.has_only_integers
    scale = fit_scale(low, high, max(1, min(MAX_STEPS, round(fitting_steps))), integers=integers)
    return scale, canvas.tick_formatter(scale.ticks, scale.step)


def tick_label_width(canvas: Canvas, scale: Scale, format_tick: NumberFormatter) -> float:
    """Return the width of the tick labels at the left of a plot, with their gap; in pixels."""
    size = canvas.small_font_size
    return max(text_width(format_tick(tick), size) for tick in scale.ticks) + TICK_LABEL_GAP * size


def _stacked_labels(canvas: Canvas, height: float, width: float) -> tuple[float, int, list[list[str]]]:
    """Return the font size of labels that are below each other, the interval of the shown ones, and their lines.

    Labels that are too long are wrapped where the slots are high enough, then become wider and smaller.
    """
    slot, small = height / len(canvas.labels), canvas.small_font_size
    least = max(small * 0.8, MIN_LABEL_FONT_SIZE)
    largest = min(small, max(slot / 1.12, least))
    for size in (largest, min(largest, least)):
        max_lines = max(1, min(MAX_LABEL_LINES, int((slot - size * 0.3) / (size * LABEL_LINE_HEIGHT))))
        for share in LABEL_WIDTH_SHARES:
            lines = [wrap_balanced(label, width * share, size, max_lines) for label in canvas.labels]
            if not any(map(is_truncated, lines)):
                return size, math.ceil(size * 1.1 / slot), lines
    return size, math.ceil(size * 1.1 / slot), lines


def draw_tick_labels(canvas: Canvas, plot: PlotArea, format_tick: NumberFormatter) -> None:
    """Draw the tick labels, zero first; labels that would overlap another are skipped."""
    size, fill, box = canvas.small_font_size, canvas.theme.text, plot.box
    placed = PlacedTexts([])
    for tick in sorted(plot.scale.ticks, key=lambda tick: tick != 0):
        position = plot.value_position(tick)
        if plot.horizontal:
            text = Text(position, box.bottom + size * 1.5, format_tick(tick), size, fill, anchor="middle")
        else:
            x, y = box.left - TICK_LABEL_GAP * size, position + size * CAP_HEIGHT / 2
            text = Text(x, y, format_tick(tick), size, fill, anchor="end")
        if placed.try_add(text):
            canvas.drawing.add_text(text)


def snap_to_pixels(center: float, width: float) -> float:
    """Return the center of a line that is moved so that its edges are between pixels."""
    return round(center - width / 2) + width / 2


def _fit_x_axis(canvas: Canvas, x: XValues, width: float, *, padded: bool) -> XAxis:
    """Return an axis with as many ticks as its width, in pixels, has space for."""
    low, high = min(x.values), max(x.values)
    if x.kind == "time":
        return _time_axis(canvas, x.values, width, padding=(high - low) * TIME_PADDING if padded else 0.0)
    if low == high:
        margin = abs(low) * 0.5 or 1.0
        return XAxis(low - margin, high + margin, _number_ticks(x.kind, [low], 1.0))
    integers = all(value.is_integer() for value in x.values)
    for steps in range(MAX_NUMBER_TICKS, 0, -1):
        scale = fit_scale(low, high, steps, integers=integers)
        first, last = (scale.low, scale.high) if padded else (low, high)
        ticks = [tick for tick in scale.ticks if first <= tick <= last] or [low]
        axis = XAxis(first, last, _number_ticks(x.kind, ticks, scale.step))
        if _fits(canvas, axis.ticks, last - first, width):
            break
    return axis


def _number_ticks(kind: XKind, ticks: list[float], step: float) -> tuple[XTick, ...]:
    if kind == "year":  # without marks between thousands, and without parts of years
        return tuple(XTick(tick, str(math.floor(tick)) if tick.is_integer() else "") for tick in ticks)
    format_tick = tick_format(ticks, step)
    return tuple(XTick(tick, format_tick(tick)) for tick in ticks)


def _time_axis(canvas: Canvas, values: Sequence[float], width: float, padding: float) -> XAxis:
    """Return an axis with ticks at round times; if none fit, at the first and the last point, or at the first only."""
    grid = grid_of(values)._replace(quarters=are_quarters(canvas.request.labels))
    low, high = min(values) - padding, max(values) + padding
    for step in time_steps(grid):
        if (high - low) / step.seconds > MAX_TICKS:
            continue
        ticks = time_ticks(step, grid, low, high)
        if len(ticks) < 2:
            break
        if _fits(canvas, ticks, high - low, width):
            return XAxis(low, high, tuple(ticks))
    ends = [XTick(value, full_label(value, grid)) for value in sorted({min(values), max(values)})]
    return XAxis(low, high, tuple(ends if _fits(canvas, ends, high - low, width) else ends[:1]))


def _fits(canvas: Canvas, ticks: Sequence[XTick], span: float, width: float) -> bool:
    """Return whether the labels of ticks have enough space between them."""
    size = canvas.small_font_size
    centers = [(tick.value - ticks[0].value) / span * width if span else 0.0 for tick in ticks]
    widths = [text_width(tick.label, size) for tick in ticks]
    pairs = zip(centers, centers[1:], widths, widths[1:], strict=False)
    return all(b - a >= (first + second) / 2 + size * MIN_LABEL_SPACING for a, b, first, second in pairs)
