"""Type that shrinks to fit: the largest size at which a text keeps to its lines, found before the page is drawn."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace

from mediakit.engines.templates.fonts import Family, em_width

SAFETY = 1.02
"""Browsers kern and round; a text is taken to be a little wider than it was measured."""

LEADING = {"wide": 1.15, "square": 1.2, "high": 1.4}
"""Least height of a line in em: of East Asian characters, of Hebrew, and of scripts with marks above and below such as
Arabic, Devanagari and Thai."""

LAST_OWN = 0x024F
"""Letters without case up to here (ª, º) are Latin ones."""

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
    leading: float = 1.3
    """Height of a line, in em."""

    def suited(self, text: str) -> "Fit":
        """Give the room as the scripts of a text need it.

        Letters that join are torn apart by tracking, and marks above and below a line need a taller one.
        """
        kinds = {kind for kind in map(_script, text) if kind}
        tracking = self.tracking if kinds <= {"wide"} else 0.0
        return replace(self, tracking=tracking, leading=max(self.leading, *(LEADING[kind] for kind in kinds), 0.0))


@dataclass(frozen=True)
class Fitted:
    """What became of a text."""

    size: float
    shrunk: bool
    cut: bool
    lines: int
    """How many it takes, as far as it has them."""


def line_width(text: str, fit: Fit) -> float:
    """Measure a text on one line at the size that the design wants, in pixels."""
    return fit.most * _width(text, fit)


def _width(text: str, fit: Fit) -> float:
    return SAFETY * (em_width(text, fit.family, fit.weight) + fit.tracking * len(text))


def fitted(text: str, fit: Fit) -> Fitted:
    """Choose the font size of a text."""
    pieces = [(piece, _width(piece, fit)) for piece in _pieces(text)]
    size = fit.most
    while size > fit.least and not _holds(pieces, fit, size):
        size = max(fit.least, size - max(1.0, fit.most / 50))
    lines = min(fit.lines, _lines(pieces, fit.width / size))
    return Fitted(size, shrunk=size < fit.most, cut=not _holds(pieces, fit, size, broken=True), lines=lines)


def largest(holds: Callable[[float], bool], *, least: float, most: float) -> float:
    """Find the largest zoom, within 3 % of the span, at which a page holds its texts.

    Args:
        holds: Tells whether it does.
        least: A zoom at which it does, as on a wider page lines only grow longer.
        most: A zoom at which it does not.
    """
    for _ in range(5):
        middle = (least + most) / 2
        least, most = (middle, most) if holds(middle) else (least, middle)
    return least


def _script(char: str) -> str:
    """Name the kind of script that a letter belongs to; empty for those of the templates' own fonts."""
    if unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) == "Lo":
        return "wide"
    if unicodedata.category(char) in ("Lo", "Mc") and ord(char) > LAST_OWN:
        return "square" if unicodedata.bidirectional(char) == "R" else "high"
    return ""


def _pieces(text: str) -> list[str]:
    """Take a text apart where a line may end: after spaces, and around East Asian characters (UAX #14)."""
    return [part for word in _PIECES.findall(text) for part in _unspaced(word)]


def _unspaced(word: str) -> list[str]:
    if not any(unicodedata.east_asian_width(char) in "WF" for char in word):
        return [word]
    return [part for part in re.split(r"(?<=[\u2e80-\U000fffff])(?![\s\u3000-\u303f\uff00-\uff0f])", word) if part]


def _holds(pieces: list[tuple[str, float]], fit: Fit, size: float, *, broken: bool = False) -> bool:
    room = fit.width / size
    if not (broken and fit.lines > 1) and any(_visible(*piece) > room for piece in pieces):
        return False
    lines = _lines(pieces, room)
    return lines <= fit.lines and lines * size * fit.leading <= fit.height


def _visible(piece: str, width: float) -> float:
    """Give the width of a piece without the blanks at its end."""
    return width * len(piece.rstrip()) / len(piece)


def _lines(pieces: list[tuple[str, float]], room: float) -> int:
    """Lay the pieces out line by line, as a browser does."""
    lines, used = 1, 0.0
    for piece, width in pieces:
        visible = _visible(piece, width)
        if used and used + visible > room:
            lines, used = lines + 1, 0.0
        used += width
        while used > room and visible > room:
            lines, used = lines + 1, used - room
        if "\n" in piece:
            lines, used = lines + 1, 0.0
    return lines
