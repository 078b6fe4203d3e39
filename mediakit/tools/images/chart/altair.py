"""The same data as an Altair chart."""

from collections.abc import Iterable, Iterator
from typing import Any

import altair as alt

from mediakit.engines.drawing.number_format import BARE
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.fields import parse_x
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap
from mediakit.tools.images.chart.layout.scales import to_time
from mediakit.tools.images.chart.request import PIE_TYPES, ChartRequest, uses_axis
from mediakit.tools.images.chart.types.bars import series_kinds

ZERO_WIDTH_SPACE = "\u200b"
"""Appended to equal labels, which Vega-Lite would merge otherwise."""

HOLE_SHARE = 0.3
"""Inner radius of a doughnut, relative to the shorter side of the image."""

AREA: dict[str, Any] = {"type": "area", "opacity": 0.3, "line": True}
LINE: dict[str, Any] = {"type": "line", "point": True}

Spec = dict[str, Any]
"""A part of a Vega-Lite specification."""


def altair_chart(request: ChartRequest) -> alt.Chart | alt.LayerChart:
    """Return a request as an Altair chart.

    Raises:
        InvalidInput: Vega-Lite has no mark for the chart type.
    """
    if request.type == "radar":
        raise InvalidInput("to_altair: Vega-Lite has no radar charts. Use type line or bar instead.")
    canvas = Canvas.from_request(request)
    theme, layers = canvas.theme, [*_layers(canvas), *_reference_layers(canvas)]
    spec = {
        "width": request.width,
        "height": request.height,
        "background": "transparent" if canvas.is_transparent else theme.background,
        "config": {
            "view": {"stroke": None},
            "title": {"color": theme.strong, "fontSize": round(canvas.font_size * 1.5)},
            "axis": {
                "labelColor": theme.text,
                "gridColor": theme.grid,
                "domainColor": theme.zero,
                "tickColor": theme.grid,
            },
            "legend": {"labelColor": theme.text},
        },
        **({"title": {"text": canvas.title, "anchor": "start"}} if canvas.title else {}),
    }
    if len(layers) > 1:
        return alt.LayerChart.from_dict({**spec, "layer": layers})
    return alt.Chart.from_dict({**spec, **layers[0]})


def _layers(canvas: Canvas) -> Iterator[Spec]:
    """Yield the data as one layer; bars and lines as two."""
    kind, stacked, names = canvas.request.type, canvas.request.stacked, _distinct(each.name for each in canvas.series)
    if kind in PIE_TYPES:
        yield _pie(canvas, names)
    elif uses_axis(canvas.request):
        area = {"type": "area"} if stacked else AREA
        yield _layer(canvas, names, {"timeline": "line", "scatter": "circle"}.get(kind, area))
    elif kind == "combo":
        kinds = list(zip(names, series_kinds(canvas), strict=True))
        for wanted, mark in (("bar", "bar"), ("line", LINE)):
            chosen = {"field": "series", "oneOf": [name for name, each in kinds if each == wanted]}
            yield {**_layer(canvas, names, mark), "transform": [{"filter": chosen}]}
    elif kind == "bar":
        yield _layer(canvas, names, "bar")
    else:
        yield _layer(canvas, names, {"type": "area"} if stacked else AREA if kind == "area" else LINE)


def _layer(canvas: Canvas, names: list[str], mark: str | Spec) -> Spec:
    """Return all series with one mark, on an axis of labels, dates, times or numbers."""
    request = canvas.request
    if uses_axis(request):
        x, records = _positions(canvas, names)
    else:
        x, records = {"field": "label", "type": "nominal", "sort": None}, _records(canvas, names)
    y: Spec = {"field": "value", "type": "quantitative", "stack": "zero" if request.stacked else None}
    if request.number_format and BARE.fullmatch(request.number_format):
        y["axis"] = {"format": request.number_format}
    if uses_axis(request):
        y["scale"] = {"zero": request.type == "area"}
    legend = {"title": None, "orient": "top"} if any(series.name for series in canvas.series) else None
    scale = {"domain": names, "range": canvas.series_colors}
    titles = request.x_title, request.y_title
    x["title"], y["title"] = reversed(titles) if request.horizontal else titles
    first, second = ("y", "x") if request.horizontal else ("x", "y")
    encoding: Spec = {
        first: x,
        second: y,
        "color": {"field": "series", "type": "nominal", "sort": None, "scale": scale, "legend": legend},
        "tooltip": _tooltip(canvas, x),
    }
    if mark == "bar" and len(names) > 1 and not request.stacked:
        encoding[f"{first}Offset"] = {"field": "series", "type": "nominal", "sort": None}
    return {"data": {"values": records}, "mark": mark, "encoding": encoding}


