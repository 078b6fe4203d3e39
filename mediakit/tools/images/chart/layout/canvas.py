"""The canvas of one chart: its data without gaps, font sizes, colors, and the drawing that the renderers fill."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mediakit.core.fields import TRANSPARENT
from mediakit.engines.drawing.drawing import Box, Drawing
from mediakit.engines.drawing.number_format import NumberFormatter, parse_number_format, tick_format, value_format
from mediakit.engines.drawing.text import normalize_text
from mediakit.tools.images.chart.fields import XError, XValues, parse_x
from mediakit.tools.images.chart.request import ChartRequest
from mediakit.tools.images.chart.theme import Theme, theme_on

GAP = math.nan

Point = tuple[float, float]


def is_gap(value: float) -> bool:
    """Return whether a value is missing."""
    return math.isnan(value)


def without_gaps(values: Iterable[float]) -> list[float]:
    """Return the values that are not missing."""
    return [value for value in values if not math.isnan(value)]


def segments(line: Iterable[Point]) -> list[list[Point]]:
    """Return the parts of a line between its gaps, in order."""
    points = list(line)
    if not any(math.isnan(y) for _, y in points):
        return [points] if points else []
    found: list[list[Point]] = [[]]
    for point in points:
        if is_gap(point[1]):
            found.append([])
        else:
            found[-1].append(point)
    return [part for part in found if part]


BASE_FONT_SIZE, MIN_FONT_SIZE = 13.0, 10.0
"""Font size of an 800 x 500 chart, and the smallest font size; in pixels."""

FONT_GROWTH_EXPONENT = 0.75
"""The font size grows by the mean side length to this power: large charts are viewed from further away."""


@dataclass(frozen=True)
class DataSeries:
    """A series with normalized texts."""

    name: str
    data: tuple[float, ...]
    """The numbers; NaN for gaps."""
    color: str = ""

    @property
    def numbers(self) -> list[float]:
        """The numbers without gaps."""
        return without_gaps(self.data)


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
        missing, given = 0.0 if request.missing == "zero" else GAP, list(request.series)
        default_name = "Series {}" if len(given) > 1 else ""
        series = tuple(
            DataSeries(
                normalize_text(each.get("name", "")) or default_name.format(number),
                tuple(missing if value is None else value for value in each["data"]),
            )
            for number, each in enumerate(given, 1)
        )
        labels = tuple(normalize_text(str(label)) for label in request.labels)
        return cls(request, normalize_text(request.title or ""), labels, series, Drawing())

    def with_series(self, indexes: Sequence[int]) -> "Canvas":
        """Return the canvas with some of its series, in their colors; it has the same drawing."""
        colored = [replace(self.series[index], color=self.series_colors[index]) for index in indexes]
        return replace(self, series=tuple(colored))

    @cached_property
    def theme(self) -> Theme:
        """The colors of the theme."""
        return theme_on(self.request.background, self.request.theme)

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
        colors = self.theme.colors(len(self.series), self.request.palette)
        return [series.color or color for series, color in zip(self.series, colors, strict=True)]

    @property
    def knockout(self) -> str:
        """Color of outlines that separate shapes and texts from what is behind them; empty on transparency."""
        return "" if self.is_transparent else self.theme.background

    @property
    def is_transparent(self) -> bool:
        """Whether there is no background."""
        return self.request.background == TRANSPARENT

    @cached_property
    def x_values(self) -> XValues | None:
        """Positions of the labels on an axis of dates, times or numbers; None if they are on a category axis."""
        if self.request.type not in ("timeline", "area"):
            return None
        try:
            return parse_x(list(self.request.labels))
        except XError:
            return None

    @cached_property
    def values(self) -> list[float]:
        """All values of all series, without gaps."""
        return without_gaps(value for each in self.series for value in each.data)

    @cached_property
    def has_only_integers(self) -> bool:
        """Whether all values are integers."""
        return all(float(value).is_integer() for value in self.values)

    @cached_property
    def format_value(self) -> NumberFormatter:
        """Formats a value of the data."""
        requested, automatic = self.request.number_format, value_format(self.values)
        return parse_number_format(requested, automatic) if requested else automatic

    def tick_formatter(self, ticks: tuple[float, ...], step: float) -> NumberFormatter:
        """Return the formatter for the ticks of an axis."""
        requested, automatic = self.request.number_format, tick_format(ticks, step)
        return parse_number_format(requested, automatic) if requested else automatic
