"""Modules that are rounded at free corners, or dots."""

from typing import Any, Literal

from PIL import Image

from mediakit.engines.symbol import DARK_RUN, WHITE
from mediakit.tools.images.qr.finders import FINDER_MODULES

RoundStyle = Literal["rounded", "dots"]

SUPERSAMPLING = 2
"""Factor by which a code is rendered larger and then reduced; qrcode needs modules of even size."""
DOT_DIAMETER = 0.9
"""Diameter of a dot, in modules."""
CORNER_RADIUS = 0.5
"""Radius of a rounded corner, in modules."""


def render(symbol: Image.Image, style: RoundStyle, scale: int) -> Image.Image:
    """Render the modules black on white with antialiased edges, `scale` pixels each."""
    from qrcode import QRCode
    from qrcode.image.styledpil import StyledPilImage
    from qrcode.image.styles.moduledrawers.pil import RoundedModuleDrawer

    code, side = QRCode(), symbol.width
    code.modules = [[not value for value in row] for row in _rows(symbol)]
    code.modules_count = side
    image = StyledPilImage(
        0,
        side,
        scale * SUPERSAMPLING,
        qrcode_modules=code.modules,
        module_drawer=_dot_drawer() if style == "dots" else RoundedModuleDrawer(),
        eye_drawer=RoundedModuleDrawer(),
    )
    for row in range(side):
        for column in range(side):
            image.drawrect_context(row, column, qr=code)
    rendered: Image.Image = image.get_image()
    return rendered.convert("L").reduce(SUPERSAMPLING)


def _dot_drawer() -> Any:
    """Return a qrcode module drawer for dots that do not touch."""
    from qrcode.image.styles.moduledrawers.pil import CircleModuleDrawer

    class Dots(CircleModuleDrawer):  # type: ignore[misc]  # qrcode ships no types
        def initialize(self, *args: Any, **kwargs: Any) -> None:
            super().initialize(*args, **kwargs)
            full: Any = vars(self)["circle"]
            inset = round(full.width * (1 - DOT_DIAMETER) / 2)
            within = full.width - 2 * inset
            self.circle = Image.new("RGB", full.size, "white")
            self.circle.paste(full.resize((within, within), Image.Resampling.LANCZOS), (inset, inset))

    return Dots()


def svg_path(symbol: Image.Image, style: RoundStyle, margin: int, paint: str) -> str:
    """Return the modules as an SVG element; `margin` is the quiet zone in modules, `paint` the value of `fill`."""
    rows, blank = _rows(symbol), bytes([WHITE]) * symbol.width
    parts = []
    for y, (above, row, below) in enumerate(zip([blank, *rows], rows, [*rows[1:], blank], strict=False)):
        for run in DARK_RUN.finditer(row):
            if style == "rounded" or _in_finder(run.start(), y, symbol.width):
                free = [other[place] > 0 for place in (run.start(), run.end() - 1) for other in (above, below)]
                parts.append(_bar_outline(run.start() + margin, run.end() + margin, y + margin, free))
            else:
                parts += [_dot_outline(x + margin, y + margin) for x in range(run.start(), run.end())]
    return f'<path fill="{paint}" d="{"".join(parts)}"/>'


def _rows(symbol: Image.Image) -> list[bytes]:
    side, values = symbol.width, symbol.tobytes()
    return [values[start : start + side] for start in range(0, len(values), side)]


def _in_finder(x: int, y: int, side: int) -> bool:
    """Return whether a module belongs to a finder pattern. They are never dots: readers search for them first."""
    left, right, top, bottom = (
        x < FINDER_MODULES,
        x >= side - FINDER_MODULES,
        y < FINDER_MODULES,
        y >= side - FINDER_MODULES,
    )
    return (left and (top or bottom)) or (right and top)


def _dot_outline(x: int, y: int) -> str:
    radius = DOT_DIAMETER / 2
    return (
        f"M{x + 0.5 - radius:g} {y}.5a{radius} {radius} 0 1 1 {DOT_DIAMETER} 0a{radius} {radius} 0 1 1-{DOT_DIAMETER} 0"
    )


def _bar_outline(left: int, right: int, y: int, free: list[bool]) -> str:
    """Return the outline of adjoining modules of a row; a corner without a neighbor above or below is rounded.

    Args:
        left: Left edge.
        right: Right edge.
        y: Row.
        free: Whether the module above the left end, below it, above the right end and below it is light.
    """
    (top_left, bottom_left, top_right, bottom_right), r = [CORNER_RADIUS * corner for corner in free], CORNER_RADIUS
    arc = f"a{r} {r} 0 0 1"
    return "".join(
        (
            f"M{left + top_left:g} {y}H{right - top_right:g}",
            f"{arc}{r} {r}" * bool(top_right),
            f"V{y + 1 - bottom_right:g}",
            f"{arc}-{r} {r}" * bool(bottom_right),
            f"H{left + bottom_left:g}",
            f"{arc}-{r}-{r}" * bool(bottom_left),
            f"V{y + top_left:g}",
            f"{arc}{r}-{r}" * bool(top_left),
            "z",
        )
    )
