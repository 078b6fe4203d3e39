"""Tells pages whose text has to be read letter by letter, and reads them, also in columns of vertical writing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Protocol
from unicodedata import normalize

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, in_reading_direction, runs_left
from mediakit.engines.pdf.letters.lines import (
    SPACED,
    Box,
    Letter,
    LetterLine,
    read_letters,
    with_spaces,
    without_doubles,
    without_letter_spacing,
)

if TYPE_CHECKING:
    import pymupdf


IDEOGRAPHS = re.compile("[\u3001-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\ufe10-\ufe4f\U00020000-\U0003ffff]")
"""Letters of scripts that are written in columns, with their signs."""

FORMS = re.compile("[\ufe10-\ufe19\ufe30-\ufe48]")
"""Signs that show their form in columns."""

BESIDE_EMS = 0.35
"""Distance of the centers of two letters of a column across, in sizes of the font."""

GAP_EMS = 0.6
"""Distance of two letters of a column, in sizes of the font: those that are placed one by one are further apart."""

SHORT_EMS = 1.3
"""Width of a number that stands upright in a column, in sizes of the font."""

FEWEST_LETTERS = 3
"""Letters of the longest column of a page."""

SPARSE = 1.1
"""Width of a line whose letters may be apart, in heights for each letter."""

CLOSER_EMS = 0.05
"""Distance by which letters of a column are nearer than columns, in sizes of the font."""

LEAST_SHARE = 0.5
"""Share of the letters of a page that are in columns, where no font says that it writes downwards."""

PAGE = 100_000.0
"""Points between the columns of a page and the lines above and below them, as `as_rows` places them."""


@dataclass(slots=True)
class _Unit:
    """A letter, or letters that a font writes downwards, that may be part of a column."""

    line: LetterLine
    letters: list[Letter]
    center: float
    top: float
    bottom: float
    size: float
    is_ideographic: bool


def is_sparse(text: str, width: float, height: float) -> bool:
    """Return whether a line may be a letter of a column, or letters of columns side by side: MuPDF reads them so."""
    return IDEOGRAPHS.match(text) is not None and (len(text) == 1 or width > SPARSE * len(text) * height)


def with_columns(lines: Sequence[LetterLine]) -> list[LetterLine]:
    """Return the lines of a page with the letters of each column as one line that runs downwards."""
    units = [unit for line in lines for unit in _units(line)]
    chains = [chain for chain in _chains(units) if any(unit.is_ideographic for unit in chain)]
    inside = {id(unit.line) for chain in chains for unit in chain}
    if not chains or not _are_columns(chains, lines, inside):
        return list(lines)
    columns = []
    for chain in chains:
        letters = [
            replace(letter, text=normalize("NFKC", letter.text)) if FORMS.match(letter.text) else letter
            for unit in chain
            for letter in unit.letters
        ]
        line = replace(chain[0].line, direction=(0.0, 1.0), letters=letters, is_changed=True, is_column=True)
        columns.append(line)
    return [line for line in lines if id(line) not in inside] + sorted(columns, key=lambda line: line.number)


def _are_columns(chains: Sequence[Sequence[_Unit]], lines: Sequence[LetterLine], inside: set[int]) -> bool:
    """Return whether letters that are one below the other are columns, and not lines with letters that are apart."""
    units = [unit for chain in chains for unit in chain]
    if any(unit.line.writes_down for unit in units):
        return True
    counts = [_count("".join(letter.text for unit in chain for letter in unit.letters)) for chain in chains]
    total = sum(_count(line.text) for line in lines)
    if max(counts) < FEWEST_LETTERS or sum(counts) < LEAST_SHARE * total:
        return False
    below = [(unit.top - above.bottom) / unit.size for chain in chains for above, unit in pairwise(chain)]
    rows = [sorted(line.letters, key=lambda letter: letter.x0) for line in lines if id(line) in inside]
    beside = [(letter.x0 - other.x1) / letter.size for row in rows for other, letter in pairwise(row)]
    is_drawn_down = sum(len(row) == 1 for row in rows) > 0.5 * len(units)
    return is_drawn_down or median(below) < median(beside) - CLOSER_EMS


def as_rows(lines: Sequence[LetterLine]) -> list[LetterLine]:
    """Return the lines of a page turned so that columns are rows from left to right, the rightmost one above.

    What works on rows, such as the search for paragraphs, then works on columns. Lines above the columns stay above
    them, other lines come below.
    """
    columns = [line for line in lines if line.is_column]
    if not columns:
        return list(lines)
    top = min(line.box[1] for line in columns)
    right = max(line.box[2] for line in columns)
    rows = []
    for line in lines:
        shift = -PAGE if line.box[1] < top else PAGE
        letters = []
        for letter in line.letters:
            if line.is_column:  # a quarter turn to the left around the top right corner of the columns
                left, x1, y0, y1 = letter.y0, letter.y1, right - letter.x1, right - letter.x0
                letters.append(replace(letter, x0=left, x1=x1, y0=y0, y1=y1, origin=(left, y1)))
            else:
                x, y = letter.origin
                letters.append(replace(letter, y0=letter.y0 + shift, y1=letter.y1 + shift, origin=(x, y + shift)))
        rows.append(replace(line, letters=letters))
    return rows


def _units(line: LetterLine) -> list[_Unit]:
    text = line.text.strip()
    letters = [letter for letter in line.letters if not letter.text.isspace()]
    x0, y0, x1, y1 = line.box
    size = letters[0].size
    is_ideographic = IDEOGRAPHS.search(text) is not None
    is_upright = line.direction[0] > 0.9
    if line.writes_down or line.direction[1] > 0.9 or (is_upright and text.isalnum() and x1 - x0 < SHORT_EMS * size):
        return [_Unit(line, line.letters, (x0 + x1) / 2, y0, y1, size, is_ideographic)]
    if is_upright and is_sparse(text, x1 - x0, y1 - y0):
        return [
            _Unit(line, [letter], letter.center[0], letter.y0, letter.y1, size, is_ideographic) for letter in letters
        ]
    return []


def _chains(units: Sequence[_Unit]) -> list[list[_Unit]]:
    """Return units that are one below the other, columns from right to left."""
    bands: list[list[_Unit]] = []
    for unit in sorted(units, key=lambda unit: -unit.center):
        if bands and abs(bands[-1][0].center - unit.center) < BESIDE_EMS * max(unit.size, bands[-1][0].size):
            bands[-1].append(unit)
        else:
            bands.append([unit])
    chains: list[list[_Unit]] = []
    for band in bands:
        start = len(chains)
        for unit in sorted(band, key=lambda unit: unit.top):
            if len(chains) > start and unit.top - chains[-1][-1].bottom < GAP_EMS * unit.size:
                chains[-1].append(unit)
            else:
                chains.append([unit])
    return chains


def _count(text: str) -> int:
    return len(IDEOGRAPHS.findall(text))


MAX_LETTERS = 200_000
"""Letters of a page that is corrected; one with more is a drawing."""

MOST_NEIGHBORS = 40
"""Lines on one baseline with which a line is compared."""

SAME_PLACE = 0.3
"""Share of a line that another one may cover before both count as drawn in the same place."""

NARROW = 0.33
"""Width of a line with letters that are drawn twice, in its heights for each letter; of others it is about .4."""

_TWICE = re.compile(r"(\S)\1+\s*(\S)\2+\s*(\S)\3+")
"""Three letters in sequence that are double: each letter may be drawn twice."""

_SINGLE_LETTERS = re.compile(r" [^\W_] [^\W_] [^\W_] [^\W_](?!\S)")
"""Letters that may be set apart; the pattern begins with a space, which makes the search faster."""


class Piece(Protocol):
    """A line of a page, or a part of it, and its box."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


