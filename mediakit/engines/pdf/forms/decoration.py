"""The box of a widget: its size as drawn, its background and its border (ISO 32000-2, 12.5.4 and 12.5.6.19)."""

from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.forms.default_appearance import color_operator
from mediakit.engines.pdf.geometry import is_number, read_numbers
from mediakit.engines.pdf.objects import dictionary, items
from mediakit.engines.pdf.widget_appearance import corners

RAISED = ("/B", "/I")
"""Styles whose border has a light and a dark edge inside it."""


@dataclass(frozen=True)
class Decoration:
    """The box in which a widget draws, with its origin at the lower left."""

    width: float
    height: float
    rotation: int
    """Degrees counterclockwise: 0, 90, 180 or 270."""
    border: float
    """Width of the border in points."""
    style: str
    """Name of the border's style: `/S` solid, `/D` dashed, `/B` beveled, `/I` inset, `/U` underlined."""
    dashes: tuple[float, ...]
    border_color: object
    background: object

    @property
    def inset(self) -> float:
        """Points that the border covers on each side."""
        return self.border * (2 if self.style in RAISED else 1)

    @property
    def matrix(self) -> list[float]:
        """The matrix that rotates the box."""
        return {
            90: [0, 1, -1, 0, self.height, 0],
            180: [-1, 0, 0, -1, self.width, self.height],
            270: [0, -1, 1, 0, 0, self.width],
        }.get(self.rotation, [1, 0, 0, 1, 0, 0])

    def draw(self, *, is_round: bool = False) -> str:
        """Return the operators that draw background and border."""
        parts = []
        if fill := color_operator(self.background, stroke=False):
            shape = self._circle(0) if is_round else f"0 0 {self.width:g} {self.height:g} re"
            parts.append(f"{fill} {shape} f")
        stroke = color_operator(self.border_color, stroke=True)
        if self.style in RAISED and self.border and not is_round:
            parts.append(self._edges())
        if stroke and self.border:
            parts.append(f"{stroke} {self.border:g} w {self._dash()}{self._outline(is_round=is_round)} S")
        return "q " + "\n".join(parts) + " Q" if parts else ""

    def draw_cells(self, count: int) -> str:
        """Return the operators that draw the lines between the cells of a comb."""
        stroke = color_operator(self.border_color, stroke=True)
        if not stroke or not self.border or self.style in RAISED:
            return ""
        cell = self.width / count
        lines = " ".join(f"{cell * at:.3f} 0 m {cell * at:.3f} {self.height:g} l" for at in range(1, count))
        return f"q {stroke} {self.border:g} w {self._dash()}{lines} S Q" if lines else ""

    def _dash(self) -> str:
        return f"[{' '.join(f'{dash:g}' for dash in self.dashes)}] 0 d " if self.style == "/D" else ""

    def _outline(self, *, is_round: bool) -> str:
        half = self.border / 2
        if is_round:
            return self._circle(half)
        if self.style == "/U":
            return f"0 {half:g} m {self.width:g} {half:g} l"
        return f"{half:g} {half:g} {self.width - self.border:g} {self.height - self.border:g} re"

    def _edges(self) -> str:
        """Return the operators that draw the light and the dark edge of a beveled or inset border."""
        upper, lower = ("1 g", "0.5 g") if self.style == "/B" else ("0.5 g", "0.75 g")
        near, far = self.border, 2 * self.border
        right, top = self.width, self.height
        left_top = (
            (near, near), (near, top - near), (right - near, top - near), (right - far, top - far), (far, top - far),
            (far, far),
        )  # fmt: skip
        right_bottom = (
            (right - near, top - near), (right - near, near), (near, near), (far, far), (right - far, far),
            (right - far, top - far),
        )  # fmt: skip
        return f"{upper} {_polygon(left_top)} f {lower} {_polygon(right_bottom)} f"

    def _circle(self, inset: float) -> str:
        radius = max(min(self.width, self.height) / 2 - inset, 0)
        return circle(self.width / 2, self.height / 2, radius)


def decoration_of(widget: pikepdf.Object) -> Decoration | None:
    """Return the box of a widget; None if it has no size."""
    box = corners(widget.get(Name.Rect))
    if box is None or box[2] <= box[0] or box[3] <= box[1]:
        return None
    looks = dictionary(widget.get(Name.MK))
    turn: object = looks.get(Name.R, 0)
    rotation = turn % 360 // 90 * 90 if isinstance(turn, int) else 0
    width, height = box[2] - box[0], box[3] - box[1]
    border, style, dashes = _border(widget)
    return Decoration(
        width=height if rotation in (90, 270) else width,
        height=width if rotation in (90, 270) else height,
        rotation=rotation,
        border=min(border, width / 4, height / 4),
        style=style,
        dashes=dashes,
        border_color=looks.get(Name.BC),
        background=looks.get(Name.BG),
    )


def circle(x: float, y: float, radius: float) -> str:
    """Return the operators of a circle as four curves."""
    bend = radius * 0.552285
    points = [
        (x + radius, y + bend, x + bend, y + radius, x, y + radius),
        (x - bend, y + radius, x - radius, y + bend, x - radius, y),
        (x - radius, y - bend, x - bend, y - radius, x, y - radius),
        (x + bend, y - radius, x + radius, y - bend, x + radius, y),
    ]
    curves = " ".join(" ".join(f"{number:.3f}" for number in curve) + " c" for curve in points)
    return f"{x + radius:.3f} {y:.3f} m {curves} h"


def _border(widget: pikepdf.Object) -> tuple[float, str, tuple[float, ...]]:
    """Return the width, the style and the dashes of a border."""
    given = widget.get(Name.BS)
    if isinstance(given, Dictionary):
        width, style = given.get(Name.W, 1), given.get(Name.S)
        dashes = read_numbers(given.get(Name.D))
        return _width(width), str(style) if isinstance(style, Name) else "/S", _dashes(dashes)
    older = items(widget.get(Name.Border))
    if len(older) >= 3:
        dashes = read_numbers(older[3]) if len(older) > 3 else []
        return _width(older[2]), "/D" if dashes else "/S", _dashes(dashes)
    return 1.0, "/S", (3.0,)


def _width(value: object) -> float:
    return max(float(value), 0.0) if is_number(value) else 1.0  # type: ignore[arg-type]


def _dashes(numbers: list[float]) -> tuple[float, ...]:
    sound = tuple(number for number in numbers if number >= 0)
    return sound if any(sound) else (3.0,)


def _polygon(points: tuple[tuple[float, float], ...]) -> str:
    (x, y), *rest = points
    return f"{x:g} {y:g} m " + " ".join(f"{x:g} {y:g} l" for x, y in rest) + " h"
