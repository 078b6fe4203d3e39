"""The frame of every chart: heading, legend, and the room that they leave for the plot."""

from collections.abc import Sequence

from mediakit.tools.images.chart import legend
from mediakit.tools.images.chart.drawing import Box
from mediakit.tools.images.chart.heading import heading
from mediakit.tools.images.chart.legend import Entry
from mediakit.tools.images.chart.sheet import Sheet

MOST_HEIGHT, MOST_WIDTH = 0.17, 0.32
"""Of the picture, for a legend above or below, and at the side, of a chart that has axes."""

ROUND_FROM = 1.25
"""Width by height from which on a radar chart has room beside it."""


def framed(sheet: Sheet, entries: Sequence[Entry]) -> Box:
    """Draw heading and legend, and give the room for the plot."""
    box = heading(sheet, sheet.whole)
    side = sheet.request.legend
    if side == "auto" and sheet.request.type == "radar" and box.width >= max(box.height * ROUND_FROM, sheet.size * 24):
        side = "right"
    if side == "none" or not entries:
        return box
    if side == "right":
        return _beside(sheet, box, entries)
    plan = legend.rows(sheet, entries, box.width, max(sheet.request.height * MOST_HEIGHT, sheet.size * legend.ROW))
    if side == "bottom":
        legend.draw(sheet, plan, box.left, box.bottom - plan.height)
        return box.inset(bottom=plan.height + sheet.size * 0.6)
    legend.draw(sheet, plan, box.left, box.top - sheet.size * 0.3)
    return box.inset(top=plan.height + sheet.size * 0.55)


def series_entries(sheet: Sheet, key: legend.Key) -> list[Entry]:
    """Give an entry for each series that has a name."""
    pairs = zip(sheet.rows, sheet.row_colors, strict=True)
    return [Entry(row.name, color, key) for row, color in pairs if row.name]


def _beside(sheet: Sheet, box: Box, entries: Sequence[Entry]) -> Box:
    plan = legend.columns(sheet, entries, sheet.request.width * MOST_WIDTH, box.height)
    middle = (box.height - plan.height) / 2 if sheet.request.type == "radar" else 0
    legend.draw(sheet, plan, box.right - plan.width, box.top + middle)
    return box.inset(right=plan.width + sheet.size * 1.6)
