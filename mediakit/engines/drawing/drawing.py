"""A drawing: shapes and texts as data, because the SVG and PNG outputs render them differently."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import NamedTuple

from mediakit.engines.drawing.text import Text


@dataclass(frozen=True, slots=True)
class Shape:
    """A path that is filled, stroked or both."""

    path: str
    """SVG path data: absolute or relative moves, lines and circular arcs, without further rotation."""
    fill: str = ""
    """Color as `#rrggbb`; empty if the path is not filled."""
    stroke: str = ""
    """Color as `#rrggbb`; empty if the path is not stroked."""
    stroke_width: float = 0
    """In pixels."""
    opacity: float = 1
    """Of a fill, or of a stroke; shapes with both are opaque."""
    round_caps: bool = False
    round_joins: bool = False
    dashes: tuple[float, float] | None = None
    """Length of a dash and of a gap; None for a solid line."""

    @property
    def element(self) -> str:
        """The shape as an SVG element."""
        attributes = [f'<path d="{self.path}" fill="{self.fill or "none"}"']
        if self.stroke:
            attributes.append(f'stroke="{self.stroke}" stroke-width="{svg_number(self.stroke_width)}"')
        if self.opacity < 1:
            attributes.append(f'{"stroke" if self.stroke else "fill"}-opacity="{svg_number(self.opacity)}"')
        if self.round_joins:
            attributes.append('stroke-linejoin="round"')
        if self.round_caps:
            attributes.append('stroke-linecap="round"')
        if self.dashes:
            attributes.append(f'stroke-dasharray="{" ".join(map(svg_number, self.dashes))}"')
        return f"{' '.join(attributes)}/>"


class Box(NamedTuple):
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width of the box."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height of the box."""
        return self.bottom - self.top

    def overlaps(self, other: "Box") -> bool:
        """Return whether two boxes overlap."""
        overlaps_sideways = self.left < other.right and other.left < self.right
        return overlaps_sideways and self.top < other.bottom and other.top < self.bottom

    def inset(self, left: float = 0, top: float = 0, right: float = 0, bottom: float = 0) -> "Box":
        """Return the box with its sides moved inwards."""
        return Box(self.left + left, self.top + top, self.right - right, self.bottom - bottom)


class Corners(Flag):
    """The rounded corners of a rectangle."""

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
    """Shapes and texts in drawing order; all texts are above all shapes."""

    shapes: list[Shape] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def stroke_lines(self, paths: Iterable[str], color: str, width: float) -> None:
        """Draw lines of one color as a single path."""
        if joined := "".join(paths):
            self.shapes.append(Shape(joined, stroke=color, stroke_width=width))

    def fill_rectangle(self, box: Box, color: str, radius: float, corners: Corners) -> None:
        """Draw a rectangle, optionally with rounded corners."""
        radius = min(radius, box.width / 2, box.height / 2)
        if radius < 0.5 or not corners:
            right, bottom, left = map(svg_number, (box.right, box.bottom, box.left))
            path = f"M{svg_point(box.left, box.top)}H{right}V{bottom}H{left}z"
        else:
            path = _rounded_rectangle_path(box, radius, corners)
        self.shapes.append(Shape(path, color))

    def stroke_path(self, path: str, color: str, width: float) -> None:
        """Draw a line along a path, its joints round."""
        self.shapes.append(Shape(path, stroke=color, stroke_width=width, round_caps=True, round_joins=True))

    def stroke_dashes(self, path: str, color: str, width: float, pattern: tuple[float, float]) -> None:
        """Draw a dashed line along a path; the pattern is the length of a dash and of a gap."""
        self.shapes.append(Shape(path, stroke=color, stroke_width=width, dashes=pattern))

    def stroke_points(self, points: Iterable[tuple[float, float]], diameter: float, color: str, opacity: float) -> None:
        """Draw translucent dots of one color as a single path: lines without length and with round ends."""
        if places := svg_points(points, "h0M"):
            path = f"M{places}h0"
            self.shapes.append(Shape(path, stroke=color, stroke_width=diameter, opacity=opacity, round_caps=True))

    def fill_path(self, path: str, color: str, opacity: float = 1) -> None:
        """Fill a path with a color."""
        if path:
            self.shapes.append(Shape(path, color, opacity=opacity))

    def fill_dots(self, points: Iterable[tuple[float, float]], radius: float, color: str, outline: str = "") -> None:
        """Draw dots of one color as a single path, optionally with an outline of 0.36 of the radius around each."""
        self.shapes.append(Shape(_circles_path(points, radius), color, outline, radius * 0.36))

    def fill_circle(self, x: float, y: float, radius: float, color: str) -> None:
        """Draw a filled circle."""
        self.shapes.append(Shape(_circles_path([(x, y)], radius), color))

    def add_text(self, text: Text) -> None:
        """Add a line of text unless it is empty."""
        if text.content:
            self.texts.append(text)


def svg_number(value: float) -> str:
    """Return a number in SVG syntax, rounded to two decimal places."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def svg_point(x: float, y: float) -> str:
    """Return a point in SVG path syntax."""
    return f"{svg_number(x)} {svg_number(y)}"


def svg_points(points: Iterable[tuple[float, float]], separator: str) -> str:
    """Return points in SVG path syntax with a text between them, as `svg_point` writes them but in less time."""
    text = separator.join(["%.2f %.2f" % point for point in points])  # noqa: UP031  # takes half as long
    text = text.replace("-0.00", "0.00").replace(".00", "")
    for digit in "123456789":
        text = text.replace(f".{digit}0", f".{digit}")
    return text


def polyline_path(points: list[tuple[float, float]]) -> str:
    """Return the SVG path through points."""
    return "M" + svg_points(points, "L")


def _circles_path(centers: Iterable[tuple[float, float]], radius: float) -> str:
    """Return the path of circles of one radius."""
    arc = f"a{svg_number(radius)} {svg_number(radius)} 0 1 1 "
    turn = f"{arc}0 {svg_number(2 * radius)}{arc}0 {svg_number(-2 * radius)}z"
    tops = svg_points(((x, y - radius) for x, y in centers), f"{turn}M")
    return f"M{tops}{turn}" if tops else ""


def _rounded_rectangle_path(box: Box, radius: float, corners: Corners) -> str:
    """Return the path of a rectangle with rounded corners, clockwise from the top left."""
    left, top, right, bottom = box
    order = (Corners.TOP_LEFT, Corners.TOP_RIGHT, Corners.BOTTOM_RIGHT, Corners.BOTTOM_LEFT)
    first, second, third, fourth = (radius if corner in corners else 0.0 for corner in order)
    sides = (
        (f"H{svg_number(right - second)}", second, (right, top + second)),
        (f"V{svg_number(bottom - third)}", third, (right - third, bottom)),
        (f"H{svg_number(left + fourth)}", fourth, (left, bottom - fourth)),
        (f"V{svg_number(top + first)}", first, (left + first, top)),
    )
    turns = (
        f"{side}A{svg_number(turn)} {svg_number(turn)} 0 0 1 {svg_point(*end)}" if turn else side
        for side, turn, end in sides
    )
    return f"M{svg_point(left + first, top)}{''.join(turns)}z"
