"""Runs of lines with gaps above one another: candidates for tables without a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.lines import Line, is_valued
from mediakit.engines.pdf.tables.rulings import Ruling

LARGEST_GAP = 2.4
"""Distance of two baselines in a table, in the usual distance of its lines."""

BLANK_LINE = 1.5
"""Distance of a title from the table above, in the usual distance of its lines."""

FEWEST_LINES_OF_TWO = 6
"""Lines of two tables with a title between them."""

MOST_SINGLE = 3
"""Lines with one segment in sequence: headings of groups, wrapped labels."""

MOST_WRAPPED = 40
"""Such lines where all go on one cell of the line above."""


@dataclass
class Run:
    """Lines of a candidate, from top to bottom."""

    lines: list[Line]

    @property
    def wide(self) -> list[Line]:
        """Lines with two segments or more."""
        return [line for line in self.lines if len(line.segments) > 1]


def find_runs(lines: Sequence[Line], horizontal: Sequence[Ruling]) -> list[Run]:
    """Return the runs of lines that share a gap."""
    runs: list[Run] = []
    held: list[Line] = []
    for line in sorted(lines, key=lambda line: line.y1):
        if held and not _goes_on(held, line, horizontal):
            _close(runs, held)
            held = []
        if held or len(line.segments) > 1:
            held.append(line)
    _close(runs, held)
    return runs


def _close(runs: list[Run], held: list[Line]) -> None:
    """Add the lines up to the last one with a gap."""
    start = 0
    for index in [*_titles(held), len(held)]:
        part = held[start:index]
        while part and len(part[-1].segments) < 2:
            part.pop()
        if len(part) > 1:
            runs.append(Run(part))
        start = index


def _titles(lines: Sequence[Line]) -> list[int]:
    """Return the indexes of titles between two tables: above a blank line, and below it a header and values again."""
    if len(lines) < FEWEST_LINES_OF_TWO:
        return []
    pitches = [after.y1 - before.y1 for before, after in pairwise(lines)]
    far = BLANK_LINE * median(pitches)
    found: list[int] = []
    start = 0
    for index in range(2, len(lines) - 2):
        if len(lines[index].segments) > 1 or pitches[index - 1] < far:
            continue
        wide = [line for line in lines[index : index + 4] if len(line.segments) > 1]
        values = sum(is_valued(line) for line in lines[start:index])
        if wide and not is_valued(wide[0]) and values > 1 and any(map(is_valued, lines[index + 2 :])):
            found.append(index)
            start = index
    return found


def _goes_on(held: Sequence[Line], line: Line, horizontal: Sequence[Ruling]) -> bool:
    last = held[-1]
    pitch = line.y1 - last.y1
    pitches = [after.y1 - before.y1 for before, after in pairwise(held)]
    usual = max(median(pitches) if pitches else 0.0, 1.25 * line.size)
    if pitch > LARGEST_GAP * usual and not _is_framed(held, line, horizontal):
        return False
    if len(line.segments) < 2:
        singles, wide = next((count, other) for count, other in enumerate(reversed(held)) if len(other.segments) > 1)
        return singles < MOST_SINGLE or (singles < MOST_WRAPPED and _is_in_cell(line, wide, held))
    return _shares_gap([other for other in held if len(other.segments) > 1], line)


def _is_in_cell(line: Line, wide: Line, held: Sequence[Line]) -> bool:
    """Return whether a line goes on a cell of a line with gaps, below other lines that do."""
    segment = line.segments[0]
    for cell, following in zip(wide.segments, [*wide.segments[1:], None], strict=True):
        if abs(cell.x0 - segment.x0) < 0.3 * line.size:
            pitch = line.y1 - held[-1].y1
            is_inside = following is None or segment.x1 < following.x0
            return is_inside and pitch < 1.1 * (held[-1].y1 - held[-2].y1)
    return False


def _is_framed(held: Sequence[Line], line: Line, horizontal: Sequence[Ruling]) -> bool:
    """Return whether a ruling of one width is above and below a gap."""
    top, middle = held[0].y0, held[-1].y1
    left, right = min(other.x0 for other in held), max(other.x1 for other in held)
    above = [
        ruling
        for ruling in horizontal
        if top - 2 * line.size < ruling.at <= middle + line.size and ruling.start < right and ruling.end > left
    ]
    below = [ruling for ruling in horizontal if line.y0 - line.size < ruling.at < line.y1 + 2 * line.size]
    return line.y1 - middle < 6 * line.size and any(
        abs(one.start - other.start) < 3 and abs(one.end - other.end) < 3 and one.at != other.at
        for one in above
        for other in below
    )


def _shares_gap(wide: Sequence[Line], line: Line) -> bool:
    """Return whether a gap of a line is at a gap of most of the lines above."""
    recent = wide[-6:]
    gaps = _gaps(line)
    hits = sum(
        any(min(a[1], b[1]) - max(a[0], b[0]) > 0.3 * line.size for a in gaps for b in _gaps(other)) for other in recent
    )
    return hits >= 0.5 * len(recent)


def _gaps(line: Line) -> list[tuple[float, float]]:
    return [(one.x1, other.x0) for one, other in pairwise(line.segments)]
