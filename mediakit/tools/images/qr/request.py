"""The request of the `qr` tool, and the paint of a code: one color or a gradient on a background."""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AliasChoices, Field, model_validator

from mediakit.core.fields import Color, HexColor
from mediakit.core.inputs import ImageFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.colors import contrast_ratio
from mediakit.engines.symbol import ErrorCorrection, is_lighter
from mediakit.errors import InvalidInput
from mediakit.tools.images.qr.shapes import Finder, Style

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

    def samples(self) -> list[str]:
        """Return colors of the modules from begin to end, as `#rrggbb`."""
        if self.gradient is None:
            return [self.dark]
        pairs = [*zip(bytes.fromhex(self.dark[1:]), bytes.fromhex(self.gradient[1:]), strict=True)]
        steps = [[round(first + (last - first) * step / 8) for first, last in pairs] for step in range(9)]
        return [f"#{bytes(color).hex()}" for color in steps]

    @property
    def svg_paint(self) -> str:
        """The value of `fill` or `stroke` in SVG."""
        return self.dark if self.gradient is None else f"url(#{self._svg_id})"

    def svg_definition(self, margin: int, code_side: int) -> str:
        """Return the SVG element of the gradient, empty for a single color; margin and side are in modules."""
        if self.gradient is None:
            return ""
        center = margin + code_side / 2
        stops = f'<stop stop-color="{self.dark}"/><stop offset="1" stop-color="{self.gradient}"/>'
        shape = f'cx="{center:g}" cy="{center:g}" r="{code_side / math.sqrt(2):.3f}"'
        if self.type == "linear":
            right, down = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
            reach = code_side * (abs(right) + abs(down)) / 2
            ends = (center - reach * right, center - reach * down, center + reach * right, center + reach * down)
            shape = " ".join(f'{name}="{end:.3f}"' for name, end in zip(("x1", "y1", "x2", "y2"), ends, strict=True))
        name, units = f"{self.type}Gradient", 'gradientUnits="userSpaceOnUse"'
        return f'<defs><{name} id="{self._svg_id}" {units} {shape}>{stops}</{name}></defs>'

    @property
    def _svg_id(self) -> str:
        """An identifier that differs between gradients, because several SVGs can be part of one page."""
        return f"gradient-{sha256(repr(self).encode()).hexdigest()[:8]}"


PaletteName = Literal["ink", "graphite", "ocean", "forest", "earth", "sunset", "berry", "aurora"]

BLACK, WHITE = "#000000", "#ffffff"
MIN_GRADIENT_CONTRAST = 2.0
"""Contrast ratio (WCAG 2) with the background below which photographed gradients are not readable."""


PALETTES: Mapping[PaletteName, Paint] = {
    "ink": Paint("#111827", "#ffffff"),
    "graphite": Paint("#272e3a", "#f3f5f8", "#4f5563"),
    "ocean": Paint("#0b2e59", "#f0f9ff", "#0e7490"),
    "forest": Paint("#14432a", "#f6fbf2", "#3f7d20"),
    "earth": Paint("#3e2723", "#f6efe6"),
    "sunset": Paint("#86198f", "#fff7ed", "#c2410c"),
    "berry": Paint("#4c1d95", "#fdf4ff", "#be185d"),
    "aurora": Paint("#3730a3", "#ffffff", "#0f766e"),
}
"""Both colors of every palette have a contrast of 4.5 or more with its background."""


