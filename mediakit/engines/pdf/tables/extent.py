"""Which lines around the values of a table are its header and its last rows, and which are a title or notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.columns import column_of
from mediakit.engines.pdf.tables.lines import Line, is_valued
from mediakit.engines.pdf.tables.rulings import Ruling

FURTHEST_RULING_EMS = 6.0
"""Distance of the ruling above a header from its first line, in sizes of the font."""

BLANK_LINE_EMS = 2.3
"""Distance of two baselines with a blank line between, in sizes of the font."""

SMALL_PRINT = 0.92
"""Size of the notes below a table, compared to its font."""


def values_of(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that show where the columns are: those with values, if there are some, else all with gaps."""
    wide = [line for line in lines if len(line.segments) > 1]
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
        """Return the lines of the header and those of the body.

        Args:
            others: Other lines of the page, from top to bottom.
        """
        body = values_of(self._lines)
        first = next(index for index, line in enumerate(self._lines) if line is body[0])
        is_valued_table = all(is_valued(line) for line in body)
        count = self._first_row(first) if is_valued_table and first else self._first_ruled()
        header, rest = self._lines[:count], self._lines[count:]
        if is_valued_table:
            rest = [*self._without_notes(rest), *self._last_label(others)]
        return self._without_title([*self._below_ruling(others), *header], rest), rest

    def _first_ruled(self) -> int:
        """Return the index of the first line below a ruling, in a table whose texts do not tell its header."""
        for index, (before, after) in enumerate(pairwise(self._lines[:4]), 1):
            if self._is_between(self._wide, before, after):
                return index
        return 0

    def _first_row(self, count: int) -> int:
        """Return the index of the first row, which may be the heading of a group of rows."""
        left = min(line.x0 for line in self._lines)
        while count > 1 and len(self._lines[count - 1].segments) == 1:
            before, line = self._lines[count - 2], self._lines[count - 1]
            if not self._is_between(self._wide, before, line) and line.x0 > left + line.size:
                break
            count -= 1
        return count

    def _last_label(self, others: Sequence[Line]) -> list[Line]:
        """Return the lines of the first column between the run and a ruling below it: the end of a label."""
        last = self._lines[-1]
        bottoms = [at for at in self._full if at > last.middle]
        if not bottoms or min(bottoms) - last.y1 > BLANK_LINE_EMS * last.size:
            return []
        left, right = self._bounds[0] - 1, self._bounds[1]
        return [
            line for line in others if last.middle < line.middle < min(bottoms) and left <= line.x0 and line.x1 <= right
        ]

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
        """Return the header without lines above its upper ruling, above a blank line, and titles over the stub."""
        lines = [*header, *rest[:1]]
        for index in range(len(header) - 1, -1, -1):
            line, after = lines[index], lines[index + 1]
            if index + 1 < len(header) and self._is_between(self._full, line, after):
                return header[index + 1 :]
            if after.y1 - line.y1 > BLANK_LINE_EMS * self._size and not self._is_between(self._full, line, after):
                return header[index + 1 :]
            if len(line.segments) == 1 and self._is_title(line):
                return header[index + 1 :]
        return header

    def _is_title(self, line: Line) -> bool:
        """Return whether a line begins over the first column and goes on over others."""
        first, last = column_of(line.x0, self._bounds), column_of(line.x1, self._bounds)
        return first == 0 and last > 0

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
