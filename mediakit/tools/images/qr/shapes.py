"""Modules and finder patterns as SVG paths, in modules.

Modules are squares, round at free corners, dots, or boxes whose corners depend on their neighbors.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from PIL import Image

from mediakit.engines.symbol import DARK_RUN, WHITE, svg_path

Style = Literal["square", "rounded", "dots", "tiles", "leaf", "vertical", "horizontal"]
BoxStyle = Literal["dots", "tiles", "leaf", "vertical", "horizontal"]
Finder = Literal["square", "rounded", "circle", "leaf"]

FINDER_MODULES = 7
"""Side of a finder pattern."""
CORNER_RADIUS = 0.5
"""Radius of a rounded corner, in modules."""

Corners = tuple[bool, bool, bool, bool]
"""Whether each corner is rounded: top left, top right, bottom right, bottom left."""

ALL_CORNERS: Corners = (True, True, True, True)


def svg(symbol: Image.Image, style: Style, finder: Finder | None, margin: int, paint: str) -> str:
    """Return a symbol as SVG elements; without a shape of their own, the finder patterns match the style."""
    if finder is None and style in ("square", "rounded"):
        return svg_modules(symbol, style, margin, paint)
    shape = finder or FINDERS_OF_STYLES.get(style, "rounded")
    return svg_modules(without_finders(symbol), style, margin, paint) + svg_finders(shape, symbol.width, margin, paint)


def svg_modules(symbol: Image.Image, style: Style, margin: int, paint: str) -> str:
    """Return the modules as an SVG element."""
    if style == "square":
        return f'<path shape-rendering="crispEdges" stroke="{paint}" d="{svg_path(symbol, margin)}"/>'
    if style == "rounded":
        boxes = _rounded_runs(symbol)
    else:
        boxes = (SHAPES[style](around).moved(x, y) for x, y, around in _dark_modules(symbol))
    path = "".join(each.moved(margin, margin).path for each in boxes)
    return f'<path fill="{paint}" d="{path}"/>'


class Box(NamedTuple):
    """A box, in modules."""

    left: float
    top: float
    right: float
    bottom: float
    radius: float = 0
    corners: Corners = ALL_CORNERS

    def moved(self, x: float, y: float) -> "Box":
        """Return the box at another position."""
        return self._replace(left=self.left + x, top=self.top + y, right=self.right + x, bottom=self.bottom + y)

    @property
    def path(self) -> str:
        """The outline as SVG path data, clockwise."""
        r = self.radius
        top_left, top_right, bottom_right, bottom_left = (r if corner and r else 0 for corner in self.corners)
        arc = f"a{r:g} {r:g} 0 0 1 "
        return "".join(
            (
                f"M{self.left + top_left:g} {self.top:g}H{self.right - top_right:g}",
                f"{arc}{r:g} {r:g}" * bool(top_right),
                f"V{self.bottom - bottom_right:g}",
                f"{arc}{-r:g} {r:g}" * bool(bottom_right),
                f"H{self.left + bottom_left:g}",
                f"{arc}{-r:g} {-r:g}" * bool(bottom_left),
                f"V{self.top + top_left:g}",
                f"{arc}{r:g} {-r:g}" * bool(top_left),
                "z",
            )
        )


class Neighbors(NamedTuple):
    """Whether the module on each side is dark."""

    above: bool
    right: bool
    below: bool
    left: bool


SHAPES: Mapping[BoxStyle, Callable[[Neighbors], Box]] = {
    "dots": lambda _: Box(0.05, 0.05, 0.95, 0.95, 0.45),
    "tiles": lambda _: Box(0.05, 0.05, 0.95, 0.95, 0.25),
    "leaf": lambda at: Box(0, 0, 1, 1, 0.5, (not (at.above or at.left), False, not (at.below or at.right), False)),
    "vertical": lambda at: Box(0.07, 0, 0.93, 1, 0.43, (not at.above, not at.above, not at.below, not at.below)),
    "horizontal": lambda at: Box(0, 0.07, 1, 0.93, 0.43, (not at.left, not at.right, not at.right, not at.left)),
}
"""The box of a module by the modules around it. Smaller boxes are misread when they are blurred."""


def _rounded_runs(symbol: Image.Image) -> Iterator[Box]:
    """Yield the adjoining modules of each row as boxes that are rounded at free corners."""
    side, values = symbol.width, symbol.tobytes()
    rows, blank = [values[start : start + side] for start in range(0, len(values), side)], bytes([WHITE]) * side
    for y, (above, row, below) in enumerate(zip([blank, *rows], rows, [*rows[1:], blank], strict=False)):
        for run in DARK_RUN.finditer(row):
            first, last = run.start(), run.end() - 1
            corners = (above[first] > 0, above[last] > 0, below[last] > 0, below[first] > 0)
            yield Box(first, y, last + 1, y + 1, CORNER_RADIUS, corners)


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


FinderShape = Finder | Literal["dots"]
"""Shapes of finder patterns. That of dots is not made of dots: readers search for finder patterns first."""

FINDERS_OF_STYLES: Mapping[Style, FinderShape] = {"dots": "dots", "leaf": "leaf"}
"""Shapes that match a style; other styles have rounded ones."""

RADII: Mapping[FinderShape, Sequence[float]] = {
    "dots": (0.5, 0, 0.5),
    "square": (0, 0, 0),
    "rounded": (2, 1.2, 0.8),
    "circle": (3.5, 2.5, 1.5),
    "leaf": (2.8, 1.9, 1.1),
}
"""Corner radii of the outer box, the hole and the pupil. Their sizes are those of the standard (7, 5 and 3 modules),
because readers search for their ratio."""


def without_finders(symbol: Image.Image) -> Image.Image:
    """Return the symbol without its finder patterns."""
    cleared = symbol.copy()
    for x, y in _places(symbol.width):
        cleared.paste(WHITE, (x, y, x + FINDER_MODULES, y + FINDER_MODULES))
    return cleared


def svg_finders(finder: FinderShape, side: int, margin: int, paint: str) -> str:
    """Return the finder patterns as an SVG element. Side and margin are in modules; `paint` is the value of `fill`."""
    parts = (part.moved(x + margin, y + margin) for x, y in _places(side) for part in _parts(finder, x, y))
    return f'<path fill="{paint}" fill-rule="evenodd" d="{"".join(part.path for part in parts)}"/>'


def _places(side: int) -> Iterator[tuple[int, int]]:
    last = side - FINDER_MODULES
    yield from ((0, 0), (last, 0), (0, last))


def _parts(finder: FinderShape, x: int, y: int) -> Iterator[Box]:
    """Yield the outer box, the hole and the pupil. The rounded corners of a leaf point to the center of the code."""
    corners = ALL_CORNERS
    if finder == "leaf":
        corners = (False, True, False, True) if x or y else (True, False, True, False)
    for inset, radius in enumerate(RADII[finder]):
        yield Box(inset, inset, FINDER_MODULES - inset, FINDER_MODULES - inset, radius, corners)
