"""Text in reading order, with the layout of the page, or word by word, and without running headers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile
from statistics import median
from typing import TypeVar

import pymupdf

from mediakit.engines.pdf.letters.correcting import as_rows, corrected_lines, needs_correction
from mediakit.engines.pdf.letters.lines import box_of
from mediakit.engines.pdf.reading.pages import Line, PdfFile, Shape
from mediakit.engines.pdf.reading.reading_order import columns, rows, rows_in_order

PAGE_BREAK = "\f"
PARAGRAPH_BREAK = "\n\n"

NEW_PARAGRAPH = 0.6
"""Space between two lines that separates paragraphs, as a share of the height of a line beyond the usual space."""

SPACE_EMS = 0.1
"""Least distance of two pieces of a line between which there is a space, in sizes of the font."""


def page_text(lines: Sequence[Line]) -> str:
    """Return the text of a page: columns from left to right, an empty line between paragraphs."""
    in_order = rows_in_order(lines)
    if in_order is not None:
        return _rows_text(in_order)
    upright = [line for line in lines if not line.is_vertical]
    parts = [_rows_text(rows(column)) for column in columns(upright)]
    parts += ["\n".join(line.text for line in lines if line.is_vertical)] if len(upright) < len(lines) else []
    return PARAGRAPH_BREAK.join(filter(None, parts))


def _rows_text(found: Sequence[Sequence[Line]]) -> str:
    """Return rows as lines, with an empty line where there is more space than usual."""
    edges = [
        (row[0].y0, row[0].y1) if len(row) == 1 else (min([line.y0 for line in row]), max([line.y1 for line in row]))
        for row in found
    ]
    gaps = [below[0] - above[1] for above, below in pairwise(edges)]
    usual = median(gaps) if gaps else 0.0
    written = [row_text(row) for row in found[:1]]
    for gap, (top, bottom), row in zip(gaps, edges[1:], found[1:], strict=True):
        height = bottom - top
        is_far = gap > min(usual, height) + NEW_PARAGRAPH * height
        written += (PARAGRAPH_BREAK if is_far else "\n", row[0].text if len(row) == 1 else row_text(row))
    return "".join(written)


def row_text(row: Sequence[Line]) -> str:
    """Return the text of the lines on one baseline."""
    if len(row) == 1:
        return row[0].text
    pieces = [row[0].text]
    for before, line in pairwise(row):
        distance = max(line.x0 - before.x1, before.x0 - line.x1)
        pieces += [" " if distance > SPACE_EMS * min(line.size, before.size) else "", line.text]
    return "".join(pieces)


def truncate(text: str, max_chars: int) -> tuple[str, bool]:
    """Return a text of at most `max_chars` characters that ends with a paragraph, and whether it was cut.

    A first paragraph that is too long itself is cut after a line, or else after a word.
    """
    if len(text) <= max_chars:
        return text, False
    head = text[: max_chars + 1]
    end = max(head.rfind(PARAGRAPH_BREAK), head.rfind(PAGE_BREAK))
    for separator in ("\n", " "):
        end = end if end > 0 else head.rfind(separator)
    return (head[:end] if end > 0 else head[:max_chars]).rstrip(), True


MAX_EMPTY_LINES = 3
"""Empty lines for a gap between two lines."""

MAX_COLUMNS = 400
"""Characters of a line, unless its text is longer."""

GAP = 2
"""Spaces between two pieces of a line, at least."""

ALIGNED = 2.0
"""Points by which the left edges of a column may differ."""


def layout_text(lines: Sequence[Line]) -> str:
    """Return the text of a page in which pieces that are below each other begin at the same character."""
    if not lines:
        return ""
    found = [sorted(row, key=lambda line: line.x0) for row in rows(lines)]
    starts = _starts(found, lines)
    heights = [median(line.y1 - line.y0 for line in row) for row in found]
    tops = [min(line.y0 for line in row) for row in found]
    distances = [below - above for above, below in pairwise(tops)]
    pitch = max(median(distances or heights), median(heights))
    written: list[str] = []
    for row, distance in zip(found, [0.0, *distances], strict=True):
        written += [""] * min(MAX_EMPTY_LINES, max(0, round(distance / pitch) - 1))
        text = ""
        for line in row:
            text += " " * max(starts[line.index] - len(text), 1 if text else 0) + line.text
        written.append(text)
    return "\n".join(written)


def _starts(found: Sequence[Sequence[Line]], lines: Sequence[Line]) -> dict[int, int]:
    """Return the first character of each line: its place on the page, or further right where text is in the way."""
    left = min(line.x0 for line in lines)
    width = max(line.x1 for line in lines) - left
    unit = max(median(line.width / len(line.text) for line in lines), width / MAX_COLUMNS, 0.1)
    before = {line.index: previous for row in found for previous, line in pairwise(row)}
    starts: dict[int, int] = {}
    last = left
    anchors = {}
    for line in sorted(lines, key=lambda line: line.x0):
        last = last if line.x0 - last <= ALIGNED else line.x0
        anchors[line.index] = last
    for anchor, group in groupby(sorted(lines, key=lambda line: anchors[line.index]), lambda line: anchors[line.index]):
        members = [line.index for line in group]
        previous = [before[index] for index in members if index in before]
        ends = [starts.get(line.index, 0) + len(line.text) + GAP for line in previous]
        start = max([round((anchor - left) / unit), *(end for end in ends if end < MAX_COLUMNS)])
        starts |= dict.fromkeys(members, start)
    return starts


INSIDE = 0.5
"""Share of a word's area that counts as inside a box."""


