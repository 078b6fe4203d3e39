"""Splits lines of text into runs of one script, and measures them.

Characters that the bundled typeface lacks are rendered with system fonts. Renderers choose one font for a whole text
element and fail if it mixes scripts, so each run becomes an element of its own.
"""

import unicodedata
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface

BUNDLED, EMOJI, OTHER = "", "emoji", "other"
"""Values of `TextRun.script` for the bundled typeface, for emoji, and for characters that RANGES does not list."""

RANGES = (
    (0x0590, 0x05FF, "hebrew"),
    (0xFB1D, 0xFB4F, "hebrew"),
    (0x0600, 0x08FF, "arabic"),
    (0xFB50, 0xFEFC, "arabic"),
    (0x0900, 0x0DFF, "indic"),
    (0x0E00, 0x0E7F, "thai"),
    (0x1100, 0x11FF, "korean"),
    (0x3130, 0x318F, "korean"),
    (0xAC00, 0xD7FF, "korean"),
    (0x3040, 0x30FF, "japanese"),
    (0x1F000, 0x1FAFF, EMOJI),
    (0x2600, 0x27BF, EMOJI),
    (0x2E80, 0x9FFF, "chinese"),
    (0xF900, 0xFAFF, "chinese"),
    (0xFF00, 0xFFEF, "chinese"),
    (0x20000, 0x3FFFF, "chinese"),
)
"""First and last code point of the scripts that the bundled typeface lacks (blocks of Unicode's Scripts.txt)."""

FONTS = {
    "hebrew": "Noto Sans Hebrew, Arial Hebrew, DejaVu Sans, Arial",
    "arabic": "Noto Sans Arabic, Geeza Pro, DejaVu Sans, Segoe UI, Arial",
    "indic": "Noto Sans Devanagari, Kohinoor Devanagari, Nirmala UI, FreeSans",
    "thai": "Noto Sans Thai, Thonburi, Leelawadee UI, FreeSans",
    "korean": "Noto Sans CJK KR, Noto Sans KR, Apple SD Gothic Neo, Malgun Gothic",
    "japanese": "Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, Yu Gothic",
    "chinese": "Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, WenQuanYi Zen Hei",
    EMOJI: "Noto Color Emoji, Apple Color Emoji, Segoe UI Emoji",
    OTHER: "Noto Sans, DejaVu Sans, Arial Unicode MS",
}
"""Font families by script. The first installed family is used."""

CHARACTER_WIDTHS = {
    EMOJI: 1.25,
    "chinese": 1.0,
    "japanese": 1.0,
    "korean": 0.95,
    "hebrew": 0.6,
    "arabic": 0.6,
    "thai": 0.62,
}
"""Approximate width of a character in these families, in em."""
DEFAULT_CHARACTER_WIDTH = 0.75

RIGHT_TO_LEFT_SCRIPTS = ("hebrew", "arabic")
ZERO_WIDTH_JOINER, EMOJI_SELECTOR = "\u200d", "\ufe0f"


class TextRun(NamedTuple):
    """A part of a line in one script."""

    script: str
    text: str
    width: float
    """In em."""


def grapheme_clusters(text: str) -> list[str]:
    """Split a text into grapheme clusters (a subset of UAX #29): marks and joined emoji stay together."""
    found: list[str] = []
    for char in text:
        if found and (_extends(char) or found[-1].endswith(ZERO_WIDTH_JOINER) or _completes_flag(found[-1], char)):
            found[-1] += char
        else:
            found.append(char)
    return found


@lru_cache(maxsize=4096)
def text_runs(text: str, weight: Weight, *, tabular: bool = False) -> tuple[TextRun, ...]:
    """Split a line into runs, in visual order from left to right."""
    clusters = grapheme_clusters(text)
    scripts = _merge_punctuation([script_of(cluster) for cluster in clusters], clusters)
    if begins_right_to_left(text):
        scripts = _merge_edges(scripts, clusters)
    groups = groupby(zip(scripts, clusters, strict=True), key=lambda pair: pair[0])
    runs = [_run(script, [cluster for _, cluster in pairs], weight, tabular=tabular) for script, pairs in groups]
    return tuple(reversed(runs) if begins_right_to_left(text) else runs)


@lru_cache(maxsize=4096)
def em_width(text: str, weight: Weight, *, tabular: bool = False) -> float:
    """Return the width of a line, in em."""
    return sum(run.width for run in text_runs(text, weight, tabular=tabular))


@lru_cache(maxsize=4096)
def script_of(cluster: str) -> str:
    """Return the script of a grapheme cluster, by its first character."""
    if EMOJI_SELECTOR in cluster:
        return EMOJI
    if cluster[0] in typeface(400) or _is_invisible(cluster[0]):
        return BUNDLED
    code = ord(cluster[0])
    return next((script for first, last, script in RANGES if first <= code <= last), OTHER)


def _run(script: str, clusters: list[str], weight: Weight, *, tabular: bool) -> TextRun:
    text = "".join(clusters)
    if script == BUNDLED:
        return TextRun(script, text, typeface(weight).positions(text, tabular=tabular)[-1] / UNITS)
    return TextRun(script, text, sum(_estimated_width(cluster, script) for cluster in clusters))


def _estimated_width(cluster: str, script: str) -> float:
    """Return the estimated width of a cluster that a system font renders, in em."""
    if script_of(cluster) == BUNDLED:
        return typeface(400).advance(cluster[0]) / UNITS if cluster[0] in typeface(400) else 0.0
    return CHARACTER_WIDTHS.get(script, DEFAULT_CHARACTER_WIDTH)


def _merge_punctuation(scripts: list[str], clusters: list[str]) -> list[str]:
    """Return the scripts with punctuation and spaces between two runs of one script assigned to that script."""
    merged = list(scripts)
    last = None
    for place, script in enumerate(scripts):
        if script == BUNDLED and any(char.isalnum() for char in clusters[place]):
            last = None
        elif script != BUNDLED:
            if last is not None and merged[last] == script:
                merged[last:place] = [script] * (place - last)
            last = place
    return merged


def _merge_edges(scripts: list[str], clusters: list[str]) -> list[str]:
    """Return the scripts of a right-to-left line with punctuation and spaces joined to the runs beside them.

    In a run from right to left they are mirrored and stand on its other side.
    """
    merged = list(scripts)
    places = range(len(merged))
    for neighbor, place in (*pairwise(places), *pairwise(places[::-1])):
        is_neutral = merged[place] == BUNDLED and not any(char.isalnum() for char in clusters[place])
        if is_neutral and merged[neighbor] in RIGHT_TO_LEFT_SCRIPTS:
            merged[place] = merged[neighbor]
    return merged


def _extends(char: str) -> bool:
    return (
        char in (ZERO_WIDTH_JOINER, EMOJI_SELECTOR)
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
        or 0x1F3FB <= ord(char) <= 0x1F3FF  # skin tones
        or 0xE0020 <= ord(char) <= 0xE007F  # tags of flags
    )


def _completes_flag(cluster: str, char: str) -> bool:
    return len(cluster) == 1 and all(0x1F1E6 <= ord(each) <= 0x1F1FF for each in (cluster, char))


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Mn", "Me")
