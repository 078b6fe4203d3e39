"""Exports a chart as an Altair chart. Texts of the caller are data, never parts of a Vega expression."""

from collections.abc import Callable, Iterable
from typing import Any

import altair as alt

from mediakit.engines.drawing.number_format import BARE
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart import altair_xy
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.checks import uses_axis
from mediakit.tools.images.chart.gaps import is_gap
from mediakit.tools.images.chart.request import ChartRequest

LABEL, SERIES, VALUE = "label", "series", "value"
ZERO_WIDTH_SPACE = "\u200b"
"""Appended to equal labels, which Vega-Lite would merge otherwise."""

HOLE_SHARE = 0.3
"""Inner radius of a doughnut, relative to the shorter side of the image."""


def altair_chart(request: ChartRequest) -> alt.Chart | alt.LayerChart:
    """Return a request as an Altair chart.

    Raises:
        InvalidInput: Vega-Lite has no mark for the chart type.
    """
    if request.type == "radar":
        raise InvalidInput("to_altair: Vega-Lite has no radar charts. Use type line or bar instead.")
    canvas = Canvas.from_request(request)
    layers = [_converter(request)(canvas), *altair_xy.reference_layers(canvas)]
    background = "transparent" if canvas.is_transparent else canvas.theme.background
    layered = alt.LayerChart(layer=layers) if len(layers) > 1 else layers[0]
    chart = layered.properties(width=request.width, height=request.height, background=background)
    titled = chart.properties(title=alt.Title(canvas.title, anchor="start")) if canvas.title else chart
    return _with_theme(titled, canvas)


def _converter(request: ChartRequest) -> Callable[[Canvas], alt.Chart | alt.LayerChart]:
    if uses_axis(request):
        return _points
    known: dict[str, Callable[[Canvas], alt.Chart | alt.LayerChart]] = {
        "bar": _bars,
        "line": _lines,
        "area": _lines,
        "combo": _combo,
    }
    return known.get(request.type, _pie)


def _points(canvas: Canvas) -> alt.Chart:
    """Return a chart on an axis of dates or numbers."""
    scale = alt.Scale(zero=canvas.request.type == "area")
    y = alt.Y(**{**_values(canvas, canvas.request.stacked), "scale": scale})
    return altair_xy.x_chart(canvas, _distinct(series.name for series in canvas.series), _color(canvas), y)


def _combo(canvas: Canvas) -> alt.LayerChart:
    names = _distinct(series.name for series in canvas.series)
    return altair_xy.combo_chart(canvas, names, _bars(canvas), _lines(canvas))


def _bars(canvas: Canvas) -> alt.Chart:
    horizontal, stacked = canvas.request.horizontal, canvas.request.stacked
    labels, values = ("y", "x") if horizontal else ("x", "y")
    channels: dict[str, Any] = {labels: _channel(labels, _labels()), values: _channel(values, _values(canvas, stacked))}
    if len(canvas.series) > 1 and not stacked:
        offset = alt.YOffset if horizontal else alt.XOffset
        channels[f"{labels}Offset"] = offset(f"{SERIES}:N", sort=None)
    return _encoded(_chart(canvas).mark_bar(), canvas, **channels, color=_color(canvas))


def _lines(canvas: Canvas) -> alt.Chart:
    chart, stacked = _chart(canvas), canvas.request.stacked
    overlapping: dict[str, Any] = {"opacity": altair_xy.AREA_OPACITY, "line": True}
    is_area = stacked or canvas.request.type == "area"
    marks = chart.mark_area(**({} if stacked else overlapping)) if is_area else chart.mark_line(point=True)
    return _encoded(marks, canvas, x=alt.X(**_labels()), y=alt.Y(**_values(canvas, stacked)), color=_color(canvas))


def _pie(canvas: Canvas) -> alt.Chart:
    names = _distinct(canvas.labels)
    colors = canvas.theme.colors(len(names), canvas.request.palette)
    hole = min(canvas.request.width, canvas.request.height) * HOLE_SHARE if canvas.request.type == "doughnut" else 0
    scale = alt.Scale(domain=names, range=colors)
    color = alt.Color(f"{LABEL}:N", title=None, sort=None, scale=scale)
    theta = alt.Theta(f"{VALUE}:Q", stack=True)
    return _encoded(_chart(canvas).mark_arc(innerRadius=hole), canvas, theta=theta, color=color)


def _encoded(chart: alt.Chart, canvas: Canvas, **channels: Any) -> alt.Chart:
    series = [f"{SERIES}:N"] if len(canvas.series) > 1 else []
    encoded: alt.Chart = chart.encode(**channels, tooltip=[f"{LABEL}:N", *series, f"{VALUE}:Q"])
    return encoded


def _channel(name: str, options: dict[str, Any]) -> alt.X | alt.Y:
    return alt.X(**options) if name == "x" else alt.Y(**options)


def _chart(canvas: Canvas) -> alt.Chart:
    """Return a chart of the data; for a pie the first series, with negative values as zero."""
    is_pie = canvas.request.type in ("pie", "doughnut")
    labels, shown = _distinct(canvas.labels), canvas.series[:1] if is_pie else canvas.series
    names = _distinct(series.name for series in canvas.series)
    records = [
        {LABEL: label, SERIES: name, VALUE: None if is_gap(value) else max(value, 0.0) if is_pie else value}
        for name, series in zip(names, shown, strict=False)
        for label, value in zip(labels, series.data, strict=True)
    ]
    return alt.Chart(alt.InlineData(values=records))


def _labels() -> dict[str, Any]:
    return {"shorthand": f"{LABEL}:N", "sort": None, "title": None}


def _values(canvas: Canvas, stacked: bool) -> dict[str, Any]:  # noqa: FBT001  # both callers pass `stacked`
    requested = canvas.request.number_format
    axis = {"axis": alt.Axis(format=requested)} if requested and BARE.fullmatch(requested) else {}
    return {"shorthand": f"{VALUE}:Q", "stack": "zero" if stacked else None, "title": None, **axis}


def _color(canvas: Canvas) -> alt.Color:
    names = _distinct(series.name for series in canvas.series)
    legend: Any = alt.Legend(title=None, orient="top") if any(series.name for series in canvas.series) else None
    return alt.Color(f"{SERIES}:N", sort=None, scale=alt.Scale(domain=names, range=canvas.series_colors), legend=legend)


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts; equal ones are made different by invisible characters."""
    distinct: list[str] = []
    for text in texts:
        unused = text
        while unused in distinct:
            unused += ZERO_WIDTH_SPACE
        distinct.append(unused)
    return distinct


def _with_theme(chart: alt.Chart | alt.LayerChart, canvas: Canvas) -> alt.Chart | alt.LayerChart:
    theme = canvas.theme
    axis = {"labelColor": theme.text, "gridColor": theme.grid, "domainColor": theme.zero, "tickColor": theme.grid}
    themed: alt.Chart | alt.LayerChart = (
        chart.configure_view(stroke=None)
        .configure_title(color=theme.strong, fontSize=round(canvas.font_size * 1.5))
        .configure_axis(**axis)
        .configure_legend(labelColor=theme.text)
    )
    return themed
