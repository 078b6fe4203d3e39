"""Rows of the columns of pages, and blocks of rows that belong together, such as the lines of a paragraph."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT
from mediakit.engines.pdf.reading.pages import Shape
from mediakit.engines.pdf.reading.reading_order import rows
from mediakit.engines.pdf.reading.structure.elements import Run, StyledLine

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
    found = [joined_row(lines) for lines in rows(column)]
    for row in found:
        find_marker(row, shapes)
    return found


def joined_row(lines: Sequence[StyledLine]) -> Row:
    """Return lines on one baseline as a row, with spaces between runs that are apart.

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
    runs = [run for _, run in placed]
    main = max(lines, key=lambda line: len(line.text))
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return Row(runs, x0, min(line.y0 for line in lines), x1, max(line.y1 for line in lines), main.y, main.size)


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


MAX_INDENT = 80.0
"""Points that all lines of a column may be indented."""


@dataclass(slots=True)
class Column:
    """A column of a page: its rows, and its edges, those of the same column on other pages included."""

    page: int
    rows: list[Row]
    left: float
    right: float


def set_margins(columns: Sequence[Column]) -> None:
    """Widen columns to the edges that they have in common: one may hold only indented lines."""
    edges = [(column.left, column.right) for column in columns]
    for column, (left, right) in zip(columns, edges, strict=True):
        same = [
            edge for edge in edges if left - MAX_INDENT < edge[0] <= left + 1 and edge[1] > left and edge[0] < right
        ]
        column.left = min(edge[0] for edge in same)
        column.right = max([right, *(edge[1] for edge in same if edge[0] >= column.left - 1)])


STEP = 0.5
"""Points to which sizes are rounded."""

RATIO_STEP = 0.05
"""Steps of spaces, in sizes of the font."""

USUAL_GAP = 0.1
"""Space between the boxes of two lines in sizes of the font, where a document has too few lines to tell."""

NEW_PARAGRAPH = 0.3
"""Space between two lines beyond the usual one that begins a paragraph, in sizes of the font."""

FULL = 0.85
"""Width of a line after which the next one goes on, as a share of the column."""

MAX_GAP = 4.0
"""Sizes of the font; larger spaces are not those between paragraphs."""


def rounded(size: float) -> float:
    """Return a size of type, rounded to half a point."""
    return round(size / STEP) * STEP


class Measures:
    """The usual measures of a document."""

    def __init__(self, columns: Sequence[Column]) -> None:
        pairs = [
            (column, above, row)
            for column in columns
            for above, row in pairwise(column.rows)
            if abs(above.size - row.size) < STEP and above.table is None and row.table is None
        ]
        full = [
            (above, row) for column, above, row in pairs if above.x1 - column.left > FULL * (column.right - column.left)
        ]
        self.size = _most_common(_sizes(columns), 10.0)
        """Size of the font of most letters of plain text, in points."""
        text = [pair for pair in full if not any(row.is_mono or row.is_bold for row in pair)] or full
        self._gap = _smallest_common(Counter(_ratio(gap(*pair), pair[1]) for pair in text), USUAL_GAP)
        pitches = Counter(
            _ratio(row.y - above.y, row) for _, above, row in pairs if above.is_mono and row.is_mono and row.y > above.y
        )
        self._code_pitch = _smallest_common(pitches, 0.0)
        wide = Counter(
            ratio
            for _, above, row in pairs
            if not (above.is_bold or row.is_bold or (above.is_mono and row.is_mono))
            and self._gap + NEW_PARAGRAPH < (ratio := _ratio(gap(above, row), row)) < MAX_GAP
        )
        self.paragraph_gap = _most_common(wide, self._gap + 2 * NEW_PARAGRAPH) * self.size
        """Usual space between two paragraphs, in points."""

    def is_apart(self, above: Row, row: Row) -> bool:
        """Return whether there is more space between two rows than between the lines of a paragraph."""
        return gap(above, row) > (self._gap + NEW_PARAGRAPH) * min(row.size, above.size)

    def code_pitch(self, row: Row) -> float:
        """Return the usual distance in points of the baselines of two lines of code."""
        height = row.y1 - row.y0
        pitch = self._code_pitch * row.size
        return pitch if 0.8 * height < pitch < 1.6 * height else height


def gap(above: Row, row: Row) -> float:
    """Return the space between two rows in points; negative if they overlap."""
    return row.y0 - above.y1


def _ratio(distance: float, row: Row) -> float:
    return round(distance / row.size / RATIO_STEP) * RATIO_STEP


def _sizes(columns: Sequence[Column]) -> Counter[float]:
    """Return the number of letters of each size: of plain text if there is any, else also of bold text and of code."""
    plain: Counter[float] = Counter()
    others: Counter[float] = Counter()
    for column in columns:
        for row in column.rows:
            for run in row.runs if row.table is None else ():
                (others if run.mono or run.bold else plain)[rounded(run.size)] += len(run.text.strip())
    return plain if plain.total() else others


def _most_common(counts: Counter[float], default: float) -> float:
    return max(counts, key=lambda value: (counts[value], -value)) if counts else default


def _smallest_common(counts: Counter[float], default: float) -> float:
    """Return the smallest value that is about as common as the most common one."""
    if not counts:
        return default
    most = max(counts.values())
    return min(value for value, count in counts.items() if count >= 0.4 * most)


MAX_BLANK_LINES = 4
"""Empty lines in a row; a larger distance is that to the next page."""


