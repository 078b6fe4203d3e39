"""The alt text of a chart: a description of its data."""

import math
from collections.abc import Sequence

from mediakit.engines.drawing.number_format import format_share
from mediakit.engines.drawing.text import normalize_text
from mediakit.tools.images.chart.canvas import Canvas, DataSeries
from mediakit.tools.images.chart.gaps import is_gap
from mediakit.tools.images.chart.x_values import parse_x

MAX_SERIES, MAX_SLICES, MAX_NAME_LENGTH, MAX_TITLE_LENGTH = 4, 6, 30, 120
"""Limits of what is described: the text must also fit into an HTTP header."""

KINDS = {
    "bar": "Bar chart",
    "line": "Line chart",
    "pie": "Pie chart",
    "doughnut": "Doughnut chart",
    "radar": "Radar chart",
    "timeline": "Timeline",
    "scatter": "Scatter chart",
    "area": "Area chart",
    "combo": "Combo chart",
}


def alt_text(canvas: Canvas) -> str:
    """Return a few sentences: type and title of the chart, and the minimum and maximum of each series."""
    kind = KINDS[canvas.request.type]
    stacked = "Stacked " + kind[0].lower() + kind[1:] if canvas.request.stacked else kind
    head = f"{stacked}: {_shorten(canvas.title, MAX_TITLE_LENGTH).rstrip('.')}." if canvas.title else f"{stacked}."
    body = _slice_sentences(canvas) if canvas.request.type in ("pie", "doughnut") else _series_sentences(canvas)
    return " ".join([head, *body])


def _series_sentences(canvas: Canvas) -> list[str]:
    labels = [_labels_of(canvas, index) for index in range(len(canvas.series))]
    shown = list(zip(canvas.series, labels, strict=True))[:MAX_SERIES]
    ranges = [_range_sentence(canvas, series, texts) for series, texts in shown]
    more = len(canvas.series) - MAX_SERIES
    return [part for part in (_extent(canvas, labels), *ranges, f"And {more} more series." if more > 0 else "") if part]


def _labels_of(canvas: Canvas, index: int) -> Sequence[str]:
    """Return the labels of a series: its own x values, or those of the chart."""
    series = canvas.request.series[index]  # type: ignore[index]  # validated as a list
    return [normalize_text(_label(x)) for x in series["x"]] if "x" in series else canvas.labels


def _label(x: str | float) -> str:
    return x if isinstance(x, str) else f"{x:.6g}"


def _extent(canvas: Canvas, labels: list[Sequence[str]]) -> str:
    """Return the number of labels, and the first and the last one; on an axis the number of points and its ends."""
    if canvas.request.type == "scatter":
        pairs = [zip(texts, series.data, strict=True) for texts, series in zip(labels, canvas.series, strict=True)]
        texts = [text for each in pairs for text, value in each if not is_gap(value)]
    else:
        texts = list(canvas.labels)
    if len(texts) < 2:
        return ""
    x = parse_x(texts) if canvas.request.type == "scatter" else canvas.x_values
    if x is None:
        return f"{len(texts)} labels, from {_shorten(texts[0])} to {_shorten(texts[-1])}."
    positions = x.values
    first, last = (texts[positions.index(end)] for end in (min(positions), max(positions)))
    return f"{len(texts)} points, from {_shorten(first)} to {_shorten(last)}."


def _range_sentence(canvas: Canvas, series: DataSeries, labels: Sequence[str]) -> str:
    head = f"{_shorten(series.name)}: " if series.name else ""
    if not series.numbers:
        return f"{head}no values."
    low, high = min(series.numbers), max(series.numbers)
    format_value = canvas.format_value
    if low == high:
        which = "all " if len(series.numbers) > 1 else f"{_shorten(labels[series.data.index(high)])} "
        return f"{head}{which}{format_value(high)}."
    low_label, high_label = (_shorten(labels[series.data.index(value)]) for value in (low, high))
    return f"{head}lowest {format_value(low)} ({low_label}), highest {format_value(high)} ({high_label})."


def _slice_sentences(canvas: Canvas) -> list[str]:
    """Return the shares of the slices, the largest first."""
    values = canvas.series[0].data
    total = math.fsum(value for value in values if value > 0)
    if not total:
        return ["No number is above zero, so there are no parts."]
    pairs = zip(values, canvas.labels, strict=True)
    ranked = sorted((pair for pair in pairs if not is_gap(pair[0])), key=lambda pair: -pair[0])
    drawn = [(value, label) for value, label in ranked if value > 0]
    shares = ", ".join(f"{_shorten(label)} {format_share(value / total)}" for value, label in drawn[:MAX_SLICES])
    more, below = len(drawn) - MAX_SLICES, [label for value, label in ranked if value < 0]
    rest = f", and {more} more" if more > 0 else ""
    negative = [f"{len(below)} below zero {'is' if len(below) == 1 else 'are'} not drawn."] if below else []
    return [f"{shares}{rest}.", *negative]


def _shorten(text: str, max_length: int = MAX_NAME_LENGTH) -> str:
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"
