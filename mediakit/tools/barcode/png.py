"""A layout as a PNG: whole pixels a module."""

from PIL import Image

from mediakit.engines.symbol import SHADES, Band, bands, indexed_png, packed, row_groups, shades
from mediakit.tools.barcode import font
from mediakit.tools.barcode.layout import Layout

DOTS_PER_INCH = 300
"""At which a module prints as whole dots, and at scale 4 an EAN in its nominal size (0.33 mm a module)."""


def draw(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw pixels.

    Args:
        layout: What to draw.
        scale: Pixels a module.
        dark: Colour of bars and text, six hexadecimal digits after `#`.
        light: Colour of the background.
    """
    depth = SHADES if layout.labels else 1
    lettered = min((label.top for label in layout.labels), default=layout.grid.height)
    rows = [
        Band(packed(_widened(Image.frombytes("L", (len(row), 1), row), scale), depth), count * scale)
        for _, count, row in row_groups(layout.grid.crop((0, 0, layout.grid.width, lettered)))
    ]
    if layout.labels:
        rows += bands(_lettering(layout, lettered, scale), SHADES)
    palette = shades(dark, light, 2**depth)
    return indexed_png(layout.grid.width * scale, rows, palette, depth=depth, dots_per_inch=DOTS_PER_INCH)


def _lettering(layout: Layout, top: int, scale: int) -> Image.Image:
    """Draw the rows that have text in them, from module row `top` on."""
    width, height = layout.grid.size
    strip = layout.grid.crop((0, top, width, height)).resize((width * scale, (height - top) * scale), 0)
    for label in layout.labels:
        cell, size = max(1, int(label.cell * scale)), label.height * scale
        left = round(label.center * scale - cell * len(label.text) / 2)
        for place, char in enumerate(label.text):
            strip.paste(font.glyph(char, cell, size), (left + place * cell, (label.top - top) * scale))
    return strip


def _widened(row: Image.Image, scale: int) -> Image.Image:
    return row.resize((row.width * scale, 1), Image.Resampling.NEAREST)
