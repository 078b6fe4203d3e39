"""The alt text of a chart: a description of its data."""

import math

from mediakit.tools.images.chart.canvas import Canvas, DataSeries
from mediakit.tools.images.chart.number_format import format_share

MAX_SERIES, MAX_SLICES, MAX_NAME_LENGTH, MAX_TITLE_LENGTH = 4, 6, 30, 120
"""Limits of what is described: the text must also fit into an HTTP header."""

KINDS = {
    "bar": "Bar chart",
    "line": "Line chart",
    "pie": "Pie chart",
    "doughnut": "Doughnut chart",
    "radar": "Radar chart",
}


def alt_text(canvas: Canvas) -> str:
    """Return a few sentences: type and title of the chart, and the minimum and maximum of each series."""
    kind = KINDS[canvas.request.type]
    stacked = "Stacked " + kind[0].lower() + kind[1:] if canvas.request.stacked else kind
    head = f"{stacked}: {_shorten(canvas.title, MAX_TITLE_LENGTH).rstrip('.')}." if canvas.title else f"{stacked}."
    body = _slice_sentences(canvas) if canvas.request.type in ("pie", "doughnut") else _series_sentences(canvas)
    return " ".join([head, *body])


def _series_sentences(canvas: Canvas) -> list[str]:
    count = len(canvas.labels)
    labels = f"{count} labels, from {_shorten(canvas.labels[0])} to {_shorten(canvas.labels[-1])}." if count > 1 else ""
    ranges = [_range_sentence(canvas, series) for series in canvas.series[:MAX_SERIES]]
    more = len(canvas.series) - MAX_SERIES
    return [part for part in (labels, *ranges, f"And {more} more series." if more > 0 else "") if part]


def _range_sentence(canvas: Canvas, series: DataSeries) -> str:
    low, high = min(series.data), max(series.data)
    head = f"{_shorten(series.name)}: " if series.name else ""
    format_value = canvas.format_value
    if low == high:
        labels = "all " if len(series.data) > 1 else f"{_shorten(canvas.labels[0])} "
        return f"{head}{labels}{format_value(high)}."
    low_label, high_label = (_shorten(canvas.labels[series.data.index(value)]) for value in (low, high))
    return f"{head}lowest {format_value(low)} ({low_label}), highest {format_value(high)} ({high_label})."


def _slice_sentences(canvas: Canvas) -> list[str]:
    """Return the shares of the slices, the largest first."""
    values = canvas.series[0].data
    total = math.fsum(value for value in values if value > 0)
    if not total:
        return ["No number is above zero, so there are no parts."]
    ranked = sorted(zip(values, canvas.labels, strict=True), key=lambda pair: -pair[0])
    drawn = [(value, label) for value, label in ranked if value > 0]
    shares = ", ".join(f"{_shorten(label)} {format_share(value / total)}" for value, label in drawn[:MAX_SLICES])
    more, below = len(drawn) - MAX_SLICES, [label for value, label in ranked if value < 0]
    rest = f", and {more} more" if more > 0 else ""
    negative = [f"{len(below)} below zero {'is' if len(below) == 1 else 'are'} not drawn."] if below else []
    return [f"{shares}{rest}.", *negative]


def _shorten(text: str, max_length: int = MAX_NAME_LENGTH) -> str:
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"
