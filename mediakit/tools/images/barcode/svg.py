"""SVG rendering of a layout, in modules."""

import html

from mediakit.engines.symbol import DARK_RUN
from mediakit.tools.images.barcode import font
from mediakit.tools.images.barcode.layout import Label, Layout


def render(layout: Layout, scale: int, dark: str, light: str) -> bytes:
    """Render a layout as SVG. The text is converted to outlines, so that it needs no font.

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
    em = font.em_size(label.cell, label.height)
    line = label.top + label.height - em * font.DESCENT_UNITS / font.UNITS_PER_EM
    if font.face_for(label.text) != "ocr-b":
        length = len(label.text) * label.cell
        return (
            f'<text x="{label.center:g}" y="{line:.3f}" font-family="Inter, sans-serif" font-size="{em:.3f}" '
            f'text-anchor="middle" textLength="{length:.3f}">{html.escape(label.text)}</text>'
        )
    left = (
        label.center - label.cell * len(label.text) / 2 + (label.cell - em * font.ADVANCE_UNITS / font.UNITS_PER_EM) / 2
    )
    size = f"scale({em / font.UNITS_PER_EM:.5f} {-em / font.UNITS_PER_EM:.5f})"
    return "".join(
        f'<path transform="translate({left + place * label.cell:.3f} {line:.3f}){size}" d="{path}"/>'
        for place, char in enumerate(label.text)
        if (path := font.outlines()[char])
    )
