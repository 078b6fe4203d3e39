"""Paints the table: its lines, texts, bars, sparklines and colors."""

import math
from dataclasses import dataclass, replace

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.drawing import Box, Corners, Drawing, polyline_path
from mediakit.engines.drawing.text import Anchor, Text
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.column_widths import (
    MAX_HEADER_LINES,
    SHAPE_GAP,
    SHAPE_WIDTH,
    MeasuredColumn,
    cell_lines,
    cell_weight,
    parts_of,
    spans,
)
from mediakit.tools.images.table_image.content import ShownColumn, Side
from mediakit.tools.images.table_image.layout import Block, Layout, Row, content_width, line_height
from mediakit.tools.images.table_image.theme import SHAPE_CONTRAST, Theme, readable, text_on

BAR_HEIGHT = 0.78
"""Height of a bar, in em."""
LINE_WIDTH = 1.6
DOT_RADIUS = 2.4


def bar_box(column: ShownColumn, number: float, area: Box) -> Box:
    """Return the rectangle of a bar: from zero to the number, on an axis that all rows share."""
    low, high = min(column.low, 0.0), max(column.high, 0.0)
    extent = high - low
    if not extent or not math.isfinite(extent):
        return Box(area.left, area.top, area.left, area.bottom)
    start, end = sorted((0.0, number))
    left, right = (area.left + (value - low) / extent * area.width for value in (start, end))
    return Box(left, area.top, right if number == 0 else max(right, left + 1), area.bottom)


def zero_line(column: ShownColumn, area: Box) -> float | None:
    """Return where zero is in the area of the bars; None if no number is negative."""
    low, high = min(column.low, 0.0), max(column.high, 0.0)
    extent = high - low
    return area.left - low / extent * area.width if low < 0 and math.isfinite(extent) else None


def draw_bar(drawing: Drawing, column: ShownColumn, number: float, area: Box, color: str) -> None:
    """Draw the bar of a number."""
    box = bar_box(column, number, area)
    if box.width > 0:
        corners = Corners.RIGHT if number > 0 else Corners.LEFT
        drawing.fill_rectangle(box, color, 2, corners)


