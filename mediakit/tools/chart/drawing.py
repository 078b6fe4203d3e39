"""A drawing: shapes as SVG elements, and texts apart from them, for each output sets those in its own way."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from mediakit.tools.chart.text import Text

EDGE = 0.36
"""Width of a dot's edge, of its radius."""


class Box(NamedTuple):
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Its width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its height."""
        return self.bottom - self.top

    def inset(self, left: float = 0, top: float = 0, right: float = 0, bottom: float = 0) -> "Box":
        """Give what is left when its sides move inwards."""
        return Box(self.left + left, self.top + top, self.right - right, self.bottom - bottom)


class Corners(NamedTuple):
    """Which corners of a rectangle are round."""

    top_left: bool
    top_right: bool
    bottom_right: bool
    bottom_left: bool


@dataclass
class Drawing:
    """What is drawn, in the order in which it is drawn; texts lie above all shapes."""

    shapes: list[str] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def lines(self, paths: Iterable[str], color: str, width: float) -> None:
        """Draw thin lines of one colour, all as one shape."""
        joined = "".join(paths)
        if joined:
            self.shapes.append(f'<path d="{joined}" fill="none" stroke="{color}" stroke-width="{number(width)}"/>')

    def bar(self, box: Box, color: str, radius: float, corners: Corners) -> None:
        """Draw a rectangle, some of its corners round."""
        radius = min(radius, box.width / 2, box.height / 2)
        if radius < 0.5 or not any(corners):
            path = f"M{point(box.left, box.top)}H{number(box.right)}V{number(box.bottom)}H{number(box.left)}z"
        else:
            path = _rounded(box, *(radius if corner else 0.0 for corner in corners))
        self.shapes.append(f'<path d="{path}" fill="{color}"/>')

    def curve(self, path: str, color: str, width: float) -> None:
        """Draw a line along a path, its joints round."""
        self.shapes.append(
            f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{number(width)}" '
            'stroke-linejoin="round" stroke-linecap="round"/>'
        )

    def area(self, path: str, color: str) -> None:
        """Fill a path."""
        self.shapes.append(f'<path d="{path}" fill="{color}"/>')

    def dots(self, points: Iterable[tuple[float, float]], radius: float, color: str, edge: str = "") -> None:
        """Draw dots, all as one shape, perhaps each with an edge that sets it apart."""
        circle = f"a{number(radius)} {number(radius)} 0 1 1 "
        turn = f"{circle}0 {number(2 * radius)}{circle}0 {number(-2 * radius)}z"
        path = "".join(f"M{point(x, y - radius)}{turn}" for x, y in points)
        edged = f' stroke="{edge}" stroke-width="{number(radius * EDGE)}"' if edge else ""
        self.shapes.append(f'<path d="{path}" fill="{color}"{edged}/>')

    def disc(self, x: float, y: float, radius: float, color: str) -> None:
        """Draw a disc."""
        self.shapes.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{color}"/>')

    def write(self, text: Text) -> None:
        """Write a line, if there is anything to write."""
        if text.content:
            self.texts.append(text)


def number(value: float) -> str:
    """Write a number as SVG has it, to a hundredth."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(x: float, y: float) -> str:
    """Write a point."""
    return f"{number(x)} {number(y)}"


def polyline(points: list[tuple[float, float]]) -> str:
    """Give the path through points."""
    return "M" + "L".join(point(*each) for each in points)


def _rounded(box: Box, top_left: float, top_right: float, bottom_right: float, bottom_left: float) -> str:
    left, top, right, bottom = box
    arcs = (
        (top_right, f"H{number(right - top_right)}", point(right, top + top_right)),
        (bottom_right, f"V{number(bottom - bottom_right)}", point(right - bottom_right, bottom)),
        (bottom_left, f"H{number(left + bottom_left)}", point(left, bottom - bottom_left)),
        (top_left, f"V{number(top + top_left)}", point(left + top_left, top)),
    )
    turns = (
        straight + (f"A{number(radius)} {number(radius)} 0 0 1 {end}" if radius else "")
        for radius, straight, end in arcs
    )
    return f"M{point(left + top_left, top)}{''.join(turns)}z"
