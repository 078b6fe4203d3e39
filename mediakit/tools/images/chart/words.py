"""What a chart shows, in words written from its data: the alternative text of the picture."""

import math

from mediakit.tools.images.chart.numbers import share
from mediakit.tools.images.chart.sheet import Row, Sheet

MOST_SERIES, MOST_PARTS, LONG, LONG_TITLE = 4, 6, 30, 120
"""How many series and parts are named, and with how many letters: all of it must fit into a header of HTTP, too."""

KINDS = {
    "bar": "Bar chart",
    "line": "Line chart",
    "pie": "Pie chart",
    "doughnut": "Doughnut chart",
    "radar": "Radar chart",
}


def described(sheet: Sheet) -> str:
    """Write a few sentences: what it is, what of, and the least and the most of each series."""
    kind = KINDS[sheet.request.type]
    stacked = "Stacked " + kind[0].lower() + kind[1:] if sheet.request.stacked else kind
    head = f"{stacked}: {_short(sheet.title, LONG_TITLE).rstrip('.')}." if sheet.title else f"{stacked}."
    body = _parts(sheet) if sheet.request.type in ("pie", "doughnut") else _series(sheet)
    return " ".join([head, *body])


def _series(sheet: Sheet) -> list[str]:
    count = len(sheet.labels)
    labels = f"{count} labels, from {_short(sheet.labels[0])} to {_short(sheet.labels[-1])}." if count > 1 else ""
    told = [_row(sheet, row) for row in sheet.rows[:MOST_SERIES]]
    more = len(sheet.rows) - MOST_SERIES
    return [part for part in (labels, *told, f"And {more} more series." if more > 0 else "") if part]


def _row(sheet: Sheet, row: Row) -> str:
    least, most = min(row.data), max(row.data)
    head = f"{_short(row.name)}: " if row.name else ""
    form = sheet.value_format
    if least == most:
        every = "all " if len(row.data) > 1 else f"{_short(sheet.labels[0])} "
        return f"{head}{every}{form(most)}."
    low, high = (_short(sheet.labels[row.data.index(value)]) for value in (least, most))
    return f"{head}lowest {form(least)} ({low}), highest {form(most)} ({high})."


def _parts(sheet: Sheet) -> list[str]:
    """Name the largest parts first: their order is what a pie shows at a glance."""
    values = sheet.rows[0].data
    total = math.fsum(value for value in values if value > 0)
    if not total:
        return ["No number is above zero, so there are no parts."]
    ranked = sorted(zip(values, sheet.labels, strict=True), key=lambda pair: -pair[0])
    drawn = [(value, label) for value, label in ranked if value > 0]
    told = ", ".join(f"{_short(label)} {share(value / total)}" for value, label in drawn[:MOST_PARTS])
    more, below = len(drawn) - MOST_PARTS, [label for value, label in ranked if value < 0]
    rest = f", and {more} more" if more > 0 else ""
    negative = [f"{len(below)} below zero {'is' if len(below) == 1 else 'are'} not drawn."] if below else []
    return [f"{told}{rest}.", *negative]


def _short(text: str, most: int = LONG) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
