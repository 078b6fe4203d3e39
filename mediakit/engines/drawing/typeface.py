"""The bundled typeface of drawings: advances, kerning and outlines of Inter, extracted by `docs/chart_font.py`.

Charts and tables are laid out with these metrics, and drawn with these outlines, so they look the same on every
machine. An SVG has its characters as a web font: TrueType (ISO/IEC 14496-22) in a WOFF 1.0 file.
"""

import re
import struct
import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, pairwise
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

        Characters that the typeface lacks take no space. Tabular digits have the width of the zero, so that numbers
        below each other align.
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


Point = tuple[int, int, bool]
"""x, y (upward), and whether the point is on the curve."""

FONT_ASCENT, FONT_DESCENT = 969, -242
"""Distances of the web font from the baseline, in font units; y grows upwards."""
ON_CURVE, HEAD_MAGIC = 1, 0x5F0F3CF5


def web_font(texts: Iterable[str], weight: Weight) -> bytes:
    """Return a WOFF file with the characters of the texts and the kerning between them."""
    face = typeface(weight)
    chars = "".join(sorted({char for text in texts for char in text if char in face and ord(char) <= 0xFFFF}))
    glyphs = [MISSING_GLYPH, *(_glyph(char, weight) for char in chars)]
    offsets = [0, *accumulate(len(glyph) for glyph in glyphs)]
    tables = {
        b"OS/2": _os2(chars, weight),
        b"cmap": _cmap(chars),
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(
            ">IIIIHHQQhhhhHHhhh",
            *(0x10000, 0x10000, 0, HEAD_MAGIC, 3, UNITS, 0, 0),
            *(-UNITS, FONT_DESCENT, 2 * UNITS, FONT_ASCENT, 0, 8, 2, 1, 0),
        ),
        b"hhea": struct.pack(
            ">IhhhHhhhhhhhhhhhH", 0x10000, FONT_ASCENT, FONT_DESCENT, 0, 2 * UNITS, *[0] * 11, len(glyphs)
        ),
        b"hmtx": struct.pack(">Hh", 600, 60)
        # with the left side bearing, which is the `xMin` of the glyph's header
        + b"".join(struct.pack(">H", face.advance(char)) + (_glyph(char, weight)[2:4] or bytes(2)) for char in chars),
        b"kern": _kern(chars, weight),
        b"loca": struct.pack(f">{len(offsets)}I", *offsets),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(glyphs), 500, 50, 0, 0, 1, *[0] * 8),
        b"name": struct.pack(">HHH", 0, 0, 6),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, *[0] * 5),
    }
    return _woff(tables)


@lru_cache(maxsize=2048)
def _glyph(char: str, weight: Weight) -> bytes:
    """Return the encoded glyph of a character. Points are not packed: deflate compresses unpacked points better."""
    return _encode_glyph([_points(contour) for contour in typeface(weight).contours(char)])


def _encode_glyph(contours: list[list[Point]]) -> bytes:
    points = [point for contour in contours for point in contour]
    if not points:
        return b""
    xs, ys = [x for x, _, _ in points], [y for _, y, _ in points]
    ends = [count - 1 for count in accumulate(map(len, contours))]
    head = struct.pack(">hhhhh", len(contours), min(xs), min(ys), max(xs), max(ys))
    flags = bytes(ON_CURVE if on else 0 for _, _, on in points)
    deltas = [after - before for values in (xs, ys) for before, after in pairwise([0, *values])]
    body = struct.pack(f">{len(ends)}HH", *ends, 0) + flags + struct.pack(f">{len(deltas)}h", *deltas)
    return head + body + bytes(-(len(head) + len(body)) % 4)


def _rectangle(left: int, bottom: int, right: int, top: int) -> list[Point]:
    return [(left, bottom, True), (left, top, True), (right, top, True), (right, bottom, True)]


MISSING_GLYPH = _encode_glyph([_rectangle(60, 0, 540, 728), _rectangle(120, 60, 480, 668)[::-1]])
"""The glyph of missing characters: an empty box."""


def _points(contour: list[tuple[int, ...]]) -> list[Point]:
    """Return the points of a contour: a start point, then steps of two numbers (line) or four numbers (curve)."""
    (x, y), *steps = contour
    points: list[Point] = [(x, -y, True)]
    for step in steps:
        if len(step) == 4:
            points.append((x + step[0], -y - step[1], False))
        x, y = x + step[-2], y + step[-1]
        points.append((x, -y, True))
    return points[:-1] if len(points) > 1 and points[0] == points[-1] else points


def _cmap(chars: str) -> bytes:
    """Return the character map in format 4: a segment for each character, then the required last segment."""
    codes = [*map(ord, chars), 0xFFFF]
    count = len(codes)
    power = 1 << (count.bit_length() - 1)
    deltas = [(glyph + 1 - code) & 0xFFFF for glyph, code in enumerate(codes[:-1])]
    fields = struct.pack(">HHHH", 2 * count, 2 * power, power.bit_length() - 1, 2 * (count - power))
    ends = struct.pack(f">{count}HH", *codes, 0)
    starts = struct.pack(f">{count}H", *codes)
    body = fields + ends + starts + struct.pack(f">{count}H", *deltas, 1) + bytes(2 * count)
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHH", 4, len(body) + 6, 0) + body


def _kern(chars: str, weight: Weight) -> bytes:
    face, glyphs = typeface(weight), {char: glyph for glyph, char in enumerate(chars, 1)}
    pairs = [
        struct.pack(">HHh", glyphs[first], glyphs[second], units)
        for first in chars
        for second in chars
        if (units := face.advance(first, second) - face.advance(first))
    ]
    count = len(pairs)
    power = 1 << (max(1, count).bit_length() - 1)
    search = struct.pack(">HHHH", count, 6 * power, power.bit_length() - 1, 6 * (count - power) if count else 0)
    return struct.pack(">HHHHH", 0, 1, 0, 14 + 6 * count, 1) + search + b"".join(pairs)


def _os2(chars: str, weight: Weight) -> bytes:
    codes = [*map(ord, chars)] or [32]
    return struct.pack(
        ">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHHIIhhHHH",
        *(4, UNITS // 2, weight, 5, 0, *[0] * 11, bytes(10), 0, 0, 0, 0, b"NONE", 0x40),
        *(min(codes), max(codes), FONT_ASCENT, FONT_DESCENT, 0, FONT_ASCENT, -FONT_DESCENT, 0, 0, 546, 728, 0, 32, 1),
    )


def _woff(tables: dict[bytes, bytes]) -> bytes:
    """Return a WOFF file of the tables, each compressed with deflate (WOFF 1.0, section 5)."""
    offset = 44 + 20 * len(tables)
    entries, bodies, sfnt_size = [], [], 12 + 16 * len(tables)
    for tag, table in sorted(tables.items()):
        packed = min(table, zlib.compress(table, 9), key=len)  # a compressed table must be smaller than the original
        padded = table + bytes(-len(table) % 4)
        checksum = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        entries.append(tag + struct.pack(">IIII", offset, len(packed), len(table), checksum))
        bodies.append(packed + bytes(-len(packed) % 4))
        offset += len(bodies[-1])
        sfnt_size += len(table) + -len(table) % 4
    head = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x10000, offset, len(tables), 0, sfnt_size, 1, 0, *[0] * 5)
    return b"".join((head, *entries, *bodies))
