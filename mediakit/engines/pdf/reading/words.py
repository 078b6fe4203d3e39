"""Words with their boxes, in reading order."""

from dataclasses import dataclass, field

import pymupdf

from mediakit.engines.pdf.letters.columns import as_rows
from mediakit.engines.pdf.letters.correcting import corrected_lines, needs_correction
from mediakit.engines.pdf.letters.lines import box_of
from mediakit.engines.pdf.reading.reading_order import columns, rows

INSIDE = 0.5
"""Share of a word's area that counts as inside a box."""


@dataclass(slots=True)
class Word:
    """A word of a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str

    def is_in(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Return whether at least half of the word is inside a box."""
        width, height = min(self.x1, x1) - max(self.x0, x0), min(self.y1, y1) - max(self.y0, y0)
        area = (self.x1 - self.x0) * (self.y1 - self.y0)
        return width > 0 and height > 0 and width * height >= INSIDE * area


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
