"""Lines that may be a table without a grid: those that share gaps, and those between rulings of one width."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.lines import Line, bold_lines
from mediakit.engines.pdf.tables.words import Ruling

LARGEST_GAP = 2.4
"""Distance of two baselines in a table, in the usual distance of its lines."""

MOST_SINGLE = 3
"""Lines with one segment in sequence that do not go on with a cell of the line above: headings of groups."""


def wide_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with two segments or more."""
    return [line for line in lines if len(line.segments) > 1]


def find_runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each candidate that share a gap, from top to bottom."""
    runs: list[list[Line]] = []
    held: list[Line] = []
    for line in sorted(lines, key=lambda line: line.y1):
        if held and not _goes_on(held, line):
            _close(runs, held)
            held = []
        if held or len(line.segments) > 1:
            held.append(line)
    _close(runs, held)
    return runs


def _close(runs: list[list[Line]], held: list[Line]) -> None:
    """Add the lines up to the last one with a gap."""
    while held and len(held[-1].segments) < 2:
        held.pop()
    if len(held) > 1:
        runs.append(held)


def _goes_on(held: Sequence[Line], line: Line) -> bool:
    """Return whether a line is near the lines above, and a gap of it is at a gap of most of them."""
    pitches = [after.y1 - before.y1 for before, after in pairwise(held)]
    usual = max(median(pitches) if pitches else 0.0, 1.25 * line.size)
    if line.y1 - held[-1].y1 > LARGEST_GAP * usual:
        return False
    if len(line.segments) < 2:
        singles, wide = next((count, other) for count, other in enumerate(reversed(held)) if len(other.segments) > 1)
        left = line.segments[0].x0
        return singles < MOST_SINGLE or any(abs(cell.x0 - left) < 0.3 * line.size for cell in wide.segments)
    recent, gaps = wide_lines(held)[-6:], _gaps(line)
    hits = sum(
        any(min(a[1], b[1]) - max(a[0], b[0]) > 0.3 * line.size for a in gaps for b in _gaps(other)) for other in recent
    )
    return hits >= 0.5 * len(recent)


def _gaps(line: Line) -> list[tuple[float, float]]:
    return [(one.x1, other.x0) for one, other in pairwise(line.segments)]


FEWEST_RULINGS = 3
"""Rulings of one width: above and below the header, and below the table."""

SAME_END = 4.0
"""Points by which their ends may differ."""

MAX_RULINGS = 2_000


def _groups(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    """Return the rulings that begin and end at the same place, from top to bottom."""
    groups: list[list[Ruling]] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.at):
        for group in groups:
            if abs(group[-1].start - ruling.start) < SAME_END and abs(group[-1].end - ruling.end) < SAME_END:
                group.append(ruling)
                break
        else:
            groups.append([ruling])
    return [group for group in groups if len(group) >= FEWEST_RULINGS]


def _between(upper: Ruling, lower: Ruling, lines: Sequence[Line]) -> list[Line]:
    """Return the lines between two rulings, cut at their ends."""
    left, right = upper.start - SAME_END, upper.end + SAME_END
    inside = [line for line in lines if upper.at < line.middle < lower.at]
    cut = [[part for part in line.segments if left <= part.x0 and part.x1 <= right] for line in inside]
    return [Line(parts, line.y0, line.y1, line.size) for line, parts in zip(inside, cut, strict=True) if parts]


# --- rows between rulings -------------------------------------------------------------------------------------------

FEWEST_ROWS = 4
"""Rows of a table with a ruling between any two of them, the header included; three rulings may be above and below the
header, and below all rows."""

HEADER_EMS, LINE_EMS = 2.0, 0.7
"""Distance of a header above the first ruling from that ruling, and of two lines of a cell, in sizes of the font."""


def find_ruled_rows(horizontal: Sequence[Ruling], lines: Sequence[Line]) -> list[list[list[Line]]]:
    """Return the rows, as lines, of each table with a ruling of one width between any two rows.

    Only tables of which a row has several lines are returned: the cells of a row need not be level then.
    """
    found: list[list[list[Line]]] = []
    for group in _groups(horizontal[:MAX_RULINGS]):
        rows: list[list[Line]] = []
        for upper, lower in [*pairwise(group), (group[-1], group[-1])]:
            row = _between(upper, lower, lines)
            if len(merged_segments(row)) > 1:
                rows = rows or _above(upper, lines)
                rows.append(row)
                continue
            if len(rows) >= FEWEST_ROWS and any(len(lines_of_row) > 1 for lines_of_row in rows):
                found.append(rows)
            rows = []
    return found


def merged_segments(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the extents of the texts of a row, those of one column together."""
    extents: list[tuple[float, float]] = []
    for x0, x1 in sorted((segment.x0, segment.x1) for line in lines for segment in line.segments):
        if extents and x0 <= extents[-1][1]:
            extents[-1] = extents[-1][0], max(extents[-1][1], x1)
        else:
            extents.append((x0, x1))
    return extents


