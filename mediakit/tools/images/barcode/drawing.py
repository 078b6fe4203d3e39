"""Barcodes as PNG and SVG: quiet zones, bars, guard bars, bearer bars and text, as each standard specifies.

The fonts of the text are OCR-B (ISO 1073-2), as in EAN and UPC, and Inter for letters that OCR-B lacks.
"""

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, groupby, repeat
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from mediakit.engines.png import Band, encode_indexed
from mediakit.engines.symbol import DARK_RUN, WHITE, gradient_palette, pack_bands
from mediakit.tools.images.barcode.symbols import MATRIX_FORMATS, BarcodeType, Symbol

FONT_FOLDER = Path(__file__).parent / "fonts"

UNITS_PER_EM = 1000
"""Font units per em."""
ADVANCE_UNITS = 723
"""Width of every character of OCR-B."""
MIN_CELL_UNITS = 620
"""Width of the narrowest cell into which a character fits."""
DIGIT_HEIGHT_UNITS = 787
"""Height of a digit of OCR-B."""
DESCENT_UNITS = 14
"""Depth of a digit below the baseline."""

Face = Literal["ocr-b", "inter"]


def face_for(text: str) -> Face:
    """Return the font that has all characters of a text."""
    return "ocr-b" if text.isascii() else "inter"


def em_size(cell: float, height: float) -> float:
    """Return the font size for digits of a height, reduced if the cells are too narrow."""
    return min(height / DIGIT_HEIGHT_UNITS, cell / MIN_CELL_UNITS) * UNITS_PER_EM


