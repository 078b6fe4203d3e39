"""Boxes with rounded corners, of which modules and finder patterns are composed: as pixels and as SVG paths."""

import math
from typing import NamedTuple

from PIL import Image

Corners = tuple[bool, bool, bool, bool]
"""Whether each corner is rounded: top left, top right, bottom right, bottom left."""

ALL_CORNERS: Corners = (True, True, True, True)

ARC_STEPS = 24
"""Points on a quarter of a circle."""


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


def draw(boxes: list[tuple[Box, int]], side: int, scale: int) -> Image.Image:
    """Return an antialiased image of boxes on white.

    Args:
        boxes: Each box and its gray value, from back to front.
        side: Side of the image, in modules.
        scale: Pixels per module.
    """
    from PIL import ImageDraw

    factor = 8 if scale * side <= 200 else 4
    large = Image.new("L", (side * scale * factor,) * 2, 255)
    pen = ImageDraw.Draw(large)
    for box, gray in boxes:
        pen.polygon(_outline(box, scale * factor), fill=gray)
    return large.reduce(factor)


def _outline(box: Box, scale: int) -> list[tuple[float, float]]:
    """Return points on the outline of a box, in pixels. Pillow fills the last row and column of a polygon as well."""
    left, top = box.left * scale, box.top * scale
    right, bottom = box.right * scale - 1, box.bottom * scale - 1
    centers = ((left, top, 1, 1), (right, top, -1, 1), (right, bottom, -1, -1), (left, bottom, 1, -1))
    points = []
    for number, ((x, y, inward, down), is_rounded) in enumerate(zip(centers, box.corners, strict=True)):
        radius = box.radius * scale if is_rounded else 0
        for step in range(ARC_STEPS + 1 if radius else 1):
            angle = math.pi * (1 + number / 2 + step / ARC_STEPS / 2)
            at_x, at_y = x + inward * radius, y + down * radius
            points.append((at_x + radius * math.cos(angle), at_y + radius * math.sin(angle)))
    return points
