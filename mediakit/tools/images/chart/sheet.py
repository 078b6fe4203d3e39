"""A sheet: the chart's data, sizes and colours, and the drawing that grows on it."""

import math
from dataclasses import dataclass
from functools import cached_property

from mediakit.tools.images.chart.drawing import Box, Drawing
from mediakit.tools.images.chart.numbers import Format, automatic, given_format
from mediakit.tools.images.chart.request import ChartRequest
from mediakit.tools.images.chart.text import clean
from mediakit.tools.images.chart.theme import THEMES, Theme

BASE_SIZE, LEAST_SIZE = 13.0, 10.0
"""Pixels of the letters of an 800 x 500 chart, and of the smallest."""

GROWTH = 0.75
"""Letters grow more slowly than the picture: a poster is seen from nearer than it is large."""


@dataclass(frozen=True)
class Row:
    """A series, ready to draw."""

    name: str
    data: tuple[float, ...]


@dataclass(frozen=True)
class Sheet:
    """Everything that the drawing of a chart needs to know."""

    request: ChartRequest
    title: str
    labels: tuple[str, ...]
    rows: tuple[Row, ...]
    drawing: Drawing

    @classmethod
    def of(cls, request: ChartRequest) -> "Sheet":
        """Take a request's data, every text of them cleaned."""
        rows = tuple(Row(clean(series.get("name", "")), tuple(series["data"])) for series in request.series)
        labels = tuple(clean(label) for label in request.labels)
        return cls(request, clean(request.title or ""), labels, _named(rows), Drawing())

    @cached_property
    def theme(self) -> Theme:
        """The colours."""
        return THEMES[self.request.theme]

    @cached_property
    def size(self) -> float:
        """Letters, in pixels."""
        side = math.sqrt(self.request.width * self.request.height / (800 * 500))
        return round(max(LEAST_SIZE, BASE_SIZE * math.pow(side, GROWTH)), 1)

    @property
    def small(self) -> float:
        """Letters at axes."""
        return max(self.size * 0.93, LEAST_SIZE - 0.5)

    @property
    def hair(self) -> float:
        """Width of the thinnest lines: a whole number of pixels, so that they are sharp."""
        return max(1.0, round(self.size / BASE_SIZE * 0.9))

    @property
    def margin(self) -> float:
        """Empty space at the sides."""
        return round(min(self.size * 1.6, self.request.width * 0.06))

    @property
    def whole(self) -> Box:
        """The picture without its margin."""
        return Box(0, 0, self.request.width, self.request.height).inset(*[self.margin] * 4)

    @cached_property
    def row_colors(self) -> list[str]:
        """A colour for each series."""
        return self.theme.colors(len(self.rows), self.request.palette)

    @cached_property
    def numbers(self) -> list[float]:
        """All numbers of all series."""
        return [value for row in self.rows for value in row.data]

    @cached_property
    def value_format(self) -> Format:
        """How the data are written."""
        asked = self.request.number_format
        return given_format(asked, self.numbers) if asked else automatic(self.numbers)

    def tick_format(self, ticks: tuple[float, ...], step: float) -> Format:
        """How the numbers at an axis are written."""
        asked = self.request.number_format
        return given_format(asked, ticks) if asked else automatic(ticks, step)


def _named(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Number the series that have no name, where there are several."""
    if len(rows) < 2:
        return rows
    return tuple(Row(row.name or f"Series {place}", row.data) for place, row in enumerate(rows, 1))