@lru_cache(maxsize=1024)
def _glyph(char: str, cell: int, digit: int, above: int, height: int) -> list[bytes]:
    """Return the rows of a character, black on white, for a digit of a height, with light rows above and below it."""
    em = max(1.0, em_size(cell, digit))
    image = Image.new("L", (cell, digit + digit // 3), WHITE)  # a third higher than a digit, for descenders
    line = digit - em * DESCENT_UNITS / UNITS_PER_EM
    ImageDraw.Draw(image).text((cell / 2, line), char, 0, _font(face_for(char), em), anchor="ms")
    pixels = image.tobytes()
    rows = [pixels[start : start + cell] for start in range(0, len(pixels), cell)]
    return [*[BLANK * cell] * above, *rows, *[BLANK * cell] * height][:height]


@lru_cache(maxsize=64)
def _font(face: Face, em: float) -> ImageFont.FreeTypeFont:
    from mediakit.engines.fonts import font_path

    path = FONT_FOLDER / "ocr-b.otf" if face == "ocr-b" else font_path("sans")
    return ImageFont.truetype(path, em, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def outlines() -> dict[str, str]:
    """Return the outline of each ASCII character of OCR-B as an SVG path, in font units, y upward."""
    shapes: dict[str, str] = json.loads((FONT_FOLDER / "ocr-b.json").read_text(encoding="utf-8"))
    return shapes


DARK, BLANK = b"\0", bytes([WHITE])
"""A dark and a light module."""
MARGIN = 2
"""Light modules around the code, so that neither bars nor digits touch the edge of the image."""
DIGIT_HEIGHT = 8
"""Height of a digit; 8.3 modules in ISO/IEC 15420."""
SMALL_DIGIT_HEIGHT = 6
"""Height of the first and the last digit of UPC, which are 4 modules wide."""
OUTER_DIGIT_OFFSET = 7
"""Distance from the bars to the center of a digit beside them; the digit itself keeps 5 modules away."""
TEXT_GAP = 1
"""Distance between bars and digits; at least half a module."""
GUARD_BAR_DEPTH = 5
"""Length of guard bars below the other bars (ISO/IEC 15420)."""
DIGIT_CELL_WIDTH = 7
"""Width of a digit of EAN and UPC."""
MATRIX_QUIET_ZONE = 2
"""Data Matrix needs 1 (ISO/IEC 16022), PDF417 2 (ISO/IEC 15438), Aztec none (ISO/IEC 24778)."""
QUIET_ZONE = 10
"""Quiet zone of Code 128, Code 39 and ITF-14."""
ITF14_HEIGHT = 32
"""Height of the bars: 31.75 mm at its module of 1.016 mm, rounded up (GS1 General Specifications, section 5.3)."""
BEARER_BAR_WIDTH = 5
"""Width of the bearer bars of ITF-14: 4.83 mm at its module of 1.016 mm (GS1 General Specifications, section 5.3)."""
MIN_BAR_HEIGHT, MAX_BAR_HEIGHT = 50, 120
"""Limits for the bar height of Code 128 and Code 39, which is 15 % of the width (ISO/IEC 15417)."""
MAX_AREA = 450_000
"""Maximum area in square modules, which keeps the image below 50 megapixels at scale 10; long codes get lower bars."""


@dataclass(frozen=True)
class Label:
    """A line of text in cells of equal width."""

    text: str
    center: float
    top: int
    """Top of the digits."""
    cell: float = DIGIT_CELL_WIDTH
    height: int = DIGIT_HEIGHT


@dataclass(frozen=True)
class Layout:
    """A code with its surroundings, in modules."""

    width: int
    rows: Sequence[Band]
    """Bars and quiet zones, one byte per module, black on white."""
    labels: Sequence[Label] = ()

    @property
    def height(self) -> int:
        """Height of bars, quiet zones and text."""
        return sum(height for _, height in self.rows)


@dataclass(frozen=True)
class RetailLayout:
    """Layout of an EAN or UPC symbol (ISO/IEC 15420; GS1 General Specifications, 5.2)."""

    left: int
    """Left quiet zone."""
    right: int
    """Right quiet zone."""
    height: int
    """Height of the bars: 22.85 or 18.23 mm at a module of 0.33 mm."""
    guards: Sequence[tuple[int, int]]
    """Start and end of the ranges of modules with longer bars."""
    halves: Sequence[tuple[int, int, int]]
    """Start and end of each range of digits, and the module at which its first cell begins."""
    outer: tuple[int, int] = (0, 0)
    """Heights of the first and the last digit, if they are printed beside the bars."""


EAN_OUTER, UPC_OUTER = (DIGIT_HEIGHT, 0), (SMALL_DIGIT_HEIGHT, SMALL_DIGIT_HEIGHT)

RETAIL_LAYOUTS = {
    "ean13": RetailLayout(11, 7, 69, [(0, 3), (45, 50), (92, 95)], [(1, 7, 3), (7, 13, 50)], EAN_OUTER),
    "ean8": RetailLayout(7, 7, 55, [(0, 3), (31, 36), (64, 67)], [(0, 4, 3), (4, 8, 36)]),
    "upca": RetailLayout(9, 9, 69, [(0, 10), (45, 50), (85, 95)], [(1, 6, 10), (6, 11, 50)], UPC_OUTER),
    # Scanners need only 7 modules on the right of UPC-E, which leaves no room for the check digit.
    "upce": RetailLayout(9, 9, 69, [(0, 3), (45, 51)], [(1, 7, 3)], UPC_OUTER),
}


def arrange(symbol: Symbol, kind: BarcodeType, *, text: bool) -> Layout:
    """Arrange a symbol with its quiet zone, with or without its text."""
    if kind in MATRIX_FORMATS:
        edge, side = (b"", MATRIX_QUIET_ZONE), BLANK * MATRIX_QUIET_ZONE
        rows = ((side + row, height) for row, height in symbol.rows)
        return _stack(symbol.width + 2 * MATRIX_QUIET_ZONE, edge, *rows, edge)
    if kind in RETAIL_LAYOUTS:
        return _retail(symbol, RETAIL_LAYOUTS[kind], text=text)
    if kind == "itf14":
        return _itf14(symbol, text=text)
    width = symbol.width + 2 * QUIET_ZONE
    below = MARGIN + text * (MARGIN + DIGIT_HEIGHT)
    printed = "".join(char if char.isprintable() else " " for char in symbol.text)
    height = min(max(MIN_BAR_HEIGHT, width * 15 // 100), MAX_BAR_HEIGHT, MAX_AREA // width - MARGIN - below)
    return _stack(
        width,
        (b"", MARGIN),
        (BLANK * QUIET_ZONE + symbol.rows[0][0], height),
        (b"", below),
        labels=[_line(printed, width, height + 2 * MARGIN)] if text else (),
    )


def _retail(symbol: Symbol, style: RetailLayout, *, text: bool) -> Layout:
    left, foot = MARGIN + style.left, MARGIN + style.height
    below = MARGIN + text * (TEXT_GAP + DIGIT_HEIGHT)
    bars, right = symbol.rows[0][0], style.right + MARGIN
    depth = GUARD_BAR_DEPTH if text else 0
    top = foot + TEXT_GAP
    labels = [
        Label(symbol.text[first:last], left + module + (last - first) * DIGIT_CELL_WIDTH / 2, top)
        for first, last, module in style.halves
    ]
    ends = (symbol.text[0], symbol.text[-1])
    centers = (left - OUTER_DIGIT_OFFSET, left + len(bars) + OUTER_DIGIT_OFFSET)
    labels += [
        Label(digit, center, top + DIGIT_HEIGHT - height, height=height)
        for height, digit, center in zip(style.outer, ends, centers, strict=True)
        if height
    ]
    guards = bytearray(BLANK * len(bars))
    for start, end in style.guards:
        guards[start:end] = bars[start:end]
    return _stack(
        left + len(bars) + right,
        (b"", MARGIN),
        (BLANK * left + bars, style.height),
        (BLANK * left + guards, depth),
        (b"", below - depth),
        labels=labels if text else (),
    )


def _stack(width: int, *groups: tuple[bytes, int], labels: Sequence[Label] = ()) -> Layout:
    """Return a layout of groups of equal rows, each a row that is filled up with light modules, and its height."""
    return Layout(width, [(row.ljust(width, BLANK), height) for row, height in groups if height], labels)


def _itf14(symbol: Symbol, *, text: bool) -> Layout:
    bars, edge, quiet = symbol.rows[0][0], BLANK * MARGIN, BLANK * QUIET_ZONE
    bearer = DARK * BEARER_BAR_WIDTH
    row = edge + bearer + quiet + bars + quiet + bearer
    beam = edge + DARK * (len(row) - MARGIN)
    width, foot = len(row) + MARGIN, 2 * (MARGIN + BEARER_BAR_WIDTH) + ITF14_HEIGHT
    number = symbol.text
    printed = " ".join((number[0], number[1:3], number[3:8], number[8:13], number[13]))
    return _stack(
        width,
        (b"", MARGIN),
        (beam, BEARER_BAR_WIDTH),
        (row, ITF14_HEIGHT),
        (beam, BEARER_BAR_WIDTH),
        (b"", MARGIN + text * (MARGIN + DIGIT_HEIGHT)),
        labels=[_line(printed, width, foot)] if text else (),
    )


def _line(text: str, width: int, top: int) -> Label:
    """Return a centered label, with narrower cells if it would be wider than the image."""
    cell = min(DIGIT_HEIGHT * ADVANCE_UNITS / DIGIT_HEIGHT_UNITS, (width - 2 * MARGIN) / len(text))
    return Label(text, width / 2, top, cell)


DOTS_PER_INCH = 300
"""Print resolution. Modules are whole dots, and an EAN at scale 4 has its nominal size (0.33 mm per module)."""

TEXT_DEPTH = 2
"""Bits per pixel of images with text, which is antialiased. Images without text have 1 bit per pixel."""


def draw_png(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw a layout as PNG in two colors, with `scale` whole pixels per module."""
    depth = TEXT_DEPTH if layout.labels else 1
    size, width = (layout.width, len(layout.rows)), layout.width * scale
    modules = Image.frombytes("L", size, b"".join([row for row, _ in layout.rows]))
    pixels = modules.resize((width, len(layout.rows)), Image.Resampling.NEAREST).tobytes()
    text_top = min((label.top for label in layout.labels), default=layout.height)
    cells, bands, top = sorted(_cells(layout, text_top, scale)), list[Band](), 0
    for place, (_, height) in enumerate(layout.rows):
        row, bottom = pixels[place * width : (place + 1) * width], top + height
        if top < text_top:
            bands.append((row, (min(bottom, text_top) - top) * scale))
        if bottom > text_top:
            first, end, column, parts = (max(top, text_top) - text_top) * scale, (bottom - text_top) * scale, 0, []
            for left, right, rows in cells:
                parts += [repeat(row[column:left]), rows[first:end]]
                column = right
            lines = map(b"".join, zip(*parts, repeat(row[column:], end - first), strict=False))
            bands += [(line, len(list(equal))) for line, equal in groupby(lines)]
        top = bottom
    packed = pack_bands(bands, depth)
    return encode_indexed(width, packed, gradient_palette(dark, light, depth), depth=depth, dots_per_inch=DOTS_PER_INCH)


def _cells(layout: Layout, text_top: int, scale: int) -> Iterator[tuple[int, int, list[bytes]]]:
    """Yield each character: its first column, the column after it, and its rows of pixels below the top of the text."""
    for label in layout.labels:
        cell = max(1, int(label.cell * scale))
        start = round(label.center * scale - cell * len(label.text) / 2)
        above, height = (label.top - text_top) * scale, (layout.height - text_top) * scale
        for left, char in zip(count(start, cell), label.text, strict=False):
            yield left, left + cell, _glyph(char, cell, label.height * scale, above, height)


def draw_svg(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw a layout as SVG, in modules, with the arguments of `draw_png`. Its text is outlines, which need no font."""
    width, height = layout.width, layout.height
    rectangles, y = [], 0
    for row, thickness in layout.rows:
        rectangles += [
            f"M{run.start()} {y}h{run.end() - run.start()}v{thickness}H{run.start()}z" for run in DARK_RUN.finditer(row)
        ]
        y += thickness
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" '
        f'viewBox="0 0 {width} {height}"><path fill="{light}" d="M0 0h{width}v{height}H0z"/>'
        f'<path fill="{dark}" shape-rendering="crispEdges" d="{"".join(rectangles)}"/>'
        f'<g fill="{dark}">{"".join(map(_label, layout.labels))}</g></svg>\n'
    ).encode()


def _label(label: Label) -> str:
    em = em_size(label.cell, label.height)
    line = label.top + label.height - em * DESCENT_UNITS / UNITS_PER_EM
    if face_for(label.text) != "ocr-b":
        length = len(label.text) * label.cell
        return (
            f'<text x="{label.center:g}" y="{line:.3f}" font-family="Inter, sans-serif" font-size="{em:.3f}" '
            f'text-anchor="middle" textLength="{length:.3f}">{html.escape(label.text)}</text>'
        )
    left = label.center - label.cell * len(label.text) / 2 + (label.cell - em * ADVANCE_UNITS / UNITS_PER_EM) / 2
    size = f"scale({em / UNITS_PER_EM:.5f} {-em / UNITS_PER_EM:.5f})"
    return "".join(
        f'<path transform="translate({left + place * label.cell:.3f} {line:.3f}){size}" d="{path}"/>'
        for place, char in enumerate(label.text)
        if (path := outlines()[char])
    )
