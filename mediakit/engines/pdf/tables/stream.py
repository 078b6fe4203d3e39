"""Tables whose columns only gaps separate: their header, their extent, and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.candidates import wide_lines
from mediakit.engines.pdf.tables.lines import (
    Line,
    Segment,
    bold_lines,
    boundaries,
    column_of,
    corridors,
    has_digit,
    is_valued,
    merged,
    without_sign_columns,
)
from mediakit.engines.pdf.tables.rows import has_values_below, header_cells, row_groups
from mediakit.engines.pdf.tables.table import Cell, Draft
from mediakit.engines.pdf.tables.words import Ruling

FURTHEST_RULING_EMS = 6.0
"""Distance of the ruling above a header from its first line, in sizes of the font."""

BLANK_LINE_EMS = 2.3
"""Distance of two baselines with a blank line between, in sizes of the font."""

LONGEST_CELL_EMS = 12.0
"""Distance of the last line with gaps from the ruling below its row, in sizes of the font."""

SAME_PITCH = 1.1
"""Distance of a line from the one above of the same cell, compared to that in other cells."""

SINGLE_SPACE_EMS = 1.45
"""Distance of two lines of a cell, in sizes of the font, where no other cell has two lines."""

SMALL_PRINT = 0.92
"""Size of the notes below a table, compared to its font."""


def values_of(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that show where the columns are: those with values, if there are some, else all with gaps."""
    wide = wide_lines(lines)
    valued = [line for line in wide if is_valued(line)]
    cells = sum(len(line.segments) for line in valued)
    return valued if len(valued) > 1 and cells >= 0.4 * sum(len(line.segments) for line in wide) else wide


