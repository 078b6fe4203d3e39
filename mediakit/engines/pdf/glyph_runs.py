"""The glyphs of a line that MuPDF drew, and their text.

MuPDF writes right-to-left text in the order of reading, from right to left, and a ToUnicode map that lacks glyphs that
only shaping makes. Readers expect glyphs from left to right, and reverse them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pikepdf
from pikepdf import Array, Name, String

from mediakit.engines.direction import has_right_to_left
from mediakit.engines.pdf.objects import items
from mediakit.engines.pdf.to_unicode import GlyphTexts, glyph_texts

_KNOWN = frozenset({"BT", "ET", "Tf", "Tm", "Td", "TJ"})
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
"""White space, which may be missing at the end of a line, and characters that draw nothing."""

_UNKNOWN = "(.{1,3}?)"
"""Pattern of a glyph that stands for up to three letters."""

MAX_UNKNOWN = 60
"""Glyphs of a line whose letters are searched."""


@dataclass(frozen=True)
class LineFont:
    """A font, shared by lines."""

    font: pikepdf.Object
    texts: GlyphTexts
    """Text of each glyph."""
    widths: Mapping[int, float]
    """Width of each glyph, in thousandths of the font's size."""

    @classmethod
    def read(cls, font: pikepdf.Object) -> Self:
        """Return a font of a page."""
        return cls(font, glyph_texts(font), _widths(font))


@dataclass(frozen=True)
class Glyph:
    """A glyph with its place on the line, in points."""

    code: int
    x: float
    width: float


@dataclass(frozen=True)
class GlyphRun:
    """Glyphs of one font at one height."""

    font: str
    """Name of the font in the resources, such as `/F0`."""
    size: float
    y: float
    glyphs: Sequence[Glyph]

    @property
    def left(self) -> float:
        """Where the run begins on the page."""
        return min(glyph.x for glyph in self.glyphs)


@dataclass(frozen=True)
class DrawnText:
    """The text of a content stream, with the operators around it."""

    before: bytes
    runs: Sequence[GlyphRun]
    after: bytes

    def in_visual_order(self, fonts: Mapping[str, LineFont]) -> bytes:
        """Return the content with all glyphs of a line from left to right.

        Args:
            fonts: The fonts by their names.
        """
        ordered = sorted(self.runs, key=lambda run: (run.y, run.left))
        runs = [_written(run, backward=has_right_to_left(_text(run, fonts[run.font].texts))) for run in ordered]
        return b"\n".join([self.before, b"BT", *runs, b"ET", self.after])


def read_text(page: pikepdf.Page, fonts: Mapping[str, LineFont]) -> DrawnText | None:
    """Return the text that MuPDF drew on a page, or None if it is not drawn as expected.

    Args:
        page: The page.
        fonts: Its fonts by their names in the resources.
    """
    steps = list(pikepdf.parse_content_stream(page))
    names = [str(step.operator) for step in steps]
    if "BT" not in names:
        return None
    first, last = names.index("BT"), len(names) - names[::-1].index("ET")
    if set(names[first:last]) - _KNOWN:
        return None
    runs = _runs(steps[first:last], fonts)
    if runs is None:
        return None
    return DrawnText(pikepdf.unparse_content_stream(steps[:first]), runs, pikepdf.unparse_content_stream(steps[last:]))


def complete_texts(runs: Sequence[GlyphRun], fonts: Mapping[str, LineFont], line: str) -> bool:
    """Find the text of glyphs that the fonts' maps lack, and return whether the glyphs now spell the line.

    Args:
        runs: The glyphs, in the order of reading.
        fonts: The fonts by their names; their texts are completed.
        line: The text that was drawn.
    """
    line = _INVISIBLE.sub("", line)
    letters = set(line)
    drawn = [(run.font, glyph.code) for run in runs for glyph in run.glyphs]
    parts = [_spelling(fonts[font].texts.get(code, "\0"), letters) for font, code in drawn]
    if parts.count(_UNKNOWN) > MAX_UNKNOWN:
        return False
    match = re.fullmatch("".join(parts), line)
    if match is None:
        return False
    unknown = [key for key, part in zip(drawn, parts, strict=True) if part == _UNKNOWN]
    found: dict[tuple[str, int], str] = {}
    for key, text in zip(unknown, match.groups(), strict=True):
        if found.setdefault(key, text) != text:
            return False
    for (font, code), text in found.items():
        fonts[font].texts[code] = text
    return True


