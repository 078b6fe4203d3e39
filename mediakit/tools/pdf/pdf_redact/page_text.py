"""The text of a page, with the place of each letter; read with MuPDF."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pymupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, line_runs_left, logical_order, runs_left
from mediakit.tools.pdf.pdf_redact.folding import BREAK
from mediakit.tools.pdf.pdf_redact.marks import Box, Letter
from mediakit.tools.pdf.pdf_redact.working_copy import EXTENT

FLAGS = pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE
"""Everything is read, also what lies outside the page."""

ASCENT, DESCENT = 0.88, 0.25
"""Most that a letter reaches above and below the baseline, in font sizes; fonts often declare more."""

COLUMN_GAP = 2.5
"""Gap within a line of text, in letter heights, that is not a space but the gap between two columns."""

SPACE_GAP = 0.2
"""Gap between two letters, in letter heights, that is a space."""

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
        text, letters = _line(read, line, number)
        texts += text, "\n"
        indexes += *letters, -1
    reading = Reading("".join(texts), indexes)
    read.readings.append(reading)
    return reading


def _line(read: PageText, line: dict[str, Any], number: int) -> tuple[str, list[int]]:
    across, down = line["dir"]
    found: list[tuple[str, int]] = []
    for span in line["spans"]:
        for each in span["chars"]:
            box = _box(each, span["size"], across, down)
            read.letters.append(Letter(box, number, across, -down))
            found.append((each["c"], len(read.letters) - 1))
    found = list(_with_combined_accents(found, read.letters))
    return "".join(text for text, _ in found), [index for _, index in found]


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
