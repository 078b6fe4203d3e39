"""Rows of tables: which lines are rows of their own, which are the header, and which columns each heading names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low

from mediakit.engines.pdf.tables.lines import Line, Segment, cells_of, column_of, has_digit, is_value
from mediakit.engines.pdf.tables.table import Cell, Draft
from mediakit.engines.pdf.tables.words import Ruling, Word

TIGHT = 0.88
"""Lines of one cell are nearer than rows, by this factor at least."""

_Continues = Callable[[Sequence[str], Sequence[str], float, float], bool]

SAME_ROW_EMS = 0.95
"""Lines that are nearer are side by side: a value beside the middle of a label of two lines."""

_GOES_ON = re.compile(r"[a-zà-öø-ÿ(&/]")
_BROKEN = re.compile(r"\w[-/] \d")
"""The break of a code or a date between two lines."""
_BROKEN_TEXT = re.compile(r"(\w[-/])\n(?=\d)")
_IS_OPEN = re.compile(r"(?:[-,/&(]|\b(?:and|or|of|the|for|in|to|by|with|und|et|de|der|des))$", re.IGNORECASE)


def row_groups(lines: Sequence[Line], bounds: Sequence[float], *, is_ruled: bool) -> list[list[Line]]:
    """Return the rows of lines between two rulings; those without values are one row where rulings separate rows."""
    if len(lines) < 2:
        return [list(lines)] if lines else []
    cells = [cells_of(line, bounds) for line in lines]
    if not _has_values(cells):
        return [list(lines)] if is_ruled else _group(lines, cells, _continues_text)
    return _group(lines, cells, _continues_label)


def has_values_below(lines: Sequence[Line], bounds: Sequence[float]) -> bool:
    """Return whether a column has a value below another one, and not the rest of a date that a hyphen breaks."""
    columns = list(zip(*(cells_of(line, bounds) for line in lines), strict=True))[1:]
    return any(
        is_value(above) and has_digit(above) and is_value(below) and not _is_broken(above, below)
        for column in columns
        for above, below in pairwise(filter(None, column))
    )


def _is_broken(above: str, below: str) -> bool:
    """Return whether a text goes on below: a hyphen breaks a code or a date."""
    return _BROKEN.search(f"{above} {below}") is not None


def _has_values(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether a column after the first has a value on two lines or more, and little else."""
    for column in list(zip(*cells, strict=True))[1:]:
        texts = _BROKEN_TEXT.sub(r"\1", "\n".join(text for text in column if text)).split("\n")
        values = sum(is_value(text) for text in texts)
        if values >= 2 and values >= 0.7 * len(texts):
            return True
    return False


def _group(lines: Sequence[Line], cells: Sequence[Sequence[str]], continues: _Continues) -> list[list[Line]]:
    groups = [[lines[0]]]
    pitches = [after.y1 - before.y1 for before, after in pairwise(lines)]
    usual = median(pitches)
    held = list(cells[0])
    for index in range(1, len(lines)):
        pitch = pitches[index - 1]
        is_beside = pitch < SAME_ROW_EMS * min(lines[index].size, lines[index - 1].size)
        if is_beside or any(map(_is_broken, held, cells[index])) or continues(held, cells[index], pitch, usual):
            groups[-1].append(lines[index])
            held = [f"{one} {other}".strip() for one, other in zip(held, cells[index], strict=True)]
        else:
            groups.append([lines[index]])
            held = list(cells[index])
    return groups


def _continues_label(above: Sequence[str], below: Sequence[str], pitch: float, usual: float) -> bool:
    """Return whether a line goes on with the label above, in a table of values, which may be on its last line."""
    column = next((index for index, text in enumerate(below) if text), 0)
    goes_on = bool(_GOES_ON.match(below[column]) or _IS_OPEN.search(above[column]))
    if any(is_value(text) for text in below if text):
        return goes_on and not any(above[1:]) and pitch < 1.3 * usual
    return (goes_on or pitch < TIGHT * usual) and pitch < 1.3 * usual


def _continues_text(_above: Sequence[str], below: Sequence[str], pitch: float, usual: float) -> bool:
    """Return whether a line goes on with the cells above, in a table of texts."""
    if not below[0]:
        return pitch < 1.6 * usual
    filled = [text for text in below if text]
    return len(filled) < len(below) and bool(_GOES_ON.match(filled[0])) and pitch < 1.3 * usual


CENTERED = 0.12
"""Share of the width of the columns by which the middle of a heading may differ from theirs."""


def centered_over(line: Line, below: Line, bounds: Sequence[float]) -> dict[int, tuple[int, int]]:
    """Return first and last column of headings over those below, by their index; none if they are not centered."""
    headings = [segment for segment in line.segments if column_of(_middle(segment), bounds) > 0]
    children = [segment for segment in below.segments if column_of(_middle(segment), bounds) > 0]
    if len(headings) < len(line.segments) or not headings or len(children) < 2 * len(headings):
        return {}
    groups: list[list[Segment]] = [[] for _ in headings]
    for child in children:
        nearest = min(range(len(headings)), key=lambda index: abs(_middle(headings[index]) - _middle(child)))
        groups[nearest].append(child)
    found: dict[int, tuple[int, int]] = {}
    for index, (heading, group) in enumerate(zip(headings, groups, strict=True)):
        if len(group) < 2:
            return {}
        left, right = group[0].x0, group[-1].x1
        if abs((left + right) / 2 - _middle(heading)) > max(line.size, CENTERED * (right - left)):
            return {}
        found[index] = (column_of(_middle(group[0]), bounds), column_of(_middle(group[-1]), bounds))
    return found


def _middle(segment: Segment) -> float:
    return (segment.x0 + segment.x1) / 2


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
    """Return the cells of the lines above the body, with levels from 0 as rows; rulings below headings span columns."""
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
    cells = []
    for block in blocks:  # down to the next block, or to the end of the header
        below = [other.level for other in blocks if other is not block and _is_above(block, other)]
        cells.append(Cell(block.level, block.first, min(below, default=depth) - 1, block.last, block.words))
    return cells


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
            is_near = any(before.x1 - slack <= x <= word.x0 + slack for x in bounds[1:-1])
            if is_near and word.x0 - before.x1 > least:
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


MOST_HEADER_ROWS = 6

_YEAR = re.compile(r"\D{0,3}(19|20)\d\d\s?\D{0,2}([-–/]\s?(19|20)?\d\d)?\D{0,3}")


def header_rows(draft: Draft) -> int:
    """Return the number of rows at the top that name the columns; 0 if none do."""
    if draft.header_rows is not None:
        return min(draft.header_rows, draft.rows - 1)
    rows = [[text or "" for text in row] for row in draft.texts()]
    filled = {column: [row[column] for row in rows if row[column]] for column in range(1, draft.columns)}
    valued = [column for column, texts in filled.items() if sum(map(is_value, texts)) > 0.5 * len(texts)]
    if not valued:
        return 1
    found = 0
    for row in rows[:MOST_HEADER_ROWS]:
        texts = [row[column] for column in valued if row[column]]
        if any(is_value(text) and not _YEAR.fullmatch(text) for text in texts):  # a year names a column as often
            break
        found += 1
    while found > 1 and not any(rows[found - 1][1:]):
        found -= 1
    return found if found < draft.rows else 1
