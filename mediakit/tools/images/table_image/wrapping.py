"""Lines of a cell: words stay whole where they fit; longer ones are broken."""

from functools import lru_cache

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text import (
    ELLIPSIS,
    RIGHT_TO_LEFT_MARK,
    grapheme_clusters,
    split_words,
    text_width,
    truncate,
)
from mediakit.engines.drawing.typeface import Weight

MAX_LINES = 3
"""Lines of a cell or the title; the rest is cut with an ellipsis."""
MAX_HEADER_LINES = 100
"""Headers are never cut: their limit of 200 characters is reached first."""


@lru_cache(maxsize=4096)
def cell_lines(text: str, width: float, size: float, max_lines: int, weight: Weight = 400) -> tuple[str, ...]:
    """Return a text as lines that fit a width; the last one ends with an ellipsis if there is more text."""
    if text_width(text, size, weight) <= width:
        return (text,)
    pieces = _pieces(text, width, size, weight)
    lines: list[str] = []
    while pieces and len(lines) < max_lines:
        line = pieces.pop(0)
        while pieces and text_width((line + pieces[0]).rstrip(), size, weight) <= width:
            line += pieces.pop(0)
        lines.append(line.strip())
    if pieces:
        lines[-1] = _with_ellipsis(lines[-1], width, size, weight)
    return tuple(lines)


def longest_word(text: str, size: float, weight: Weight = 400) -> float:
    """Return the width of the widest part of a text that wrapping keeps whole."""
    return max((text_width(word.strip(), size, weight) for word in split_words(text)), default=0.0)


def is_cut(text: str, lines: tuple[str, ...]) -> bool:
    """Return whether lines show only the begin of a text."""
    return bool(lines) and lines[-1].rstrip(RIGHT_TO_LEFT_MARK).endswith(ELLIPSIS) and not text.endswith(ELLIPSIS)


def _pieces(text: str, width: float, size: float, weight: Weight) -> list[str]:
    """Return the words of a text; a word that is wider than a line in several pieces."""
    found: list[str] = []
    for word in split_words(text):
        if text_width(word.rstrip(), size, weight) <= width:
            found.append(word)
            continue
        piece = ""
        for cluster in grapheme_clusters(word):
            if piece and text_width(piece + cluster, size, weight) > width:
                found.append(piece)
                piece = ""
            piece += cluster
        found.append(piece)
    return found


def _with_ellipsis(line: str, width: float, size: float, weight: Weight) -> str:
    ending = ELLIPSIS + (RIGHT_TO_LEFT_MARK if begins_right_to_left(line) else "")
    marked = line.rstrip(" ,;:-–(/.") + ending
    return marked if text_width(marked, size, weight) <= width else truncate(line + " " + line, width, size, weight)
