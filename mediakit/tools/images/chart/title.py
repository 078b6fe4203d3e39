"""The title: above the chart, in as many lines as the image has space for."""

from mediakit.engines.drawing.drawing import Box
from mediakit.engines.drawing.text import Text, is_truncated, wrap_balanced
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.chart.canvas import Canvas

WEIGHT: Weight = 600
FONT_SIZES = (1.5, 1.3, 1.12)
"""Relative to the font size of the canvas; the largest that shows the whole title is used."""

MAX_HEIGHT_SHARE = 0.17
"""The most that the title takes of the height of the image."""

MAX_LINES = 3
LINE_HEIGHT, SPACE_BELOW = 1.22, 1.0
"""In em."""


def draw_title(canvas: Canvas, box: Box) -> Box:
    """Draw the title at the top of a box and return the box below it."""
    if not canvas.title:
        return box
    size, lines = _fit_title(canvas, box.width)
    baseline = box.top + CAP_HEIGHT * size
    full = canvas.title if is_truncated(lines) else ""
    for number, line in enumerate(lines):
        y = baseline + number * size * LINE_HEIGHT
        canvas.drawing.add_text(Text(box.left, y, line, size, canvas.theme.strong, WEIGHT, full=full))
    return box.inset(top=CAP_HEIGHT * size + (len(lines) - 1) * size * LINE_HEIGHT + SPACE_BELOW * canvas.font_size)


def _fit_title(canvas: Canvas, max_width: float) -> tuple[float, list[str]]:
    """Return the font size of the title and its lines."""
    size, lines = 0.0, [""]
    for factor in FONT_SIZES:
        size = round(canvas.font_size * factor, 1)
        fitting_lines = int(canvas.request.height * MAX_HEIGHT_SHARE / (size * LINE_HEIGHT))
        lines = wrap_balanced(canvas.title, max_width, size, max(1, min(MAX_LINES, fitting_lines)), WEIGHT)
        if not is_truncated(lines):
            break
    return size, lines
