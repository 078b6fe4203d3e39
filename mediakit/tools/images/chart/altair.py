"""The same data as an Altair chart."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import altair as alt

from mediakit.engines.drawing.number_format import BARE
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.fields import XValues, parse_x
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap
from mediakit.tools.images.chart.layout.scales import to_time
from mediakit.tools.images.chart.request import ChartRequest, uses_axis
from mediakit.tools.images.chart.types.bars import series_kinds

X, SERIES, VALUE, TEXT = "x", "series", "value", "label"
AREA_OPACITY = 0.3


def x_chart(canvas: Canvas, names: Sequence[str], color: alt.Color, y: alt.Y) -> alt.Chart:
    """Return a timeline, a scatter chart, or an area chart over dates or numbers."""
    positions = _positions(canvas)
    is_time = positions[0].kind == "time"
    chart = alt.Chart(alt.InlineData(values=list(_records(canvas, names, positions))))
    marks = {
        "timeline": chart.mark_line,
        "scatter": chart.mark_circle,
        "area": lambda: chart.mark_area(opacity=1 if canvas.request.stacked else AREA_OPACITY, line=True),
    }[canvas.request.type]()
    axis = alt.Axis(format="d") if positions[0].kind == "year" else alt.Axis()
    x = alt.X(f"{X}:{'T' if is_time else 'Q'}", title=None, scale=alt.Scale(zero=False), axis=axis)
    tooltip = [f"{X}:{'T' if is_time else 'Q'}", *([f"{SERIES}:N"] if len(names) > 1 else []), f"{VALUE}:Q"]
    encoded: alt.Chart = marks.encode(x=x, y=y, color=color, tooltip=tooltip)
    return encoded


def combo_chart(canvas: Canvas, names: Sequence[str], bars: alt.Chart, lines: alt.Chart) -> alt.LayerChart:
    """Return bars and lines as layers.

    Args:
        canvas: The canvas of the chart.
        names: The names of the series.
        bars: All series as bars.
        lines: All series as lines.
    """
    kinds = series_kinds(canvas)
    chosen = {kind: [name for name, each in zip(names, kinds, strict=True) if each == kind] for kind in ("bar", "line")}
    layers = [
        chart.transform_filter(alt.FieldOneOfPredicate(field=SERIES, oneOf=chosen[kind]))
        for kind, chart in (("bar", bars), ("line", lines))
    ]
    return alt.LayerChart(layer=layers)


def reference_layers(canvas: Canvas) -> list[alt.Chart]:
    """Return the reference lines and their labels."""
    channel = "x" if canvas.request.horizontal else "y"
    layers = []
    for line in canvas.request.reference_lines or ():
        data = alt.InlineData(values=[{VALUE: line["value"], TEXT: line.get("label", "")}])
        color = line.get("color") or canvas.theme.strong
        position: Any = alt.X(f"{VALUE}:Q") if channel == "x" else alt.Y(f"{VALUE}:Q")
        rule = alt.Chart(data).mark_rule(color=color, strokeDash=[5, 4]).encode(**{channel: position})
        text = alt.Chart(data).mark_text(color=color, align="right", dx=-2, dy=-7, fontWeight=600)
        end: Any = {} if channel == "x" else {"x": alt.value(canvas.request.width)}
        layers += [rule, text.encode(text=f"{TEXT}:N", **{channel: position}, **end)]
    return layers


def _positions(canvas: Canvas) -> list[XValues]:
    labels = list(canvas.request.labels)
    shared = parse_x(labels) if labels else None
    found = [parse_x(each["x"]) if "x" in each else shared for each in canvas.request.series]
    return [each for each in found if each is not None]


def _records(canvas: Canvas, names: Sequence[str], positions: Sequence[XValues]) -> Iterable[dict[str, Any]]:
    for name, series, x in zip(names, canvas.series, positions, strict=True):
        for at, value in zip(x.values, series.data, strict=True):
            moment = to_time(at).isoformat() if x.kind == "time" else at
            yield {X: moment, SERIES: name, VALUE: None if is_gap(value) else value}


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
    layers = [_converter(request)(canvas), *reference_layers(canvas)]
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
    return x_chart(canvas, _distinct(series.name for series in canvas.series), _color(canvas), y)


def _combo(canvas: Canvas) -> alt.LayerChart:
    names = _distinct(series.name for series in canvas.series)
    return combo_chart(canvas, names, _bars(canvas), _lines(canvas))


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
    overlapping: dict[str, Any] = {"opacity": AREA_OPACITY, "line": True}
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
