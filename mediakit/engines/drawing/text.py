"""Lines of text: normalizing, measuring, truncating and wrapping."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text_runs import em_width, grapheme_clusters, script_of
from mediakit.engines.drawing.typeface import Weight

Anchor = Literal["start", "middle", "end"]
ANCHOR_OFFSETS: Mapping[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Part of a line that is left of its position."""
ELLIPSIS, RIGHT_TO_LEFT_MARK = "…", "\u200f"
EAST_ASIAN_SCRIPTS = ("chinese", "japanese", "korean")
"""Scripts in which a line may break between any two characters."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text at a position."""

    x: float
    y: float
    """Position of the baseline."""
    content: str
    size: float
    fill: str
    weight: Weight = 400
    anchor: Anchor = "start"
    rotation: float = 0
    """Degrees clockwise around x, y."""
    full: str = ""
    """The whole text if `content` is truncated."""
    halo: str = ""
    """Color of an outline that separates the letters from shapes behind them; empty for none."""
    tabular: bool = False
    """Whether all digits have the same width."""

    @property
    def width(self) -> float:
        """Width of the line, in pixels."""
        return em_width(self.content, self.weight, tabular=self.tabular) * self.size


def normalize_text(text: str) -> str:
    """Return a text as one line without control characters, bidi overrides and characters that XML 1.0 forbids."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", text) if _is_allowed(char))
    return " ".join("".join(kept).split())


def text_width(text: str, size: float, weight: Weight = 400) -> float:
    """Return the width of a line, in pixels."""
    return em_width(text, weight) * size


def truncate(text: str, max_width: float, size: float, weight: Weight = 400) -> str:
    """Return a line that fits a width, truncated with an ellipsis; empty if not even the ellipsis fits."""
    if text_width(text, size, weight) <= max_width:
        return text
    left = max_width / size - em_width(ELLIPSIS, weight)
    if left < 0:
        return ""
    kept = []
    for cluster in grapheme_clusters(text):
        left -= em_width(cluster, weight)
        if left < 0:
            break
        kept.append(cluster)
    ending = ELLIPSIS + (RIGHT_TO_LEFT_MARK if begins_right_to_left(text) else "")
    return "".join(kept).rstrip(" ,;:-–(/") + ending


def wrap(text: str, max_width: float, size: float, max_lines: int, weight: Weight = 400) -> list[str]:
    """Return a text as at most `max_lines` lines; the last one is truncated if necessary."""
    if text_width(text, size, weight) <= max_width:
        return [text]
    lines: list[str] = []
    words = split_words(text)
    while words and len(lines) < max_lines - 1:
        count = _count_words_of_first_line(words, max_width, size, weight)
        lines.append("".join(words[:count]).strip())
        words = words[count:]
    rest = "".join(words).strip()
    return [truncate(line, max_width, size, weight) for line in (*lines, *([rest] if rest else []))]


def wrap_balanced(text: str, max_width: float, size: float, max_lines: int, weight: Weight = 400) -> list[str]:
    """Return a text as lines of similar length; their number is that of `wrap`."""
    lines = wrap(text, max_width, size, max_lines, weight)
    if len(lines) < 2 or is_truncated(lines):
        return lines
    low, high = max_width / 2, max_width
    for _ in range(6):
        middle = (low + high) / 2
        narrower = wrap(text, middle, size, len(lines), weight)
        if is_truncated(narrower):
            low = middle
        else:
            lines, high = narrower, middle
    return lines


def is_truncated(lines: Iterable[str]) -> bool:
    """Return whether a line ends with an ellipsis."""
    return any(line.rstrip(RIGHT_TO_LEFT_MARK).endswith(ELLIPSIS) for line in lines)


def _count_words_of_first_line(words: list[str], max_width: float, size: float, weight: Weight) -> int:
    count, line = 1, words[0]
    while count < len(words) and text_width((line + words[count]).rstrip(), size, weight) <= max_width:
        line += words[count]
        count += 1
    return count


def split_words(text: str) -> list[str]:
    """Split a text where a line may break; spaces and hyphens belong to the word before them."""
    words = [""]
    for cluster in grapheme_clusters(text):
        before = words[-1][-1:]
        east_asian = script_of(cluster) in EAST_ASIAN_SCRIPTS or (before and script_of(before) in EAST_ASIAN_SCRIPTS)
        if words[-1] and (east_asian or (before in " -–/" and cluster != " ")):
            words.append("")
        words[-1] += cluster
    return words


def _is_allowed(char: str) -> bool:
    if char.isspace():
        return True
    if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn"):
        return False
    return char not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
