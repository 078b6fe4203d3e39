"""Lines of text: normalizing, measuring, truncating, wrapping, and splitting into runs of one script.

Characters that the bundled typeface lacks are rendered with system fonts. Renderers choose one font for a whole text
element and fail if it mixes scripts, so each run becomes an element of its own.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from mediakit.engines.direction import begins_right_to_left, has_right_to_left
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface


class Script(NamedTuple):
    """Characters that the bundled typeface lacks, and how system fonts render them."""

    fonts: str
    """Families. The first installed one is used."""
    width: float
    """Approximate width of a character in these families, in em."""
    ranges: tuple[tuple[int, int], ...] = ()
    """First and last code points of blocks (Unicode's Scripts.txt)."""


BUNDLED, EMOJI, OTHER = "", "emoji", "other"
"""Values of `TextRun.script` for the bundled typeface, for emoji, and for characters that no other script lists."""

SCRIPTS = {
    "hebrew": Script("Noto Sans Hebrew, Arial Hebrew, DejaVu Sans, Arial", 0.6, ((0x590, 0x5FF), (0xFB1D, 0xFB4F))),
    "arabic": Script(
        "Noto Sans Arabic, Geeza Pro, DejaVu Sans, Segoe UI, Arial", 0.6, ((0x600, 0x8FF), (0xFB50, 0xFEFC))
    ),
    "indic": Script("Noto Sans Devanagari, Kohinoor Devanagari, Nirmala UI, FreeSans", 0.75, ((0x900, 0xDFF),)),
    "thai": Script("Noto Sans Thai, Thonburi, Leelawadee UI, FreeSans", 0.62, ((0xE00, 0xE7F),)),
    "korean": Script(
        "Noto Sans CJK KR, Noto Sans KR, Apple SD Gothic Neo, Malgun Gothic",
        0.95,
        ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7FF)),
    ),
    "japanese": Script("Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, Yu Gothic", 1.0, ((0x3040, 0x30FF),)),
    EMOJI: Script("Noto Color Emoji, Apple Color Emoji, Segoe UI Emoji", 1.25, ((0x1F000, 0x1FAFF), (0x2600, 0x27BF))),
    "chinese": Script(
        "Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, WenQuanYi Zen Hei",
        1.0,
        ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF)),
    ),
    OTHER: Script("Noto Sans, DejaVu Sans, Arial Unicode MS", 0.75),
}
"""The first one whose range has a character is its script."""

ZERO_WIDTH_JOINER, EMOJI_SELECTOR = "\u200d", "\ufe0f"
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_NOT_IN_LINES = ("Cc", "Cs", "Co", "Cn")
_DIRECTION = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