@dataclass(slots=True)
class Word(Shape):
    """A word of a page."""

    text: str

    def is_in(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Return whether at least half of the word is inside a box."""
        width, height = min(self.x1, x1) - max(self.x0, x0), min(self.y1, y1) - max(self.y0, y0)
        return width > 0 and height > 0 and width * height >= INSIDE * self.width * self.height


@dataclass(slots=True)
class _WordLine(Word):
    """The words of a line, which are placed together."""

    size: float
    index: int
    words: list[Word] = field(default_factory=list)

    def add(self, word: Word) -> None:
        """Add a word at the end."""
        self.x0, self.y0 = min(self.x0, word.x0), min(self.y0, word.y0)
        self.x1, self.y1 = max(self.x1, word.x1), max(self.y1, word.y1)
        self.text += f" {word.text}"
        self.words.append(word)


def read_words(text: pymupdf.TextPage) -> list[Word]:
    """Return the words of a page in reading order."""
    return [
        word for column in columns(_word_lines(text)) for row in rows(column) for line in row for word in line.words
    ]


def _word_lines(text: pymupdf.TextPage) -> list[_WordLine]:
    lines = _plain_lines(text)
    if not needs_correction(lines):
        return lines
    found: list[_WordLine] = []
    corrected = corrected_lines(text)
    for line, turned in zip(corrected, as_rows(corrected), strict=True):
        words = [Word(*box_of(letters), "".join(letter.text for letter in letters)) for letters in line.words()]
        first = words[0]
        size = first.y1 - first.y0
        found.append(_WordLine(first.x0, first.y0, first.x1, first.y1, first.text, size, len(found), [first]))
        for word in words[1:]:
            found[-1].add(word)
        if turned is not line:
            found[-1].x0, found[-1].y0, found[-1].x1, found[-1].y1 = turned.box
            found[-1].size = line.letters[0].size
    return found


def _plain_lines(text: pymupdf.TextPage) -> list[_WordLine]:
    lines: list[_WordLine] = []
    last = None
    for x0, y0, x1, y1, content, block, line, _ in text.extractWORDS():  # type: ignore[no-untyped-call]
        word = Word(x0, y0, x1, y1, content)
        if (block, line) == last:
            lines[-1].add(word)
            continue
        last = block, line
        lines.append(_WordLine(x0, y0, x1, y1, content, y1 - y0, len(lines), [word]))
    return lines


EDGE = 0.13
"""Part of a page, at its top and at its bottom, in which running headers and footers are."""

MAX_ROWS = 4
"""Rows of a running header or footer."""

MIN_SHARE = 0.25
"""Share of the pages on which a line repeats, at least: headers of chapters change."""

ENOUGH_PAGES = 8
"""Pages that are compared; with fewer selected ones, their neighbors are read, too."""

STEP = 5.0
"""Points by which the height of a line may differ between pages."""

_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)

Key = tuple[str, int]
"""Text of a row without its numbers, and its distance from the top in steps; from the bottom if negative."""

L = TypeVar("L", bound=Line)


class Furniture:
    """The running headers and footers of a PDF."""

    def __init__(self, file: PdfFile, pages: Mapping[int, Sequence[Line]]) -> None:
        """Find what repeats on the selected pages, given with their lines by index, and on their neighbors."""
        self._file = file
        others = set(range(file.document.page_count)) - set(file.selected)
        nearest = sorted(others, key=lambda index: min(abs(index - each) for each in file.selected))
        neighbors = nearest[: max(0, ENOUGH_PAGES - len(file.selected))]
        compared = {index: file.read(index) for index in neighbors} | dict(pages)
        counts: Counter[Key] = Counter()
        for index, lines in compared.items():
            counts.update({key for edge in self._edges(index, lines) for key, _ in edge})
        needed = max(2, MIN_SHARE * len(compared))
        self._repeated = {
            (text, step) for text, step in counts if sum(counts[text, step + i] for i in (-1, 0, 1)) >= needed
        }

    def remove(self, index: int, lines: Sequence[L]) -> list[L]:
        """Return the lines of a page without its running headers and footers."""
        found = [
            line.index
            for edge in self._edges(index, lines)
            for _, row in takewhile(lambda item: item[0] in self._repeated, edge)
            for line in row
        ]
        return [line for line in lines if line.index not in found]

    def _edges(self, index: int, lines: Sequence[L]) -> list[list[tuple[Key, list[L]]]]:
        """Return the rows at the top from the top down, and those at the bottom from the bottom up."""
        height = self._file.height(index)
        top = rows([line for line in lines if line.y1 < EDGE * height])[:MAX_ROWS]
        bottom = rows([line for line in lines if line.y0 > (1 - EDGE) * height])[: -MAX_ROWS - 1 : -1]
        return [
            [(_key(row, min(line.y0 for line in row)), row) for row in top],
            [(_key(row, min(line.y0 for line in row) - height), row) for row in bottom],
        ]


def _key(row: Sequence[Line], distance: float) -> Key:
    text = " ".join(line.text.strip() for line in row)
    return _NUMBER.sub("#", text).casefold(), round(distance / STEP)
