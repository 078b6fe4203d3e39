"""Rows between two rulings: which lines are rows of their own, and which go on a cell of the line above."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.lines import Line, bold_lines, cells_of, has_digit, is_value

TIGHT = 0.88
"""Lines of one cell are nearer than rows, by this factor at least."""

_Continues = Callable[[Sequence[str], Sequence[str], float, float], bool]

SPACED = 1.12
"""Rows are further apart than the lines of a cell, by this factor at least, where they have space around them."""

LACKING = 0.5
"""Share of the lines below the first ones of rows that lack a cell."""

SAME_ROW_EMS = 0.95
"""Lines that are nearer are side by side: a value beside the middle of a label of two lines."""

_GOES_ON = re.compile(r"[a-zà-öø-ÿ(&/]")
_BROKEN = re.compile(r"\w[-/] \d")
"""The break of a code or a date between two lines."""
_BROKEN_TEXT = re.compile(r"(\w[-/])\n(?=\d)")
_IS_OPEN = re.compile(r"(?:[-,/&(]|\b(?:and|or|of|the|for|in|to|by|with|und|et|de|der|des))$", re.IGNORECASE)


def row_groups(lines: Sequence[Line], bounds: Sequence[float], *, is_ruled: bool) -> list[list[Line]]:
    """Return the lines of each row.

    Args:
        lines: Lines between two rulings, from top to bottom.
        bounds: Boundaries of the columns.
        is_ruled: Whether rulings separate the rows of the table, so that lines without values are one row.
    """
    if len(lines) < 2:
        return [list(lines)] if lines else []
    cells = [cells_of(line, bounds) for line in lines]
    if spaced := _spaced_rows(lines, cells):
        return spaced
    if not _has_values(cells) or (is_ruled and len(lines) == 2 and not _are_labeled(cells)):
        if not is_ruled:
            return _group(lines, cells, _continues_text)
        head = bold_lines(lines)
        is_header = head > 0 and all(cells[0]) and all(cells[head])
        return [list(lines[:head]), list(lines[head:])] if is_header else [list(lines)]
    return _group(lines, cells, _continues_label)


def _spaced_rows(lines: Sequence[Line], cells: Sequence[Sequence[str]]) -> list[list[Line]]:
    """Return the lines of each row where rows are further apart than the lines of a cell; none if they are not.

    Rows with one line each may be in groups, too. So the lines below the first one of a row must lack cells, and never
    have a value below another one.
    """
    pitches = [below.y1 - above.y1 for above, below in pairwise(lines)]
    sizes = [min(above.size, below.size) for above, below in pairwise(lines)]
    full = [pitch for pitch, size in zip(pitches, sizes, strict=True) if pitch >= SAME_ROW_EMS * size]
    tight = min(full, default=0.0)
    if not full or max(full) < SPACED * tight or any(1.04 * tight < pitch < SPACED * tight for pitch in full):
        return []
    groups = [[0]]
    for index, pitch in enumerate(pitches, 1):
        if pitch < SPACED * tight:
            groups[-1].append(index)
        else:
            groups.append([index])
    following = [cells[index] for group in groups for index in group[1:]]
    lacking = sum(not all(row) for row in following)
    is_labeled = all(any(cells[index][0] for index in group) for group in groups)
    has_cells = all(any(len(lines[index].segments) > 1 for index in group) for group in groups)
    if (
        not (is_labeled and has_cells)
        or lacking < LACKING * len(following)
        or any(_has_values_below(group, cells) for group in groups)
    ):
        return []
    return [[lines[index] for index in group] for group in groups]


def has_values_below(lines: Sequence[Line], bounds: Sequence[float]) -> bool:
    """Return whether a column has a value below another one, so that lines are several rows."""
    return _has_values_below(range(len(lines)), [cells_of(line, bounds) for line in lines])


def _has_values_below(group: Sequence[int], cells: Sequence[Sequence[str]]) -> bool:
    """Return whether a column has a value below another one, and not the rest of a date that a hyphen breaks."""
    columns = [[text for index in group if (text := cells[index][column])] for column in range(1, len(cells[0]))]
    return any(
        is_value(above) and has_digit(above) and is_value(below) and not _is_broken(above, below)
        for texts in columns
        for above, below in pairwise(texts)
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


def _are_labeled(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether each line has a label and the same kind of cells; a line of standard errors does not."""
    kinds = {tuple((bool(text), is_value(text), text[:1] == "(") for text in row[1:]) for row in cells}
    return all(row[0] for row in cells) and len(kinds) == 1


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
    """Return whether a line goes on a label, in a table of values."""
    filled_above = [index for index, text in enumerate(above) if text]
    filled = [index for index, text in enumerate(below) if text]
    if not filled or not filled_above:
        return False
    if any(is_value(above[index]) and is_value(below[index]) for index in filled if above[index]):
        return False
    is_tight = pitch < TIGHT * usual
    if any(is_value(below[index]) and has_digit(below[index]) for index in filled):
        # The values are on the last line of the label.
        label_only = filled_above == filled[:1] and filled_above == [0]
        return (
            label_only and (bool(_GOES_ON.match(below[0])) or bool(_IS_OPEN.search(above[0]))) and pitch < 1.3 * usual
        )
    if not set(filled) <= set(filled_above):
        return is_tight and len(filled) <= 2
    if len(filled) > max(1, len(filled_above) // 2):
        return is_tight
    text = below[filled[0]]
    goes_on = bool(_GOES_ON.match(text)) or bool(_IS_OPEN.search(above[filled[0]]))
    return (is_tight or goes_on) and pitch < 1.3 * usual


def _continues_text(_above: Sequence[str], below: Sequence[str], pitch: float, usual: float) -> bool:
    """Return whether a line goes on the cells above, in a table of texts."""
    if not below[0]:
        return pitch < 1.6 * usual
    if pitch < TIGHT * usual:
        return True
    filled = [index for index, text in enumerate(below) if text]
    return len(filled) < len(below) and bool(_GOES_ON.match(below[filled[0]])) and pitch < 1.3 * usual
