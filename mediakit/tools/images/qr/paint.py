"""The paint of a QR code: one color or a gradient on a background."""

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

GradientType = Literal["linear", "radial"]


@dataclass(frozen=True)
class Paint:
    """Colors of a code, each as `#rrggbb`."""

    dark: str
    """Color of the modules, and where a gradient begins."""
    light: str
    """Color of the background."""
    gradient: str | None = None
    """Color where a gradient ends; None for a single color."""
    type: GradientType = "linear"
    angle: int = 0
    """Direction of a linear gradient in degrees, clockwise; 0 is from left to right."""
    transparent: bool = False
    """Whether the background is omitted; `light` is then the color that the code is expected to be placed on."""

    def color_at(self, part: float) -> tuple[int, ...]:
        """Return red, green and blue at a position between 0 (`dark`) and 1 (`gradient`)."""
        from PIL import ImageColor

        pairs = zip(ImageColor.getrgb(self.dark), ImageColor.getrgb(self.gradient or self.dark), strict=True)
        return tuple(round(first + (last - first) * part) for first, last in pairs)

    def samples(self) -> list[str]:
        """Return colors of the modules from begin to end, as `#rrggbb`."""
        if self.gradient is None:
            return [self.dark]
        return ["#" + bytes(self.color_at(step / 8)).hex() for step in range(9)]

    @property
    def svg_paint(self) -> str:
        """The value of `fill` or `stroke` in SVG."""
        return self.dark if self.gradient is None else f"url(#{self._svg_id})"

    def svg_definition(self, margin: int, code_side: int) -> str:
        """Return the SVG element that defines the gradient; empty for a single color.

        Args:
            margin: Quiet zone, in modules.
            code_side: Side of the code, in modules.
        """
        if self.gradient is None:
            return ""
        center = margin + code_side / 2
        stops = f'<stop stop-color="{self.dark}"/><stop offset="1" stop-color="{self.gradient}"/>'
        name, units = f"{self.type}Gradient", 'gradientUnits="userSpaceOnUse"'
        return f'<defs><{name} id="{self._svg_id}" {units} {self._svg_shape(center, code_side)}>{stops}</{name}></defs>'

    def _svg_shape(self, center: float, code_side: int) -> str:
        if self.type == "radial":
            return f'cx="{center:g}" cy="{center:g}" r="{code_side / math.sqrt(2):.3f}"'
        right, down = _direction(self.angle)
        reach = code_side * (abs(right) + abs(down)) / 2
        ends = (center - reach * right, center - reach * down, center + reach * right, center + reach * down)
        return " ".join(f'{name}="{end:.3f}"' for name, end in zip(("x1", "y1", "x2", "y2"), ends, strict=True))

    @property
    def _svg_id(self) -> str:
        """An identifier that differs between gradients, because several SVGs can be part of one page."""
        return f"gradient-{sha256(repr(self).encode()).hexdigest()[:8]}"


def _direction(angle: int) -> tuple[float, float]:
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))