def sparkline_points(points: tuple[float | None, ...], area: Box) -> list[list[tuple[float, float]]]:
    """Return the places of the numbers of a sparkline, in parts that gaps separate."""
    numbers = [number for number in points if number is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    extent = high - low
    step = area.width / max(1, len(points) - 1)
    parts: list[list[tuple[float, float]]] = [[]]
    for place, number in enumerate(points):
        if number is None:
            parts.append([])
            continue
        share = (number / extent - low / extent) if extent and math.isfinite(extent) else 0.5
        parts[-1].append((area.left + place * step, area.bottom - share * area.height))
    return [part for part in parts if part]


def draw_sparkline(drawing: Drawing, points: tuple[float | None, ...], area: Box, color: str) -> None:
    """Draw a line through numbers, with a dot at the last one."""
    inner = area.inset(DOT_RADIUS, DOT_RADIUS, DOT_RADIUS, DOT_RADIUS)
    parts = sparkline_points(points, inner)
    for part in parts:
        if len(part) > 1:
            drawing.stroke_path(polyline_path(part), color, LINE_WIDTH)
        elif part is not parts[-1]:
            drawing.fill_circle(*part[0], LINE_WIDTH / 2, color)
    if parts:
        drawing.fill_circle(*parts[-1][-1], DOT_RADIUS, color)


ANCHORS: dict[Side, Anchor] = {"left": "start", "center": "middle", "right": "end"}
SHARES: dict[Side, float] = {"left": 0.0, "center": 0.5, "right": 1.0}
MARK_WIDTH, MARK_HEIGHT = 36, 4
"""The mark above the title."""


@dataclass(frozen=True)
class Painter:
    """Draws a layout in the colors of a theme."""

    layout: Layout
    theme: Theme
    accent: str
    """Color of """
    accent_text: str
    """Color of headings of groups: the accent, as dark or light as its contrast requires."""
    drawing: Drawing
    indent: float

    @classmethod
    def of(cls, layout: Layout, theme: Theme, accent: str, *, is_framed: bool) -> "Painter":
        """Return a painter with an empty drawing."""
        backgrounds = [color for color in (theme.background, theme.band, theme.group) if color]
        return cls(
            layout=layout,
            theme=theme,
            accent=readable(accent, *backgrounds, minimum=SHAPE_CONTRAST),
            accent_text=readable(accent, *backgrounds),
            drawing=Drawing(),
            indent=0 if is_framed else layout.sizes.padding,
        )

    def paint(self) -> Drawing:
        """Return the drawing of the table."""
        layout, theme, sizes = self.layout, self.theme, self.layout.sizes
        if layout.mark_top is not None:
            is_rtl = begins_right_to_left(layout.content.title or layout.content.subtitle)
            left = layout.right - self.indent - MARK_WIDTH if is_rtl else layout.left + self.indent
            self._fill(left, layout.mark_top, MARK_WIDTH, MARK_HEIGHT, self.accent)
        self._block(layout.title, sizes.title, theme.strong, 600)
        self._block(layout.subtitle, sizes.text, theme.muted)
        self._paint_backgrounds()
        self._paint_header()
        for row in layout.rows:
            self._paint_row(row)
        self._paint_lines()
        self._block(layout.more, sizes.small, theme.muted)
        for note in layout.notes:
            self._block(note, sizes.small, theme.muted)
        return self.drawing

    def _block(self, block: Block | None, size: float, color: str, weight: Weight = 400) -> None:
        if block:
            is_rtl = begins_right_to_left(block.full)
            x = self.layout.right - self.indent if is_rtl else self.layout.left + self.indent
            anchor: Anchor = "end" if is_rtl else "start"
            for number, line in enumerate(block.lines):
                baseline = self._baseline(block.top + number * line_height(size), line_height(size), size)
                full = block.full if number == len(block.lines) - 1 and line.endswith("…") else ""
                self.drawing.add_text(Text(x, baseline, line, size, color, weight, anchor, full=full))

    @staticmethod
    def _baseline(top: float, height: float, size: float) -> float:
        return top + (height + CAP_HEIGHT * size) / 2

    def _fill(self, left: float, top: float, width: float, height: float, color: str) -> None:
        self.drawing.fill_rectangle(Box(left, top, left + width, top + height), color, 0, Corners.NONE)

    def _rule(self, y: float, color: str, width: float, left: float | None = None, right: float | None = None) -> None:
        """Draw a horizontal line below `y`."""
        start = self.layout.left + self.indent if left is None else left
        end = self.layout.right - self.indent if right is None else right
        self._fill(start, y, end - start, width, color)

    def _paint_backgrounds(self) -> None:
        layout, theme = self.layout, self.theme
        width = layout.right - layout.left
        if theme.header and layout.header_bottom > layout.table_top:
            self._fill(layout.left, layout.table_top, width, layout.header_bottom - layout.table_top, theme.header)
        for row in layout.rows:
            if row.is_heading and theme.group:
                self._fill(layout.left, row.top, width, row.height, theme.group)
            elif theme.band and not row.is_heading and not row.is_total and row.number % 2 == 0:
                self._fill(layout.left, row.top, width, row.height, theme.band)

    def _paint_lines(self) -> None:
        layout, theme = self.layout, self.theme
        body = layout.header_bottom
        for before, row in zip([None, *layout.rows], layout.rows, strict=False):
            if row.is_total:
                self._rule(row.top, theme.frame, theme.frame_width)
            elif theme.has_rules and before and not (before.is_heading and not theme.has_columns):
                self._rule(row.top, theme.rule, 1)
        if body > layout.table_top:
            self._rule(body - theme.frame_width, theme.frame, theme.frame_width)
        self._rule(layout.table_bottom - 1, theme.frame if not theme.has_rules else theme.rule, 1)
        if theme.has_columns:
            self._rule(layout.table_top, theme.frame, 1)
            self._paint_column_lines()

    def _paint_column_lines(self) -> None:
        layout = self.layout
        spanned = {place for start, end in spans(layout.content.columns) for place in range(start + 1, end)}
        under = layout.table_top + layout.spanners_height
        headings = [row for row in layout.rows if row.is_heading]
        for place, x in enumerate(layout.lefts):
            left = x - 1 if place == len(layout.lefts) - 1 else x
            inner = 0 < place < len(layout.lefts) - 1
            top = under if place in spanned else layout.table_top
            for heading in headings if inner else ():
                self._fill(left, top, 1, heading.top - top, self.theme.frame)
                top = heading.top + heading.height
            self._fill(left, top, 1, layout.table_bottom - top, self.theme.frame)

    def _paint_header(self) -> None:
        layout, sizes = self.layout, self.layout.sizes
        if layout.spanners_height:
            self._paint_spanners()
        height = line_height(sizes.header)
        for place, each in enumerate(layout.columns):
            column, lines = each.column, layout.header_lines[place]
            x = self._side_x(place, column.side)
            unit = line_height(sizes.small) if column.unit else 0
            top = layout.header_bottom - sizes.gap - unit - len(lines) * height
            for number, line in enumerate(lines):
                full = column.label if number == len(lines) - 1 and line.endswith("…") else ""
                baseline = self._baseline(top + number * height, height, sizes.header)
                anchor = ANCHORS[column.side]
                self._add(Text(x, baseline, line, sizes.header, self.theme.strong, 600, anchor), full)
            if column.unit:
                baseline = self._baseline(top + len(lines) * height, unit, sizes.small)
                line = cell_lines(column.unit, content_width(layout, place), sizes.small, 1)[0]
                self._add(Text(x, baseline, line, sizes.small, self.theme.muted, 400, ANCHORS[column.side]))

    def _paint_spanners(self) -> None:
        layout, sizes, height = self.layout, self.layout.sizes, line_height(self.layout.sizes.header)
        for start, end in spans(layout.content.columns):
            text = layout.content.columns[start].spanner
            if not text:
                continue
            left, right = layout.lefts[start] + sizes.padding, layout.lefts[end] - sizes.padding
            bottom = layout.table_top + layout.spanners_height
            lines = cell_lines(text, right - left, sizes.header, MAX_HEADER_LINES, 600)
            top = bottom - sizes.gap * 0.75 - len(lines) * height
            for number, line in enumerate(lines):
                baseline = self._baseline(top + number * height, height, sizes.header)
                middle = (left + right) / 2
                self._add(Text(middle, baseline, line, sizes.header, self.theme.strong, 600, "middle"), text)
            inset = 0 if self.theme.has_columns else sizes.padding
            self._rule(bottom - 1, self.theme.frame, 1, layout.lefts[start] + inset, layout.lefts[end] - inset)

    def _add(self, text: Text, full: str = "") -> None:
        """Add a line, with the whole text as its tooltip if it is cut."""
        cut = full and text.content.rstrip("\u200f").endswith("…")
        self.drawing.add_text(replace(text, full=full) if cut else text)

    def _side_x(self, place: int, side: Side) -> float:
        left = self.layout.lefts[place] + self.layout.sizes.padding
        right = self.layout.lefts[place + 1] - self.layout.sizes.padding
        if side == "right":  # marks of footnotes are right of the numbers
            return right - self.layout.columns[place].numbers.mark
        return left + (right - left) * SHARES[side]

    def _paint_row(self, row: Row) -> None:
        sizes = self.layout.sizes
        if row.is_heading:
            top = row.top + row.height - sizes.gap - len(row.heading) * sizes.line
            is_rtl = self.layout.content.is_right_to_left
            x = self.layout.right - sizes.padding if is_rtl else self.layout.left + sizes.padding
            anchor: Anchor = "end" if is_rtl else "start"
            for number, line in enumerate(row.heading):
                baseline = self._baseline(top + number * sizes.line, sizes.line, sizes.text)
                self.drawing.add_text(Text(x, baseline, line, sizes.text, self.accent_text, 600, anchor))
            return
        for place, (cell, each) in enumerate(zip(row.cells, self.layout.columns, strict=True)):
            if cell is None:
                continue
            color = self._cell_color(row, place, cell, each.column)
            if row.lines[place]:
                self._paint_lines_of_cell(row, place, cell, each.column, color)
            elif cell.points:
                self._paint_sparkline(row, place, cell)
            else:
                self._paint_number(row, place, cell, each, color)

    def _cell_color(self, row: Row, place: int, cell: Cell, column: ShownColumn) -> str:
        """Return the color of the text of a cell, after drawing the cell's own background."""
        if column.color_scale and cell.number is not None and not row.is_total:
            fill = column.color_scale.color_at(cell.number)
            left, right = self.layout.lefts[place], self.layout.lefts[place + 1]
            self._fill(left + 1, row.top + 1, right - left - 2, row.height - 2, fill)
            return text_on(fill)
        if cell.is_null:
            return self.theme.muted
        return self.theme.strong if row.is_total or column.bold else self.theme.text

    def _paint_lines_of_cell(self, row: Row, place: int, cell: Cell, column: ShownColumn, color: str) -> None:
        sizes, x = self.layout.sizes, self._side_x(place, column.side)
        weight = cell_weight(column, is_total=row.is_total)
        top = row.top + sizes.gap
        for number, line in enumerate(row.lines[place]):
            baseline = self._baseline(top + number * sizes.line, sizes.line, sizes.text)
            is_tabular, anchor = column.kind == "moment", ANCHORS[column.side]
            self._add(Text(x, baseline, line, sizes.text, color, weight, anchor, tabular=is_tabular), full=cell.text)

    def _paint_sparkline(self, row: Row, place: int, cell: Cell) -> None:
        sizes = self.layout.sizes
        width = SHAPE_WIDTH * sizes.text
        spare = content_width(self.layout, place) - width
        left = self.layout.lefts[place] + sizes.padding + spare * SHARES[self.layout.columns[place].column.side]
        top = row.top + sizes.gap * 0.6
        box = Box(left, top, left + width, top + sizes.line + sizes.gap * 0.8)
        draw_sparkline(self.drawing, cell.points, box, self.accent)

    def _paint_number(self, row: Row, place: int, cell: Cell, each: MeasuredColumn, color: str) -> None:
        """Draw a number so that its decimal mark is below that of the others."""
        sizes, column = self.layout.sizes, each.column
        bar = (SHAPE_WIDTH + SHAPE_GAP) * sizes.text if column.bar else 0.0
        spare = content_width(self.layout, place) - each.numbers.width - bar
        left = self.layout.lefts[place] + sizes.padding + spare * SHARES[column.side] + bar
        baseline = self._baseline(row.top + sizes.gap, sizes.line, sizes.text)
        weight = cell_weight(column, is_total=row.is_total)
        if column.bar and not row.is_total:
            self._paint_bar(row, cell, column, left - bar)
        axis = left + each.numbers.left
        if cell.is_null:
            right = axis + (each.numbers.right if not cell.mark else 0)
            self._add(Text(right, baseline, cell.text, sizes.text, color, weight, "end"))
        else:
            head, tail = parts_of(cell)
            self._add(Text(axis, baseline, head, sizes.text, color, weight, "end", tabular=True))
            self._add(Text(axis, baseline, tail, sizes.text, color, weight, "start", tabular=True))
        if cell.mark:
            x = axis + each.numbers.right
            self._add(Text(x, baseline, cell.mark, sizes.text, color, weight))

    def _paint_bar(self, row: Row, cell: Cell, column: ShownColumn, left: float) -> None:
        sizes = self.layout.sizes
        height = BAR_HEIGHT * sizes.text
        middle = row.top + sizes.gap + sizes.line / 2
        area = Box(left, middle - height / 2, left + SHAPE_WIDTH * sizes.text, middle + height / 2)
        if cell.number is not None:
            draw_bar(self.drawing, column, cell.number, area, self.accent)
        if (zero := zero_line(column, area)) is not None:
            self._fill(zero - 0.5, row.top + sizes.gap * 0.5, 1, sizes.line + sizes.gap, self.theme.muted)
