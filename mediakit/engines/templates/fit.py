"""Type that shrinks to fit: the largest size at which a text keeps to its lines, found before the page is drawn."""

import re
import unicodedata
from dataclasses import dataclass

from mediakit.engines.templates.fonts import EMOJI, Family, em_width

SAFETY = 1.02
"""Browsers kern and round; a text is taken to be a little wider than it was measured."""

_PIECES = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True)
class Fit:
    """The room that a text has."""

    width: float
    """Of the line, in pixels."""
    most: float
    """Font size that the design wants, in pixels."""
    least: float
    """Font size below which the text is cut instead."""
    lines: int = 1
    weight: int = 400
    family: Family = "sans"
    tracking: float = 0.0
    """Space between letters, in em."""
    height: float = float("inf")
    """Of all lines together, in pixels."""
    leading: float = 1.05
    """Height of a line, in em."""


@dataclass(frozen=True)
class Fitted:
    """What became of a text."""

    size: float
    shrunk: bool
    cut: bool


def fitted(text: str, fit: Fit) -> Fitted:
    """Choose the font size of a text."""
    pieces = [
        (piece, SAFETY * (em_width(piece, fit.family, fit.weight) + fit.tracking * len(piece)))
        for piece in _pieces(text)
    ]
    size = fit.most
    while size > fit.least and not _holds(pieces, fit, size):
        size = max(fit.least, size - max(1.0, fit.most / 50))
    return Fitted(size, shrunk=size < fit.most, cut=not _holds(pieces, fit, size, broken=True))


def _pieces(text: str) -> list[str]:
    """Take a text apart where a line may end: after spaces, and around East Asian characters (UAX #14)."""
    return [part for word in _PIECES.findall(text) for part in _unspaced(word)]


def _unspaced(word: str) -> list[str]:
    if not any(unicodedata.east_asian_width(char) in "WF" for char in word):
        return [word]
    return [part for part in re.split(r"(?<=[\u2e80-\U000fffff])(?![\s\u3000-\u303f\uff00-\uff0f])", word) if part]


def _holds(pieces: list[tuple[str, float]], fit: Fit, size: float, *, broken: bool = False) -> bool:
    """Lay the pieces out line by line, as a browser does."""
    room, lines, used = fit.width / size, 1, 0.0
    for piece, width in pieces:
        blank = EMOJI if not piece.strip() else 0.0
        visible = width * len(piece.rstrip()) / len(piece) if not blank else 0.0
        if visible > room and not (broken and fit.lines > 1):
            return False
        if used and used + visible > room:
            lines, used = lines + 1, 0.0
        used += width
        while used > room and visible > room:
            lines, used = lines + 1, used - room
        if "\n" in piece:
            lines, used = lines + 1, 0.0
    return lines <= fit.lines and lines * size * fit.leading <= fit.height
