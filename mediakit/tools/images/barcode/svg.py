"""A layout as an SVG, in modules."""

import html
import re

from PIL import Image

from mediakit.engines.symbol import row_groups
from mediakit.tools.images.barcode import font
from mediakit.tools.images.barcode.layout import Label, Layout

DARK_RUN = re.compile(rb"\0+")


def draw(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Draw outlines; the text is among them, so that it looks the same wherever it is opened.

    Args:
        layout: What to draw.
        scale: Pixels a module.
        dark: Colour of bars and text, six hexadecimal digits after `#`.
        light: Colour of the background.
    """
    width, height = layout.grid.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" '
        f'viewBox="0 0 {width} {height}"><path fill="{light}" d="M0 0h{width}v{height}H0z"/>'
        f'<path fill="{dark}" shape-rendering="crispEdges" d="{_rectangles(layout.grid)}"/>'
        f'<g fill="{dark}">{"".join(map(_line, layout.labels))}</g></svg>\n'
    ).encode()


def _rectangles(grid: Image.Image) -> str:
    return "".join(
        f"M{run.start()} {y}h{run.end() - run.start()}v{count}H{run.start()}z"
        for y, count, row in row_groups(grid)
        for run in DARK_RUN.finditer(row)
    )


def _line(label: Label) -> str:
    em = font.em_for(label.cell, label.height)
    line = label.top + label.height - em * font.BELOW / font.UNITS
    if font.face_for(label.text) != "ocr-b":
        length = len(label.text) * label.cell
        return (
            f'<text x="{label.center:g}" y="{line:.3f}" font-family="Inter, sans-serif" font-size="{em:.3f}" '
            f'text-anchor="middle" textLength="{length:.3f}">{html.escape(label.text)}</text>'
        )
    left = label.center - label.cell * len(label.text) / 2 + (label.cell - em * font.ADVANCE / font.UNITS) / 2
    size = f"scale({em / font.UNITS:.5f} {-em / font.UNITS:.5f})"
    return "".join(
        f'<path transform="translate({left + place * label.cell:.3f} {line:.3f}){size}" d="{path}"/>'
        for place, char in enumerate(label.text)
        if (path := font.outlines()[char])
    )
