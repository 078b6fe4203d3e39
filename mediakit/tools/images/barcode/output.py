"""Barcodes as PNG and SVG files."""

import html

from PIL import Image

from mediakit.engines.png import Band, encode_indexed
from mediakit.engines.symbol import DARK_RUN, gradient_palette, pack_bands
from mediakit.tools.images.barcode.layout import (
    ADVANCE_UNITS,
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

NEAREST = Image.Resampling.NEAREST

TEXT_DEPTH = 2
"""Bits per pixel of images with text, which is antialiased. Images without text have 1 bit per pixel."""


def draw_png(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw a layout as PNG, with whole pixels per module.

    Args:
        layout: The layout.
        scale: Pixels per module.
        dark: Color of bars and text, as `#rrggbb`.
        light: Color of the background.
    """
    depth = TEXT_DEPTH if layout.labels else 1
    width, height = layout.width * scale, layout.height
    text_top = min((label.top for label in layout.labels), default=height)
    modules = b"".join(row * height for row, height in layout.rows)
    wide = Image.frombytes("L", (layout.width, height), modules).resize((width, height), NEAREST)
    bands = pack_bands(wide.crop((0, 0, width, text_top)), depth)
    text = wide.crop((0, text_top, width, height)).resize((width, (height - text_top) * scale), NEAREST)
    for label in layout.labels:
        _draw_text(text, label, label.top - text_top, scale)
    return encode_indexed(
        width,
        [*(Band(row, height * scale) for row, height in bands), *pack_bands(text, depth)],
        gradient_palette(dark, light, depth),
        depth=depth,
        dots_per_inch=DOTS_PER_INCH,
    )


def _draw_text(image: Image.Image, label: Label, top: int, scale: int) -> None:
    """Draw a label in front of the bars, with its digits `top` modules below the upper edge."""
    cell = max(1, int(label.cell * scale))
    left = round(label.center * scale - cell * len(label.text) / 2)
    for place, char in enumerate(label.text):
        image.paste(glyph(char, cell, label.height * scale), (left + place * cell, top * scale))


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
