"""Lines of words, and the segments that wide gaps cut them into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles

from mediakit.engines.pdf.tables.rulings import Ruling
from mediakit.engines.pdf.tables.words import Word

WIDE_GAP_EMS = 0.85
"""A gap that a line of justified text does not have, in sizes of the font."""

RAGGED_GAP_EMS = 0.6
"""A gap that a line does not have where no text is justified; two spaces after a sentence are narrower."""

RAGGED_SPACE_EMS = 0.32
"""Space between words of a page without justified text at most, in sizes of the font."""

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
    """Return the lines of words, from top to bottom.

    Args:
        words: Words in any order.
        vertical: Rulings that cut lines into segments.
    """
    rows = group_rows(words)
    wide_gap = RAGGED_GAP_EMS if _is_ragged(rows) else WIDE_GAP_EMS
    return [_line(row, vertical, wide_gap) for row in rows]


def _is_ragged(rows: Sequence[Sequence[Word]]) -> bool:
    """Return whether nearly all spaces between words have the same width, so that no text is justified."""
    spaces = [(after.x0 - before.x1) / max(4, after.size) for row in rows for before, after in pairwise(row)]
    narrow = [space for space in spaces if 0 < space < WIDE_GAP_EMS]
    return len(narrow) > 1 and quantiles(narrow, n=10)[7] < RAGGED_SPACE_EMS


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


def _line(words: list[Word], vertical: Sequence[Ruling], wide_gap: float) -> Line:
    size = median(word.size for word in words)
    top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
    middle = (top + bottom) / 2
    cuts = [ruling.at for ruling in vertical if ruling.start <= middle <= ruling.end]
    segments = [Segment([words[0]])]
    for previous, word in pairwise(words):
        gap = word.x0 - max(other.x1 for other in segments[-1].words)
        needed = VALUE_GAP_EMS if is_value(previous.text) and is_value(word.text) else wide_gap
        is_cut = any(previous.middle[0] < at < word.middle[0] and gap > 0 for at in cuts)
        if (gap > needed * max(4, size) or is_cut) and not _is_marker(segments, word, size):
            segments.append(Segment([word]))
        else:
            segments[-1].words.append(word)
    return Line(segments, top, bottom, size)


def _is_marker(segments: list[Segment], word: Word, size: float) -> bool:
    """Return whether the segment before a word is the bullet or number of a list item."""
    last = segments[-1]
    is_short = len(last.words) == 1 and word.x0 - last.x1 < 3.5 * size
    return is_short and _MARKER.fullmatch(last.text) is not None and not is_value(word.text)
