"""Rows of a column: the lines on one baseline, with the marker of a list item in front."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT
from mediakit.engines.pdf.reading.markdown.runs import Run, Shape, StyledLine
from mediakit.engines.pdf.reading.reading_order import rows

SPACE_EMS = 0.12
"""Least distance of two runs between which there is a space, in sizes of the font."""

BULLETS = "•◦▪▫●○■□‣⁃∙·◆◇➢➤►▶✓✔✗❖\uf0b7\uf0a7\uf0d8\uf076\uf0a8\uf0fc"
DASHES = "-–—*"
"""Bullets of typed lists."""

BULLET_EMS = (0.12, 0.75)
"""Least and greatest side of a drawn bullet, in sizes of the font."""

BULLET_DISTANCE_EMS = 2.5
"""Greatest distance of a drawn bullet from the text, in sizes of the font."""

_BULLET = re.compile(rf"\s*(?:[{re.escape(BULLETS)}]\s*|[{re.escape(DASHES)}]\s+|o\s{{2,}})(?=\S|$)")
_NUMBER = re.compile(r"\s*\(?(\d{1,3})[.)](?:\s+|$)", re.ASCII)


@dataclass(slots=True)
class Row:
    """The lines on one baseline."""

    runs: list[Run]
    x0: float
    y0: float
    x1: float
    y1: float
    y: float
    """Baseline."""
    size: float
    bullet: bool = False
    """Whether a bullet is in front, which is not in the text."""
    bullet_x: float = 0.0
    """Left edge of the bullet or number."""
    number: str = ""
    """Number of a list item, without its period; still in the text."""
    number_length: int = 0
    """Characters of the number with its period and spaces."""
    table: int | None = None
    """Index of the table that the row stands for."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = "".join(run.text for run in self.runs)

    @property
    def is_mono(self) -> bool:
        """Whether all letters have a fixed-width font."""
        return all(run.mono for run in self.runs if run.text.strip())

    @property
    def is_bold(self) -> bool:
        """Whether all letters are bold."""
        return all(run.bold for run in self.runs if run.text.strip())

    @property
    def is_marked(self) -> bool:
        """Whether the row begins a list item."""
        return self.bullet or bool(self.number)


def make_rows(column: Sequence[StyledLine], shapes: Sequence[Shape]) -> list[Row]:
    """Return the rows of a column from top to bottom."""
    return [_row(lines, shapes) for lines in rows(column)]


def _row(lines: Sequence[StyledLine], shapes: Sequence[Shape]) -> Row:
    row = joined_row(lines)
    find_marker(row, shapes)
    return row


def joined_row(lines: Sequence[StyledLine]) -> Row:
    """Return lines on one baseline as a row."""
    runs = _with_spaces(lines)
    main = max(lines, key=lambda line: len(line.text))
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return Row(runs, x0, min(line.y0 for line in lines), x1, max(line.y1 for line in lines), main.y, main.size)


def _with_spaces(lines: Sequence[StyledLine]) -> list[Run]:
    """Return the runs of lines on one baseline, with spaces where they are apart.

    Runs of a line with Hebrew or Arabic that follow each other are not beside each other; it has all of its spaces.
    """
    placed = [(line, run) for line in lines for run in line.runs if run.text]
    for (line, before), (following, run) in pairwise(placed):
        if line is following and RIGHT_TO_LEFT.search(line.text):
            continue
        distance = max(run.x0 - before.x1, before.x0 - run.x1)
        is_apart = distance > SPACE_EMS * min(run.size, before.size)
        if is_apart and not before.text.endswith(" ") and not run.text.startswith(" "):
            before.text += " "
    return [run for _, run in placed]


def find_marker(row: Row, shapes: Sequence[Shape]) -> None:
    """Note the bullet or number in front of a row; a bullet is removed from its text."""
    row.bullet_x = row.x0
    if found := _BULLET.match(row.text):
        row.bullet = True
        _cut(row, found.end())
    elif shape := _drawn_bullet(row, shapes):
        row.bullet, row.bullet_x = True, shape.x0
    elif found := _NUMBER.match(row.text):
        row.number, row.number_length = found[1], found.end()


def _drawn_bullet(row: Row, shapes: Sequence[Shape]) -> Shape | None:
    low, high = (ems * row.size for ems in BULLET_EMS)
    for shape in shapes:
        is_small = low <= shape.width <= high and low <= shape.height <= high
        if not is_small or not row.y0 < (shape.y0 + shape.y1) / 2 < row.y1 or shape.x1 > row.x0:
            continue
        if row.x0 - shape.x1 < BULLET_DISTANCE_EMS * row.size and shape.width < 1.6 * shape.height:
            return shape
    return None


def _cut(row: Row, length: int) -> None:
    """Remove characters at the start of a row, and set its left edge to that of the rest."""
    runs = list(row.runs)
    while runs and length >= len(runs[0].text):
        length -= len(runs.pop(0).text)
    if runs and length:
        first = runs[0]
        first.x0 += (first.x1 - first.x0) * length / max(1, len(first.text))
        first.text = first.text[length:]
    row.runs = runs
    row.text = "".join(run.text for run in runs)
    row.x0 = runs[0].x0 if runs else row.x1


def cut_number(row: Row) -> None:
    """Remove the number of a list item."""
    _cut(row, row.number_length)
