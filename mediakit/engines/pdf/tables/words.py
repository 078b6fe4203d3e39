"""The words and the rulings of a page with their places, turned so that most of the text runs to the right.

Rulings are lines, thin boxes and edges of filled boxes that run along or across the text. Word processors fill a cell,
and over it each line of its text. So a box inside another one of its color, and an edge where two boxes of one color
are one above the other, separate nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
    plain: list[Word] = []
    for line in lines.values():
        x0, y0, x1, y1 = line["bbox"]
        plain.append(Word("".join(span["text"] for span in line["spans"]), x0, y0, x1, y1, size=0.0))
    if needs_correction(plain):
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


ABUT = 0.8
"""Points. Boxes of one color that are nearer are one area."""

MAX_FILLS = 4_000

Color = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A line along the text (`at` is y, from x to x) or across it (`at` is x, from y to y)."""

    at: float
    start: float
    end: float


def _without_nested(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes that no larger one holds."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box[0] - box[2]) * (box[3] - box[1])):
        if not any(
            other[0] - ABUT <= box[0]
            and other[1] - ABUT <= box[1]
            and other[2] + ABUT >= box[2]
            and other[3] + ABUT >= box[3]
            for other in kept
        ):
            kept.append(box)
    return kept


def _changes(boxes: Iterable[Box]) -> list[Ruling]:
    """Return the upper and lower edges of boxes that no other box abuts."""
    upper: dict[int, list[Ruling]] = defaultdict(list)
    lower: dict[int, list[Ruling]] = defaultdict(list)
    for x0, y0, x1, y1 in boxes:
        upper[round(y0)].append(Ruling(y0, x0, x1))
        lower[round(y1)].append(Ruling(y1, x0, x1))
    found: list[Ruling] = []
    for edges, others in ((upper, lower), (lower, upper)):
        for key, group in edges.items():
            beside = [other for place in (key - 1, key, key + 1) for other in others.get(place, ())]
            for edge in group:
                found += _uncovered(edge, [other for other in beside if abs(other.at - edge.at) <= ABUT])
    return found


def _uncovered(edge: Ruling, others: Sequence[Ruling]) -> list[Ruling]:
    """Return the parts of an edge beside which there is no other one."""
    start = edge.start
    parts: list[Ruling] = []
    for other in sorted(others, key=lambda other: other.start):
        parts.append(Ruling(edge.at, start, min(other.start, edge.end)))
        start = max(start, other.end)
    parts.append(Ruling(edge.at, start, edge.end))
    return [part for part in parts if part.end - part.start > ABUT]


MAX_PATHS = 20_000
"""Paths of a page that are looked at; maps and drawings have more."""

MAX_CONTENT = 4_000_000
"""Bytes of the content of a page whose drawings are read at all; that of a map takes minutes."""

THIN = 3.0
"""Points. A filled box that is not higher or not wider is a line."""

SNAP = 2.5
"""Points. Lines that are nearer are one line: both edges of a double line, or of two cells side by side."""

_WHITE = 0.99


@dataclass
class Drawings:
    """What is drawn on a page."""

    horizontal: list[Ruling] = field(default_factory=list)
    vertical: list[Ruling] = field(default_factory=list)
    fills: dict[Color, list[Box]] = field(default_factory=lambda: defaultdict(list))
    """Filled boxes by their color."""
    fills_left: int = MAX_FILLS
    """Filled boxes of all colors that may still be added."""
    figures: list[Box] = field(default_factory=list)
    """Boxes of slanted lines: curves of charts, arrows."""


def read_drawings(page: pymupdf.Page, matrix: Matrix) -> Drawings:
    """Return the rulings of a page, merged; the matrix maps its unrotated points to their coordinates."""
    found = Drawings()
    if len(page.read_contents()) > MAX_CONTENT:  # type: ignore[no-untyped-call]
        return found
    paths: Any = page.get_cdrawings()  # type: ignore[no-untyped-call]
    area = abs(page.rect)
    for path in paths[:MAX_PATHS]:
        _add_path(found, path, matrix, area)
    for boxes in found.fills.values():
        outer = _without_nested(boxes)
        found.horizontal += _changes(outer)
        found.vertical += [Ruling(x, box[1], box[3]) for box in outer for x in (box[0], box[2])]
    found.horizontal = merge_rulings(found.horizontal)
    found.vertical = merge_rulings(found.vertical)
    return found


def _add_path(found: Drawings, path: Any, matrix: Matrix, area: float) -> None:
    items = path["items"]
    stroked = "s" in path["type"]
    filled = "f" in path["type"] and path.get("fill") is not None and min(path["fill"]) < _WHITE
    is_outline = all(item[0] == "l" for item in items)
    slanted = False
    for item in items:
        if item[0] in ("re", "qu"):
            corners = item[1]
            if item[0] == "qu":
                xs, ys = zip(*corners, strict=True)
                corners = (min(xs), min(ys), max(xs), max(ys))
            box = transform(matrix, corners)
            if stroked or filled or _is_thin(box):
                _add_box(found, box, area, None if stroked else path["fill"])
        elif item[0] == "l" and (stroked or len(items) <= 2):
            slanted |= not _add_line(found, move(matrix, *item[1]), move(matrix, *item[2]))
    if filled and not stroked and is_outline and items:
        _add_box(found, transform(matrix, path["rect"]), area, path["fill"])
    if slanted and stroked:
        found.figures.append(transform(matrix, path["rect"]))


def _add_line(found: Drawings, start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Add a line, and return whether it runs along or across the text."""
    (x0, y0), (x1, y1) = start, end
    if abs(y1 - y0) <= 1:
        found.horizontal.append(Ruling((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
    elif abs(x1 - x0) <= 1:
        found.vertical.append(Ruling((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    else:
        return False
    return True


def _add_box(found: Drawings, box: Box, area: float, fill: Color | None) -> None:
    """Add the edges of a box, or the line that a thin box is; not those of a background of the whole page."""
    x0, y0, x1, y1 = box
    if _is_thin(box):
        if x1 - x0 >= y1 - y0:
            found.horizontal.append(Ruling((y0 + y1) / 2, x0, x1))
        else:
            found.vertical.append(Ruling((x0 + x1) / 2, y0, y1))
    elif (x1 - x0) * (y1 - y0) < 0.9 * area:
        if fill is not None:
            if found.fills_left:
                found.fills[tuple(round(part, 2) for part in fill)].append(box)
                found.fills_left -= 1
            return
        found.horizontal += [Ruling(y0, x0, x1), Ruling(y1, x0, x1)]
        found.vertical += [Ruling(x0, y0, y1), Ruling(x1, y0, y1)]


def _is_thin(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) <= THIN


def merge_rulings(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings with neighbors on one line joined, in the order of their places."""
    lines: list[list[Ruling]] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.at):
        if lines and ruling.at - lines[-1][0].at <= SNAP:
            lines[-1].append(ruling)
        else:
            lines.append([ruling])
    found: list[Ruling] = []
    for line in lines:
        at = sum(ruling.at for ruling in line) / len(line)
        spans: list[tuple[float, float]] = []
        for start, end in sorted((ruling.start, ruling.end) for ruling in line):
            if spans and start <= spans[-1][1] + SNAP:
                spans[-1] = spans[-1][0], max(spans[-1][1], end)
            else:
                spans.append((start, end))
        found += [Ruling(at, start, end) for start, end in spans]
    return found