class Extent:
    """Lines of a table with known columns."""

    def __init__(self, lines: Sequence[Line], rules: Sequence[Ruling], bounds: Sequence[float]) -> None:
        """Take the lines of a run, the rulings at its place, and the boundaries of its columns."""
        self._lines = list(lines)
        self._bounds = bounds
        width = bounds[-1] - bounds[0]
        self._size = median(line.size for line in lines)
        self._wide = [rule.at for rule in rules if rule.end - rule.start > 0.6 * width]
        self._full = [
            rule.at
            for rule in rules
            if rule.end - rule.start > 0.6 * width and rule.start <= bounds[0] + 2 * self._size
        ]

    def split(self, others: Sequence[Line]) -> tuple[list[Line], list[Line]]:
        """Return the lines of the header and of the body; others are the other lines of the page, from the top."""
        body = values_of(self._lines)
        first = next(index for index, line in enumerate(self._lines) if line is body[0])
        is_valued_table = all(is_valued(line) for line in body)
        count = self._first_row(first) if is_valued_table and first else self._first_ruled()
        header, rest = self._lines[:count], self._lines[count:]
        if is_valued_table:
            rest = self._without_notes(rest)
        rest = [*rest, *self._last_row(rest, others)]
        return self._without_title([*self._below_ruling(others), *header], rest), rest

    def _first_ruled(self) -> int:
        """Return the index of the first line below a ruling, in a table whose texts do not tell its header."""
        bold = bold_lines(self._lines) if len(self._lines[0].segments) > 1 else 0
        for index, (before, after) in enumerate(pairwise(self._lines[:4]), 1):
            if self._is_between(self._wide, before, after):
                return min(index, bold or index)
        return bold

    def _first_row(self, count: int) -> int:
        """Return the index of the first row, which may be the heading of a group of rows."""
        left = min(line.x0 for line in self._lines)
        while count > 1 and len(self._lines[count - 1].segments) == 1:
            before, line = self._lines[count - 2], self._lines[count - 1]
            if not self._is_between(self._wide, before, line) and line.x0 > left + line.size:
                break
            count -= 1
        return count

    def _last_row(self, rest: Sequence[Line], others: Sequence[Line]) -> list[Line]:
        """Return the lines below the run that go on cells of its last row."""
        last = self._lines[-1]
        if not rest or rest[-1] is not last:
            return []
        bottom = self._bottom(last)
        reach = self._pitches(rest)
        below = [line for line in others if line.middle > last.middle]
        found: list[Line] = []
        for line in below:
            is_ruled = bottom is not None and line.middle < bottom
            column = self._column_of_cell(line, last)
            if is_ruled and column < 0:  # the end of a cell, whose other cells may be beside its middle
                first, end = column_of(line.x0, self._bounds), column_of(line.x1, self._bounds)
                column = first if first == end and self._bounds[0] - 1 <= line.x0 else -1
            limit = BLANK_LINE_EMS * last.size if is_ruled else SAME_PITCH * reach.get(column, 0.0)
            is_far = line.y1 - (found[-1] if found else last).y1 > limit
            if column < 0 or is_far or (bottom is not None and not is_ruled):
                break
            found.append(line)
        return found

    def _bottom(self, last: Line) -> float | None:
        """Return the first ruling below the run, if its last row may go on above it."""
        bottoms = [at for at in self._full if at > last.middle]
        above = [at for at in self._full if at < last.middle]
        if not bottoms or not above or min(bottoms) - last.y1 > LONGEST_CELL_EMS * last.size:
            return None
        return min(bottoms)

    def _column_of_cell(self, line: Line, last: Line) -> int:
        """Return the column in which a line goes on a cell of the last line with gaps; -1 if there is none."""
        if len(line.segments) != 1 or abs(line.size - last.size) > 0.15 * last.size:
            return -1
        segment = line.segments[0]
        column = column_of((segment.x0 + segment.x1) / 2, self._bounds)
        slack = 0.3 * line.size
        above = [other for other in last.segments if column_of((other.x0 + other.x1) / 2, self._bounds) == column]
        edges = [(other.x0 - segment.x0, other.x1 - segment.x1) for other in above]
        if segment.is_value and any(other.is_value for other in above):
            return -1
        aligned = any(min(abs(left), abs(right), abs(left + right) / 2) < 2 * slack for left, right in edges)
        return column if aligned else -1

    def _pitches(self, rest: Sequence[Line]) -> dict[int, float]:
        """Return how far the lines of one cell are apart in each column, where it is known.

        Without a row above that goes on in its first column, nothing goes on there: it would be the text below a table.
        """
        found: dict[int, float] = {}
        last = rest[0]
        for before, line in pairwise(rest):
            if len(line.segments) > 1:
                last = line
                continue
            column = self._column_of_cell(line, last)
            if column >= 0:
                found[column] = max(found.get(column, 0.0), line.y1 - before.y1)
        usual = min(after.y1 - before.y1 for before, after in pairwise(rest)) if len(rest) > 1 else 0.0
        single = min(usual, SINGLE_SPACE_EMS * self._size)
        return dict.fromkeys(range(1, len(self._bounds) - 1), single) | found

    def _below_ruling(self, others: Sequence[Line]) -> list[Line]:
        """Return the lines between the run and a ruling above it: the first lines of the header."""
        first = self._lines[0]
        tops = [at for at in self._full or self._wide if at < first.y0 + 0.3 * first.size]
        if not tops or first.y0 - max(tops) > FURTHEST_RULING_EMS * first.size:
            return []
        left, right = self._bounds[0] - 1, self._bounds[-1] + 1
        top = max(tops)
        return [
            line
            for line in others
            if line.y0 > top - 0.3 * line.size and line.y1 < first.y1 and line.x0 >= left and line.x1 <= right
        ]

    def _without_title(self, header: list[Line], rest: Sequence[Line]) -> list[Line]:
        """Return the header without lines above a blank line that no ruling fills."""
        lines = [*header, *rest[:1]]
        for index in range(len(header) - 1, -1, -1):
            line, after = lines[index], lines[index + 1]
            if after.y1 - line.y1 > BLANK_LINE_EMS * self._size and not self._is_between(self._full, line, after):
                return header[index + 1 :]
        return header

    def _without_notes(self, rest: list[Line]) -> list[Line]:
        """Return the rows without notes: texts below the last ruling, or in small print."""
        end = len(rest)
        while end > 1 and not is_valued(rest[end - 1]):
            end -= 1
        for index in range(end, len(rest)):
            before, line = rest[index - 1], rest[index]
            if self._is_between(self._full, before, line) or line.size < SMALL_PRINT * self._size:
                return rest[:index]
        return rest

    @staticmethod
    def _is_between(rulings: Sequence[float], before: Line, after: Line) -> bool:
        return any(before.middle < at < after.middle for at in rulings)


