"""Modules drawn as boxes with rounded corners that depend on their neighbors: tiles, leaves, and bars."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from PIL import Image

from mediakit.engines.symbol import WHITE
from mediakit.tools.images.qr.boxes import Box, draw

BoxStyle = Literal["tiles", "leaf", "vertical", "horizontal"]


class Neighbors(NamedTuple):
    """Whether the module on each side is dark."""

    above: bool
    right: bool
    below: bool
    left: bool


def _tile(_neighbors: Neighbors) -> Box:
    return Box(0.05, 0.05, 0.95, 0.95, 0.25)


def _leaf(around: Neighbors) -> Box:
    top_left, bottom_right = not (around.above or around.left), not (around.below or around.right)
    return Box(0, 0, 1, 1, 0.5, (top_left, False, bottom_right, False))


def _vertical_bar(around: Neighbors) -> Box:
    top, bottom = not around.above, not around.below
    return Box(0.07, 0, 0.93, 1, 0.43, (top, top, bottom, bottom))


def _horizontal_bar(around: Neighbors) -> Box:
    left, right = not around.left, not around.right
    return Box(0, 0.07, 1, 0.93, 0.43, (left, right, right, left))


SHAPES: Mapping[BoxStyle, Callable[[Neighbors], Box]] = {
    "tiles": _tile,
    "leaf": _leaf,
    "vertical": _vertical_bar,
    "horizontal": _horizontal_bar,
}
"""The box of a module by the modules around it. Smaller boxes are misread when they are blurred."""


def render(symbol: Image.Image, style: BoxStyle, scale: int) -> Image.Image:
    """Render the modules black on white with antialiased edges, `scale` pixels each."""

    @cache
    def tile(around: Neighbors) -> Image.Image:
        return draw([(SHAPES[style](around), 0)], 1, scale)

    image = Image.new("L", (symbol.width * scale, symbol.height * scale), WHITE)
    for x, y, around in _dark_modules(symbol):
        image.paste(tile(around), (x * scale, y * scale))
    return image


def svg_path(symbol: Image.Image, style: BoxStyle, margin: int, paint: str) -> str:
    """Return the modules as an SVG element; `margin` is the quiet zone in modules, `paint` the value of `fill`."""
    boxes = (SHAPES[style](around).moved(x + margin, y + margin) for x, y, around in _dark_modules(symbol))
    return f'<path fill="{paint}" d="{"".join(box.path for box in boxes)}"/>'


def _dark_modules(symbol: Image.Image) -> Iterator[tuple[int, int, Neighbors]]:
    side = symbol.width + 2
    framed = Image.new("L", (side, symbol.height + 2), WHITE)
    framed.paste(symbol, (1, 1))
    dark = [value == 0 for value in framed.tobytes()]
    for y in range(symbol.height):
        for x in range(symbol.width):
            at = (y + 1) * side + x + 1
            if dark[at]:
                yield x, y, Neighbors(dark[at - side], dark[at + 1], dark[at + side], dark[at - 1])
