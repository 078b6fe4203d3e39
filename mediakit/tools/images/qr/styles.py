"""The looks of a module: square, rounded where nothing adjoins, or a dot."""

from typing import Any

from PIL import Image

from mediakit.engines.symbol import DARK_RUN, WHITE
from mediakit.tools.images.qr.request import QrRequest, Style

FINER = 2
"""Times that a code is drawn larger and then reduced; the drawers want modules of even pixels."""
DOT = 0.9
"""Modules of a dot's diameter."""
ROUND = 0.5
"""Modules of a round corner's radius."""
FINDER = 7
"""Modules of a finder pattern's side; it is never made of dots, because readers look for it first."""


def pixels(symbol: Image.Image, style: Style, scale: int) -> Image.Image:
    """Draw the modules, black on white, with smooth edges, `scale` pixels each."""
    if style == "square":
        return symbol.resize((symbol.width * scale, symbol.height * scale), Image.Resampling.NEAREST)
    from qrcode import QRCode
    from qrcode.image.styledpil import StyledPilImage
    from qrcode.image.styles.moduledrawers.pil import RoundedModuleDrawer

    code, side = QRCode(), symbol.width
    code.modules = [[not value for value in row] for row in _rows(symbol)]
    code.modules_count = side
    image = StyledPilImage(
        0,
        side,
        scale * FINER,
        qrcode_modules=code.modules,
        module_drawer=_dots() if style == "dots" else RoundedModuleDrawer(),
        eye_drawer=RoundedModuleDrawer(),
    )
    for row in range(side):
        for column in range(side):
            image.drawrect_context(row, column, qr=code)
    drawn: Image.Image = image.get_image()
    return drawn.convert("L").reduce(FINER)


def _dots() -> Any:
    """Make a drawer of dots that do not touch."""
    from qrcode.image.styles.moduledrawers.pil import CircleModuleDrawer

    class Dots(CircleModuleDrawer):  # type: ignore[misc]  # qrcode ships no types
        def initialize(self, *args: Any, **kwargs: Any) -> None:
            super().initialize(*args, **kwargs)
            full: Any = vars(self)["circle"]
            inset = round(full.width * (1 - DOT) / 2)
            within = full.width - 2 * inset
            self.circle = Image.new("RGB", full.size, "white")
            self.circle.paste(full.resize((within, within), Image.Resampling.LANCZOS), (inset, inset))

    return Dots()


def path(symbol: Image.Image, request: QrRequest) -> str:
    """Draw the modules of an SVG as one path; the style is rounded or dots."""
    rows, blank, margin = _rows(symbol), bytes([WHITE]) * symbol.width, request.margin
    parts = []
    for y, (above, row, below) in enumerate(zip([blank, *rows], rows, [*rows[1:], blank], strict=False)):
        for run in DARK_RUN.finditer(row):
            if request.style == "rounded" or _in_finder(run.start(), y, symbol.width):
                free = [other[place] > 0 for place in (run.start(), run.end() - 1) for other in (above, below)]
                parts.append(_bar(run.start() + margin, run.end() + margin, y + margin, free))
            else:
                parts += [_dot(x + margin, y + margin) for x in range(run.start(), run.end())]
    return f'<path fill="{request.dark}" d="{"".join(parts)}"/>'


def _rows(symbol: Image.Image) -> list[bytes]:
    side, values = symbol.width, symbol.tobytes()
    return [values[start : start + side] for start in range(0, len(values), side)]


def _in_finder(x: int, y: int, side: int) -> bool:
    """Tell whether a module is in one of the three corners; a light row of modules parts them from the others."""
    left, right, top, bottom = x < FINDER, x >= side - FINDER, y < FINDER, y >= side - FINDER
    return (left and (top or bottom)) or (right and top)


def _dot(x: int, y: int) -> str:
    radius = DOT / 2
    return f"M{x + 0.5 - radius:g} {y}.5a{radius} {radius} 0 1 1 {DOT} 0a{radius} {radius} 0 1 1-{DOT} 0"


def _bar(left: int, right: int, y: int, free: list[bool]) -> str:
    """Draw adjoining modules of a row; a corner above or below which nothing is becomes round.

    Args:
        left: Where they begin.
        right: Where they end.
        y: Their row.
        free: Nothing above their left end, below it, above their right end, below it.
    """
    (top_left, bottom_left, top_right, bottom_right), r = [ROUND * corner for corner in free], ROUND
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
