"""A drawing: shapes as SVG elements, and texts apart from them, for each output sets those in its own way."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import NamedTuple

from mediakit.tools.images.chart.text import Text

LEAST_RADIUS = 0.5
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

    def meets(self, other: "Box") -> bool:
        """Tell whether they overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def inset(self, left: float = 0, top: float = 0, right: float = 0, bottom: float = 0) -> "Box":
        """Give what is left when its sides move inwards."""
        return Box(self.left + left, self.top + top, self.right - right, self.bottom - bottom)


class Corners(Flag):
    """Which corners of a rectangle are round."""

    TOP_LEFT = auto()
    TOP_RIGHT = auto()
    BOTTOM_RIGHT = auto()
    BOTTOM_LEFT = auto()
    NONE = 0
    TOP = TOP_LEFT | TOP_RIGHT
    BOTTOM = BOTTOM_LEFT | BOTTOM_RIGHT
    LEFT = TOP_LEFT | BOTTOM_LEFT
    RIGHT = TOP_RIGHT | BOTTOM_RIGHT
    ALL = TOP | BOTTOM


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
        if radius < LEAST_RADIUS or not corners:
            path = f"M{point(box.left, box.top)}H{number(box.right)}V{number(box.bottom)}H{number(box.left)}z"
        else:
            path = _rounded(box, radius, corners)
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


def _rounded(box: Box, radius: float, corners: Corners) -> str:
    """Give the path of a rectangle, clockwise from its left end above."""
    left, top, right, bottom = box
    order = (Corners.TOP_LEFT, Corners.TOP_RIGHT, Corners.BOTTOM_RIGHT, Corners.BOTTOM_LEFT)
    first, second, third, fourth = (radius if corner in corners else 0.0 for corner in order)
    sides = (
        (f"H{number(right - second)}", second, (right, top + second)),
        (f"V{number(bottom - third)}", third, (right - third, bottom)),
        (f"H{number(left + fourth)}", fourth, (left, bottom - fourth)),
        (f"V{number(top + first)}", first, (left + first, top)),
    )
    turns = (f"{side}A{number(turn)} {number(turn)} 0 0 1 {point(*end)}" if turn else side for side, turn, end in sides)
    return f"M{point(left + first, top)}{''.join(turns)}z"
