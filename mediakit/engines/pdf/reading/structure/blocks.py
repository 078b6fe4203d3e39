"""Blocks of a column: rows that belong together, such as the lines of a paragraph or of a code block."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.reading.structure.rows import Column, Measures, Row, gap

MAX_BLANK_LINES = 4
"""Empty lines in a row; a larger distance is that to the next page."""


def code_text(rows: Sequence[Row], measures: Measures) -> str:
    """Return lines of code; indents and gaps are as many spaces as there is room for."""
    unit = _character_width(rows)
    left = min(row.x0 for row in rows)
    lines: list[str] = []
    for index, row in enumerate(rows):
        if index:
            distance = (row.y - rows[index - 1].y) / measures.code_pitch(row)
            lines += [""] * (max(0, round(distance) - 1) if distance <= MAX_BLANK_LINES + 1.5 else 0)
        lines.append(_line(row, left, unit))
    return "\n".join(lines)


def _line(row: Row, left: float, unit: float) -> str:
    text = ""
    for run in row.runs:
        content = run.text.lstrip(" ")
        start = run.x0 + (len(run.text) - len(content)) * unit
        text += " " * max(0, round((start - left) / unit) - len(text)) + content
    return text.rstrip()


def _character_width(rows: Sequence[Row]) -> float:
    widths = [(run.x1 - run.x0) / len(run.text) for row in rows for run in row.runs if len(run.text) > 1]
    return max(sorted(widths)[len(widths) // 2] if widths else rows[0].size * 0.6, 0.1)


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
    if block.is_code and row.is_mono and _is_next_line(last, row, measures):
        return True
    if row.y <= last.y or measures.is_apart(last, row):
        return False
    if abs(row.size - last.size) > SAME_SIZE * max(row.size, last.size) or _ends_bold(block, row):
        return False
    if row.size > LARGER * measures.size and _begins_heading(block, row):
        return False
    return _is_in_line(block, row)


def _is_next_line(last: Row, row: Row, measures: Measures) -> bool:
    """Return whether a row is the next line of code, or there are only empty lines between the two."""
    lines = (row.y - last.y) / measures.code_pitch(row)
    return 0.5 < lines <= MAX_BLANK_LINES + 1.2 and abs(lines - round(lines)) < 0.15


def _begins_heading(block: TextBlock, row: Row) -> bool:
    """Return whether a row in large type is another heading, not the next line of one: its first word fits above it."""
    last, text = block.last, row.text.strip()
    is_open = _IS_OPEN.search(last.text.rstrip()) is not None
    is_level = abs(row.x0 - last.x0) < ALIGNED_EMS * row.size
    word = text.partition(" ")[0]
    width = (row.x1 - row.x0) * (len(word) + 1) / max(1, len(text))
    has_room = last.x1 + MOST_SPARE * width < block.column.right
    return is_level and has_room and not is_open and (word[:1].isupper() or word[:1].isdigit())


def _ends_bold(block: TextBlock, row: Row) -> bool:
    """Return whether a bold line ends here, above text that is not bold."""
    return block.is_bold and not row.runs[0].bold and block.last.x1 < block.column.right - 4 * row.size


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
