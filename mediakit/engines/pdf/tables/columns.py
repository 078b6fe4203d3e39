"""Columns of lines: corridors that (nearly) no line crosses."""

from __future__ import annotations

from collections.abc import Sequence

from mediakit.engines.pdf.tables.lines import BULLETS, Line, has_digit, is_value
from mediakit.engines.pdf.tables.words import Word, text_of

CROSSING_SHARE = 0.1
"""Share of the lines that may cross a corridor: long labels, headings of groups."""

FEW_LINES = 4
"""With fewer lines, gaps are one above another by chance, so a corridor has to be wider."""

NARROW_EMS, WIDE_EMS = 0.45, 0.8
"""Width of a corridor with many lines and with few, in sizes of the font."""

_SIGNS = frozenset("$€£¥%()*†‡+-–−§¢")

Interval = tuple[float, float]


def corridors(lines: Sequence[Line], size: float, *, crossing: int | None = None) -> list[Interval]:
    """Return the vertical strips between columns, from left to right.

    Args:
        lines: Lines, of which most have a cell in each column.
        size: Size of the font.
        crossing: Number of lines that may cross a corridor; default a share of the lines.
    """
    allowed = int(len(lines) * CROSSING_SHARE) if crossing is None else crossing
    width = (NARROW_EMS if len(lines) >= FEW_LINES else WIDE_EMS) * size
    gaps: list[Interval] = []
    start: float | None = None
    for x, depth in _coverage(lines):
        if depth <= allowed and start is None:
            start = x
        elif depth > allowed and start is not None:
            if x - start >= width:
                gaps.append((start, x))
            start = None
    return gaps[1:] if gaps and gaps[0][0] == float("-inf") else gaps


def _coverage(lines: Sequence[Line]) -> list[tuple[float, int]]:
    """Return places and how many lines have a word behind each."""
    events: list[tuple[float, int]] = []
    for line in lines:
        end = float("-inf")
        for word in line.words:
            if word.x1 > end:
                events.append((max(word.x0, end), 1))
                events.append((word.x1, -1))
                end = word.x1
    events.sort()
    depth = 0
    found = [(float("-inf"), 0)]
    for x, change in events:
        depth += change
        if found[-1][0] == x:
            found[-1] = (x, depth)
        else:
            found.append((x, depth))
    return found[:-1]


def boundaries(lines: Sequence[Line], gaps: Sequence[Interval], others: Sequence[Line] = ()) -> list[float]:
    """Return the left edge, a place in each gap between columns, and the right edge.

    The place is in the middle of the widest part of the gap that the fewest words cross: a heading, or the second line
    of a cell, may reach into it.

    Args:
        lines: Lines with cells, which begin and end at the edges.
        gaps: Strips between the columns.
        others: Lines of one text, such as the second line of a cell.
    """
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    steps = _coverage([*lines, *others])
    return [left - 1, *(_freest(gap, steps) for gap in gaps), right + 1]


def _freest(gap: Interval, steps: Sequence[tuple[float, int]]) -> float:
    """Return the middle of the widest part of a gap with the least coverage."""
    start, end = gap
    edges = [*(x for x, _ in steps[1:]), float("inf")]
    parts = [
        (depth, -(min(end, after) - max(start, x)), max(start, x), min(end, after))
        for (x, depth), after in zip(steps, edges, strict=True)
        if min(end, after) > max(start, x)
    ]
    _, _, low, high = min(parts, default=(0, 0.0, start, end))
    return (low + high) / 2


def cells_of(line: Line, bounds: Sequence[float]) -> list[str]:
    """Return the text of a line in each column."""
    cells: list[list[Word]] = [[] for _ in bounds[1:]]
    for word in line.words:
        cells[column_of(word.middle[0], bounds)].append(word)
    return [text_of(cell) for cell in cells]


def column_of(x: float, bounds: Sequence[float]) -> int:
    """Return the index of the column at a place; outside, of the first or last."""
    for index, bound in enumerate(bounds[1:-1]):
        if x < bound:
            return index
    return len(bounds) - 2


def without_sign_columns(lines: Sequence[Line], bounds: list[float]) -> list[float]:
    """Return the boundaries without columns of signs only: a currency before the number, a percent sign after it."""
    kept = list(bounds)
    index = 0
    while index < len(kept) - 1 and len(kept) > 3:
        texts = [text for line in lines if (text := cells_of(line, kept)[index])]
        if texts and all(text in BULLETS for text in texts) and 0 < index < len(kept) - 2:
            del kept[index + 1]
            continue
        if texts and all(set(text) <= _SIGNS for text in texts) and _has_numbers_beside(lines, kept, index):
            before = all(text in "$€£¥+-–−(" for text in texts)
            if before and index + 2 < len(kept):
                del kept[index + 1]
                continue
            if not before and index > 0:
                del kept[index]
                continue
        index += 1
    return kept


def _has_numbers_beside(lines: Sequence[Line], bounds: Sequence[float], index: int) -> bool:
    """Return whether lines with a sign in a column have a number next to it."""
    rows = [cells for line in lines if (cells := cells_of(line, bounds))[index]]
    beside = [cells[other] for cells in rows for other in (index - 1, index + 1) if 0 <= other < len(cells)]
    return any(is_value(text) and has_digit(text) for text in beside)
