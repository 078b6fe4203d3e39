"""Draws a table from top to bottom: the title, the header, the rows and the notes, each where the one above ends."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.drawing import Box, Corners, Drawing, polyline_path
from mediakit.engines.drawing.text import ELLIPSIS, RIGHT_TO_LEFT_MARK, Anchor, Text
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.column_widths import (
    MAX_LINES,
    SHAPE_GAP,
    SHAPE_WIDTH,
    cell_lines,
    cell_weight,
    is_cut,
    parts_of,
    spans,
    widths_of,
)
from mediakit.tools.images.table_image.content import Content, ShownColumn, Side
from mediakit.tools.images.table_image.theme import SHAPE_CONTRAST, Theme, readable, text_on

MAX_HEADER_LINES = 100
"""Headers are never cut: their limit of 200 characters is reached first."""
BAR_HEIGHT = 0.78
"""Height of a bar, in em."""
LINE_WIDTH = 1.6
DOT_RADIUS = 2.4
MARK_WIDTH, MARK_HEIGHT = 36, 4
"""The mark above the title."""

ANCHORS: dict[Side, Anchor] = {"left": "start", "center": "middle", "right": "end"}
SHARES: dict[Side, float] = {"left": 0.0, "center": 0.5, "right": 1.0}


class Style(NamedTuple):
    """How lines of text look."""

    size: float
    color: str
    weight: Weight = 400
    anchor: Anchor = "start"
    tabular: bool = False


class TableDrawing:
    """A table that is drawn in the colors of a theme, in the requested width or what the content needs.

    In a frame, texts above and below the table begin at its left side instead of at that of its texts.

    Raises:
        InvalidInput: The columns do not fit the requested width.
    """

    def __init__(self, content: Content, theme: Theme, accent: str, requested: int | None) -> None:
        has_colored_sides = bool(content.columns[0].color_scale or content.columns[-1].color_scale)
        is_framed = theme.is_framed or has_colored_sides
        backgrounds = [color for color in (theme.background, theme.band, theme.group) if color]
        self.drawing = Drawing()
        self._content, self._theme = content, theme
        self._accent = readable(accent, *backgrounds, minimum=SHAPE_CONTRAST)
        self._accent_text = readable(accent, *backgrounds)
        sizes, columns, widths = widths_of(content, requested, is_framed=is_framed)
        self._sizes, self._columns, self._label_place = sizes, columns, content.label_place
        if content.is_right_to_left:
            self._content = replace(content, columns=content.columns[::-1])
            self._columns, widths = columns[::-1], widths[::-1]
            self._label_place = None if self._label_place is None else len(columns) - 1 - self._label_place
        margin = sizes.margin_beside(is_framed=is_framed)
        self._lefts = [margin + sum(widths[:place]) for place in range(len(widths) + 1)]
        """Left side of each column, and the right side of the last one."""
        self.width = requested or round(self._lefts[-1] + margin + 0.49)
        """In CSS pixels, as `height`."""
        self._lefts[-1] = self.width - margin
        self._left, self._right = margin, self.width - margin
        self._indent = 0 if is_framed else sizes.padding
        self._top = sizes.margin
        """Where the next part begins."""
        self._cut: Counter[str] = Counter()
        """How many texts of a part, or of the column with a label, end with an ellipsis."""
        self._draw_title()
        self._draw_header()
        self._draw_rows()
        self._draw_notes()
        self.height = round(self._top + sizes.margin)

    def cut_warnings(self) -> Iterator[str]:
        """Yield a sentence for each text that ends with an ellipsis, because the image has no room for all of it."""
        fix = f"Set width to more than {self.width}, or shorten the text."
        for part, count in self._cut.items():
            if part in ("title", "subtitle"):
                yield f"{part}: is cut after {MAX_LINES} lines. {fix}"
            elif part == "notes":
                yield f"footnotes, source: {count} cut after {MAX_LINES} lines. {fix}"
            else:
                texts = "1 text is" if count == 1 else f"{count} texts are"
                yield f'rows: {texts} cut after {MAX_LINES} lines in column "{part[:80]}". {fix}'

    def _draw_title(self) -> None:
        content, sizes, theme = self._content, self._sizes, self._theme
        if not (content.title or content.subtitle):
            self._top -= sizes.gap
            return
        if theme.has_mark:
            is_rtl = begins_right_to_left(content.title or content.subtitle)
            left = self._right - self._indent - MARK_WIDTH if is_rtl else self._left + self._indent
            self._fill(left, self._top, MARK_WIDTH, MARK_HEIGHT, self._accent)
            self._top += sizes.gap + 3
        if content.title:
            self._draw_paragraph("title", content.title, Style(sizes.title, theme.strong, 600))
        if content.subtitle:
            self._top += 2
            self._draw_paragraph("subtitle", content.subtitle, Style(sizes.text, theme.muted))
        self._top += sizes.gap

    def _draw_notes(self) -> None:
        content, sizes = self._content, self._sizes
        if content.more:
            self._top += sizes.gap
            self._draw_paragraph("more", content.more, Style(sizes.small, self._theme.muted))
        self._top += sizes.gap if content.notes else 0
        for note in content.notes:
            self._draw_paragraph("notes", note, Style(sizes.small, self._theme.muted))

    def _draw_paragraph(self, part: str, text: str, style: Style) -> None:
        """Draw a text above or below the table."""
        x, end = self._left + self._indent, self._right - self._indent
        lines = cell_lines(text, end - x, style.size, MAX_LINES, style.weight)
        self._cut.update([part] if is_cut(text, lines) else [])
        if begins_right_to_left(text):
            x, style = end, style._replace(anchor="end")
        self._write(lines, x, self._top, style, text)
        self._top += len(lines) * line_height(style.size)

    def _write(self, lines: Sequence[str], x: float, top: float, style: Style, full: str = "") -> None:
        """Draw lines below each other; one that is cut has the whole text as its tooltip."""
        height = line_height(style.size)
        for number, line in enumerate(lines):
            cut = full if line.rstrip(RIGHT_TO_LEFT_MARK).endswith(ELLIPSIS) else ""
            y = top + number * height + (height + CAP_HEIGHT * style.size) / 2
            size, color, weight, anchor, tabular = style
            self.drawing.add_text(Text(x, y, line, size, color, weight, anchor, full=cut, tabular=tabular))

    def _fill(self, left: float, top: float, width: float, height: float, color: str) -> None:
        self.drawing.fill_rectangle(Box(left, top, left + width, top + height), color, 0, Corners.NONE)

    def _fill_row(self, height: float, color: str) -> None:
        if color:
            self._fill(self._left, self._top, self._right - self._left, height, color)

    def _rule(self, y: float, color: str, width: float) -> None:
        """Draw a horizontal line below `y`."""
        self._fill(self._left + self._indent, y, self._right - self._left - 2 * self._indent, width, color)

    def _draw_header(self) -> None:
        """Draw the names of the columns, with their units below and the headers of several columns above."""
        sizes, theme = self._sizes, self._theme
        self._table_top = self._top
        self._spanned_top = self._top
        """Where the lines between columns with a header above them begin."""
        height = line_height(sizes.header)
        names = [
            cell_lines(name, self._content_width(place), sizes.header, MAX_HEADER_LINES, 600) if name else ()
            for place, each in enumerate(self._columns)
            for name in [each.column.label + each.column.mark]
        ]
        units = [line_height(sizes.small) if each.column.unit else 0 for each in self._columns]
        tallest = max(len(lines) * height + unit for lines, unit in zip(names, units, strict=True))
        spanners = [
            (start, end, cell_lines(text, self._span_width(start, end), sizes.header, MAX_HEADER_LINES, 600))
            for start, end in spans(self._content.columns)
            if (text := self._content.columns[start].spanner)
        ]
        if spanners:
            self._spanned_top += max(len(lines) for *_, lines in spanners) * height + sizes.gap * 1.5
        bottom = self._spanned_top + (tallest + 2 * sizes.gap if tallest else 0)
        if bottom > self._table_top:
            self._fill_row(bottom - self._table_top, theme.header)
            self._rule(bottom - theme.frame_width, theme.frame, theme.frame_width)
        for start, end, lines in spanners:
            self._draw_spanner(start, end, lines)
        for place, (each, lines, unit) in enumerate(zip(self._columns, names, units, strict=True)):
            x, anchor = self._side_x(place), ANCHORS[each.column.side]
            top = bottom - sizes.gap - unit - len(lines) * height
            self._write(lines, x, top, Style(sizes.header, theme.strong, 600, anchor), each.column.label)
            if unit:
                line = cell_lines(each.column.unit, self._content_width(place), sizes.small, 1)[:1]
                self._write(line, x, top + len(lines) * height, Style(sizes.small, theme.muted, 400, anchor))
        self._top = bottom

    def _draw_spanner(self, start: int, end: int, lines: tuple[str, ...]) -> None:
        sizes, (left, right) = self._sizes, (self._lefts[start], self._lefts[end])
        top = self._spanned_top - sizes.gap * 0.75 - len(lines) * line_height(sizes.header)
        self._write(lines, (left + right) / 2, top, Style(sizes.header, self._theme.strong, 600, "middle"))
        inset = 0 if self._theme.has_columns else sizes.padding
        self._fill(left + inset, self._spanned_top - 1, right - left - 2 * inset, 1, self._theme.frame)

    def _span_width(self, start: int, end: int) -> float:
        return self._lefts[end] - self._lefts[start] - 2 * self._sizes.padding

    def _content_width(self, place: int) -> float:
        """Return the width of a column without its paddings."""
        return self._span_width(place, place + 1) + 0.01

    def _side_x(self, place: int) -> float:
        """Return where the texts of a column are anchored; marks of footnotes are right of its numbers."""
        side, left = self._columns[place].column.side, self._lefts[place] + self._sizes.padding
        right = self._lefts[place + 1] - self._sizes.padding
        return right - self._columns[place].numbers.mark if side == "right" else left + (right - left) * SHARES[side]

    def _draw_rows(self) -> None:
        content, theme = self._content, self._theme
        headings: list[tuple[float, float]] = []
        place = 0
        for heading, count in content.groups:
            if content.has_groups:
                headings.append(self._draw_heading(heading, is_first=not place))
            for number in range(count):
                has_rule = theme.has_rules and (place > 0 if number or not content.has_groups else theme.has_columns)
                cells = [column.cells[place] for column in content.columns]
                self._draw_row(cells, theme.band if number % 2 == 0 else "", theme.rule if has_rule else "")
                place += 1
        if content.has_total:
            totals: list[Cell | None] = [column.total for column in content.columns]
            if self._label_place is not None:
                totals[self._label_place] = Cell(content.total_label)
            self._draw_row(totals, "", theme.frame, is_total=True)
        self._rule(self._top - 1, theme.rule if theme.has_rules else theme.frame, 1)
        if theme.has_columns:
            self._rule(self._table_top, theme.frame, 1)
            self._draw_column_lines(headings)

    def _draw_column_lines(self, headings: Sequence[tuple[float, float]]) -> None:
        """Draw the lines between columns, which neither cross headings of groups nor headers of several columns."""
        spanned = {place for start, end in spans(self._content.columns) for place in range(start + 1, end)}
        last = len(self._lefts) - 1
        for place, left in enumerate(self._lefts):
            x = left - 1 if place == last else left
            top = self._spanned_top if place in spanned else self._table_top
            for heading_top, heading_bottom in headings if 0 < place < last else ():
                self._fill(x, top, 1, heading_top - top, self._theme.frame)
                top = heading_bottom
            self._fill(x, top, 1, self._top - top, self._theme.frame)

    def _draw_heading(self, heading: str, *, is_first: bool) -> tuple[float, float]:
        """Draw the heading of a group, and return its top and bottom."""
        sizes, top = self._sizes, self._top
        start, end = self._left + sizes.padding, self._right - sizes.padding
        lines = cell_lines(heading, end - start, sizes.text, MAX_LINES, 600)
        space = sizes.gap + (0 if is_first else sizes.gap / 2)
        height = space + len(lines) * sizes.line + sizes.gap
        self._fill_row(height, self._theme.group)
        if self._theme.has_rules and not is_first:
            self._rule(top, self._theme.rule, 1)
        is_rtl = self._content.is_right_to_left
        style = Style(sizes.text, self._accent_text, 600, "end" if is_rtl else "start")
        self._write(lines, end if is_rtl else start, top + space, style)
        self._top += height
        return top, self._top

    def _draw_row(self, cells: Sequence[Cell | None], band: str, rule: str, *, is_total: bool = False) -> None:
        """Draw a row of the body with the color of its band and of the line above it, or the total."""
        sizes = self._sizes
        lines = [self._lines(place, cell, is_total=is_total) for place, cell in enumerate(cells)]
        height = max(1, *map(len, lines)) * sizes.line + 2 * sizes.gap
        self._fill_row(height, band)
        if rule:
            self._rule(self._top, rule, self._theme.frame_width if is_total else 1)
        for place, (cell, each) in enumerate(zip(cells, self._columns, strict=True)):
            if cell is None:
                continue
            column, weight = each.column, cell_weight(each.column, is_total=is_total)
            color = self._theme.strong if is_total or column.bold else self._theme.text
            if cell.is_null:
                color = self._theme.muted
            if column.color_scale and cell.number is not None and not is_total:
                fill = column.color_scale.color_at(cell.number)
                left, right = self._lefts[place], self._lefts[place + 1]
                self._fill(left + 1, self._top + 1, right - left - 2, height - 2, fill)
                color = text_on(fill)
            if lines[place]:
                style = Style(sizes.text, color, weight, ANCHORS[each.column.side], column.kind == "moment")
                self._write(lines[place], self._side_x(place), self._top + sizes.gap, style, cell.text)
            elif cell.points:
                self._draw_sparkline(place, cell)
            else:
                self._draw_number(place, cell, Style(sizes.text, color, weight, tabular=True), is_total=is_total)
        self._top += height

    def _lines(self, place: int, cell: Cell | None, *, is_total: bool) -> tuple[str, ...]:
        """Return the lines of a cell of text; none for numbers and sparklines."""
        column = self._columns[place].column
        if cell is None or cell.number is not None or cell.points or (column.kind == "number" and cell.is_null):
            return ()
        weight = cell_weight(column, is_total=is_total)
        lines = cell_lines(cell.text + cell.mark, self._content_width(place), self._sizes.text, MAX_LINES, weight)
        self._cut.update([column.label] if is_cut(cell.text, lines) else [])
        return lines

    def _draw_sparkline(self, place: int, cell: Cell) -> None:
        sizes = self._sizes
        width = SHAPE_WIDTH * sizes.text
        spare = self._content_width(place) - width
        left = self._lefts[place] + sizes.padding + spare * SHARES[self._columns[place].column.side]
        top = self._top + sizes.gap * 0.6
        draw_sparkline(
            self.drawing, cell.points, Box(left, top, left + width, top + sizes.line + sizes.gap * 0.8), self._accent
        )

    def _draw_number(self, place: int, cell: Cell, style: Style, *, is_total: bool) -> None:
        """Draw a number so that its decimal mark is below that of the others, with its bar at the left."""
        sizes, column, numbers = self._sizes, self._columns[place].column, self._columns[place].numbers
        bar = (SHAPE_WIDTH + SHAPE_GAP) * sizes.text if column.bar else 0.0
        spare = self._content_width(place) - numbers.width - bar
        left = self._lefts[place] + sizes.padding + spare * SHARES[column.side] + bar
        if column.bar and not is_total:
            self._draw_bar(cell, column, left - bar)
        axis, top, plain = left + numbers.left, self._top + sizes.gap, style._replace(tabular=False)
        if cell.is_null:
            self._write([cell.text], axis + (numbers.right if not cell.mark else 0), top, plain._replace(anchor="end"))
        else:
            head, tail = parts_of(cell)
            self._write([head], axis, top, style._replace(anchor="end"))
            self._write([tail], axis, top, style)
        self._write([cell.mark], axis + numbers.right, top, plain)

    def _draw_bar(self, cell: Cell, column: ShownColumn, left: float) -> None:
        sizes, height = self._sizes, BAR_HEIGHT * self._sizes.text
        middle = self._top + sizes.gap + sizes.line / 2
        area = Box(left, middle - height / 2, left + SHAPE_WIDTH * sizes.text, middle + height / 2)
        if cell.number is not None:
            draw_bar(self.drawing, column, cell.number, area, self._accent)
        low, extent = column.low, max(column.high, 0.0) - column.low
        if low < 0 and math.isfinite(extent):
            zero = area.left - low / extent * area.width
            self._fill(zero - 0.5, self._top + sizes.gap * 0.5, 1, sizes.line + sizes.gap, self._theme.muted)


def line_height(size: float) -> float:
    """Return the height of a line of a font size."""
    return round(size * 1.36)


def bar_box(column: ShownColumn, number: float, area: Box) -> Box:
    """Return the rectangle of a bar: from zero to the number, on an axis that all rows share."""
    low, high = min(column.low, 0.0), max(column.high, 0.0)
    extent = high - low
    if not extent or not math.isfinite(extent):
        return Box(area.left, area.top, area.left, area.bottom)
    start, end = sorted((0.0, number))
    left, right = (area.left + (value - low) / extent * area.width for value in (start, end))
    return Box(left, area.top, right if number == 0 else max(right, left + 1), area.bottom)


def draw_bar(drawing: Drawing, column: ShownColumn, number: float, area: Box, color: str) -> None:
    """Draw the bar of a number."""
    box = bar_box(column, number, area)
    if box.width > 0:
        corners = Corners.RIGHT if number > 0 else Corners.LEFT
        drawing.fill_rectangle(box, color, 2, corners)


def draw_sparkline(drawing: Drawing, points: tuple[float | None, ...], area: Box, color: str) -> None:
    """Draw a line through numbers, in parts that gaps separate, with a dot at the last one."""
    inner = area.inset(DOT_RADIUS, DOT_RADIUS, DOT_RADIUS, DOT_RADIUS)
    numbers = [number for number in points if number is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    extent, step = high - low, inner.width / max(1, len(points) - 1)
    parts: list[list[tuple[float, float]]] = [[]]
    for place, number in enumerate(points):
        if number is None:
            parts.append([])
            continue
        share = (number / extent - low / extent) if extent and math.isfinite(extent) else 0.5
        parts[-1].append((inner.left + place * step, inner.bottom - share * inner.height))
    parts = [part for part in parts if part]
    for part in parts:
        if len(part) > 1:
            drawing.stroke_path(polyline_path(part), color, LINE_WIDTH)
        elif part is not parts[-1]:
            drawing.fill_circle(*part[0], LINE_WIDTH / 2, color)
    if parts:
        drawing.fill_circle(*parts[-1][-1], DOT_RADIUS, color)
