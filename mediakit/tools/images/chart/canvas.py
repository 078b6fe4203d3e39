"""The canvas of one chart: its data, font sizes, colors and the drawing that the renderers fill."""

import math
from dataclasses import dataclass
from functools import cached_property

from mediakit.tools.images.chart.drawing import Box, Drawing
from mediakit.tools.images.chart.number_format import NumberFormatter, automatic_format, parse_number_format
from mediakit.tools.images.chart.request import ChartRequest
from mediakit.tools.images.chart.text import normalize_text
from mediakit.tools.images.chart.theme import THEMES, Theme

BASE_FONT_SIZE, MIN_FONT_SIZE = 13.0, 10.0
"""Font size of an 800 x 500 chart, and the smallest font size; in pixels."""

FONT_GROWTH_EXPONENT = 0.75
"""The font size grows by the mean side length to this power: large charts are viewed from further away."""


@dataclass(frozen=True)
class DataSeries:
    """A series with normalized texts."""

    name: str
    data: tuple[float, ...]


@dataclass(frozen=True)
class Canvas:
    """Everything that the chart renderers need, and the drawing to which they add shapes and texts."""

    request: ChartRequest
    title: str
    labels: tuple[str, ...]
    series: tuple[DataSeries, ...]
    drawing: Drawing

    @classmethod
    def from_request(cls, request: ChartRequest) -> "Canvas":
        """Return an empty canvas with the data of a request; all texts are normalized."""
        series = tuple(DataSeries(normalize_text(each.get("name", "")), tuple(each["data"])) for each in request.series)
        labels = tuple(normalize_text(label) for label in request.labels)
        return cls(request, normalize_text(request.title or ""), labels, _with_names(series), Drawing())

    @cached_property
    def theme(self) -> Theme:
        """The colors of the theme."""
        return THEMES[self.request.theme]

    @cached_property
    def font_size(self) -> float:
        """Font size, in pixels."""
        relative_side = math.sqrt(self.request.width * self.request.height / (800 * 500))
        return round(max(MIN_FONT_SIZE, BASE_FONT_SIZE * math.pow(relative_side, FONT_GROWTH_EXPONENT)), 1)

    @property
    def small_font_size(self) -> float:
        """Font size of axis labels and values, in pixels."""
        return max(self.font_size * 0.93, MIN_FONT_SIZE - 0.5)

    @property
    def hairline(self) -> float:
        """Width of the thinnest lines: a whole number of pixels, so that they are sharp."""
        return max(1.0, round(self.font_size / BASE_FONT_SIZE * 0.9))

    @property
    def margin(self) -> float:
        """Empty space on each side, in pixels."""
        return round(min(self.font_size * 1.6, self.request.width * 0.06))

    @property
    def content_box(self) -> Box:
        """The image without its margin."""
        return Box(0, 0, self.request.width, self.request.height).inset(*[self.margin] * 4)

    @cached_property
    def series_colors(self) -> list[str]:
        """A color for each series."""
        return self.theme.colors(len(self.series), self.request.palette)

    @cached_property
    def values(self) -> list[float]:
        """All values of all series."""
        return [value for each in self.series for value in each.data]

    @cached_property
    def format_value(self) -> NumberFormatter:
        """Formats a value of the data."""
        requested = self.request.number_format
        return parse_number_format(requested, self.values) if requested else automatic_format(self.values)

    def tick_formatter(self, ticks: tuple[float, ...], step: float) -> NumberFormatter:
        """Return the formatter for the ticks of an axis."""
        requested = self.request.number_format
        return parse_number_format(requested, ticks) if requested else automatic_format(ticks, step)


def _with_names(series: tuple[DataSeries, ...]) -> tuple[DataSeries, ...]:
    """Return the series with default names (`Series 1`, ...) where one of several has none."""
    if len(series) < 2:
        return series
    return tuple(DataSeries(each.name or f"Series {number}", each.data) for number, each in enumerate(series, 1))
