"""The title and the legend, whose layout is computed first, and the box that they leave for the plot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Literal

from mediakit.engines.drawing.drawing import Box, Corners, svg_point
from mediakit.engines.drawing.text import Text, is_truncated, normalize_text, text_width, truncate, wrap_balanced
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.chart.layout.canvas import Canvas

TITLE_WEIGHT: Weight = 600
TITLE_SIZES = (1.5, 1.3, 1.12)
"""Relative to the font size of the canvas; the largest that shows the whole title is used."""

MAX_TITLE_HEIGHT_SHARE = 0.17
"""The most that the title takes of the height of the image."""

MAX_TITLE_LINES = 3
TITLE_LINE_HEIGHT, SPACE_BELOW = 1.22, 1.0
"""In em."""


def draw_title(canvas: Canvas, box: Box) -> Box:
    """Draw the title at the top of a box and return the box below it."""
    if not canvas.title:
        return box
    size, lines = 0.0, [""]
    for factor in TITLE_SIZES:
        size = round(canvas.font_size * factor, 1)
        fitting_lines = int(canvas.request.height * MAX_TITLE_HEIGHT_SHARE / (size * TITLE_LINE_HEIGHT))
        lines = wrap_balanced(canvas.title, box.width, size, max(1, min(MAX_TITLE_LINES, fitting_lines)), TITLE_WEIGHT)
        if not is_truncated(lines):
            break
    full = canvas.title if is_truncated(lines) else ""
    for number, line in enumerate(lines):
        y = box.top + CAP_HEIGHT * size + number * size * TITLE_LINE_HEIGHT
        canvas.drawing.add_text(Text(box.left, y, line, size, canvas.theme.strong, TITLE_WEIGHT, full=full))
    return box.inset(
        top=CAP_HEIGHT * size + (len(lines) - 1) * size * TITLE_LINE_HEIGHT + SPACE_BELOW * canvas.font_size
    )


Swatch = Literal["square", "line", "hollow", "dot"]

SWATCH_SIZE, GAP, ENTRY_GAP, ROW_HEIGHT = 0.8, 0.5, 1.5, 1.6
"""In em: side of a swatch, the gap after it and before figures, the gap between entries, height of a row."""

MIN_NAME_WIDTH = 2.6
"""In em: instead of truncating names to less, fewer entries are shown."""

FONT_SIZES = (1.0, 0.88)
"""Relative to the font size of the canvas; the largest in which no name is truncated, else the smallest."""

MIN_FONT_SIZE = 9.0
"""In pixels."""


@dataclass(frozen=True)
class LegendEntry:
    """One line of the legend."""

    name: str
    color: str
    swatch: Swatch = "square"
    figures: tuple[str, ...] = ()
    """Formatted numbers at the right end of the line."""


@dataclass(frozen=True)
class LegendCell:
    """An entry with its position, relative to the top left corner of the legend; in pixels."""

    entry: LegendEntry
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class LegendLayout:
    """A legend that fits its box."""

    cells: tuple[LegendCell, ...]
    font_size: float
    figure_widths: tuple[float, ...]
    """Width of each column of figures, in pixels; empty if there is no space for them."""
    hidden: int
    """Number of entries for which there is no space."""

    @property
    def width(self) -> float:
        """Width of the legend, in pixels."""
        return max((cell.x + cell.width for cell in self.cells), default=0)

    @property
    def height(self) -> float:
        """Height of the legend, in pixels."""
        lines = 2 if self.hidden else 1
        return max((cell.y for cell in self.cells), default=0) + self.font_size * ROW_HEIGHT * lines

    @property
    def is_complete(self) -> bool:
        """Whether all entries are shown and no name is truncated."""
        return not self.hidden and all(
            _entry_width(cell.entry, self.font_size, self.figure_widths) <= cell.width + 0.01 for cell in self.cells
        )


def layout_rows(canvas: Canvas, entries: Sequence[LegendEntry], max_width: float, max_height: float) -> LegendLayout:
    """Return the layout of a legend whose entries follow each other in rows, or in a grid if that does not fit.

    The maximum width and height are in pixels.
    """
    flows = (_flow(entries, max_width, size) for size in _font_sizes(canvas))
    complete = next((layout for layout in flows if layout.height <= max_height and layout.is_complete), None)
    return complete or _grid(entries, max_width, max_height, _font_sizes(canvas)[-1], by_column=False)


def layout_columns(canvas: Canvas, entries: Sequence[LegendEntry], max_width: float, max_height: float) -> LegendLayout:
    """Return the layout of a legend whose entries are in columns; the arguments are those of `layout_rows`."""
    layouts = [_grid(entries, max_width, max_height, size, by_column=True) for size in _font_sizes(canvas)]
    return next((layout for layout in layouts if layout.is_complete), layouts[-1])


def draw_legend(canvas: Canvas, layout: LegendLayout, left: float, top: float) -> None:
    """Draw a legend at a position; hidden entries are counted in its last line."""
    size = layout.font_size
    for cell in layout.cells:
        middle = top + cell.y + size * ROW_HEIGHT / 2
        _draw_swatch(canvas, cell.entry, left + cell.x, middle, size * SWATCH_SIZE)
        start, end = left + cell.x + (SWATCH_SIZE + GAP) * size, left + cell.x + cell.width
        y = middle + size * CAP_HEIGHT / 2
        for figure, width in reversed(list(zip(cell.entry.figures, layout.figure_widths, strict=False))):
            canvas.drawing.add_text(Text(end, y, figure, size, canvas.theme.strong, anchor="end"))
            end -= width + GAP * 1.6 * size
        name = truncate(cell.entry.name, end - start + 0.01, size)
        canvas.drawing.add_text(Text(start, y, name, size, canvas.theme.text, full=cell.entry.name))
    if layout.hidden:
        y = top + layout.height - size * (ROW_HEIGHT - CAP_HEIGHT) / 2
        canvas.drawing.add_text(Text(left, y, f"+{layout.hidden}", size, canvas.theme.text))


def _font_sizes(canvas: Canvas) -> list[float]:
    return [max(canvas.font_size * factor, MIN_FONT_SIZE) for factor in FONT_SIZES]


def _flow(entries: Sequence[LegendEntry], max_width: float, size: float) -> LegendLayout:
    """Return rows in which each entry takes only the width that it needs."""
    cells: list[LegendCell] = []
    figure_widths = _figure_widths(entries, size)
    x = y = 0.0
    for entry in entries:
        width = min(_entry_width(entry, size, figure_widths), max_width)
        if x and x + width > max_width:
            x, y = 0.0, y + size * ROW_HEIGHT
        cells.append(LegendCell(entry, x, y, width))
        x += width + ENTRY_GAP * size
    return LegendLayout(tuple(cells), size, figure_widths, 0)


def _grid(
    entries: Sequence[LegendEntry], max_width: float, max_height: float, size: float, *, by_column: bool
) -> LegendLayout:
    """Return a grid of columns of equal width, filled column by column or row by row."""
    figure_widths = _figure_widths(entries, size)
    gap, row = ENTRY_GAP * size, ROW_HEIGHT * size
    full_width = max(_entry_width(entry, size, figure_widths) for entry in entries)
    least_width = size * (SWATCH_SIZE + GAP + MIN_NAME_WIDTH)
    rows = max(1, int(max_height / row))
    columns = min(math.ceil(len(entries) / rows), max(1, int((max_width + gap) / (least_width + gap))))
    if columns * rows < len(entries):
        rows = max(1, rows - 1)  # the last row shows the number of hidden entries
    shown = entries[: columns * rows]
    rows = math.ceil(len(shown) / columns)
    pitch = min(full_width + gap, (max_width + gap) / columns)
    width = pitch - gap
    if width < full_width - 0.01 and width < least_width * 1.4 + sum(figure_widths) + GAP * size * len(figure_widths):
        figure_widths = ()
    places = [(divmod(index, rows) if by_column else divmod(index, columns)[::-1]) for index in range(len(shown))]
    cells = (LegendCell(entry, x * pitch, y * row, width) for entry, (x, y) in zip(shown, places, strict=True))
    return LegendLayout(tuple(cells), size, figure_widths, len(entries) - len(shown))


def _figure_widths(entries: Sequence[LegendEntry], size: float) -> tuple[float, ...]:
    columns = zip(*(entry.figures for entry in entries), strict=True)
    return tuple(max(text_width(figure, size) for figure in column) for column in columns)


def _entry_width(entry: LegendEntry, size: float, figure_widths: Sequence[float]) -> float:
    """Return the width of an entry whose name is not truncated, in pixels."""
    gap = GAP * size if entry.name else 0
    figures = sum(width + GAP * 1.6 * size for width in figure_widths)
    return SWATCH_SIZE * size + gap + text_width(entry.name, size) + figures


def _draw_swatch(canvas: Canvas, entry: LegendEntry, x: float, y: float, side: float) -> None:
    drawing, color, box = canvas.drawing, entry.color, Box(x, y - side / 2, x + side, y + side / 2)
    match entry.swatch:
        case "line":
            drawing.stroke_path(f"M{x:.2f} {y:.2f}h{side:.2f}", color, side * 0.3)
        case "dot":
            drawing.fill_circle(x + side / 2, y, side * 0.42, color)
        case "hollow":
            inner = box.inset(*[side * 0.075] * 4)
            path = f"M{svg_point(*inner[:2])}h{inner.width:.2f}v{inner.height:.2f}h-{inner.width:.2f}z"
            drawing.stroke_path(path, color, side * 0.15)
        case _:
            drawing.fill_rectangle(box, color, side * 0.28, Corners.ALL)


MAX_HEIGHT_SHARE, MAX_WIDTH_SHARE = 0.17, 0.32
"""The most that a legend takes of the image: of its height above or below the plot, of its width beside it."""

RADAR_SIDE_LEGEND_RATIO = 1.25
"""From this aspect ratio (width by height), the automatic legend of a radar chart is beside it."""


def draw_title_and_legend(canvas: Canvas, entries: Sequence[LegendEntry]) -> Box:
    """Draw the title, the legend and the titles of the axes, and return the box that remains for the plot."""
    box = _draw_legend(canvas, draw_title(canvas, canvas.content_box), entries)
    size, row, color = canvas.small_font_size, canvas.small_font_size * ROW_HEIGHT, canvas.theme.text
    above, below = (normalize_text(title or "") for title in (canvas.request.y_title, canvas.request.x_title))
    top = Text(box.left, box.top + size * CAP_HEIGHT, truncate(above, box.width, size), size, color, full=above)
    canvas.drawing.add_text(top)
    bottom = Text(box.right, box.bottom, truncate(below, box.width, size), size, color, anchor="end", full=below)
    canvas.drawing.add_text(bottom)
    return box.inset(top=row if above else 0, bottom=row if below else 0)


def _draw_legend(canvas: Canvas, box: Box, entries: Sequence[LegendEntry]) -> Box:
    """Draw the legend, or the name of the only series of a chart without a title, and return the box that remains."""
    request, position, size = canvas.request, canvas.request.legend, canvas.font_size
    if position == "auto" and len(canvas.series) == 1:
        name = canvas.series[0].name
        if canvas.title or request.y_title or not name:
            return box
        text = truncate(name, box.width, size)
        canvas.drawing.add_text(Text(box.left, box.top + size * CAP_HEIGHT, text, size, canvas.theme.text, full=name))
        return box.inset(top=size * ROW_HEIGHT)
    is_wide = box.width >= max(box.height * RADAR_SIDE_LEGEND_RATIO, size * 24)
    if position == "auto" and request.type == "radar" and is_wide:
        position = "right"
    if position == "none" or not entries:
        return box
    if position == "right":
        layout = layout_columns(canvas, entries, request.width * MAX_WIDTH_SHARE, box.height)
        offset = (box.height - layout.height) / 2 if request.type == "radar" else 0
        draw_legend(canvas, layout, box.right - layout.width, box.top + offset)
        return box.inset(right=layout.width + size * 1.6)
    max_height = max(request.height * MAX_HEIGHT_SHARE, size * ROW_HEIGHT)
    layout = layout_rows(canvas, entries, box.width, max_height)
    if position == "bottom":
        draw_legend(canvas, layout, box.left, box.bottom - layout.height)
        return box.inset(bottom=layout.height + size * 0.6)
    draw_legend(canvas, layout, box.left, box.top - size * 0.3)
    return box.inset(top=layout.height + size * 0.55)


def series_entries(canvas: Canvas, *swatches: Swatch) -> list[LegendEntry]:
    """Return a legend entry for each series that has a name, with one swatch for all or a swatch for each."""
    looks = zip(canvas.series, canvas.series_colors, cycle(swatches))
    return [LegendEntry(series.name, color, swatch) for series, color, swatch in looks if series.name]
