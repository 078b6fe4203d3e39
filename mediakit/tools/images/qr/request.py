"""What a QR code says and how it is drawn."""

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
    """What a QR code says and how it is drawn."""

    data: Annotated[str, Field(min_length=1, max_length=1500, validation_alias=AliasChoices("data", "url", "text"))]
    """Text or URL to encode."""
    _: KW_ONLY
    size: Annotated[int, Field(ge=64, le=2000)] = 512
    """Side of the picture, in pixels."""
    margin: Annotated[int, Field(ge=0, le=20)] = 2
    """Quiet zone around the code, in modules. Scanners like 4."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    dark: HexColor = "#000000"
    """Colour of the modules."""
    light: HexColor = "#ffffff"
    """Colour of the background."""
    ecc: ErrorCorrection = "M"
    """Error correction level: how much of the code may be damaged (L 7 %, M 15 %, Q 25 %, H 30 %)."""
    style: Style = "square"
    """Shape of the modules; finder patterns are never dots."""
    logo: File | None = None
    """Picture for the middle (PNG, JPEG, WebP, AVIF, GIF or TIFF); raises `ecc` to H, or Q where H has no room."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: are the same colour; nobody could read the code.")
        return self

    def modules(self, symbol_width: int) -> int:
        """Count the modules of a side, quiet zones included."""
        return symbol_width + 2 * self.margin

    def pixels_a_module(self, symbol_width: int) -> int:
        """Give the whole pixels that a module of a symbol gets.

        Raises:
            InvalidInput: There is not one for each.
        """
        modules = self.modules(symbol_width)
        if scale := self.size // modules:
            return scale
        raise InvalidInput(
            f"size: {self.size} pixels are too few for {symbol_width} modules and a margin of {self.margin}; "
            f"give at least {modules}, or less text."
        )
