"""The plot of points: a value axis, and labels on a category axis or positions on an axis of dates or numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mediakit.engines.drawing.drawing import Box
from mediakit.tools.images.chart import axes
from mediakit.tools.images.chart.axes import PlotArea
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.x_axis import XAxis, draw_x_axis, fit_x_axis
from mediakit.tools.images.chart.x_values import XKind

Point = tuple[float, float]


class XRange(NamedTuple):
    """All positions of a chart, and what they are."""

    values: Sequence[float]
    kind: XKind
    padded: bool
    """Whether the axis is longer than the positions."""


@dataclass(frozen=True)
class XYPlot:
    """A plot area whose points have positions on a horizontal axis."""

    area: PlotArea
    axis: XAxis

    def x(self, value: float) -> float:
        """Return the pixel of a position on the horizontal axis."""
        return self.area.box.left + self.axis.share(value) * self.area.box.width

    def columns(self, values: Iterable[float]) -> list[float]:
        """Return the pixel of each position on the horizontal axis."""
        left, width, share = self.area.box.left, self.area.box.width, self.axis.share
        return [left + share(value) * width for value in values]

    def line(self, positions: Sequence[float], values: Sequence[float]) -> list[Point]:
        """Return the points of values at positions, in pixels."""
        return list(zip(self.columns(positions), self.area.heights(values), strict=True))


def draw_xy_axes(canvas: Canvas, box: Box, value_range: tuple[float, float], x: XRange, value_space: float) -> XYPlot:
    """Draw both axes and return the plot between them.

    Args:
        canvas: The canvas of the chart.
        box: The box of axes and plot.
        value_range: Lowest and highest value.
        x: All positions.
        value_space: Space for value labels above the plot, in pixels.
    """
    size, (low, high) = canvas.small_font_size, value_range
    inner = box.inset(bottom=size * 3)
    for _ in range(2):  # the width of the tick labels and the height of the plot depend on each other
        scale, format_tick = axes.value_scale(canvas, low, high, inner.height / (size * axes.TICK_HEIGHT))
        left = axes.tick_label_width(canvas, scale, format_tick)
        width = box.width - left - size * 0.5
        axis = fit_x_axis(canvas, x.values, x.kind, width, padded=x.padded)
        inner = box.inset(left, value_space + size * 0.4, size * 0.5, axis.height(size))
    area = PlotArea(inner, scale, len(x.values), 0)
    axes.draw_tick_labels(canvas, area, format_tick)
    draw_x_axis(canvas, axis, inner.left, inner.right, inner.bottom)
    return XYPlot(area, axis)
