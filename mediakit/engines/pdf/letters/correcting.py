"""Tells pages whose text has to be read letter by letter, and reads them."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, in_reading_direction, runs_left
from mediakit.engines.pdf.letters.columns import FEWEST_LETTERS, IDEOGRAPHS, is_sparse, with_columns
from mediakit.engines.pdf.letters.lines import (
    SPACED,
    LetterLine,
    read_letters,
    with_spaces,
    without_doubles,
    without_letter_spacing,
)

if TYPE_CHECKING:
    import pymupdf

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
    """A line of a page, or a part of it."""

    @property
    def x0(self) -> float:
        """Left edge."""

    @property
    def y0(self) -> float:
        """Top edge."""

    @property
    def x1(self) -> float:
        """Right edge."""

    @property
    def y1(self) -> float:
        """Bottom edge."""

    @property
    def text(self) -> str:
        """The text."""


def needs_correction(lines: Sequence[Piece]) -> bool:
    """Return whether the text of a page may be other than people read it."""
    text = "\n ".join([line.text for line in lines])
    if len(text) > MAX_LETTERS:
        return False
    is_foreign = not text.isascii() and bool(RIGHT_TO_LEFT.search(text) or SPACED.search(text))
    if not is_foreign and not text.isascii() and IDEOGRAPHS.search(text):
        is_foreign = _may_have_columns([(line.text, line.x1 - line.x0, line.y1 - line.y0) for line in lines])
    return (
        is_foreign
        or _SINGLE_LETTERS.search(f" {text}") is not None
        or _has_overlap(lines)
        or _has_double_letters(lines)
    )


def corrected_lines(text: "pymupdf.TextPage") -> list[LetterLine]:
    """Return the lines of a page as people read them, in the order in which they are drawn."""
    lines = without_doubles(read_letters(text))
    if _may_have_columns([(line.text, line.width, line.height) for line in lines]):
        lines = with_columns(lines)
    without_letter_spacing(lines)
    if any(SPACED.search(line.text) for line in lines):
        with_spaces(lines)
    if any(RIGHT_TO_LEFT.search(line.text) for line in lines):
        page_runs_left = runs_left("".join(line.text for line in lines))
        lines = in_reading_direction(lines, page_runs_left=page_runs_left)
    return lines


def _may_have_columns(lines: Sequence[tuple[str, float, float]]) -> bool:
    """Return whether enough lines, with their width and height, may be letters of columns."""
    letters = sum(len(text) for line, width, height in lines if is_sparse(text := line.strip(), width, height))
    return letters >= FEWEST_LETTERS


def _has_double_letters(lines: Sequence[Piece]) -> bool:
    """Return whether the letters of a line may each be drawn twice: it is too narrow for all of them."""
    return any(
        line.x1 - line.x0 < NARROW * (line.y1 - line.y0) * len(line.text) and _TWICE.search(line.text) is not None
        for line in lines
    )


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
