"""Lines of text: cleaned, measured, cut to fit, broken into lines."""

import unicodedata
from dataclasses import dataclass
from typing import Literal

from mediakit.tools.images.chart.scripts import clusters, em_width, is_right_to_left, script_of
from mediakit.tools.images.chart.typeface import Weight

Anchor = Literal["start", "middle", "end"]
ELLIPSIS, RIGHT_TO_LEFT_MARK = "…", "\u200f"
LINE_HEIGHT = 1.25
"""In em."""

WIDE = ("chinese", "japanese", "korean")
"""Scripts whose lines break between any two characters."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line where it stands."""

    x: float
    y: float
    """Of the baseline."""
    content: str
    size: float
    fill: str
    weight: Weight = 400
    anchor: Anchor = "start"
    turn: float = 0
    """Degrees clockwise around x, y."""
    full: str = ""
    """The whole text where `content` is cut."""
    halo: str = ""
    """Colour around the letters where they stand on marks."""


def clean(text: str) -> str:
    """Make one line of a text: no controls, no overrides of direction, nothing that XML 1.0 forbids."""
    kept = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", text) if _is_written(char))
    return " ".join("".join(kept).split())


def width(text: str, size: float, weight: Weight = 400) -> float:
    """Measure a line, in pixels."""
    return em_width(text, weight) * size


def fit(text: str, room: float, size: float, weight: Weight = 400) -> str:
    """Cut a line to a room with an ellipsis; empty where not even that fits."""
    if width(text, size, weight) <= room:
        return text
    left = room / size - em_width(ELLIPSIS, weight)
    if left < 0:
        return ""
    kept = []
    for cluster in clusters(text):
        left -= em_width(cluster, weight)
        if left < 0:
            break
        kept.append(cluster)
    ending = ELLIPSIS + (RIGHT_TO_LEFT_MARK if is_right_to_left(text) else "")
    return "".join(kept).rstrip(" ,;:-–(/") + ending


def wrap(text: str, room: float, size: float, most: int, weight: Weight = 400) -> list[str]:
    """Break a text into lines; the last of `most` lines is cut."""
    if width(text, size, weight) <= room:
        return [text]
    lines: list[str] = []
    words = _words(text)
    while words and len(lines) < most - 1:
        taken = _first_line(words, room, size, weight)
        lines.append("".join(words[:taken]).strip())
        words = words[taken:]
    rest = "".join(words).strip()
    return [*(line if width(line, size, weight) <= room else fit(line, room, size, weight) for line in lines),
            *([fit(rest, room, size, weight)] if rest else [])]  # fmt: skip


def balanced(text: str, room: float, size: float, most: int, weight: Weight = 400) -> list[str]:
    """Break a text into lines of about the same length, as few as `wrap` would."""
    lines = wrap(text, room, size, most, weight)
    if len(lines) < 2 or is_cut(lines):
        return lines
    low, high = room / 2, room
    for _ in range(6):
        middle = (low + high) / 2
        tried = wrap(text, middle, size, len(lines), weight)
        if is_cut(tried):
            low = middle
        else:
            lines, high = tried, middle
    return lines


def is_cut(lines: list[str]) -> bool:
    """Tell whether lines end with an ellipsis."""
    return any(line.rstrip(RIGHT_TO_LEFT_MARK).endswith(ELLIPSIS) for line in lines)


def _first_line(words: list[str], room: float, size: float, weight: Weight) -> int:
    taken, line = 1, words[0]
    while taken < len(words) and width((line + words[taken]).rstrip(), size, weight) <= room:
        line += words[taken]
        taken += 1
    return taken


def _words(text: str) -> list[str]:
    """Split a text where a line may end, spaces and hyphens with the word before them."""
    words = [""]
    for cluster in clusters(text):
        before = words[-1][-1:]
        wide = script_of(cluster) in WIDE or (before and script_of(before) in WIDE)
        if words[-1] and (wide or (before in " -–/" and cluster != " ")):
            words.append("")
        words[-1] += cluster
    return words


def _is_written(char: str) -> bool:
    if char.isspace():
        return True
    if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn"):
        return False
    return char not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
