"""Headers of tables without a grid: lines of a heading are one cell, headings over several columns span them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low

from mediakit.engines.pdf.tables.columns import column_of
from mediakit.engines.pdf.tables.draft import Cell
from mediakit.engines.pdf.tables.lines import Line, Segment
from mediakit.engines.pdf.tables.rulings import Ruling
from mediakit.engines.pdf.tables.spanners import centered_over
from mediakit.engines.pdf.tables.words import Word

USUAL_SPACE_EMS = 0.25
"""Width of a space, in sizes of the font."""


@dataclass
class _Block:
    """Lines of one heading."""

    first: int
    last: int
    """Columns."""
    words: list[Word]
    bottom: float
    level: int = 0


def header_cells(lines: Sequence[Line], bounds: Sequence[float], horizontal: Sequence[Ruling]) -> list[Cell]:
    """Return the cells of header lines; their rows are levels from 0.

    Args:
        lines: Lines above the body, from top to bottom.
        bounds: Boundaries of the columns.
        horizontal: Rulings, of which some are below headings that span columns.
    """
    blocks: list[_Block] = []
    space = _word_space(lines)
    for index, line in enumerate(lines):
        pieces = Line(_pieces(line, bounds, space), line.y0, line.y1, line.size)
        centered = centered_over(pieces, lines[index + 1], bounds) if index + 1 < len(lines) else {}
        for place, segment in enumerate(pieces.segments):
            first, last = _columns(segment, line, bounds, horizontal)
            if place in centered and first == last:
                first, last = centered[place]
            _add(blocks, _Block(first, last, list(segment.words), line.y1), line, horizontal)
    for block in blocks:
        above = [other for other in blocks if other is not block and _is_above(other, block)]
        block.level = 1 + max((other.level for other in above), default=-1)
    depth = max((block.level for block in blocks), default=-1) + 1
    return [
        Cell(block.level, block.first, _last_row(block, blocks, depth), block.last, block.words) for block in blocks
    ]


def _last_row(block: _Block, blocks: Sequence[_Block], depth: int) -> int:
    """Return the last row of a block: the last of the header if nothing is below it."""
    below = [other.level for other in blocks if other is not block and _is_above(block, other)]
    return min(below) - 1 if below else depth - 1


def _is_above(one: _Block, other: _Block) -> bool:
    return one.bottom < other.bottom and one.first <= other.last and other.first <= one.last


def _word_space(lines: Sequence[Line]) -> float:
    """Return the usual distance of two words, in sizes of the font."""
    spaces = [
        (after.x0 - before.x1) / line.size
        for line in lines
        for segment in line.segments
        for before, after in pairwise(segment.words)
    ]
    return median_low(spaces) if spaces else USUAL_SPACE_EMS


def _pieces(line: Line, bounds: Sequence[float], space: float) -> list[Segment]:
    """Return the segments of a line, cut at boundaries of columns between words with more than a space."""
    least = 1.25 * max(USUAL_SPACE_EMS, space) * line.size
    pieces: list[Segment] = []
    for segment in line.segments:
        pieces.append(Segment([segment.words[0]]))
        slack = 0.5 * line.size
        for before, word in pairwise(segment.words):
            is_cut = (
                any(before.x1 - slack <= x <= word.x0 + slack for x in bounds[1:-1]) and word.x0 - before.x1 > least
            )
            if is_cut:
                pieces.append(Segment([word]))
            else:
                pieces[-1].words.append(word)
    return pieces


def _columns(segment: Segment, line: Line, bounds: Sequence[float], horizontal: Sequence[Ruling]) -> tuple[int, int]:
    """Return the first and last column of a heading: those of the ruling below it, else those that it reaches."""
    first, last = _reached(segment.x0, segment.x1, bounds, line.size)
    for ruling in horizontal:
        is_under = line.y1 - 0.2 * line.size <= ruling.at <= line.y1 + 0.9 * line.size
        if is_under and ruling.start <= segment.x0 + line.size and ruling.end >= segment.x1 - line.size:
            low, high = _reached(ruling.start, ruling.end, bounds, line.size)
            if (low, high) != (0, len(bounds) - 2) and high > low:
                return min(first, low), max(last, high)
    return first, last


def _reached(x0: float, x1: float, bounds: Sequence[float], size: float) -> tuple[int, int]:
    slack = min(0.5 * size, (x1 - x0) / 3)
    return column_of(x0 + slack, bounds), column_of(x1 - slack, bounds)


def _add(blocks: list[_Block], new: _Block, line: Line, horizontal: Sequence[Ruling]) -> None:
    """Add a piece of a line to the block that it goes on, or as a new block."""
    for block in reversed(blocks):
        if block.first > new.last or new.first > block.last:
            continue
        is_beside = block.bottom == new.bottom
        is_same = (block.first, block.last) == (new.first, new.last)
        if is_beside or (is_same and _goes_on(block, new, line, horizontal)):
            block.first, block.last = min(block.first, new.first), max(block.last, new.last)
            block.words += new.words
            block.bottom = new.bottom
            return
        break
    blocks.append(new)


def _goes_on(block: _Block, new: _Block, line: Line, horizontal: Sequence[Ruling]) -> bool:
    """Return whether a line is near the block above, without a ruling between them."""
    left, right = new.words[0].x0, max(word.x1 for word in new.words)
    is_ruled = any(
        block.bottom - 0.3 * line.size <= ruling.at <= line.y0 + 0.4 * line.size
        and ruling.start < right
        and ruling.end > left
        for ruling in horizontal
    )
    return line.y1 - block.bottom < 1.6 * line.size and not is_ruled
