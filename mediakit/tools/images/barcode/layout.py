"""Where everything lies, in modules: quiet zones, bars, guard bars, bearer bars and text, as each standard has it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from mediakit.engines.symbol import WHITE
from mediakit.tools.images.barcode import font
from mediakit.tools.images.barcode.symbols import MATRIX, BarcodeType, Symbol

EDGE = 2
"""Light modules around, so that neither bars nor digits touch the picture's edge."""
DIGIT_HEIGHT = 8
"""8.3 modules in ISO/IEC 15420."""
SMALL_DIGIT_HEIGHT = 6
"""Of the first and the last digit of UPC, in 4 modules of width."""
OUTER = 7
"""From the bars to the middle of a digit beside them, which keeps 5 modules away."""
GAP = 1
"""Between bars and digits; at least half a module."""
GUARD = 5
"""How far guard bars reach down between the digits (ISO/IEC 15420)."""
DIGIT_CELL = 7
"""Modules of a digit of EAN and UPC."""
MATRIX_QUIET_ZONE = 2
"""Data Matrix needs 1 (ISO/IEC 16022), PDF417 2 (ISO/IEC 15438), Aztec none (ISO/IEC 24778)."""
QUIET_ZONE = 10
"""Beside Code 128, Code 39 and ITF-14."""
ITF14_HEIGHT = 32
"""Of its bars: 31.75 mm at its module of 1.016 mm, rounded up (GS1 General Specifications, section 5.3)."""
BEARER = 5
"""Thickness of the frame of ITF-14: 4.83 mm at its module of 1.016 mm (GS1 General Specifications, section 5.3)."""
SHORTEST, LONGEST = 50, 120
"""Bars of Code 128 and Code 39, which are 15 % as high as wide (ISO/IEC 15417) between these."""
AREA = 450_000
"""Square modules of a picture, so that it stays below 50 megapixels at scale 10; very long codes are lower for it."""


@dataclass(frozen=True)
class Label:
    """A line of text in cells of equal width."""

    text: str
    center: float
    top: int
    """Of the digits."""
    cell: float = DIGIT_CELL
    height: int = DIGIT_HEIGHT


@dataclass(frozen=True)
class Layout:
    """A picture in modules."""

    grid: Image.Image
    """Bars and all, a pixel a module, black on white."""
    labels: Sequence[Label] = ()


@dataclass(frozen=True)
class Retail:
    """How a symbol of EAN or UPC looks (ISO/IEC 15420; GS1 General Specifications, 5.2)."""

    left: int
    """Quiet zone."""
    right: int
    height: int
    """Of the bars: 22.85 or 18.23 mm at a module of 0.33 mm."""
    guards: Sequence[tuple[int, int]]
    """First module and the one after the last of bars that are longer."""
    halves: Sequence[tuple[int, int, int]]
    """First digit, the one after the last, and the module that their first cell begins at."""
    before: int | None = None
    """Height of the first digit, where it stands beside the bars."""
    after: int | None = None
    """Height of the last digit, where it stands beside the bars."""


RETAIL = {
    "ean13": Retail(
        11, 7, 69, guards=[(0, 3), (45, 50), (92, 95)], halves=[(1, 7, 3), (7, 13, 50)], before=DIGIT_HEIGHT
    ),
    "ean8": Retail(7, 7, 55, guards=[(0, 3), (31, 36), (64, 67)], halves=[(0, 4, 3), (4, 8, 36)]),
    "upca": Retail(
        9,
        9,
        69,
        guards=[(0, 10), (45, 50), (85, 95)],
        halves=[(1, 6, 10), (6, 11, 50)],
        before=SMALL_DIGIT_HEIGHT,
        after=SMALL_DIGIT_HEIGHT,
    ),
    "upce": Retail(
        9,
        9,  # 7 would do for scanners, and leave no room for the check digit
        69,
        guards=[(0, 3), (45, 51)],
        halves=[(1, 7, 3)],
        before=SMALL_DIGIT_HEIGHT,
        after=SMALL_DIGIT_HEIGHT,
    ),
}


