"""The title and the legend of charts with axes, and the box that remains for the plot."""

from collections.abc import Sequence

from mediakit.engines.drawing.drawing import Box
from mediakit.engines.drawing.text import Text, truncate
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart import legend
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.legend import LegendEntry
from mediakit.tools.images.chart.title import draw_title

MAX_HEIGHT_SHARE, MAX_WIDTH_SHARE = 0.17, 0.32
"""The most that a legend takes of the image: of its height above or below the plot, of its width beside it."""

RADAR_SIDE_LEGEND_RATIO = 1.25
"""From this aspect ratio (width by height), the automatic legend of a radar chart is beside it."""


def draw_title_and_legend(canvas: Canvas, entries: Sequence[LegendEntry]) -> Box:
    """Draw the title and the legend, and return the box that remains for the plot."""
    box = draw_title(canvas, canvas.content_box)
    position = canvas.request.legend
    if position == "auto" and len(canvas.series) == 1:
        return _draw_name(canvas, box)
    if position == "auto" and canvas.request.type == "radar" and _is_wide(canvas, box):
        position = "right"
    if position == "none" or not entries:
        return box
    if position == "right":
        return _draw_beside(canvas, box, entries)
    max_height = max(canvas.request.height * MAX_HEIGHT_SHARE, canvas.font_size * legend.ROW_HEIGHT)
    layout = legend.layout_rows(canvas, entries, box.width, max_height)
    if position == "bottom":
        legend.draw(canvas, layout, box.left, box.bottom - layout.height)
        return box.inset(bottom=layout.height + canvas.font_size * 0.6)
    legend.draw(canvas, layout, box.left, box.top - canvas.font_size * 0.3)
    return box.inset(top=layout.height + canvas.font_size * 0.55)


def _draw_name(canvas: Canvas, box: Box) -> Box:
    """Draw the name of the only series above a plot without a title, and return the box below it."""
    name, size = canvas.series[0].name, canvas.font_size
    if canvas.title or not name:
        return box
    text = truncate(name, box.width, size)
    canvas.drawing.add_text(Text(box.left, box.top + size * CAP_HEIGHT, text, size, canvas.theme.text, full=name))
    return box.inset(top=size * legend.ROW_HEIGHT)


def series_entries(canvas: Canvas, swatch: legend.Swatch) -> list[LegendEntry]:
    """Return a legend entry for each series that has a name."""
    pairs = zip(canvas.series, canvas.series_colors, strict=True)
    return [LegendEntry(series.name, color, swatch) for series, color in pairs if series.name]


def _is_wide(canvas: Canvas, box: Box) -> bool:
    return box.width >= max(box.height * RADAR_SIDE_LEGEND_RATIO, canvas.font_size * 24)


def _draw_beside(canvas: Canvas, box: Box, entries: Sequence[LegendEntry]) -> Box:
    layout = legend.layout_columns(canvas, entries, canvas.request.width * MAX_WIDTH_SHARE, box.height)
    offset = (box.height - layout.height) / 2 if canvas.request.type == "radar" else 0
    legend.draw(canvas, layout, box.right - layout.width, box.top + offset)
    return box.inset(right=layout.width + canvas.font_size * 1.6)
