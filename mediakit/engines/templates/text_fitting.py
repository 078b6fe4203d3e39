"""Finds the largest font size at which a text fits its box, without a browser."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from mediakit.engines.fonts import Family, em_width

WIDTH_TOLERANCE = 1.02
"""Texts are assumed to be a little wider than measured, because browsers apply kerning and rounding."""

MIN_LINE_HEIGHTS = {"east_asian": 1.15, "hebrew": 1.2, "tall": 1.4}
"""Minimum line height by kind of script, in em. `tall` are scripts with marks above and below the letters, such as
Arabic, Devanagari and Thai."""

MIN_ZOOM, ZOOM_STEP = 0.05, 0.92
"""Limit and step of the search for a zoom at which the texts of a page fit."""

LAST_LATIN = 0x024F
"""Letters without case up to this code point (ª, º) are Latin."""

_PIECES = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True)
class TextBox:
    """The space and the style of a text."""

    width: float
    """Width of a line, in pixels."""
    font_size: float
    """Font size of texts that fit, in pixels."""
    min_font_size: float
    """Font size below which texts are truncated instead, in pixels."""
    lines: int = 1
    """Maximum number of lines."""
    weight: int = 400
    family: Family = "sans"
    tracking: float = 0.0
    """Additional space between letters, in em."""
    height: float = float("inf")
    """Maximum height of all lines, in pixels."""
    line_height: float = 1.3
    """In em."""
    uppercase: bool = False
    """Whether the text is set in capital letters."""

    def for_scripts_of(self, text: str) -> "TextBox":
        """Return the box with tracking and line height that suit the scripts of a text.

        Tracking would separate joined letters; marks above and below the letters need taller lines.
        """
        kinds = {kind for kind in map(_script_kind, text) if kind}
        tracking = self.tracking if kinds <= {"east_asian"} else 0.0
        line_height = max(self.line_height, *(MIN_LINE_HEIGHTS[kind] for kind in kinds), 0.0)
        return replace(self, tracking=tracking, line_height=line_height)


@dataclass(frozen=True)
class FittedText:
    """The font size of a text that was fitted to a box."""

    font_size: float
    """In pixels."""
    is_smaller: bool
    """Whether the font size is smaller than that of the box."""
    is_truncated: bool
    lines: int
    """Number of lines that are used."""


class _Piece(NamedTuple):
    """A part of a text that is not broken, with its trailing spaces."""

    text: str
    width: float
    """In em."""
    visible_width: float
    """Width without trailing spaces, in em."""


def line_width(text: str, box: TextBox) -> float:
    """Return the width of a text on one line at the full font size of a box, in pixels."""
    return box.font_size * _em_width(text, box)


def _em_width(text: str, box: TextBox) -> float:
    return WIDTH_TOLERANCE * (em_width(text, box.family, box.weight) + box.tracking * len(text))


def fit_text(text: str, box: TextBox) -> FittedText:
    """Return the largest font size at which a text fits a box, in steps of 2 % or a pixel."""
    pieces = [
        _Piece(piece, _em_width(piece, box), _em_width(piece.rstrip(), box)) for piece in _break_opportunities(text)
    ]
    size = box.font_size
    while size > box.min_font_size and not _fits(pieces, box, size):
        size = max(box.min_font_size, size - max(1.0, box.font_size / 50))
    return FittedText(
        size,
        is_smaller=size < box.font_size,
        is_truncated=not _fits(pieces, box, size, break_words=True),
        lines=min(box.lines, _count_lines(pieces, box.width / size)),
    )


def largest_zoom(fits: Callable[[float], bool], *, fitting: float, too_large: float) -> float:
    """Return the largest zoom at which a page fits its texts, within 3 % of the interval.

    Args:
        fits: Returns whether the texts fit at a zoom.
        fitting: A zoom at which the texts probably fit. It is reduced if they do not: on a page with more space, fewer
            texts are reduced in size, and the content can be higher.
        too_large: A zoom at which they do not fit.
    """
    while not fits(fitting) and fitting > MIN_ZOOM:
        fitting, too_large = fitting * ZOOM_STEP, fitting
    for _ in range(5):
        middle = (fitting + too_large) / 2
        fitting, too_large = (middle, too_large) if fits(middle) else (fitting, middle)
    return fitting


def _script_kind(char: str) -> str:
    """Return the kind of script of a letter, a key of MIN_LINE_HEIGHTS; empty for Latin, Greek and Cyrillic."""
    if unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) == "Lo":
        return "east_asian"
    if unicodedata.category(char) in ("Lo", "Mc") and ord(char) > LAST_LATIN:
        return "hebrew" if unicodedata.bidirectional(char) == "R" else "tall"
    return ""


def _break_opportunities(text: str) -> list[str]:
    """Split a text where a line may break: after spaces, and around East Asian characters (UAX #14)."""
    return [part for word in _PIECES.findall(text) for part in _split_east_asian(word)]


def _split_east_asian(word: str) -> list[str]:
    if not any(unicodedata.east_asian_width(char) in "WF" for char in word):
        return [word]
    return [part for part in re.split(r"(?<=[\u2e80-\U000fffff])(?![\s\u3000-\u303f\uff00-\uff0f])", word) if part]


def _fits(pieces: list[_Piece], box: TextBox, size: float, *, break_words: bool = False) -> bool:
    """Return whether a text fits a box; `break_words` allows breaks inside words in boxes of several lines."""
    max_width = box.width / size
    if not (break_words and box.lines > 1) and any(piece.visible_width > max_width for piece in pieces):
        return False
    lines = _count_lines(pieces, max_width)
    return lines <= box.lines and lines * size * box.line_height <= box.height


def _count_lines(pieces: list[_Piece], max_width: float) -> int:
    """Return the number of lines that a browser would break the pieces into."""
    lines, used = 1, 0.0
    for piece, width, visible in pieces:
        if used and used + visible > max_width:
            lines, used = lines + 1, 0.0
        used += width
        while used > max_width and visible > max_width:
            lines, used = lines + 1, used - max_width
        if "\n" in piece:
            lines, used = lines + 1, 0.0
    return lines