Anchor = Literal["start", "middle", "end"]
ANCHOR_OFFSETS: Mapping[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Part of a line that is left of its position."""
ELLIPSIS, RIGHT_TO_LEFT_MARK = "…", "\u200f"
EAST_ASIAN_SCRIPTS = ("chinese", "japanese", "korean")
"""Scripts in which a line may break between any two characters."""


class TextRun(NamedTuple):
    """A part of a line in one script."""

    script: str
    text: str
    width: float
    """In em."""


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
    halo_width: float = 0.25
    """Width of the outline in em; half of it is outside the letters."""
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
    chars = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    kept = (char for char in chars if unicodedata.category(char) not in _NOT_IN_LINES and char not in _DIRECTION)
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
        count, line = 1, words[0]
        while count < len(words) and text_width((line + words[count]).rstrip(), size, weight) <= max_width:
            line += words[count]
            count += 1
        lines.append(line.strip())
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


def grapheme_clusters(text: str) -> list[str]:
    """Split a text into grapheme clusters (a subset of UAX #29): marks and joined emoji stay together."""
    found: list[str] = []
    for char in text:
        if found and (_extends(char) or found[-1].endswith(ZERO_WIDTH_JOINER) or _FLAG.fullmatch(found[-1] + char)):
            found[-1] += char
        else:
            found.append(char)
    return found


@lru_cache(maxsize=4096)
def text_runs(text: str, weight: Weight, *, tabular: bool = False) -> tuple[TextRun, ...]:
    """Split a line into runs, in visual order from left to right.

    The text of a run of Hebrew or Arabic letters is in reading order, as renderers expect it.
    """
    clusters = grapheme_clusters(text)
    order = visual_order(clusters) if has_right_to_left(text) else [(place, False) for place in range(len(clusters))]
    seen = [(clusters[place], is_backward) for place, is_backward in order]
    scripts = _merge_punctuation([script_of(cluster) for cluster, _ in seen], clusters=[each for each, _ in seen])
    styles = [
        (script, is_backward and script not in (BUNDLED, EMOJI))
        for script, (_, is_backward) in zip(scripts, seen, strict=True)
    ]
    runs = []
    for (script, is_backward), parts in groupby(zip(styles, seen, strict=True), key=lambda pair: pair[0]):
        found = [each for _, each in parts]
        if is_backward:
            run = [cluster for cluster, _ in reversed(found)]
        else:
            run = [cluster.translate(MIRRORED) if mirrored else cluster for cluster, mirrored in found]
        runs.append(_run(script, run, weight, tabular=tabular))
    return tuple(runs)


def needs_system_fonts(texts: Iterable[Text]) -> bool:
    """Return whether a text has characters that the bundled typeface lacks."""
    return any(
        run.script != BUNDLED for text in texts for run in text_runs(text.content, text.weight, tabular=text.tabular)
    )


@lru_cache(maxsize=4096)
def em_width(text: str, weight: Weight, *, tabular: bool = False) -> float:
    """Return the width of a line, in em."""
    return sum(run.width for run in text_runs(text, weight, tabular=tabular))


@lru_cache(maxsize=4096)
def script_of(cluster: str) -> str:
    """Return the script of a grapheme cluster, by its first character."""
    if EMOJI_SELECTOR in cluster:
        return EMOJI
    if cluster[0] in typeface(400) or unicodedata.category(cluster[0]) in ("Cf", "Mn", "Me"):  # or it is invisible
        return BUNDLED
    code = ord(cluster[0])
    return next((name for name, script in SCRIPTS.items() if any(a <= code <= b for a, b in script.ranges)), OTHER)


def _run(script: str, clusters: list[str], weight: Weight, *, tabular: bool) -> TextRun:
    text = "".join(clusters)
    if script == BUNDLED:
        return TextRun(script, text, typeface(weight).positions(text, tabular=tabular)[-1] / UNITS)
    return TextRun(script, text, sum(_estimated_width(cluster, script) for cluster in clusters))


def _estimated_width(cluster: str, script: str) -> float:
    """Return the estimated width of a cluster that a system font renders, in em."""
    if script_of(cluster) == BUNDLED:
        return typeface(400).advance(cluster[0]) / UNITS if cluster[0] in typeface(400) else 0.0
    return SCRIPTS[script].width


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


def _extends(char: str) -> bool:
    return (
        char in (ZERO_WIDTH_JOINER, EMOJI_SELECTOR)
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
        or 0x1F3FB <= ord(char) <= 0x1F3FF  # skin tones
        or 0xE0020 <= ord(char) <= 0xE007F  # tags of flags
    )


# The order in which a line is seen: the Unicode Bidirectional Algorithm (UAX #9) without its control characters.

BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "‹": "›", "「": "」", "（": "）"}
MIRRORED = str.maketrans({**BRACKETS, **{closing: opening for opening, closing in BRACKETS.items()}})
"""Characters whose shape is mirrored in text from right to left (rule L4)."""
PAIRED = frozenset("([{「（")
"""Opening characters that rule N0 pairs; `<` and quotation marks are plain neutrals."""

_STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
"""What a class is to the neutrals beside it."""


def visual_order(clusters: Sequence[str]) -> list[tuple[int, bool]]:
    """Return the places of grapheme clusters from left to right, and whether each runs from right to left.

    The direction of the line is that of its first letter.
    """
    base = int(begins_right_to_left("".join(clusters)))
    levels = _levels(clusters, base)
    order = list(range(len(clusters)))
    for level in range(max(levels, default=0), 0, -1):  # rule L2
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = end + 1
    return [(place, levels[place] % 2 == 1) for place in order]


def _levels(clusters: Sequence[str], base: int) -> list[int]:
    """Return the embedding level of each cluster: even from left to right, odd from right to left."""
    direction = "R" if base else "L"
    classes = _numbers([unicodedata.bidirectional(cluster[0]) or "L" for cluster in clusters], direction)
    _resolve_brackets(clusters, classes, direction)
    _resolve_neutrals(classes, direction)
    above = {"L": (0, 1), "R": (1, 0), "EN": (2, 1), "AN": (2, 1)}  # rules I1 and I2
    return [base + above[kind][base] for kind in classes]


def _numbers(classes: list[str], direction: str) -> list[str]:
    """Return the classes after the rules W1 to W7: letters, numbers, and ON for neutrals."""
    strong, previous = direction, direction
    for place, kind in enumerate(classes):
        kind = previous if kind in ("NSM", "BN") else kind  # noqa: PLW2901  # rule W1
        strong = kind if kind in ("L", "R", "AL") else strong
        classes[place] = previous = "AN" if kind == "EN" and strong == "AL" else kind
    classes = ["R" if kind == "AL" else kind for kind in classes]
    for place in range(1, len(classes) - 1):
        before, kind, after = classes[place - 1 : place + 2]
        if before == after and kind in {"EN": ("ES", "CS"), "AN": ("CS",)}.get(before, ()):
            classes[place] = before
    letters = "".join({"ET": "t", "EN": "n"}.get(kind, ".") for kind in classes)
    for signs in re.finditer(r"t+(?=n)|(?<=n)t+", letters):  # rule W5: signs of currencies and percent
        classes[signs.start() : signs.end()] = ["EN"] * len(signs[0])
    strong = direction
    for place, kind in enumerate(classes):
        strong = kind if kind in ("L", "R") else strong
        neutral_or_number = kind if kind in ("L", "R", "EN", "AN") else "ON"
        classes[place] = "L" if kind == "EN" and strong == "L" else neutral_or_number
    return classes


def _resolve_brackets(clusters: Sequence[str], classes: list[str], direction: str) -> None:
    """Set the direction of pairs of brackets by what is in them and before them (rule N0)."""
    waiting: list[tuple[str, int]] = []
    pairs = []
    for place, cluster in enumerate(clusters):
        if classes[place] == "ON" and cluster in PAIRED:
            waiting.append((BRACKETS[cluster], place))
        elif classes[place] == "ON" and any(closing == cluster for closing, _ in waiting):
            while waiting[-1][0] != cluster:
                waiting.pop()
            pairs.append((waiting.pop()[1], place))
    for start, end in sorted(pairs):
        if not (inside := {_STRONG[kind] for kind in classes[start + 1 : end] if kind in _STRONG}):
            continue
        before = next((_STRONG[kind] for kind in reversed(classes[:start]) if kind in _STRONG), direction)
        classes[start] = classes[end] = direction if direction in inside or before not in inside else before


def _resolve_neutrals(classes: list[str], direction: str) -> None:
    """Set the direction of neutrals: that of the text on both sides, or that of the line (rules N1 and N2)."""
    letters = "".join("." if kind == "ON" else "x" for kind in classes)
    for neutrals in re.finditer(r"\.+", letters):
        start, end = neutrals.span()
        before = _STRONG[classes[start - 1]] if start else direction
        after = _STRONG[classes[end]] if end < len(classes) else direction
        classes[start:end] = [before if before == after else direction] * (end - start)
