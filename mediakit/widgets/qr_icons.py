"""Icons of the shapes and palettes of QR codes, as CSS backgrounds."""

from collections.abc import Mapping
from functools import cache
from typing import get_args
from urllib.parse import quote

from PIL import Image

from mediakit.tools.images.qr import shapes
from mediakit.tools.images.qr.request import PALETTES

SAMPLE_MODULES = ("#.##.", "###..", "..#.#", "#..##", "##.#.")
"""A part of a code that shows how neighboring modules are joined."""
FINDER_COLOR = "#1f2328"
UNSET_FINDER = (
    f'<path fill="none" stroke="{FINDER_COLOR}" stroke-dasharray="1.3 1" d="M.5.5h6v6h-6z"/>'
    f'<path fill="{FINDER_COLOR}" opacity=".55" d="M2 2h3v3H2z"/>'
)
"""The finder pattern of no own shape."""


@cache
def style_icons() -> Mapping[str, str]:
    """Return an icon of each shape of modules."""
    side = len(SAMPLE_MODULES)
    symbol = Image.new("L", (3 * side, 3 * side), 255)
    sample = Image.new("L", (side, side))
    sample.putdata([0 if mark == "#" else 255 for row in SAMPLE_MODULES for mark in row])
    symbol.paste(sample, (side, side))  # away from the corners, where finder patterns are
    styles: tuple[shapes.Style, ...] = get_args(shapes.Style)
    paths = {style: shapes.svg_modules(symbol, style, 0, FINDER_COLOR) for style in styles}
    return {style: _svg(f"{side - 0.6} {side - 0.6} {side + 1.2} {side + 1.2}", path) for style, path in paths.items()}


@cache
def finder_icons() -> Mapping[str, str]:
    """Return an icon of each shape of finder patterns."""
    beyond = 30  # the other two finder patterns are outside the icon
    paths = {shape: shapes.svg_finders(shape, beyond, 0, FINDER_COLOR) for shape in shapes.RADII}
    return {"unset": _svg("-1 -1 9 9", UNSET_FINDER)} | {
        shape: _svg("-1 -1 9 9", path) for shape, path in paths.items()
    }


@cache
def palette_icons() -> Mapping[str, str]:
    """Return the colors of each palette: those of the modules in front of the background."""
    return {"unset": "linear-gradient(#000,#000) center/62% 62% no-repeat,#fff"} | {
        name: f"linear-gradient(45deg,{palette.dark},{palette.gradient or palette.dark}) center/62% 62% no-repeat,"
        f"{palette.light}"
        for name, palette in PALETTES.items()
    }


def _svg(view_box: str, content: str) -> str:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}">{content}</svg>'
    return f'#fff url("data:image/svg+xml,{quote(svg)}") center/contain no-repeat'
