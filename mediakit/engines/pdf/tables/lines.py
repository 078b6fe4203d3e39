"""Lines of words, the segments that wide gaps cut them into, and the columns that gaps show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.tables.words import Ruling, Word, text_of

WIDE_GAP_EMS = 0.6
"""A gap that a line of text does not have, in sizes of the font; two spaces after a sentence are narrower."""

VALUE_GAP_EMS = 0.5
"""A gap between two values that belong to different cells, in sizes of the font."""

_VALUE = re.compile(
    r"[\s\d.,:;/%()\[\]+\-‐-―−±~≈<>≤≥*†‡§$€£¥¢#'’′″°^×]*(?:(?<=[\d\s])(?:k|m|bn?|mio|mrd|million|billion)\.?)?|(n\.?\s?/?a\.?|x|nd|na|nil|yes|no|\(x\)|[…]+)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
BULLETS = "•‣◦▪▫■□●○∙·–—*\uf0b7\uf0a7\uf0d8"
_MARKER = re.compile(r"([(\[]?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]|[" + BULLETS + "])")


@dataclass(slots=True)
class Segment:
    """Words of a line with no wide gap between them."""

    words: list[Word]

    @property
    def text(self) -> str:
        """The words, with spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(word.x1 for word in self.words)

    @property
    def is_value(self) -> bool:
        """Whether it is a number, or stands where one would."""
        return is_value(self.text)


@dataclass(slots=True)
class Line:
    """Segments side by side."""

    segments: list[Segment]
    y0: float
    y1: float
    size: float

    @property
    def words(self) -> list[Word]:
        """All words, from left to right."""
        return [word for segment in self.segments for word in segment.words]

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(segment.x1 for segment in self.segments)

    @property
    def middle(self) -> float:
        """Height of the center."""
        return (self.y0 + self.y1) / 2

    @property
    def is_bold(self) -> bool:
        """Whether all words are bold."""
        return all(word.is_bold for word in self.words)


def merged(lines: Sequence[Line]) -> Line:
    """Return the lines of one row as one line, whose segments are words: cells need not be level."""
    words = sorted([word for line in lines for word in line.words], key=lambda word: word.x0)
    return Line([Segment([word]) for word in words], lines[0].y0, lines[-1].y1, lines[0].size)


def bold_lines(lines: Sequence[Line]) -> int:
    """Return the number of bold lines at the top, above lines that are not bold; 0 if all lines are bold."""
    count = next((index for index, line in enumerate(lines) if not line.is_bold), 0)
    is_plain = count > 0 and not any(line.is_bold and len(line.segments) > 1 for line in lines[count:])
    return count if is_plain else 0


def is_value(text: str) -> bool:
    """Return whether a text is a number with its signs, or a mark that stands for one."""
    return _VALUE.fullmatch(text) is not None


def has_digit(text: str) -> bool:
    """Return whether a text has a digit."""
    return _DIGIT.search(text) is not None


def is_valued(line: Line) -> bool:
    """Return whether most segments after the first are values."""
    rest = line.segments[1:]
    values = sum(segment.is_value for segment in rest)
    return values >= max(1, 0.5 * len(rest))


def read_lines(words: Sequence[Word], vertical: Sequence[Ruling] = ()) -> list[Line]:
    """Return the lines of words, from top to bottom; vertical rulings cut them into segments, as wide gaps do."""
    lines = []
    for row in group_rows(words):
        size = median(word.size for word in row)
        top, bottom = min(word.y0 for word in row), max(word.y1 for word in row)
        middle = (top + bottom) / 2
        cuts = [ruling.at for ruling in vertical if ruling.start <= middle <= ruling.end]
        segments = [Segment([row[0]])]
        for previous, word in pairwise(row):
            gap = word.x0 - max(other.x1 for other in segments[-1].words)
            needed = VALUE_GAP_EMS if is_value(previous.text) and is_value(word.text) else WIDE_GAP_EMS
            is_cut = any(previous.middle[0] < at < word.middle[0] and gap > 0 for at in cuts)
            if (gap > needed * max(4, size) or is_cut) and not _is_marker(segments[-1], word, size):
                segments.append(Segment([word]))
            else:
                segments[-1].words.append(word)
        lines.append(Line(segments, top, bottom, size))
    return lines


def group_rows(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words by lines, each from left to right."""
    rows: list[list[Word]] = []
    reference: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: word.y1 + word.y0):
        for index in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            top, bottom = reference[index]
            shared = min(bottom, word.y1) - max(top, word.y0)
            if shared > 0.5 * min(bottom - top, word.y1 - word.y0):
                rows[index].append(word)
                break
        else:
            rows.append([word])
            reference.append((word.y0, word.y1))
    return [sorted(row, key=lambda word: word.x0) for row in rows]


def _is_marker(last: Segment, word: Word, size: float) -> bool:
    """Return whether the segment before a word is the bullet or number of a list item."""
    is_short = len(last.words) == 1 and word.x0 - last.x1 < 3.5 * size
    return is_short and _MARKER.fullmatch(last.text) is not None and not is_value(word.text)


CROSSING_SHARE = 0.1
"""Share of the lines that may cross a corridor: long labels, headings of groups."""

FEW_LINES = 4
"""With fewer lines, gaps are one above another by chance, so a corridor has to be wider."""

NARROW_EMS, WIDE_EMS = 0.45, 0.8
"""Width of a corridor with many lines and with few, in sizes of the font."""

_SIGNS = frozenset("$€£¥%()*†‡+-–−§¢")

Interval = tuple[float, float]


def corridors(lines: Sequence[Line], size: float, *, crossing: int | None = None) -> list[Interval]:
    """Return the strips between columns, from left to right; `crossing` lines may cross one; default a share."""
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

    The place is in the middle of the widest part of the gap that the fewest words cross: a heading, or one of the other
    lines such as the second line of a cell, may reach into it.
    """
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    steps = _coverage([*lines, *others])
    edges = [*(x for x, _ in steps[1:]), float("inf")]
    places = []
    for start, end in gaps:
        parts = [
            (depth, -(min(end, after) - max(start, x)), max(start, x), min(end, after))
            for (x, depth), after in zip(steps, edges, strict=True)
            if min(end, after) > max(start, x)
        ]
        _, _, low, high = min(parts, default=(0, 0.0, start, end))
        places.append((low + high) / 2)
    return [left - 1, *places, right + 1]


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
