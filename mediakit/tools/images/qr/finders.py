"""Finder patterns: the three large corner marks of a QR code, in several shapes."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from PIL import Image

from mediakit.engines.symbol import WHITE
from mediakit.tools.images.qr.boxes import ALL_CORNERS, Box, Corners, draw

Finder = Literal["square", "rounded", "circle", "leaf"]

FINDER_MODULES = 7
"""Side of a finder pattern."""


class Radii(NamedTuple):
    """Corner radii of the parts of a finder pattern, in modules."""

    outer: float
    hole: float
    pupil: float


RADII: Mapping[Finder, Radii] = {
    "square": Radii(0, 0, 0),
    "rounded": Radii(2, 1.2, 0.8),
    "circle": Radii(3.5, 2.5, 1.5),
    "leaf": Radii(2.8, 1.9, 1.1),
}
"""The sizes of the parts are those of the standard (7, 5 and 3 modules), because readers search for their ratio."""

DIAGONAL: Corners = (True, False, True, False)
OTHER_DIAGONAL: Corners = (False, True, False, True)


def without_finders(symbol: Image.Image) -> Image.Image:
    """Return the symbol without its finder patterns."""
    cleared = symbol.copy()
    for x, y in _places(symbol.width):
        cleared.paste(WHITE, (x, y, x + FINDER_MODULES, y + FINDER_MODULES))
    return cleared


def paste(code: Image.Image, finder: Finder, scale: int) -> None:
    """Draw the finder patterns into the image of a code without them, `scale` pixels per module."""
    side = code.width // scale
    for x, y in _places(side):
        outer, hole, pupil = _parts(finder, x, y)
        pattern = draw([(outer, 0), (hole, WHITE), (pupil, 0)], FINDER_MODULES, scale)
        code.paste(pattern, (x * scale, y * scale))


def svg_path(finder: Finder, side: int, margin: int, paint: str) -> str:
    """Return the finder patterns as an SVG element.

    Args:
        finder: The shape.
        side: Side of the symbol, in modules.
        margin: Quiet zone, in modules.
        paint: Value of `fill`.
    """
    parts = (part.moved(x + margin, y + margin) for x, y in _places(side) for part in _parts(finder, x, y))
    return f'<path fill="{paint}" fill-rule="evenodd" d="{"".join(part.path for part in parts)}"/>'


def _places(side: int) -> Iterator[tuple[int, int]]:
    last = side - FINDER_MODULES
    yield from ((0, 0), (last, 0), (0, last))


def _parts(finder: Finder, x: int, y: int) -> tuple[Box, Box, Box]:
    """Return the outer box, the hole and the pupil. The rounded corners of a leaf point to the center of the code."""
    corners = ALL_CORNERS
    if finder == "leaf":
        corners = OTHER_DIAGONAL if x or y else DIAGONAL
    radii = RADII[finder]
    return (
        Box(0, 0, 7, 7, radii.outer, corners),
        Box(1, 1, 6, 6, radii.hole, corners),
        Box(2, 2, 5, 5, radii.pupil, corners),
    )
