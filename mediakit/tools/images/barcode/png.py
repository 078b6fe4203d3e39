"""A layout as a PNG: whole pixels a module."""

from PIL import Image

from mediakit.engines.symbol import Band, bands, indexed_png, packed_rows, row_groups, shades
from mediakit.tools.images.barcode import font
from mediakit.tools.images.barcode.layout import Layout

DOTS_PER_INCH = 300
"""At which a module prints as whole dots, and at scale 4 an EAN in its nominal size (0.33 mm a module)."""

DEPTH = 2
"""Bits a pixel of a picture with text, whose edges are smooth; bars have two colours always."""


def draw(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw pixels.

    Args:
        layout: What to draw.
        scale: Pixels a module.
        dark: Colour of bars and text, six hexadecimal digits after `#`.
        light: Colour of the background.
    """
    width, height = layout.grid.size
    depth = DEPTH if layout.labels else 1
    lettered = min((label.top for label in layout.labels), default=height)
    rows = _bars(layout.grid.crop((0, 0, width, lettered)), scale, depth)
    if layout.labels:
        rows += bands(_lettering(layout, lettered, scale), depth)
    return indexed_png(width * scale, rows, shades(dark, light, depth), depth=depth, dots_per_inch=DOTS_PER_INCH)


def _bars(grid: Image.Image, scale: int, depth: int) -> list[Band]:
    """Draw the rows without text, each that differs from the one above once."""
    groups = list(row_groups(grid))
    distinct = Image.frombytes("L", (grid.width, len(groups)), b"".join(row for _, _, row in groups))
    wide = distinct.resize((grid.width * scale, len(groups)), Image.Resampling.NEAREST)
    rows = packed_rows(wide, depth)
    return [Band(row, count * scale) for row, (_, count, _) in zip(rows, groups, strict=True)]


def _lettering(layout: Layout, top: int, scale: int) -> Image.Image:
    """Draw the rows that have text in them, from module row `top` on."""
    width, height = layout.grid.size
    strip = layout.grid.crop((0, top, width, height)).resize(
        (width * scale, (height - top) * scale), Image.Resampling.NEAREST
    )
    for label in layout.labels:
        cell, size = max(1, int(label.cell * scale)), label.height * scale
        left = round(label.center * scale - cell * len(label.text) / 2)
        for place, char in enumerate(label.text):
            strip.paste(font.glyph(char, cell, size), (left + place * cell, (label.top - top) * scale))
    return strip
