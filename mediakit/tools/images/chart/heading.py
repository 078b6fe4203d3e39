"""The heading: the title above everything, in as many lines as the picture has room for."""

from mediakit.tools.images.chart.drawing import Box
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, balanced, is_cut
from mediakit.tools.images.chart.typeface import CAP_HEIGHT, Weight

WEIGHT: Weight = 600
SIZES = (1.5, 1.3, 1.12)
"""In sizes of the sheet's letters; the largest that shows the whole title."""

MOST_HEIGHT = 0.17
"""Of the picture's height."""

LINE, BELOW = 1.22, 1.0


def heading(sheet: Sheet, box: Box) -> Box:
    """Write the title and give the room below it."""
    if not sheet.title:
        return box
    size, lines = _fitted(sheet, box.width)
    baseline = box.top + CAP_HEIGHT * size
    full = sheet.title if is_cut(lines) else ""
    for place, line in enumerate(lines):
        y = baseline + place * size * LINE
        sheet.drawing.write(Text(box.left, y, line, size, sheet.theme.strong, WEIGHT, full=full))
    return box.inset(top=CAP_HEIGHT * size + (len(lines) - 1) * size * LINE + BELOW * sheet.size)


def _fitted(sheet: Sheet, room: float) -> tuple[float, list[str]]:
    size, lines = 0.0, [""]
    for factor in SIZES:
        size = round(sheet.size * factor, 1)
        most = max(1, min(3, int(sheet.request.height * MOST_HEIGHT / (size * LINE))))
        lines = balanced(sheet.title, room, size, most, WEIGHT)
        if not is_cut(lines):
            break
    return size, lines
