"""The text of a page, the place of each letter, and what is found there; read with MuPDF."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median
from typing import Any

import pymupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, line_runs_left, logical_order, runs_left
from mediakit.tools.pdf.pdf_redact.searching import BREAK, MatchKind, Search

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in the user space of a page."""

MIN_OVERLAP = 0.2
"""A letter goes if an area covers more than this part of it."""


@dataclass(frozen=True)
class Letter:
    """A letter of a page."""

    box: Box
    line: int
    """Number of its line."""
    across: float = 1.0
    """Direction of its line: cosine and, upwards, sine."""
    up: float = 0.0

    @property
    def is_horizontal(self) -> bool:
        """Whether its line is horizontal in the user space of the page."""
        return abs(self.up) < 0.01

    @property
    def is_upright(self) -> bool:
        """Whether its line is horizontal or vertical."""
        return self.is_horizontal or abs(self.across) < 0.01

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the letter."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def is_covered(self, area: Box) -> bool:
        """Return whether an area covers more than a fifth of the letter."""
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        across = min(self.box[2], area[2]) - max(self.box[0], area[0])
        up = min(self.box[3], area[3]) - max(self.box[1], area[1])
        if across < 0 or up < 0:
            return False
        return (across / width if width else 1.0) * (up / height if height else 1.0) > MIN_OVERLAP


