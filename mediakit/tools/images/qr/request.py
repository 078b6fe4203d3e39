"""The request of the `qr` tool."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, model_validator

from mediakit.core.fields import HexColor
from mediakit.core.files import File
from mediakit.core.request import request
from mediakit.engines.symbol.qr import ErrorCorrection
from mediakit.errors import InvalidInput

Style = Literal["square", "rounded", "dots"]


@request
class QrRequest:
    """Content and appearance of a QR code."""

    data: Annotated[str, Field(min_length=1, max_length=1500, validation_alias=AliasChoices("data", "url", "text"))]
    """Text or URL to encode."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=64, le=2000)] = 512
    """Width and height of the image in pixels."""
    margin: Annotated[int, Field(ge=0, le=20)] = 2
    """Quiet zone around the code, in modules. The standard requires 4."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    dark: HexColor = "#000000"
    """Color of the modules."""
    light: HexColor = "#ffffff"
    """Color of the background."""
    ecc: ErrorCorrection = "M"
    """Error correction level. Up to 7 % (L), 15 % (M), 25 % (Q) or 30 % (H) of the code can be damaged."""
    style: Style = "square"
    """Shape of the modules. Finder patterns are never dots."""
    logo: File | None = None
    """PNG, JPEG, WebP, AVIF, GIF or TIFF image for the center. Raises `ecc` to H, or to Q if the text does not fit."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: must be different colors.")
        return self

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
