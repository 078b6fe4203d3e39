"""The bundled typeface of drawings: advances, kerning and outlines of Inter, extracted by `docs/chart_font.py`.

Charts and tables are laid out with these metrics, and drawn with these outlines, so they look the same on every
machine.
"""

import re
from functools import lru_cache
from typing import Literal

from mediakit.engines.fonts import FOLDER

Weight = Literal[400, 600]

FILES: dict[Weight, str] = {400: "inter-regular.txt", 600: "inter-semibold.txt"}
STEP, NUMBER = re.compile("[lq][^lq]+"), re.compile(r"-?\d+")
FIGURES = frozenset("0123456789")
UNITS = 1000
"""Font units per em."""

ASCENT, CAP_HEIGHT, X_HEIGHT, DESCENT = 0.97, 0.728, 0.546, 0.241
"""Distances from the baseline, in em."""


class Typeface:
    """One weight of the typeface."""

    def __init__(self, source: str) -> None:
        glyphs, _, kerning = source.partition("\n\n")
        self._lines = {line[0]: line[2:] for line in glyphs.split("\n")}
        self._glyphs: dict[str, tuple[int, list[tuple[int, str]]]] = {}
        self._kerning = {line[0]: line[2:] for line in kerning.split("\n") if line}
        self._pairs: dict[str, dict[str, int]] = {}

    def __contains__(self, char: str) -> bool:
        return char in self._lines

    def advance(self, char: str, following: str = "") -> int:
        """Return the advance of a character with the kerning to the following one, in font units."""
        return self._glyph(char)[0] + self._pair(char).get(following, 0)

    def contours(self, char: str) -> list[list[tuple[int, ...]]]:
        """Return the contours of a character: the start point, then steps of two numbers (line) or four (curve)."""
        return [
            [(x, *_numbers(y)), *(_numbers(step) for step in STEP.findall(steps))]
            for x, (y, _, steps) in ((x, rest.partition(" ")) for x, rest in self._glyph(char)[1])
        ]

    def positions(self, text: str, *, tabular: bool = False) -> list[int]:
        """Return where each character of a line begins, and where the line ends; in font units.

        Args:
            text: The line. Characters that the typeface lacks take no space.
            tabular: Whether all digits have the width of the zero, so that numbers below each other align.
        """
        figure, pen, found = self._glyph("0")[0], 0, []
        visible = [char for char in text if char in self]
        following = iter([*visible[1:], ""])
        for char in text:
            if char not in self:
                found.append(pen)
                continue
            after = next(following)
            if tabular and char in FIGURES:
                found.append(pen + (figure - self._glyph(char)[0]) // 2)
                pen += figure
            else:
                found.append(pen)
                pen += self.advance(char, "" if tabular and after in FIGURES else after)
        return [*found, pen]

    def outline(self, text: str, *, tabular: bool = False) -> str:
        """Return the SVG path of a line of text that starts at 0, 0; in font units, y grows downwards."""
        return "".join(
            f"M{pen + x} {rest}z"
            for char, pen in zip(text, self.positions(text, tabular=tabular), strict=False)
            if char in self
            for x, rest in self._glyph(char)[1]
        )

    def _glyph(self, char: str) -> tuple[int, list[tuple[int, str]]]:
        """Return the advance, and for each contour its first x and the rest of its path."""
        if char not in self._glyphs:
            advance, _, path = self._lines[char].partition("\t")
            contours = [contour.partition(",") for contour in path.split("|") if contour]
            self._glyphs[char] = int(advance), [(int(x), rest) for x, _, rest in contours]
        return self._glyphs[char]

    def _pair(self, char: str) -> dict[str, int]:
        if char not in self._pairs:
            pairs = self._kerning.get(char, "").split()
            self._pairs[char] = {pair[0]: int(pair[1:]) for pair in pairs}
        return self._pairs[char]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, NUMBER.findall(text)))


@lru_cache(maxsize=len(FILES))
def typeface(weight: Weight) -> Typeface:
    """Return the typeface in a weight; each weight is loaded once."""
    return Typeface((FOLDER / FILES[weight]).read_text(encoding="utf-8").rstrip("\n"))