@request
class QrRequest:
    """Content and appearance of a QR code."""

    other_ways: ClassVar = {
        "wifi": "mediakit.payloads.wifi returns the data of such a code",
        "vcard": "mediakit.payloads.contact returns the data of such a code",
    }
    data: Annotated[
        str,
        Field(min_length=1, max_length=1500, validation_alias=AliasChoices("data", "url", "text")),
        Synonyms("content, value, payload, link, message, string"),
    ]
    """Text or URL to encode."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=64, le=2000), Synonyms("width, height, box_size, scale, pixels, resolution")] = 512
    """Width and height of the image in pixels."""
    margin: Annotated[int, Field(ge=0, le=20), Synonyms("border, quiet_zone, padding")] = 2
    """Quiet zone around the code, in modules. The standard requires 4."""
    format: Annotated[
        Literal["png", "svg"],
        Synonyms(
            "type, extension, output_format, image_format",
            {"png": "jpg, jpeg, webp, bitmap", "svg": "vector, eps, pdf"},
        ),
    ] = "png"
    """File format."""
    dark: Annotated[HexColor, Synonyms("color, colour, foreground, fg, fill, fill_color, module_color")] = BLACK
    """Color of the modules."""
    light: Annotated[HexColor, Synonyms("background, background_color, bg, bgcolor, back_color")] = WHITE
    """Color of the background."""
    ecc: Annotated[
        ErrorCorrection,
        Synonyms(
            "error_correction, error_level, error, level, correction",
            {"L": "low", "M": "medium", "Q": "quartile", "H": "high"},
        ),
    ] = "M"
    """Error correction level. Up to 7 % (L), 15 % (M), 25 % (Q) or 30 % (H) of the code can be damaged."""
    style: Annotated[
        Style,
        Synonyms(
            "shape, module_shape, design",
            {"square": "squares, default", "rounded": "round, smooth", "dots": "circle, circles, dot"},
        ),
    ] = "square"
    """Shape of the modules. Finder patterns are never dots."""
    finder: Annotated[Finder | None, Synonyms("eye, eyes, eye_style, corners", {"circle": "dot, dots, round"})] = None
    """Shape of the three finder patterns in the corners. Default: matches `style`."""
    palette: PaletteName | None = None
    """Named colors. `dark`, `light` and `gradient` replace single colors of the palette."""
    gradient: Annotated[Color | None, Synonyms("color2, second_color")] = None
    """Second color of the modules: they change from `dark` to this color."""
    gradient_type: GradientType = "linear"
    """`linear`: from edge to edge. `radial`: from the center outward."""
    gradient_angle: Annotated[int, Field(ge=0, le=359)] = 45
    """Direction of a linear gradient in degrees, clockwise. 0 is from left to right, 90 from top to bottom."""
    transparent: bool = False
    """Leave the background transparent. Place the code on a color like `light`, on which it is checked."""
    logo: Annotated[ImageFile | None, Synonyms("icon, center_image, overlay")] = None
    """PNG, JPEG, WebP, AVIF, GIF or TIFF image for the center. Raises `ecc` to H, or to Q if the text does not fit."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        paint = self.paint
        if paint.dark == paint.light:
            raise ValueError("dark, light: must be different colors.")
        if not paint.gradient:
            return self
        colors = paint.samples()
        if len({is_lighter(color, paint.light) for color in colors}) > 1:
            rule = "dark and gradient must both be darker than light, or both be lighter"
            raise ValueError(f"gradient: {rule}, got {paint.dark}, {paint.gradient} and {paint.light}.")
        contrast = min(contrast_ratio(color, paint.light) for color in colors)
        if contrast < MIN_GRADIENT_CONTRAST:
            raise ValueError(
                f"gradient: the contrast of every color with light must be {MIN_GRADIENT_CONTRAST:.0f} or more, "
                f"got {contrast:.1f}."
            )
        return self

    @property
    def paint(self) -> Paint:
        """The colors of the code, with those of the palette."""
        named = PALETTES[self.palette] if self.palette else Paint(BLACK, WHITE)
        return Paint(
            named.dark if self.dark == BLACK else self.dark,
            named.light if self.light == WHITE else self.light,
            self.gradient or named.gradient,
            self.gradient_type,
            self.gradient_angle,
            self.transparent,
        )

    @property
    def is_plain(self) -> bool:
        """Whether the code consists of squares of one color on a background."""
        is_unchanged = self.logo is None and self.finder is None and self.paint.gradient is None
        return self.style == "square" and not self.transparent and is_unchanged

    def modules(self, symbol_width: int) -> int:
        """Return the modules of a side, quiet zones included."""
        return symbol_width + 2 * self.margin

    def pixels_per_module(self, symbol_width: int) -> int:
        """Return the whole pixels per module of a symbol.

        Raises:
            InvalidInput: The image has fewer pixels than modules.
        """
        modules = self.modules(symbol_width)
        if scale := self.size // modules:
            return scale
        raise InvalidInput(
            f"size: must be at least {modules} for {symbol_width} modules and a margin of {self.margin}, "
            f"got {self.size}. Use a larger size or less text."
        )
