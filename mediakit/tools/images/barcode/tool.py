"""`barcode`: draw a barcode of ten types, ready for print."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import HexColor
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.symbol import colour_warnings
from mediakit.results.image import ImageResult
from mediakit.tools.images.barcode import png, svg
from mediakit.tools.images.barcode.layout import arrange
from mediakit.tools.images.barcode.symbols import BarcodeType, Gs1, encode

TWICE = ("datamatrix", "aztec")
"""Types whose modules are two pixels wide at scale 1."""


@request
class BarcodeRequest:
    """What a barcode says and how it is drawn."""

    data: Annotated[str, Field(min_length=1, max_length=500)]
    """Text to encode. The check digit of EAN, UPC and ITF-14 is added, or verified where it is given."""
    _: KW_ONLY
    type: BarcodeType = "code128"
    """Kind of barcode. ean13 takes 12-13 digits, ean8 7-8, upca 11-12, upce 7-8, itf14 13-14."""
    scale: Annotated[int, Field(ge=1, le=10)] = 3
    """Pixels a module, the thinnest bar (twice as many in datamatrix and aztec); width and height grow with it."""
    include_text: bool = True
    """Print the text under the bars; datamatrix, pdf417 and aztec never show it."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    dark: HexColor = "#000000"
    """Colour of bars and text."""
    light: HexColor = "#ffffff"
    """Colour of the background."""
    gs1: Gs1 = "auto"
    """Read `(01)09501101530003(10)ABC` as GS1, in code128 and datamatrix; auto: where the text is written so."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: are the same colour; nobody could read the code.")
        return self


@tool(
    BarcodeRequest,
    tag="Images",
    raw={"text/plain": "data"},
    produces=("image/png", "image/svg+xml"),
    alt=lambda request: f"Barcode ({request.type}): {request.data}",
    examples=[
        Example("A parcel", {"data": "MK-2026-000417"}),
        Example("A book; its check digit is added", {"data": "978020137962", "type": "ean13", "scale": 4}),
        Example("A carton", {"data": "1540014128876", "type": "itf14", "scale": 2}),
        Example(
            "A medicine pack: GS1 DataMatrix",
            {"data": "(01)09501101530003(17)271231(10)ABC123", "type": "datamatrix", "scale": 5},
        ),
        Example(
            "A boarding pass, in its colour",
            {"data": "M1LOVELACE/ADA EABC123 LHRJFK 0117 123Y012A0034 100", "type": "aztec", "dark": "#12355b"},
        ),
        Example("A form that reads itself", {"data": "name=Grüße; total=48.20", "type": "pdf417", "format": "svg"}),
    ],
)
def barcode(request: BarcodeRequest) -> ImageResult:
    """Draw a barcode of one of ten types.

    Bars are whole pixels, quiet zones and text those of each type's standard. Prints at 300 dots an inch.

    Raises:
        InvalidInput: The type cannot hold the text, or its check digit is wrong.
    """
    symbol = encode(request.data, request.type, request.gs1)
    layout = arrange(symbol, request.type, text=request.include_text)
    scale = request.scale * 2 if request.type in TWICE else request.scale
    draw = svg.draw if request.format == "svg" else png.draw
    meta = {
        "type": request.type,
        "format": request.format,
        "width": layout.grid.width * scale,
        "height": layout.grid.height * scale,
        "text": symbol.text,
        "module_px": scale,
        "warnings": colour_warnings(request.dark, request.light),
    }
    return ImageResult(draw(layout, scale, request.dark, request.light), image_type(request.format), meta)
