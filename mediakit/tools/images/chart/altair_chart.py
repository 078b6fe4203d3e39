"""A chart as an Altair chart. Texts are data of it, never parts of an expression."""

from collections.abc import Iterable
from typing import Any

import altair as alt

from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.numbers import BARE
from mediakit.tools.images.chart.request import ChartRequest
from mediakit.tools.images.chart.sheet import Sheet

LABEL, SERIES, VALUE = "label", "series", "value"
UNSEEN = "\u200b"
"""Told apart by these, equal labels stay two labels."""

HOLE = 0.3
"""Of the picture's shorter side: the inner radius of a doughnut."""


def altair_chart(request: ChartRequest) -> alt.Chart:
    """Make an Altair chart of a request.

    Raises:
        InvalidInput: Vega-Lite has no mark for the type.
    """
    if request.type == "radar":
        raise InvalidInput(
            "to_altair: Vega-Lite has no radar charts. Draw the same data as line or bar, or keep this picture."
        )
    sheet = Sheet.of(request)
    make = {"bar": _bars, "line": _lines}.get(request.type, _pie)
    made = make(sheet).properties(width=request.width, height=request.height, background=sheet.theme.background)
    titled = made.properties(title=alt.Title(sheet.title, anchor="start")) if sheet.title else made
    return _themed(titled, sheet)


def _bars(sheet: Sheet) -> alt.Chart:
    horizontal, stacked = sheet.request.horizontal, sheet.request.stacked
    along, across = ("y", "x") if horizontal else ("x", "y")
    channels: dict[str, Any] = {along: _channel(along, _labels()), across: _channel(across, _values(sheet, stacked))}
    if len(sheet.rows) > 1 and not stacked:
        offset = alt.YOffset if horizontal else alt.XOffset
        channels[f"{along}Offset"] = offset(f"{SERIES}:N", sort=None)
    return _encoded(_chart(sheet).mark_bar(), sheet, **channels, color=_color(sheet))


def _lines(sheet: Sheet) -> alt.Chart:
    chart, stacked = _chart(sheet), sheet.request.stacked
    marked = chart.mark_area() if stacked else chart.mark_line(point=True)
    return _encoded(marked, sheet, x=alt.X(**_labels()), y=alt.Y(**_values(sheet, stacked)), color=_color(sheet))


def _pie(sheet: Sheet) -> alt.Chart:
    names = _distinct(sheet.labels)
    colors = sheet.theme.colors(len(names), sheet.request.palette)
    hole = min(sheet.request.width, sheet.request.height) * HOLE if sheet.request.type == "doughnut" else 0
    scale = alt.Scale(domain=names, range=colors)
    color = alt.Color(f"{LABEL}:N", title=None, sort=None, scale=scale)
    theta = alt.Theta(f"{VALUE}:Q", stack=True)
    return _encoded(_chart(sheet).mark_arc(innerRadius=hole), sheet, theta=theta, color=color)


def _encoded(chart: alt.Chart, sheet: Sheet, **channels: Any) -> alt.Chart:
    several = [f"{SERIES}:N"] if len(sheet.rows) > 1 else []
    made: alt.Chart = chart.encode(**channels, tooltip=[f"{LABEL}:N", *several, f"{VALUE}:Q"])
    return made


def _channel(name: str, options: dict[str, Any]) -> alt.X | alt.Y:
    return alt.X(**options) if name == "x" else alt.Y(**options)


def _chart(sheet: Sheet) -> alt.Chart:
    """Give a chart of the data; that of a pie holds what it can draw of the first series."""
    is_pie = sheet.request.type in ("pie", "doughnut")
    labels, rows = _distinct(sheet.labels), sheet.rows[:1] if is_pie else sheet.rows
    names = _distinct(row.name for row in sheet.rows)
    records = [
        {LABEL: label, SERIES: name, VALUE: max(value, 0.0) if is_pie else value}
        for name, row in zip(names, rows, strict=False)
        for label, value in zip(labels, row.data, strict=True)
    ]
    return alt.Chart(alt.InlineData(values=records))


def _labels() -> dict[str, Any]:
    return {"shorthand": f"{LABEL}:N", "sort": None, "title": None}


def _values(sheet: Sheet, stacked: bool) -> dict[str, Any]:  # noqa: FBT001  # of two charts that differ in this alone
    asked = sheet.request.number_format
    form = {"axis": alt.Axis(format=asked)} if asked and BARE.fullmatch(asked) else {}
    return {"shorthand": f"{VALUE}:Q", "stack": "zero" if stacked else None, "title": None, **form}


def _color(sheet: Sheet) -> alt.Color:
    names = _distinct(row.name for row in sheet.rows)
    legend: Any = alt.Legend(title=None, orient="top") if any(row.name for row in sheet.rows) else None
    return alt.Color(f"{SERIES}:N", sort=None, scale=alt.Scale(domain=names, range=sheet.row_colors), legend=legend)


def _distinct(texts: Iterable[str]) -> list[str]:
    """Make equal texts different where nobody sees it."""
    distinct: list[str] = []
    for text in texts:
        unused = text
        while unused in distinct:
            unused += UNSEEN
        distinct.append(unused)
    return distinct


def _themed(chart: alt.Chart, sheet: Sheet) -> alt.Chart:
    theme = sheet.theme
    axis = {"labelColor": theme.text, "gridColor": theme.grid, "domainColor": theme.zero, "tickColor": theme.grid}
    made: alt.Chart = (
        chart.configure_view(stroke=None)
        .configure_title(color=theme.strong, fontSize=round(sheet.size * 1.5))
        .configure_axis(**axis)
        .configure_legend(labelColor=theme.text)
    )
    return made
