"""The words of a page with their places, turned so that most of the text runs to the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, in_reading_order, runs_left
from mediakit.engines.pdf.letters.correcting import corrected_lines, needs_correction
from mediakit.engines.pdf.letters.lines import LetterLine, box_of, style_of_name

if TYPE_CHECKING:
    import pymupdf

MAX_WORDS = 20_000
"""Words of a page that are looked at."""

ASCENT, DESCENT = 0.75, 0.2
"""Height of a line above and below its baseline, in sizes of its font. Fonts state heights that overlap."""

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]

_PlacedWord = tuple[Box, str, Any]
"""Box and text of a word, and MuPDF's dictionary of its line; None if the line is not known."""


class _Placed(NamedTuple):
    """A line, for the check whether its page has to be read letter by letter."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


@dataclass(slots=True)
class Word:
    """A word and its box: left, top, right and bottom in points, y down."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    is_mono: bool = False
    """Whether the font has a fixed width."""
    is_bold: bool = False
    """Whether the font is bold."""
    page_runs_left: bool = False
    """Whether most letters of the page run from right to left."""

    @property
    def middle(self) -> tuple[float, float]:
        """Center of the box."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True)
class PageText:
    """Words of a page, and how its points move into their coordinates."""

    words: list[Word]
    """Words that run to the right."""
    turned: list[Word]
    """Words in other directions."""
    matrix: Matrix
    """Maps points of PyMuPDF's unrotated page to the coordinates of the words."""


def read_words(page: pymupdf.Page) -> PageText:
    """Return the words of a page."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    text: Any = page.get_textpage(flags=flags)
    lines = {
        (block["number"], index): line
        for block in text.extractDICT()["blocks"]
        for index, line in enumerate(block.get("lines", ()))
    }
    found = [(word[:4], word[4], lines.get((word[5], word[6]))) for word in text.extractWORDS()[:MAX_WORDS]]
    if needs_correction([_placed(line) for line in lines.values()]):
        found = [word for line in corrected_lines(text) for word in _corrected(line)][:MAX_WORDS]
    matrix = _upright(found)
    words: list[Word] = []
    turned: list[Word] = []
    for box, content, line in found:
        direction = line["dir"] if line else (1.0, 0.0)
        span = _span(line, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        size = span["size"] if span else box[3] - box[1]
        word = Word(content, *transform(matrix, box), size)
        if span:
            bold, _, mono = style_of_name(span["font"])
            word.is_mono = mono or bool(span["flags"] & pymupdf.TEXT_FONT_MONOSPACED)
            word.is_bold = bold or bool(span["flags"] & pymupdf.TEXT_FONT_BOLD)
        if direction[0] * matrix[0] + direction[1] * matrix[2] < 0.9:
            turned.append(word)
            continue
        if span:
            baseline = move(matrix, *span["origin"])[1]
            word.y0, word.y1 = baseline - ASCENT * size, baseline + DESCENT * size
        words.append(word)
    if RIGHT_TO_LEFT.search(letters := "".join(word.text for word in words)) and runs_left(letters):
        for word in words:
            word.page_runs_left = True
    return PageText(words, turned, matrix)


def _placed(line: Any) -> _Placed:
    x0, y0, x1, y1 = line["bbox"]
    return _Placed(x0, y0, x1, y1, "".join(span["text"] for span in line["spans"]))


def _corrected(line: LetterLine) -> Iterator[_PlacedWord]:
    """Yield the words of a line that was read letter by letter."""
    for letters in line.words():
        first, box = letters[0], box_of(letters)
        span = {**first.span, "origin": first.origin, "bbox": box}
        yield box, "".join(letter.text for letter in letters), {"dir": line.direction, "spans": [span]}


def text_of(words: Sequence[Word]) -> str:
    """Return the text of words of a line, given from left to right, in reading order."""
    left = bool(words) and words[0].page_runs_left
    return " ".join(in_reading_order([word.text for word in words], page_runs_left=left))


def move(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Return where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def transform(matrix: Matrix, box: Sequence[float]) -> Box:
    """Return where a box comes to lie, under a matrix of quarter turns."""
    x0, y0 = move(matrix, box[0], box[1])
    x1, y1 = move(matrix, box[2], box[3])
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def is_inside(point: tuple[float, float], box: Box) -> bool:
    """Return whether a point is in a box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _upright(words: Sequence[_PlacedWord]) -> Matrix:
    """Return the quarter turn after which most of the text runs to the right."""
    count: Counter[tuple[int, int]] = Counter()
    for _, content, line in words:
        if line is not None:
            count[round(line["dir"][0]), round(line["dir"][1])] += len(content)
    (cosine, sine), _ = count.most_common(1)[0] if count else ((1, 0), 0)
    if abs(cosine) + abs(sine) != 1:
        cosine, sine = 1, 0
    return (float(cosine), float(-sine), float(sine), float(cosine), 0.0, 0.0)


def _span(line: Any, x: float, y: float) -> Any:
    """Return the span of a line that holds a point."""
    if line is None or not line["spans"]:
        return None
    for span in line["spans"]:
        left, top, right, bottom = span["bbox"]
        if left <= x <= right and top <= y <= bottom:
            return span
    return line["spans"][0]