def arrange(symbol: Symbol, kind: BarcodeType, *, text: bool) -> Layout:
    """Lay a symbol out, with or without its text."""
    if kind in MATRIX:
        return _matrix(symbol)
    if kind in RETAIL:
        return _retail(symbol, RETAIL[kind], text=text)
    return _itf14(symbol, text=text) if kind == "itf14" else _plain(symbol, text=text)


def _matrix(symbol: Symbol) -> Layout:
    width, height = symbol.modules.size
    grid = _blank(width + 2 * MATRIX_QUIET_ZONE, height + 2 * MATRIX_QUIET_ZONE)
    grid.paste(symbol.modules, (MATRIX_QUIET_ZONE, MATRIX_QUIET_ZONE))
    return Layout(grid)


def _retail(symbol: Symbol, look: Retail, *, text: bool) -> Layout:
    left, foot = EDGE + look.left, EDGE + look.height
    grid = _blank(left + symbol.modules.width + look.right + EDGE, foot + EDGE + text * (GAP + DIGIT_HEIGHT))
    _bars(grid, symbol.modules, left, look.height)
    if not text:
        return Layout(grid)
    for start, end in look.guards:
        bars = symbol.modules.crop((start, 0, end, 1)).resize((end - start, GUARD))
        grid.paste(bars, (left + start, foot))
    top = foot + GAP
    labels = [
        Label(symbol.text[first:last], left + module + (last - first) * DIGIT_CELL / 2, top)
        for first, last, module in look.halves
    ]
    return Layout(grid, labels + _outer(symbol, look, left, top))


def _outer(symbol: Symbol, look: Retail, left: int, top: int) -> list[Label]:
    """Put the first and the last digit beside the bars, their feet level with the others'."""
    found = []
    if height := look.before:
        found.append(Label(symbol.text[0], left - OUTER, top + DIGIT_HEIGHT - height, height=height))
    if height := look.after:
        end = left + symbol.modules.width
        found.append(Label(symbol.text[-1], end + OUTER, top + DIGIT_HEIGHT - height, height=height))
    return found


def _itf14(symbol: Symbol, *, text: bool) -> Layout:
    bars, inside = symbol.modules, EDGE + BEARER
    width = bars.width + 2 * (QUIET_ZONE + inside)
    foot = 2 * inside + ITF14_HEIGHT
    grid = _blank(width, foot + text * (EDGE + DIGIT_HEIGHT))
    grid.paste(0, (EDGE, EDGE, width - EDGE, foot - EDGE))
    grid.paste(WHITE, (inside, inside, width - inside, foot - inside))
    grid.paste(bars.resize((bars.width, ITF14_HEIGHT)), (inside + QUIET_ZONE, inside))
    number = symbol.text
    printed = " ".join((number[0], number[1:3], number[3:8], number[8:13], number[13]))
    return Layout(grid, [_line(printed, width, foot)] if text else [])


def _plain(symbol: Symbol, *, text: bool) -> Layout:
    width = symbol.modules.width + 2 * QUIET_ZONE
    around = 2 * EDGE + text * (EDGE + DIGIT_HEIGHT)
    height = min(max(SHORTEST, width * 15 // 100), LONGEST, AREA // width - around)
    grid = _blank(width, height + around)
    _bars(grid, symbol.modules, QUIET_ZONE, height)
    return Layout(grid, [_line(font.printable(symbol.text), width, height + 2 * EDGE)] if text else [])


def _line(text: str, width: int, top: int) -> Label:
    """Put a line into the middle, its characters closer together where it would be wider than the picture."""
    cell = min(DIGIT_HEIGHT * font.ADVANCE / font.DIGIT, (width - 2 * EDGE) / len(text))
    return Label(text, width / 2, top, cell)


def _bars(grid: Image.Image, row: Image.Image, left: int, height: int) -> None:
    grid.paste(row.resize((row.width, height)), (left, EDGE))


def _blank(width: int, height: int) -> Image.Image:
    return Image.new("L", (width, height), WHITE)
