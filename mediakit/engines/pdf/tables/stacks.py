"""Stacks of rulings of one width: tables with rulings above, below and between their rows only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mediakit.engines.pdf.tables.lines import Line
from mediakit.engines.pdf.tables.rulings import Ruling

FEWEST_RULINGS = 3
"""Rulings of a stack: above and below the header, and below the table."""

SAME_END = 4.0
"""Points by which the ends of the rulings of a stack may differ."""

MAX_RULINGS = 2_000

FULL_WIDTH = 0.7
"""Share of the width of a stack that a line of running text between two tables fills."""


def find_stacks(horizontal: Sequence[Ruling], lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each table that a stack of rulings marks, from top to bottom.

    Args:
        horizontal: Rulings along the text.
        lines: Lines of the page.
    """
    return [
        inside
        for group in _groups(horizontal[:MAX_RULINGS])
        for part in _tables(group, lines)
        if len(inside := _between(part[0], part[-1], lines)) > 1
    ]


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


def _tables(group: Sequence[Ruling], lines: Sequence[Line]) -> Iterator[list[Ruling]]:
    """Yield the parts of a stack between which there is other text."""
    part = [group[0]]
    for ruling in group[1:]:
        if _is_other_text(_between(part[-1], ruling, lines), ruling):
            if len(part) >= FEWEST_RULINGS:
                yield part
            part = []
        part.append(ruling)
    if len(part) >= FEWEST_RULINGS:
        yield part


def _is_other_text(lines: Sequence[Line], ruling: Ruling) -> bool:
    """Return whether lines between two rulings are running text."""
    width = FULL_WIDTH * (ruling.end - ruling.start)
    full = sum(any(segment.x1 - segment.x0 > width for segment in line.segments) for line in lines)
    wide = sum(len(line.segments) > 1 for line in lines)
    return full > max(1, wide) or (len(lines) > 1 and not wide)


def _between(upper: Ruling, lower: Ruling, lines: Sequence[Line]) -> list[Line]:
    """Return the lines between two rulings, cut at their ends."""
    left, right = upper.start - SAME_END, upper.end + SAME_END
    found = []
    for line in lines:
        if upper.at < line.middle < lower.at:
            segments = [segment for segment in line.segments if left <= segment.x0 and segment.x1 <= right]
            if segments:
                found.append(Line(segments, line.y0, line.y1, line.size))
    return found