def _spelling(text: str, letters: set[str]) -> str:
    """Return the pattern of a glyph's letters; a text that the line does not have is a mistake of the map."""
    for spelled in (text, unicodedata.normalize("NFKC", text)):
        visible = _INVISIBLE.sub("", spelled)
        if set(visible) <= letters:
            return re.escape(visible)
    return _UNKNOWN


def runs_to_the_left(text: str) -> bool:
    """Return whether a part of a text is written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text)


def is_plain(text: str) -> bool:
    """Return whether each glyph of a text is that of a letter, from left to right."""
    return not runs_to_the_left(text) and all(
        not unicodedata.combining(character)
        and not 0x0900 <= ord(character) < 0x10A0
        and not 0x1780 <= ord(character) < 0x1800
        for character in text
    )


def _runs(steps: Sequence[Any], fonts: Mapping[str, LineFont]) -> list[GlyphRun] | None:
    runs: list[GlyphRun] = []
    font, size, x, y = "", 0.0, 0.0, 0.0
    for step in steps:
        operands = list(step.operands)
        match str(step.operator):
            case "Tf":
                font, size = str(operands[0]), float(operands[1])
            case "Tm":
                if [float(number) for number in operands[:4]] != [1, 0, 0, -1]:
                    return None
                x, y = float(operands[4]), float(operands[5])
            case "Td":
                x, y = x + float(operands[0]), y - float(operands[1])
            case "TJ":
                runs.append(GlyphRun(font, size, y, _glyphs(items(operands[0]), fonts[font].widths, x, size)))
    return [run for run in runs if run.glyphs]


def _glyphs(parts: Sequence[object], widths: Mapping[int, float], x: float, size: float) -> list[Glyph]:
    glyphs = []
    for part in parts:
        if isinstance(part, String):
            codes = bytes(part)
            for at in range(0, len(codes) - 1, 2):
                code = int.from_bytes(codes[at : at + 2])
                width = widths.get(code, 0.0) * size / 1000
                glyphs.append(Glyph(code, x, width))
                x += width
        else:
            x -= float(part) * size / 1000  # type: ignore[arg-type]
    return glyphs


def _widths(font: pikepdf.Object) -> dict[int, float]:
    """Return the widths of a font's glyphs in thousandths of its size (ISO 32000-2, 9.7.4.3)."""
    entries = items(font.DescendantFonts[0].get(Name.W))
    widths: dict[int, float] = {}
    at = 0
    while at < len(entries) - 1:
        first, second = int(entries[at]), entries[at + 1]
        if isinstance(second, Array):
            widths |= {first + index: float(width) for index, width in enumerate(second)}
            at += 2
        else:
            widths |= dict.fromkeys(range(first, int(second) + 1), float(entries[at + 2]))
            at += 3
    return widths


def _text(run: GlyphRun, texts: GlyphTexts) -> str:
    return "".join(texts.get(glyph.code, "") for glyph in run.glyphs)


def _written(run: GlyphRun, *, backward: bool) -> bytes:
    glyphs = list(reversed(run.glyphs)) if backward else list(run.glyphs)
    parts, x = [], glyphs[0].x
    for glyph in glyphs:
        gap = round((x - glyph.x) * 1000 / run.size)
        parts.append(f"{gap or ''}<{glyph.code:04x}>")
        x = glyph.x + glyph.width
    return f"{run.font} {run.size:g} Tf 1 0 0 -1 {glyphs[0].x:.4f} {run.y:.4f} Tm [{''.join(parts)}] TJ".encode()