def needs_correction(lines: Sequence[Piece]) -> bool:
    """Return whether the text of a page may be other than people read it."""
    text = "\n ".join([line.text for line in lines])
    if len(text) > MAX_LETTERS:
        return False
    is_foreign = not text.isascii() and bool(RIGHT_TO_LEFT.search(text) or SPACED.search(text))
    if not is_foreign and not text.isascii() and IDEOGRAPHS.search(text):
        is_foreign = _may_have_columns([(line.text, (line.x0, line.y0, line.x1, line.y1)) for line in lines])
    if is_foreign or _SINGLE_LETTERS.search(f" {text}") or _has_overlap(lines):
        return True
    return any(  # a line is too narrow for all of its letters: each may be drawn twice
        line.x1 - line.x0 < NARROW * (line.y1 - line.y0) * len(line.text) and _TWICE.search(line.text) is not None
        for line in lines
    )


def corrected_lines(text: "pymupdf.TextPage") -> list[LetterLine]:
    """Return the lines of a page as people read them, in the order in which they are drawn."""
    lines = without_doubles(read_letters(text))
    if _may_have_columns([(line.text, line.box) for line in lines]):
        lines = with_columns(lines)
    without_letter_spacing(lines)
    if any(SPACED.search(line.text) for line in lines):
        with_spaces(lines)
    if any(RIGHT_TO_LEFT.search(line.text) for line in lines):
        page_runs_left = runs_left("".join(line.text for line in lines))
        lines = in_reading_direction(lines, page_runs_left=page_runs_left)
    return lines


def _may_have_columns(lines: Sequence[tuple[str, Box]]) -> bool:
    """Return whether enough lines, given with their boxes, may be letters of columns."""
    letters = sum(len(text) for line, (x0, y0, x1, y1) in lines if is_sparse(text := line.strip(), x1 - x0, y1 - y0))
    return letters >= FEWEST_LETTERS


def _has_overlap(lines: Sequence[Piece]) -> bool:
    """Return whether a line covers part of another one on its baseline."""
    ordered = sorted([(line.y0 + line.y1, line.x0, line.x1, line.y1 - line.y0) for line in lines])
    for index, (place, x0, x1, height) in enumerate(ordered, 1):
        for other in range(index, min(index + MOST_NEIGHBORS, len(ordered))):
            below, left, right, _ = ordered[other]
            if below - place > height:
                break
            shared = min(x1, right) - max(x0, left)
            if shared > 0 and shared > SAME_PLACE * min(x1 - x0, right - left):
                return True
    return False
