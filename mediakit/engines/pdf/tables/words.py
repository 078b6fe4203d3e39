"""The words of a page with their places, turned so that most of the text runs to the right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pymupdf

MAX_WORDS = 20_000
"""Words of a page that are looked at."""

ASCENT, DESCENT = 0.75, 0.2
"""Height of a line above and below its baseline, in sizes of its font. Fonts state heights that overlap."""

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]

_MONO_FLAG = 8
_MONO_NAME = re.compile(r"mono|courier|consol|typewriter", re.IGNORECASE)


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
    found = text.extractWORDS()[:MAX_WORDS]
    matrix = _upright(found, lines)
    words: list[Word] = []
    turned: list[Word] = []
    for left, top, right, bottom, content, block, line, _ in found:
        direction = lines[block, line]["dir"] if (block, line) in lines else (1.0, 0.0)
        span = _span(lines.get((block, line)), (left + right) / 2, (top + bottom) / 2)
        box = transform(matrix, (left, top, right, bottom))
        size = span["size"] if span else bottom - top
        word = Word(content, *box, size, span is not None and _is_mono(span))
        if direction[0] * matrix[0] + direction[1] * matrix[2] < 0.9:
            turned.append(word)
            continue
        if span:
            baseline = move(matrix, *span["origin"])[1]
            word.y0, word.y1 = baseline - ASCENT * size, baseline + DESCENT * size
        words.append(word)
    return PageText(_without_doubles(words), turned, matrix)


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


def _upright(words: Sequence[Any], lines: dict[tuple[int, int], Any]) -> Matrix:
    """Return the quarter turn after which most of the text runs to the right."""
    count: Counter[tuple[int, int]] = Counter()
    for word in words:
        line = lines.get((word[5], word[6]))
        if line is not None:
            count[round(line["dir"][0]), round(line["dir"][1])] += len(word[4])
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


def _is_mono(span: Any) -> bool:
    return bool(span["flags"] & _MONO_FLAG) or _MONO_NAME.search(span["font"]) is not None


def _without_doubles(words: list[Word]) -> list[Word]:
    """Return the words without those that are drawn twice, as a shadow or for a bold look."""
    return list(_first_of_each(words))


def _first_of_each(words: Sequence[Word]) -> Iterator[Word]:
    seen: dict[tuple[str, int, int], Word] = {}
    for word in words:
        x, y = round(word.x0 / 2), round(word.y0 / 2)
        near = (seen.get((word.text, x + i, y + j)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if any(other is not None and abs(other.x0 - word.x0) < 2 and abs(other.y0 - word.y0) < 2 for other in near):
            continue
        seen[word.text, x, y] = word
        yield word