def code_text(rows: Sequence[Row], measures: Measures) -> str:
    """Return lines of code; indents and gaps are as many spaces as there is room for."""
    widths = sorted((run.x1 - run.x0) / len(run.text) for row in rows for run in row.runs if len(run.text) > 1)
    unit = max(widths[len(widths) // 2] if widths else rows[0].size * 0.6, 0.1)
    left = min(row.x0 for row in rows)
    lines: list[str] = []
    for index, row in enumerate(rows):
        if index:
            distance = (row.y - rows[index - 1].y) / measures.code_pitch(row)
            lines += [""] * (max(0, round(distance) - 1) if distance <= MAX_BLANK_LINES + 1.5 else 0)
        text = ""
        for run in row.runs:
            content = run.text.lstrip(" ")
            start = run.x0 + (len(run.text) - len(content)) * unit
            text += " " * max(0, round((start - left) / unit) - len(text)) + content
        lines.append(text.rstrip())
    return "\n".join(lines)


SAME_SIZE = 0.12
"""Share by which the size of type may differ in a paragraph: inline code is often smaller."""

INDENT_EMS = 0.8
"""Indent of a first line, in sizes of the font."""

LARGER = 1.09
"""Size of a heading, in sizes of the text, at least."""

MOST_SPARE = 2.0
"""Room after the last word of a line in which the next word would be, in its widths: lines are not filled exactly."""

_IS_OPEN = re.compile(
    r"(?:[-\u2010,:/&(\u2013\u2014]|\b(?:and|or|of|the|for|in|to|by|with|on|at|a|an|und|der|die|das|et|de|du|des|la))$",
    re.IGNORECASE,
)
"""End of a line whose text goes on."""

ALIGNED_EMS = 0.4
"""Difference between edges that are in line, in sizes of the font."""


@dataclass(slots=True)
class TextBlock:
    """Rows that belong together."""

    rows: list[Row]
    column: Column
    before: float | None = None
    """Space to the row above in points; None at the top of a column."""
    after: float | None = None
    """Space to the row below; None at the bottom."""

    @property
    def first(self) -> Row:
        """The first row."""
        return self.rows[0]

    @property
    def last(self) -> Row:
        """The last row."""
        return self.rows[-1]

    @property
    def size(self) -> float:
        """Size of the font of most letters."""
        return max(self.rows, key=lambda row: len(row.text)).size

    @property
    def text(self) -> str:
        """The text, without hyphenation taken back."""
        return " ".join(row.text.strip() for row in self.rows)

    @property
    def left(self) -> float:
        """Left edge of the text, from that of the column."""
        return min(row.x0 for row in self.rows) - self.column.left

    @property
    def marker(self) -> float:
        """Left edge of the bullet or number, from that of the column."""
        return self.first.bullet_x - self.column.left

    @property
    def is_code(self) -> bool:
        """Whether all rows have a fixed-width font."""
        return not self.first.is_marked and self.first.table is None and all(row.is_mono for row in self.rows)

    @property
    def is_bold(self) -> bool:
        """Whether all rows are bold."""
        return all(row.is_bold for row in self.rows)


def split_blocks(column: Column, measures: Measures) -> Iterator[TextBlock]:
    """Yield the blocks of a column from top to bottom."""
    current: TextBlock | None = None
    for row in column.rows:
        if current and _continues(current, row, measures):
            current.rows.append(row)
            continue
        distance = gap(current.last, row) if current else None
        if current:
            current.after = distance
            yield current
        current = TextBlock([row], column, before=distance)
    if current:
        yield current


def _continues(block: TextBlock, row: Row, measures: Measures) -> bool:
    last = block.last
    if row.is_marked or row.table is not None or last.table is not None:
        return False
    if block.is_code and row.is_mono:
        lines = (row.y - last.y) / measures.code_pitch(row)  # there may be empty lines between the two
        if 0.5 < lines <= MAX_BLANK_LINES + 1.2 and abs(lines - round(lines)) < 0.15:
            return True
    is_other_size = abs(row.size - last.size) > SAME_SIZE * max(row.size, last.size)
    if row.y <= last.y or measures.is_apart(last, row) or is_other_size:
        return False
    if block.is_bold and not row.runs[0].bold and last.x1 < block.column.right - 4 * row.size:  # a bold line ends here
        return False
    if row.size > LARGER * measures.size and _begins_heading(block, row):
        return False
    return _is_in_line(block, row)


def _begins_heading(block: TextBlock, row: Row) -> bool:
    """Return whether a row in large type is another heading, not the next line of one: its first word fits above it."""
    last, text = block.last, row.text.strip()
    is_open = _IS_OPEN.search(last.text.rstrip()) is not None
    is_level = abs(row.x0 - last.x0) < ALIGNED_EMS * row.size
    word = text.partition(" ")[0]
    width = (row.x1 - row.x0) * (len(word) + 1) / max(1, len(text))
    has_room = last.x1 + MOST_SPARE * width < block.column.right
    return is_level and has_room and not is_open and (word[:1].isupper() or word[:1].isdigit())


def _is_in_line(block: TextBlock, row: Row) -> bool:
    """Return whether the left edge of a row is where the next line of the block must begin."""
    em, last = row.size, block.last
    if block.first.is_marked:
        return row.x0 > block.first.bullet_x - ALIGNED_EMS * em
    shift = row.x0 - last.x0
    if abs((row.x0 + row.x1) - (last.x0 + last.x1)) < 2 * ALIGNED_EMS * em:
        return True  # centered
    if row.is_mono and last.is_mono:
        return True
    if shift > INDENT_EMS * em:
        return False
    return shift > -INDENT_EMS * em or len(block.rows) == 1
