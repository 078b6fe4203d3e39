"""Barcodes as PNG and SVG files."""

import html
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, repeat

from mediakit.engines.png import Band, encode_indexed
from mediakit.engines.symbol import DARK_RUN, gradient_palette, pack_digits, palette_digits
from mediakit.tools.images.barcode.layout import (
    ADVANCE_UNITS,
    BLANK,
    DARK,
    DESCENT_UNITS,
    UNITS_PER_EM,
    Label,
    Layout,
    em_size,
    face_for,
    glyph,
    outlines,
)

DOTS_PER_INCH = 300
"""Print resolution. Modules are whole dots, and an EAN at scale 4 has its nominal size (0.33 mm per module)."""

TEXT_DEPTH = 2
"""Bits per pixel of images with text, which is antialiased. Images without text have 1 bit per pixel."""

MAX_KEPT_CHARACTERS = 1024

Cell = tuple[int, int, Sequence[bytes]]
"""A character: its first column, the column after it, and its rows of pixels."""


def draw_png(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw a layout as PNG, with whole pixels per module.

    A row of pixels is a text with the digit of each palette index. Such rows are joined of those of the bars and of
    each character, and packed to bits as one number.

    Args:
        layout: The layout.
        scale: Pixels per module.
        dark: Color of bars and text, as `#rrggbb`.
        light: Color of the background.
    """
    depth = TEXT_DEPTH if layout.labels else 1
    return encode_indexed(
        layout.width * scale,
        _bands(layout, scale, depth),
        gradient_palette(dark, light, depth),
        depth=depth,
        dots_per_inch=DOTS_PER_INCH,
    )


def _bands(layout: Layout, scale: int, depth: int) -> Iterator[Band]:
    """Yield the rows of pixels, packed. Those above the text are as high as their modules."""
    text_top = min((label.top for label in layout.labels), default=layout.height)
    cells = sorted(_cells(layout.labels, text_top, layout.height, scale))
    light, top = palette_digits(depth)[-1:], 0
    for row, height in layout.rows:
        line = row.replace(BLANK, light * scale).replace(DARK, b"0" * scale)
        bottom = top + height
        if top < text_top:
            yield Band(pack_digits(line, depth), (min(bottom, text_top) - top) * scale)
        if bottom > text_top:
            first, end = (max(top, text_top) - text_top) * scale, (bottom - text_top) * scale
            for text_row, equal in groupby(_with_text(line, cells, first, end)):
                yield Band(pack_digits(text_row, depth), len(list(equal)))
        top = bottom


def _with_text(line: bytes, cells: Iterable[Cell], first: int, end: int) -> Iterator[bytes]:
    """Yield a row of pixels once for each row of the text from `first` to `end`, with the characters in front of it."""
    parts, column = list[Iterable[bytes]](), 0
    for left, right, rows in cells:
        if left > column:
            parts.append(repeat(line[column:left]))
        parts.append(rows[first:end])
        column = right
    return map(b"".join, zip(*parts, repeat(line[column:]), strict=False))


def _cells(labels: Iterable[Label], text_top: int, bottom: int, scale: int) -> Iterator[Cell]:
    for label in labels:
        width = max(1, int(label.cell * scale))
        left = round(label.center * scale - width * len(label.text) / 2)
        above, height = (label.top - text_top) * scale, (bottom - text_top) * scale
        for char in label.text:
            yield left, left + width, _character(char, width, label.height * scale, above, height)
            left += width


@lru_cache(maxsize=MAX_KEPT_CHARACTERS)
def _character(char: str, width: int, size: int, above: int, height: int) -> Sequence[bytes]:
    """Return the rows of pixels of a character.

    Args:
        char: The character.
        width: Width of its cell, in pixels.
        size: Height of a digit, in pixels.
        above: Light rows above the character.
        height: Number of rows.
    """
    pixels = glyph(char, width, size).tobytes().translate(palette_digits(TEXT_DEPTH))
    rows = [pixels[start : start + width] for start in range(0, len(pixels), width)]
    blank = [palette_digits(TEXT_DEPTH)[-1:] * width]
    return (blank * above + rows + blank * height)[:height]


def draw_svg(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw a layout as SVG, in modules. The text is converted to outlines, so that it needs no font.

    Args:
        layout: The layout.
        scale: Pixels per module.
        dark: Color of bars and text, as `#rrggbb`.
        light: Color of the background.
    """
    width, height = layout.width, layout.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" '
        f'viewBox="0 0 {width} {height}"><path fill="{light}" d="M0 0h{width}v{height}H0z"/>'
        f'<path fill="{dark}" shape-rendering="crispEdges" d="{_rectangles(layout)}"/>'
        f'<g fill="{dark}">{"".join(map(_label, layout.labels))}</g></svg>\n'
    ).encode()


def _rectangles(layout: Layout) -> str:
    rectangles, y = [], 0
    for row, height in layout.rows:
        rectangles += [
            f"M{run.start()} {y}h{run.end() - run.start()}v{height}H{run.start()}z" for run in DARK_RUN.finditer(row)
        ]
        y += height
    return "".join(rectangles)


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
