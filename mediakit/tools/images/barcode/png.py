"""PNG rendering of a layout, with whole pixels per module."""

from PIL import Image

from mediakit.engines.symbol import Band, encode_indexed, equal_rows, gradient_palette, pack_bands, pack_rows
from mediakit.tools.images.barcode import font
from mediakit.tools.images.barcode.layout import Layout

DOTS_PER_INCH = 300
"""Print resolution. Modules are whole dots, and an EAN at scale 4 has its nominal size (0.33 mm per module)."""

TEXT_DEPTH = 2
"""Bits per pixel of images with text, which is antialiased. Images without text have 1 bit per pixel."""


def render(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Render a layout as PNG.

    Args:
        layout: The layout.
        scale: Pixels per module.
        dark: Color of bars and text, as `#rrggbb`.
        light: Color of the background.
    """
    width, height = layout.grid.size
    depth = TEXT_DEPTH if layout.labels else 1
    text_top = min((label.top for label in layout.labels), default=height)
    rows = _bar_rows(layout.grid.crop((0, 0, width, text_top)), scale, depth)
    if layout.labels:
        rows += pack_bands(_text_rows(layout, text_top, scale), depth)
    return encode_indexed(
        width * scale, rows, gradient_palette(dark, light, depth), depth=depth, dots_per_inch=DOTS_PER_INCH
    )


def _bar_rows(grid: Image.Image, scale: int, depth: int) -> list[Band]:
    """Render the rows without text, packing each group of equal rows once."""
    groups = list(equal_rows(grid))
    distinct = Image.frombytes("L", (grid.width, len(groups)), b"".join(row for _, _, row in groups))
    wide = distinct.resize((grid.width * scale, len(groups)), Image.Resampling.NEAREST)
    rows = pack_rows(wide, depth)
    return [Band(row, count * scale) for row, (_, count, _) in zip(rows, groups, strict=True)]


def _text_rows(layout: Layout, top: int, scale: int) -> Image.Image:
    """Render the rows with text, from module row `top` on."""
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
