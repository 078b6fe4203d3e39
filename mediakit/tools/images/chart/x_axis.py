"""The horizontal axis of dates, times or numbers: its range, its ticks, and their labels below the plot."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mediakit.engines.drawing.drawing import polyline_path
from mediakit.engines.drawing.number_format import tick_format
from mediakit.engines.drawing.text import Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.placed_texts import PlacedTexts
from mediakit.tools.images.chart.scale import fit_scale
from mediakit.tools.images.chart.time_ticks import Grid, XTick, full_label, grid_of, time_steps, time_ticks
from mediakit.tools.images.chart.x_values import XKind, are_quarters

LABEL_GAP, LINE_HEIGHT, TICK_LENGTH = 0.75, 1.35, 0.35
"""In em: between plot and labels, distance of their lines, and length of the marks at the ticks."""

MIN_LABEL_SPACING = 1.4
"""Least space between two labels, in em."""

MAX_TICKS, MAX_NUMBER_TICKS = 40, 10
TIME_PADDING = 0.03
"""Empty space at the ends of a padded time axis, as a share of its range."""


@dataclass(frozen=True)
class XAxis:
    """Maps positions on the axis to shares of its length, and lists its ticks."""

    low: float
    high: float
    ticks: tuple[XTick, ...]

    def share(self, value: float) -> float:
        """Return the share of the axis left of a position, from 0 to 1; 0.5 if the axis has one position."""
        span = self.high - self.low
        return (value - self.low) / span if span else 0.5

    @property
    def has_context(self) -> bool:
        """Whether a tick has a second line."""
        return any(tick.context for tick in self.ticks)

    def height(self, size: float) -> float:
        """Return the height of the labels, in pixels."""
        return size * (LABEL_GAP + 1 + (LINE_HEIGHT if self.has_context else 0))


def fit_x_axis(canvas: Canvas, values: Sequence[float], kind: XKind, width: float, *, padded: bool) -> XAxis:
    """Return an axis for positions.

    Args:
        canvas: The canvas of the chart.
        values: The positions.
        kind: What they are.
        width: Width of the axis, in pixels.
        padded: Whether the axis is longer than the positions, so that dots do not touch its ends.
    """
    low, high = min(values), max(values)
    if kind == "time":
        margin = (high - low) * TIME_PADDING if padded else 0.0
        grid = grid_of(values)._replace(quarters=are_quarters(canvas.request.labels))
        axis = _time_axis(canvas, grid, (low - margin, high + margin), width)
        return axis if axis.ticks else replace(axis, ticks=_end_ticks(canvas, grid, (low, high), width))
    return _number_axis(canvas, values, kind, width, padded=padded)


def draw_x_axis(canvas: Canvas, axis: XAxis, left: float, right: float, top: float) -> None:
    """Draw marks and labels below a plot; labels that would overlap another are skipped."""
    size, placed = canvas.small_font_size, PlacedTexts([])
    marks = []
    for tick in axis.ticks:
        x = left + axis.share(tick.value) * (right - left)
        marks.append(polyline_path([(x, top), (x, top + TICK_LENGTH * size)]))
        for line, content in enumerate((tick.label, tick.context)):
            y = top + size * (LABEL_GAP + CAP_HEIGHT + line * LINE_HEIGHT)
            text = _inside(canvas, Text(x, y, content, size, canvas.theme.text, anchor="middle"))
            if content and placed.try_add(text):
                canvas.drawing.add_text(text)
    canvas.drawing.stroke_lines(marks, canvas.theme.zero, canvas.hairline)


def _inside(canvas: Canvas, text: Text) -> Text:
    """Return a centered text, moved into the image if it would leave it."""
    half = text_width(text.content, text.size) / 2
    x = min(max(text.x, half + 2), canvas.request.width - half - 2)
    return Text(x, text.y, text.content, text.size, text.fill, anchor="middle")


def _time_axis(canvas: Canvas, grid: Grid, ends: tuple[float, float], width: float) -> XAxis:
    low, high = ends
    span = high - low
    for step in time_steps(grid):
        if span / step.seconds > MAX_TICKS:
            continue
        ticks = time_ticks(step, low, high)
        if len(ticks) < 2:
            break
        if _fits(canvas, ticks, span, width):
            return XAxis(low, high, tuple(ticks))
    return XAxis(low, high, ())


def _end_ticks(canvas: Canvas, grid: Grid, ends: tuple[float, float], width: float) -> tuple[XTick, ...]:
    """Return ticks at the first and the last point, or at the first only."""
    ticks = [XTick(value, full_label(value, grid)) for value in sorted(set(ends))]
    return tuple(ticks if _fits(canvas, ticks, ends[1] - ends[0], width) else ticks[:1])


def _fits(canvas: Canvas, ticks: Sequence[XTick], span: float, width: float) -> bool:
    """Return whether the labels of ticks have enough space between them."""
    size = canvas.small_font_size
    centers = [(tick.value - ticks[0].value) / span * width if span else 0.0 for tick in ticks]
    widths = [text_width(tick.label, size) for tick in ticks]
    pairs = zip(centers, centers[1:], widths, widths[1:], strict=False)
    return all(b - a >= (first + second) / 2 + size * MIN_LABEL_SPACING for a, b, first, second in pairs)


def _number_axis(canvas: Canvas, values: Sequence[float], kind: XKind, width: float, *, padded: bool) -> XAxis:
    low, high = min(values), max(values)
    if low == high:
        margin = abs(low) * 0.5 or 1.0
        return XAxis(low - margin, high + margin, _number_ticks(kind, [low], 1.0))
    integers = all(value.is_integer() for value in values)
    found = XAxis(low, high, ())
    for axis in _number_axes(low, high, kind, integers=integers, padded=padded):
        found = axis
        if _fits(canvas, axis.ticks, axis.high - axis.low, width):
            break
    return found


def _number_axes(low: float, high: float, kind: XKind, *, integers: bool, padded: bool) -> Iterator[XAxis]:
    """Yield axes with fewer and fewer ticks."""
    for steps in range(MAX_NUMBER_TICKS, 0, -1):
        scale = fit_scale(low, high, steps, integers=integers)
        if padded:
            yield XAxis(scale.low, scale.high, _number_ticks(kind, list(scale.ticks), scale.step))
        else:
            inside = [tick for tick in scale.ticks if low <= tick <= high]
            yield XAxis(low, high, _number_ticks(kind, inside or [low], scale.step))


def _number_ticks(kind: XKind, ticks: list[float], step: float) -> tuple[XTick, ...]:
    format_tick = str_of_integer if kind == "year" else tick_format(ticks, step)
    return tuple(XTick(tick, format_tick(tick)) for tick in ticks)


def str_of_integer(number: float) -> str:
    """Return a year without thousands separators; empty between years."""
    return str(math.floor(number)) if number.is_integer() else ""