def ruled_rows_table(rows: Sequence[Sequence[Line]]) -> Draft | None:
    """Return the table of rows that rulings separate; None if they have no columns, or rows of values in one row."""
    lines = [merged(row) for row in rows]
    size = sum(line.size for line in lines) / len(lines)
    gaps = corridors(lines, size)
    if not gaps:
        return None
    bounds = boundaries(lines, gaps)
    if any(has_values_below(row, bounds) for row in rows):
        return None
    cells = [cell for place, row in enumerate(rows) for cell in _row_cells(row, place, bounds)]
    box = (bounds[0] + 1, lines[0].y0, bounds[-1] - 1, lines[-1].y1)
    header = 1 if lines[0].is_bold else None
    return Draft(len(rows), len(bounds) - 1, cells, box, header, has_rulings=True, has_ruled_rows=True)


def run_table(run: Sequence[Line], horizontal: Sequence[Ruling], others: Sequence[Line]) -> Draft | None:
    """Return the table of a run of lines, or None if they have no columns; others are the other lines of the page."""
    size = sum(line.size for line in run) / len(run)
    wide = wide_lines(run)
    left, right = min(line.x0 for line in wide) - 1, max(line.x1 for line in wide) + 1
    rules = [
        ruling
        for ruling in horizontal
        if left - 6 * size < ruling.start < right and left < ruling.end < right + 6 * size
    ]
    body = values_of(run)
    gaps = corridors(body, size)
    if not gaps:
        return None
    single = [line for line in run if len(line.segments) < 2]
    bounds = without_sign_columns(body, boundaries(wide, gaps, single))
    header, rest = Extent(run, rules, bounds).split(others)
    lines = [*header, *rest]
    cells = header_cells(header, bounds, rules)
    depth = max((cell.last_row for cell in cells), default=-1) + 1
    row = depth
    bands = _bands(rest, rules, bounds)
    is_ruled = _has_ruled_rows(bands, len(_bands(lines, rules, bounds)), body)
    for band in bands:
        for group in row_groups(band, bounds, is_ruled=is_ruled):
            cells += _row_cells(group, row, bounds)
            row += 1
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    box = (min(line.x0 for line in lines), top, max(line.x1 for line in lines), bottom)
    full = [rule.at for rule in rules if rule.end - rule.start > 0.6 * (right - left)]
    return Draft(
        row,
        len(bounds) - 1,
        cells,
        box,
        depth or None,
        has_rulings=any(lines[0].middle < at < lines[-1].middle for at in full),
        has_ruled_rows=is_ruled and row - depth == len(bands),
        has_bold_header=bold_lines(lines) == len(header) > 0
        and len(bounds) - 1 == sum(cell.row == 0 for cell in cells),
    )


def _has_ruled_rows(bands: Sequence[Sequence[Line]], count: int, body: Sequence[Line]) -> bool:
    """Return whether rulings separate rows, and not only the header and groups of rows: `count` is with the header."""
    if not all(map(is_valued, body)):
        return count >= 3
    return len(bands) >= 4 or len(bands) >= max(3.0, 0.5 * sum(map(len, bands)))


def _bands(lines: Sequence[Line], rules: Sequence[Ruling], bounds: Sequence[float]) -> list[list[Line]]:
    """Return the lines between rulings over at least half of the table."""
    width = bounds[-1] - bounds[0]
    places: dict[int, float] = {}
    for rule in rules:
        places[round(rule.at)] = places.get(round(rule.at), 0.0) + rule.end - rule.start
    cuts = [at for at, length in places.items() if length > 0.5 * width]
    bands: list[list[Line]] = []
    for line in lines:
        if bands and not any(bands[-1][-1].middle < at < line.middle for at in cuts):
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _row_cells(lines: Sequence[Line], row: int, bounds: Sequence[float]) -> list[Cell]:
    """Return the cells of a row; a single text that crosses columns spans them."""
    if len(lines) == 1 and len(lines[0].segments) == 1 and not has_digit(lines[0].segments[0].text):
        segment: Segment = lines[0].segments[0]
        first, last = column_of(segment.x0, bounds), column_of(segment.x1, bounds)
        return [Cell(row, first, row, last, segment.words)]
    cells = [Cell(row, column, row, column) for column in range(len(bounds) - 1)]
    for line in lines:
        for word in line.words:
            cells[column_of(word.middle[0], bounds)].words.append(word)
    return [cell for cell in cells if cell.words]