def _above(ruling: Ruling, lines: Sequence[Line]) -> list[list[Line]]:
    """Return the rows above the first ruling: a header, or a bold header and the first row, which has no background."""
    found: list[Line] = []
    bottom = ruling.at
    left, right = ruling.start - SAME_END, ruling.end + SAME_END
    for line in reversed([line for line in lines if line.middle < ruling.at and left <= line.x0 and line.x1 <= right]):
        has_cells = len(line.segments) > 1
        if bottom - line.y1 > (HEADER_EMS if not found or line.is_bold or has_cells else LINE_EMS) * line.size:
            break
        found.insert(0, line)
        bottom = line.y0
        if line.is_bold and has_cells:
            break
    head = bold_lines(found)
    rows = [found[:head], found[head:]] if head else _spaced(found)
    return [row for row in rows if len(merged_segments(row)) > 1]


# --- rows with space around them ------------------------------------------------------------------------------------

LARGEST_SPACE_EMS = 2.2
"""Space between two rows, in sizes of the font, at most."""


def find_spaced_rows(lines: Sequence[Line]) -> list[list[list[Line]]]:
    """Return the rows, as lines, of each table with a bold header whose cells are centered in their rows.

    Lines of such cells overlap, so only the space between rows separates them.
    """
    found: list[list[list[Line]]] = []
    end = 0
    for index, line in enumerate(lines):
        if index < end or not line.is_bold or len(line.segments) < 2:
            continue
        body = _below_header(line, lines[index + 1 :])
        end = index + 1 + len(body)
        if any(below.y0 < above.y1 - 0.1 * below.size for above, below in pairwise(body)):
            rows = [[line], *_spaced(body)]
            count = next((at for at, row in enumerate(rows) if len(merged_segments(row)) < 2), len(rows))
            if count > 2:
                found.append(rows[:count])
    return found


def _below_header(header: Line, lines: Sequence[Line]) -> list[Line]:
    """Return the lines below a header that no text crosses from one of its columns into the next."""
    found: list[Line] = []
    for line in lines:
        bottom = max([header.y1, *(other.y1 for other in found)])
        is_crossing = any(
            segment.x0 < left.x1 and segment.x1 > right.x0 + line.size
            for segment in line.segments
            for left, right in pairwise(header.segments)
        )
        if is_crossing or line.is_bold or line.y0 - bottom > LARGEST_SPACE_EMS * line.size:
            break
        found.append(line)
    return found


def _spaced(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each row: there is more space between rows than between the lines of a cell."""
    if not lines:
        return []
    spaces: list[float] = []
    bottom = lines[0].y1
    for line in lines[1:]:
        spaces.append(line.y0 - bottom)
        bottom = max(bottom, line.y1)
    usual = sorted(space for space in spaces if space > 0)
    steps = [(below - above, (above + below) / 2) for above, below in pairwise(usual)]
    _, threshold = max(steps, default=(0.0, 0.0))
    rows = [[lines[0]]]
    for space, line in zip(spaces, lines[1:], strict=True):
        if space > threshold:
            rows.append([line])
        else:
            rows[-1].append(line)
    return rows
