"""Exports charts on an axis of dates or numbers, and bars with lines, as Altair charts."""

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.combo import series_kinds
from mediakit.tools.images.chart.gaps import is_gap
from mediakit.tools.images.chart.time_ticks import to_time
from mediakit.tools.images.chart.x_values import XValues, parse_x

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
