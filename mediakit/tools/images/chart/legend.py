"""The legend: names beside their colours, planned first, for its size decides where the chart can be, then drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mediakit.tools.images.chart.drawing import Box, Corners
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, fit, width
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

Key = Literal["square", "line", "hollow"]

KEY, GAP, BETWEEN, ROW = 0.8, 0.5, 1.5, 1.6
"""In em: a key, the gap after it and before figures, the gap between entries, a row."""

LEAST_NAME = 2.6
"""In em: rather than cut names shorter, fewer entries are shown."""

SIZES = (1.0, 0.88)
"""In sizes of the sheet's letters; the largest in which all names are whole, if there is one."""


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    name: str
    color: str
    key: Key = "square"
    figures: tuple[str, ...] = ()
    """Numbers at the right end of the line."""


@dataclass(frozen=True)
class Cell:
    """An entry and where it stands: from the left and the top of the legend, in pixels."""

    entry: Entry
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Plan:
    """A legend that fits."""

    cells: tuple[Cell, ...]
    size: float
    figures: tuple[float, ...]
    """Width of each column of figures, in pixels; none where there is no room for them."""
    hidden: int
    """How many entries there is no room for."""

    @property
    def width(self) -> float:
        """Its width."""
        return max((cell.x + cell.width for cell in self.cells), default=0)

    @property
    def height(self) -> float:
        """Its height."""
        lines = 2 if self.hidden else 1
        return max((cell.y for cell in self.cells), default=0) + self.size * ROW * lines

    @property
    def whole(self) -> bool:
        """Whether it has all entries with all their letters."""
        return not self.hidden and all(_natural(cell.entry, self) <= cell.width + 0.01 for cell in self.cells)


def rows(sheet: Sheet, entries: Sequence[Entry], room: float, most: float) -> Plan:
    """Plan a legend of rows, as one reads.

    Args:
        sheet: Where it will be drawn.
        entries: What is in it.
        room: How wide it may be, in pixels.
        most: How high it may be, in pixels.
    """
    sizes = [max(sheet.size * factor, 9) for factor in SIZES]
    flows = (_flow(entries, room, size) for size in sizes)
    found = next((plan for plan in flows if plan.height <= most and plan.whole), None)
    return found or _grid(entries, room, most, sizes[-1], down=False)


def columns(sheet: Sheet, entries: Sequence[Entry], room: float, most: float) -> Plan:
    """Plan a legend of columns, as `rows` does."""
    plans = [_grid(entries, room, most, max(sheet.size * factor, 9), down=True) for factor in SIZES]
    return next((plan for plan in plans if plan.whole), plans[-1])


def draw(sheet: Sheet, plan: Plan, left: float, top: float) -> None:
    """Draw a legend."""
    for cell in plan.cells:
        middle = top + cell.y + plan.size * ROW / 2
        _draw_key(sheet, cell.entry, left + cell.x, middle, plan.size * KEY)
        _draw_words(sheet, cell, plan, left + cell.x, middle + plan.size * CAP_HEIGHT / 2)
    if plan.hidden:
        y = top + plan.height - plan.size * (ROW - CAP_HEIGHT) / 2
        sheet.drawing.write(Text(left, y, f"+{plan.hidden}", plan.size, sheet.theme.text))


def _flow(entries: Sequence[Entry], room: float, size: float) -> Plan:
    cells: list[Cell] = []
    figures = _figures(entries, size)
    x = y = 0.0
    for entry in entries:
        wide = min(_entry_width(entry, size, figures), room)
        if x and x + wide > room:
            x, y = 0.0, y + size * ROW
        cells.append(Cell(entry, x, y, wide))
        x += wide + BETWEEN * size
    return Plan(tuple(cells), size, figures, 0)


def _grid(entries: Sequence[Entry], room: float, most: float, size: float, *, down: bool) -> Plan:
    """Plan a grid of equal columns, filled downwards or row by row."""
    figures = _figures(entries, size)
    natural = max(_entry_width(entry, size, figures) for entry in entries)
    lines = max(1, int(most / (size * ROW)))
    count = math.ceil(len(entries) / lines)
    least = size * (KEY + GAP + LEAST_NAME)
    fitting = max(1, int((room + BETWEEN * size) / (least + BETWEEN * size)))
    hidden = 0
    if count > fitting:
        count, lines = fitting, max(1, lines - 1)  # the last line says how many more there are
        hidden = max(0, len(entries) - count * lines)
    pitch = min(natural + BETWEEN * size, (room + BETWEEN * size) / count)
    wide = pitch - BETWEEN * size
    if wide < natural - 0.01 and wide < least * 1.4 + sum(figures) + GAP * size * len(figures):
        figures = ()
    shown = entries[: len(entries) - hidden]
    lines = math.ceil(len(shown) / count)
    places = [(divmod(place, lines) if down else divmod(place, count)[::-1]) for place in range(len(shown))]
    cells = [Cell(e, column * pitch, line * size * ROW, wide) for e, (column, line) in zip(shown, places, strict=True)]
    return Plan(tuple(cells), size, figures, hidden)


def _figures(entries: Sequence[Entry], size: float) -> tuple[float, ...]:
    columns = zip(*(entry.figures for entry in entries), strict=True)
    return tuple(max(width(figure, size) for figure in column) for column in columns)


def _entry_width(entry: Entry, size: float, figures: Sequence[float]) -> float:
    gaps = GAP * size if entry.name else 0
    return KEY * size + gaps + width(entry.name, size) + sum(figure + GAP * 1.6 * size for figure in figures)


def _natural(entry: Entry, plan: Plan) -> float:
    return _entry_width(entry, plan.size, plan.figures)


def _draw_key(sheet: Sheet, entry: Entry, x: float, y: float, side: float) -> None:
    drawing, color = sheet.drawing, entry.color
    if entry.key == "line":
        drawing.curve(f"M{x:.2f} {y:.2f}h{side:.2f}", color, side * 0.3)
        return
    box = Box(x, y - side / 2, x + side, y + side / 2)
    drawing.bar(box, color, side * 0.28, Corners.ALL)
    if entry.key == "hollow":
        inner = side * 0.15
        drawing.bar(box.inset(*[inner] * 4), sheet.theme.background, side * 0.15, Corners.ALL)


def _draw_words(sheet: Sheet, cell: Cell, plan: Plan, x: float, y: float) -> None:
    size, theme = plan.size, sheet.theme
    start, end = x + (KEY + GAP) * size, x + cell.width
    for figure, wide in reversed(list(zip(cell.entry.figures, plan.figures, strict=False))):
        sheet.drawing.write(Text(end, y, figure, size, theme.strong, anchor="end"))
        end -= wide + GAP * 1.6 * size
    name = fit(cell.entry.name, end - start + 0.01, size)
    sheet.drawing.write(Text(start, y, name, size, theme.text, full=cell.entry.name))
