"""Scripts: which characters the typeface of charts draws itself, and which fonts of the machine draw the others.

Renderers choose one font for a whole line and go wrong where it mixes scripts, so a line is taken apart into runs.
"""

import unicodedata
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from mediakit.tools.images.chart.typeface import UNITS, Weight, typeface

OWN, EMOJI, ELSE = "", "emoji", "else"

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
"""First and last code point of scripts that the typeface lacks (Unicode's Scripts.txt, by blocks)."""

FONTS = {
    "hebrew": "Noto Sans Hebrew, Arial Hebrew, DejaVu Sans, Arial",
    "arabic": "Noto Sans Arabic, Geeza Pro, DejaVu Sans, Segoe UI, Arial",
    "indic": "Noto Sans Devanagari, Kohinoor Devanagari, Nirmala UI, FreeSans",
    "thai": "Noto Sans Thai, Thonburi, Leelawadee UI, FreeSans",
    "korean": "Noto Sans CJK KR, Noto Sans KR, Apple SD Gothic Neo, Malgun Gothic",
    "japanese": "Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, Yu Gothic",
    "chinese": "Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, WenQuanYi Zen Hei",
    EMOJI: "Noto Color Emoji, Apple Color Emoji, Segoe UI Emoji",
    ELSE: "Noto Sans, DejaVu Sans, Arial Unicode MS",
}
"""Families that draw a script, the first that the machine has."""

WIDTHS = {EMOJI: 1.25, "chinese": 1.0, "japanese": 1.0, "korean": 0.95, "hebrew": 0.6, "arabic": 0.6, "thai": 0.62}
"""In em, of one character: about what those families have."""
WIDTH_ELSE = 0.75

RIGHT_TO_LEFT = ("R", "AL")
JOINER, SELECTOR = "\u200d", "\ufe0f"


class Run(NamedTuple):
    """A part of a line in one script."""

    script: str
    text: str
    width: float
    """In em."""


def clusters(text: str) -> list[str]:
    """Split a text where a cursor could stand (a short form of UAX #29): no mark or joined emoji is torn off."""
    found: list[str] = []
    for char in text:
        if found and (_extends(char) or found[-1].endswith(JOINER) or _completes_flag(found[-1], char)):
            found[-1] += char
        else:
            found.append(char)
    return found


@lru_cache(maxsize=4096)
def runs(text: str, weight: Weight) -> tuple[Run, ...]:
    """Take a line apart into runs, in their order from left to right."""
    parts = clusters(text)
    scripts = _joined([script_of(part) for part in parts], parts)
    grouped = groupby(zip(scripts, parts, strict=True), key=lambda pair: pair[0])
    found = [_run(script, [part for _, part in pairs], weight) for script, pairs in grouped]
    return tuple(reversed(found) if is_right_to_left(text) else found)


@lru_cache(maxsize=4096)
def em_width(text: str, weight: Weight) -> float:
    """Measure a line, in em."""
    return sum(run.width for run in runs(text, weight))


@lru_cache(maxsize=4096)
def script_of(cluster: str) -> str:
    """Name the script of a cluster by its first character; the typeface's own is empty."""
    if SELECTOR in cluster:
        return EMOJI
    if cluster[0] in typeface(400) or _is_invisible(cluster[0]):
        return OWN
    code = ord(cluster[0])
    return next((script for first, last, script in RANGES if first <= code <= last), ELSE)


def is_right_to_left(text: str) -> bool:
    """Tell the direction of a text by its first strong character (UAX #9, P2)."""
    kinds = (unicodedata.bidirectional(char) for char in text)
    return next((kind for kind in kinds if kind in ("L", *RIGHT_TO_LEFT)), "L") != "L"


def _run(script: str, parts: list[str], weight: Weight) -> Run:
    text = "".join(parts)
    if script == OWN:
        face = typeface(weight)
        visible = [char for char in text if char in face]
        return Run(script, text, sum(face.advance(a, b) for a, b in pairwise([*visible, ""])) / UNITS)
    return Run(script, text, sum(_foreign(part, script) for part in parts))


def _foreign(part: str, script: str) -> float:
    """Estimate the width of a cluster that a font of the machine will draw."""
    if script_of(part) == OWN:
        return typeface(400).advance(part[0]) / UNITS if part[0] in typeface(400) else 0.0
    return WIDTHS.get(script, WIDTH_ELSE)


def _joined(scripts: list[str], parts: list[str]) -> list[str]:
    """Give what stands between two runs of a script, and is neither letter nor digit, to that script."""
    joined = list(scripts)
    last = None
    for place, script in enumerate(scripts):
        if script == OWN and any(char.isalnum() for char in parts[place]):
            last = None
        elif script != OWN:
            if last is not None and joined[last] == script:
                joined[last:place] = [script] * (place - last)
            last = place
    return joined


def _extends(char: str) -> bool:
    return (
        char in (JOINER, SELECTOR)
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
        or 0x1F3FB <= ord(char) <= 0x1F3FF  # skin tones
        or 0xE0020 <= ord(char) <= 0xE007F  # tags of flags
    )


def _completes_flag(cluster: str, char: str) -> bool:
    return len(cluster) == 1 and all(0x1F1E6 <= ord(each) <= 0x1F1FF for each in (cluster, char))


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Mn", "Me")
