"""The request of the `barcode` tool."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Color
from mediakit.core.request import request
from mediakit.tools.images.barcode.symbols import BarcodeType, Gs1Mode


@request
class BarcodeRequest:
    """Content and appearance of a barcode."""

    data: Annotated[str, Field(min_length=1, max_length=500)]
    """Text to encode. The check digit of EAN, UPC and ITF-14 is added if it is missing, and verified otherwise."""
    _: KW_ONLY
    type: BarcodeType = "code128"
    """Type of barcode. ean13 takes 12-13 digits, ean8 7-8, upca 11-12, upce 7-8, itf14 13-14."""
    scale: Annotated[int, Field(ge=1, le=10)] = 3
    """Pixels per module (the thinnest bar), twice as many in datamatrix and aztec. The image grows in proportion."""
    include_text: bool = True
    """Print the text below the bars. datamatrix, pdf417 and aztec never show it."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    dark: Color = "#000000"
    """Color of bars and text."""
    light: Color = "#ffffff"
    """Color of the background."""
    gs1: Gs1Mode = "auto"
    """Encode `(01)09501101530003(10)ABC` as GS1 in code128 and datamatrix. auto: if the text has this form."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: must be different colors.")
        return self
