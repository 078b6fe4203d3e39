"""Text with the layout of the page: columns and gaps are kept by spaces."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median

from mediakit.engines.pdf.reading.lines import Line
from mediakit.engines.pdf.reading.reading_order import rows

MAX_EMPTY_LINES = 3
"""Empty lines for a gap between two lines."""

MAX_COLUMNS = 400
"""Characters of a line, unless its text is longer."""

GAP = 2
"""Spaces between two pieces of a line, at least."""

ALIGNED = 2.0
"""Points by which the left edges of a column may differ."""


def layout_text(lines: Sequence[Line]) -> str:
    """Return the text of a page in which pieces that are below each other begin at the same character."""
    if not lines:
        return ""
    found = [sorted(row, key=lambda line: line.x0) for row in rows(lines)]
    starts = _starts(found, lines)
    heights = [median(line.y1 - line.y0 for line in row) for row in found]
    tops = [min(line.y0 for line in row) for row in found]
    distances = [below - above for above, below in pairwise(tops)]
    pitch = max(median(distances or heights), median(heights))
    written: list[str] = []
    for row, distance in zip(found, [0.0, *distances], strict=True):
        written += [""] * min(MAX_EMPTY_LINES, max(0, round(distance / pitch) - 1))
        written.append(_written(row, starts))
    return "\n".join(written)


def _written(row: Sequence[Line], starts: dict[int, int]) -> str:
    text = ""
    for line in row:
        text += " " * max(starts[line.index] - len(text), 1 if text else 0) + line.text
    return text


def _starts(found: Sequence[Sequence[Line]], lines: Sequence[Line]) -> dict[int, int]:
    """Return the first character of each line: its place on the page, or further right where text is in the way."""
    left = min(line.x0 for line in lines)
    width = max(line.x1 for line in lines) - left
    unit = max(median(line.width / len(line.text) for line in lines), width / MAX_COLUMNS, 0.1)
    before = {line.index: previous for row in found for previous, line in pairwise(row)}
    starts: dict[int, int] = {}
    last = left
    anchors = {}
    for line in sorted(lines, key=lambda line: line.x0):
        last = last if line.x0 - last <= ALIGNED else line.x0
        anchors[line.index] = last
    for anchor, group in groupby(sorted(lines, key=lambda line: anchors[line.index]), lambda line: anchors[line.index]):
        members = [line.index for line in group]
        ends = [_end(before[index], starts) + GAP for index in members if index in before]
        start = max([round((anchor - left) / unit), *(end for end in ends if end < MAX_COLUMNS)])
        starts |= dict.fromkeys(members, start)
    return starts


def _end(line: Line, starts: dict[int, int]) -> int:
    return starts.get(line.index, 0) + len(line.text)