def around(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around boxes."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def pieces(letters: Sequence[Letter]) -> list[Box]:
    """Return the boxes that cover letters: one for each line, or for each letter of a slanted line."""
    lines: dict[int, list[Box]] = {}
    slanted: list[Box] = []
    for letter in letters:
        if letter.is_upright:
            lines.setdefault(letter.line, []).append(letter.box)
        else:
            slanted.append(letter.box)
    return [around(boxes) for boxes in lines.values()] + slanted


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes have an area in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


EXTENT = 14_400
"""Points in each direction from the origin; the media box of all pages of a working copy."""

FLAGS = pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE
"""Everything is read, also what lies outside the page."""

ASCENT, DESCENT = 0.88, 0.25
"""Most that a letter reaches above and below the baseline, in font sizes; fonts often declare more."""

COLUMN_GAP = 2.5
"""Gap within a line of text, in letter heights, that is not a space but the gap between two columns."""

SPACE_GAP = 0.2
"""Gap between two letters, in letter heights, that is a space."""

LETTERS_APART = re.compile(rf"(?<!\S)(?:\S[ {BREAK}]){{3,}}\S(?!\S)")
"""Letters with a space after each, such as those in the cells of a form, or a title with letter spacing."""

SAME_STEP = 0.04
"""Difference of two distances, as a part of them, up to which they count as equal."""

LEAST_CELLS = 4
"""Letters at equal distances that are taken for letters in cells."""

WORD_PITCH = 1.5
"""Distance of two such letters, in usual distances, from which a space is between them."""

ACCENTS = {
    "`": "\u0300",
    "´": "\u0301",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}
"""Accents that are drawn as letters of their own, and the marks that combine with the letter below or above them."""


@dataclass
class Reading:
    """One order of the text of a page."""

    text: str
    letters: Sequence[int]
    """Index of the letter of each character; -1 for a space or a line end without a letter."""


@dataclass
class PageText:
    """The letters of a page, and the texts that they make."""

    letters: list[Letter] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    unmapped: int = 0
    """Letters whose font does not say which characters they are."""

    @property
    def has_letters(self) -> bool:
        """Whether there is any text."""
        return any(reading.text.strip() for reading in self.readings)


def read_page(page: Any) -> PageText:
    """Return the text of a page of a working copy: in the order of the file, by place, and as its tags replace it."""
    read = PageText()
    drawn = _blocks(page, FLAGS | pymupdf.TEXT_IGNORE_ACTUALTEXT)
    first = _add(read, drawn)
    read.unmapped = first.text.count("\ufffd")
    by_place = _by_place(read, first)
    if by_place.text != first.text:
        read.readings.append(by_place)
    if RIGHT_TO_LEFT.search(by_place.text):
        read.readings.append(_in_reading_direction(by_place))
    if gaps := _gaps_of_letters_apart(read, by_place):
        kept = [place for place in range(len(by_place.text)) if place not in gaps]
        joined = "".join(by_place.text[place] for place in kept)
        read.readings.append(Reading(joined, [by_place.letters[place] for place in kept]))
    replaced = page.get_text("text", flags=FLAGS)
    if replaced != page.get_text("text", flags=FLAGS | pymupdf.TEXT_IGNORE_ACTUALTEXT):
        _add(read, _blocks(page, FLAGS))
    return read


def _blocks(page: Any, flags: int) -> list[dict[str, Any]]:
    return [block for block in page.get_text("rawdict", flags=flags)["blocks"] if block["type"] == 0]


def _add(read: PageText, blocks: Sequence[dict[str, Any]]) -> Reading:
    """Add the letters of blocks in their order."""
    texts: list[str] = []
    indexes: list[int] = []
    for number, line in enumerate(line for block in blocks for line in block["lines"]):
        across, down = line["dir"]
        found: list[tuple[str, int]] = []
        for span in line["spans"]:
            for each in span["chars"]:
                box = _box(each, span["size"], across, down)
                read.letters.append(Letter(box, number, across, -down))
                found.append((each["c"], len(read.letters) - 1))
        found = list(_with_combined_accents(found, read.letters))
        texts += *(text for text, _ in found), "\n"
        indexes += *(index for _, index in found), -1
    reading = Reading("".join(texts), indexes)
    read.readings.append(reading)
    return reading


def _box(each: dict[str, Any], size: float, across: float, down: float) -> Box:
    """Return the box of a letter in user space, without the space above and below that its font only declares."""
    left, top, right, bottom = each["bbox"]
    x, y = each["origin"]
    if abs(down) < 0.01 and across > 0:
        top, bottom = max(top, y - ASCENT * size), min(bottom, y + DESCENT * size)
    elif abs(across) < 0.01:
        above, below = (ASCENT, DESCENT) if down < 0 else (DESCENT, ASCENT)
        left, right = max(left, x - above * size), min(right, x + below * size)
    return left - EXTENT, EXTENT - bottom, right - EXTENT, EXTENT - top


def _with_combined_accents(found: Sequence[tuple[str, int]], letters: Sequence[Letter]) -> Iterator[tuple[str, int]]:
    """Turn accents that are drawn over a letter, before or after it, into marks that combine with it."""
    waiting: tuple[str, int] | None = None
    for place, (text, index) in enumerate(found):
        mark = ACCENTS.get(text)
        if mark and place + 1 < len(found) and _is_over(letters, index, found[place + 1][1]):
            waiting = mark, index
            continue
        if mark and place and _is_over(letters, index, found[place - 1][1]):
            yield mark, index
            continue
        yield text, index
        if waiting:
            yield waiting
            waiting = None


def _is_over(letters: Sequence[Letter], accent_index: int, index: int) -> bool:
    if index < 0:
        return False
    accent, letter = letters[accent_index], letters[index]
    return letter.box[0] < accent.center[0] < letter.box[2] and letter.box[1] < accent.box[3]


def _by_place(read: PageText, first: Reading) -> Reading:
    """Return the horizontal text sorted by place: words whose letters are drawn in any order are whole in it."""
    placed = [
        (letter.box, text, index)
        for text, index in zip(first.text, first.letters, strict=True)
        if index >= 0 and not text.isspace()
        for letter in (read.letters[index],)
        if letter.is_horizontal
    ]
    placed.sort(key=lambda each: -each[0][1])
    texts: list[str] = []
    indexes: list[int] = []
    for line in _lines(placed):
        whole = list(_with_combined_accents(list(_spaced(line)), read.letters))
        texts += *(text for text, _ in whole), "\n"
        indexes += *(index for _, index in whole), -1
    return Reading("".join(texts), indexes)


def _gaps_of_letters_apart(read: PageText, by_place: Reading) -> set[int]:
    """Return the places of the gaps between letters that are set apart, but are read as one word."""
    found: set[int] = set()
    for match in LETTERS_APART.finditer(by_place.text):
        apart = range(*match.span(), 2)
        middles = [read.letters[by_place.letters[place]].center[0] for place in apart]
        pitches = [after - before for before, after in pairwise(middles)]
        limit = WORD_PITCH * median(pitches)
        found |= {place + 1 for place, pitch in zip(apart, pitches, strict=False) if pitch <= limit}
    places = [place for place, index in enumerate(by_place.letters) if index >= 0]
    boxes = [read.letters[by_place.letters[place]].box for place in places]
    for edges in ([box[0] for box in boxes], [box[0] + box[2] for box in boxes]):
        for first, last in _equal_steps(edges):
            found |= {place for place in range(places[first], places[last]) if by_place.text[place] in (" ", BREAK)}
    return found


def _equal_steps(edges: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of each run of edges at equal distances, such as those of cells."""
    first = 0
    for index in range(2, len(edges) + 1):
        step = edges[first + 1] - edges[first]
        if index < len(edges) and step > 0 and abs(edges[index] - edges[index - 1] - step) <= SAME_STEP * step:
            continue
        if index - first >= LEAST_CELLS:
            yield first, index - 1
        first = index - 1


def _in_reading_direction(by_place: Reading) -> Reading:
    """Return text sorted by place with its lines in the order in which they are read, where they run to the left."""
    texts: list[str] = []
    indexes: list[int] = []
    page_runs_left = runs_left(by_place.text)
    start = 0
    for line in by_place.text.split("\n"):
        order: Sequence[int] = range(len(line))
        if RIGHT_TO_LEFT.search(line):
            is_left = line_runs_left(line, page_runs_left=page_runs_left)
            order = [place for place, _ in logical_order(line, right_to_left=is_left)]
        texts += *(line[place] for place in order), "\n"
        indexes += *(by_place.letters[start + place] for place in order), -1
        start += len(line) + 1
    return Reading("".join(texts), indexes)


def _lines(placed: Sequence[tuple[Box, str, int]]) -> Iterator[list[tuple[Box, str, int]]]:
    """Group letters whose baselines are at most a quarter of their height apart."""
    group, bottom = 0, 0.0
    keys: list[int] = []
    for box, _, _ in placed:
        if keys and bottom - box[1] > (box[3] - box[1]) / 4:
            group += 1
        bottom = box[1]
        keys.append(group)
    for _, members in groupby(zip(keys, placed, strict=True), key=lambda each: each[0]):
        yield sorted((each for _, each in members), key=lambda each: each[0][0])


def _spaced(line: Sequence[tuple[Box, str, int]]) -> Iterator[tuple[str, int]]:
    """Return each letter and its index, and spaces and gaps between them."""
    end: float | None = None
    for box, text, index in line:
        gap = 0.0 if end is None else (box[0] - end) / (box[3] - box[1] or 1.0)
        if gap > SPACE_GAP:
            yield BREAK if gap > COLUMN_GAP else " ", -1
        yield text, index
        end = box[2] if end is None else max(end, box[2])


@dataclass(frozen=True)
class Place:
    """A place of a page where something was found."""

    kind: MatchKind
    text: str
    boxes: Sequence[Box]


@dataclass
class MarkedPage:
    """Letters and areas to remove from a page."""

    letters: list[Letter] = field(default_factory=list)
    areas: list[Box] = field(default_factory=list)
    """Areas under which everything is removed, and which are filled."""
    places: list[Place] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.letters or self.areas)

    def add_area(self, area: Box, read: PageText) -> None:
        """Mark an area and the letters that it covers by more than a fifth."""
        self.areas.append(area)
        self.letters += [letter for letter in read.letters if letter.is_covered(area)]


def mark(read: PageText, search: Search) -> MarkedPage:
    """Return what is found on a page."""
    marked = MarkedPage()
    found: list[tuple[MatchKind, str, list[Letter]]] = []
    for reading in read.readings:
        for hit in search.find(reading.text):
            indexes = dict.fromkeys(index for index in reading.letters[hit.start : hit.end] if index >= 0)
            if indexes:
                text = " ".join(reading.text[hit.start : hit.end].split())
                found.append((hit.kind, text, [read.letters[index] for index in indexes]))
    covered: list[frozenset[tuple[float, float]]] = []
    for kind, text, letters in sorted(found, key=lambda each: -len(each[2])):
        centers = frozenset((round(x), round(y)) for x, y in (letter.center for letter in letters))
        boxes = pieces(letters)
        marked.letters += letters
        marked.areas += [box for box in boxes if box not in marked.areas]
        if not any(centers <= other for other in covered):
            covered.append(centers)
            marked.places.append(Place(kind, text, boxes))
    marked.places.sort(key=lambda place: (-place.boxes[0][3], place.boxes[0][0]))
    return marked
