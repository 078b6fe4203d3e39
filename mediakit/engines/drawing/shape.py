"""The shapes of a drawing: paths with their colors."""

from dataclasses import dataclass

from mediakit.engines.drawing.svg_syntax import svg_number


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


@dataclass(frozen=True, slots=True)
class Circle(Shape):
    """A filled circle, which is shorter in SVG than its path."""

    x: float = 0
    y: float = 0
    radius: float = 0

    @property
    def element(self) -> str:
        """The circle as an SVG element."""
        place = f'cx="{svg_number(self.x)}" cy="{svg_number(self.y)}" r="{svg_number(self.radius)}"'
        return f'<circle {place} fill="{self.fill}"/>'
