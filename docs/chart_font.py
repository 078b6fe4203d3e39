"""Write the outlines of the chart font: `python docs/chart_font.py Inter-Regular.woff2 regular`.

Requires fonttools, brotli and uharfbuzz. The font is Inter from https://rsms.me/inter (npm: `inter-ui`).
"""

# ruff: noqa: INP001  # a script, not part of a package

import io
import string
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import uharfbuzz
from fontTools.misc.transform import Scale
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parent.parent / "mediakit" / "engines" / "fonts_data"
UNITS_PER_EM = 1000
"""Units per em in the output file."""

CODE_POINT_RANGES = (
    (0x20, 0x7E), (0xA0, 0x24F), (0x2C6, 0x2DD), (0x370, 0x3FF), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x2010, 0x2027),
    (0x2030, 0x205E), (0x2070, 0x209F), (0x20A0, 0x20C0), (0x2100, 0x2122), (0x2150, 0x215E), (0x2190, 0x2193),
    (0x2206, 0x2206), (0x2211, 0x2212), (0x221A, 0x221E), (0x2248, 0x2248), (0x2260, 0x2265), (0x25A0, 0x25CF),
)  # fmt: skip
KERNED_CHARACTERS = string.ascii_letters + string.digits + ".,-–/()%&'’:"


def lines(font: TTFont, shaper: uharfbuzz.Font) -> Iterator[str]:
    """Yield a line per character (character, advance, path), an empty line, and a line of kerning per character."""
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    for code in (code for first, last in CODE_POINT_RANGES for code in range(first, last + 1) if code in names):
        glyph = glyphs[names[code]]
        advance = round(glyph.width * UNITS_PER_EM / font["head"].unitsPerEm)
        yield f"{chr(code)}\t{advance}\t{_path(glyph, glyphs, font)}"
    yield ""
    advances = {char: _advance(shaper, char) for char in KERNED_CHARACTERS}
    for first in KERNED_CHARACTERS:
        pairs = [(second, _kerning(shaper, advances, first, second)) for second in KERNED_CHARACTERS]
        yield first + "\t" + " ".join(f"{second}{kerning}" for second, kerning in pairs if abs(kerning) > 2)


def _path(glyph: Any, glyphs: Any, font: TTFont) -> str:
    """Return an outline with y pointing down: per contour `x,y` of its first point, then relative lines and curves."""
    pen = DecomposingRecordingPen(glyphs)
    scale = UNITS_PER_EM / font["head"].unitsPerEm
    glyph.draw(TransformPen(pen, Scale(scale, -scale)))
    contours: list[str] = []
    x = y = 0
    for name, points in pen.value:
        if name == "moveTo":
            x, y = _rounded(points[0])
            contours.append(f"{x},{y} ")
        elif name == "lineTo":
            (to_x, to_y) = _rounded(points[0])
            contours[-1] += f"l{to_x - x} {to_y - y}"
            x, y = to_x, to_y
        elif name == "qCurveTo":
            for control, end in _quadratics(points):
                (control_x, control_y), (to_x, to_y) = _rounded(control), _rounded(end)
                contours[-1] += f"q{control_x - x} {control_y - y} {to_x - x} {to_y - y}"
                x, y = to_x, to_y
    return "|".join(contour.replace(" -", "-") for contour in contours)


def _quadratics(points: Any) -> Iterator[tuple[Any, Any]]:
    """Split a TrueType curve at its implied on-curve points."""
    *controls, end = points
    for here, after in pairwise(controls):
        yield here, ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2)
    yield controls[-1], end


def _rounded(point: Any) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _advance(shaper: uharfbuzz.Font, text: str) -> int:
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(shaper, buffer, {"calt": False})
    return sum(position.x_advance for position in buffer.glyph_positions)


def _kerning(shaper: uharfbuzz.Font, advances: dict[str, int], first: str, second: str) -> int:
    units = _advance(shaper, first + second) - advances[first] - advances[second]
    return round(units * UNITS_PER_EM / shaper.face.upem)


if __name__ == "__main__":
    opened = TTFont(sys.argv[1])
    opened.flavor = None
    opened.save(plain := io.BytesIO())
    face = uharfbuzz.Font(uharfbuzz.Face(plain.getvalue()))
    (TARGET / f"inter-{sys.argv[2]}.txt").write_text("\n".join(lines(opened, face)) + "\n", encoding="utf-8")