def _pie(canvas: Canvas, names: list[str]) -> Spec:
    """Return the first series as slices, with negative values as zero."""
    request, labels = canvas.request, _distinct(canvas.labels)
    records = [{**each, "value": max(each["value"] or 0.0, 0.0)} for each in _records(canvas, names[:1])]
    hole = min(request.width, request.height) * HOLE_SHARE if request.type == "doughnut" else 0
    scale = {"domain": labels, "range": canvas.theme.colors(len(labels), request.palette)}
    label = {"field": "label", "type": "nominal"}
    encoding = {
        "theta": {"field": "value", "type": "quantitative", "stack": True},
        "color": {**label, "title": None, "sort": None, "scale": scale},
        "tooltip": _tooltip(canvas, label),
    }
    return {"data": {"values": records}, "mark": {"type": "arc", "innerRadius": hole}, "encoding": encoding}


def _tooltip(canvas: Canvas, x: Spec) -> list[Spec]:
    series = [{"field": "series", "type": "nominal"}] if len(canvas.series) > 1 else []
    return [{key: x[key] for key in ("field", "type")}, *series, {"field": "value", "type": "quantitative"}]


def _records(canvas: Canvas, names: list[str]) -> list[Spec]:
    labels = _distinct(canvas.labels)
    return [
        {"label": label, "series": name, "value": None if is_gap(value) else value}
        for name, series in zip(names, canvas.series, strict=False)
        for label, value in zip(labels, series.data, strict=True)
    ]


def _positions(canvas: Canvas, names: list[str]) -> tuple[Spec, list[Spec]]:
    """Return the channel of an axis of dates, times or numbers, and the data: at own x values or at the labels."""
    records: list[Spec] = []
    for name, series, given in zip(names, canvas.series, canvas.request.series, strict=True):
        x = parse_x(list(given.get("x", canvas.request.labels)))
        for at, value in zip(x.values, series.data, strict=True):
            place = to_time(at).isoformat() if x.kind == "time" else at
            records.append({"x": place, "series": name, "value": None if is_gap(value) else value})
    kind = "temporal" if x.kind == "time" else "quantitative"
    years = {"axis": {"format": "d"}} if x.kind == "year" else {}
    return {"field": "x", "type": kind, "scale": {"zero": False}, **years}, records


def _reference_layers(canvas: Canvas) -> Iterator[Spec]:
    """Yield the reference lines and their labels."""
    channel = "x" if canvas.request.horizontal else "y"
    for line in canvas.request.reference_lines or ():
        data = {"values": [{"value": line["value"], "label": line.get("label", "")}]}
        position = {channel: {"field": "value", "type": "quantitative"}}
        color = line.get("color") or canvas.theme.strong
        yield {"data": data, "mark": {"type": "rule", "color": color, "strokeDash": [5, 4]}, "encoding": position}
        end = {} if channel == "x" else {"x": {"value": canvas.request.width}}
        text = {"type": "text", "color": color, "align": "right", "dx": -2, "dy": -7, "fontWeight": 600}
        yield {"data": data, "mark": text, "encoding": {**position, **end, "text": {"field": "label"}}}


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts; equal ones are made different by invisible characters."""
    distinct: list[str] = []
    for text in texts:
        unused = text
        while unused in distinct:
            unused += ZERO_WIDTH_SPACE
        distinct.append(unused)
    return distinct
