"""The `barcode` tool: create a barcode of one of ten types."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Color
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.symbol import color_warnings
from mediakit.results.files import ImageResult
from mediakit.tools.images.barcode.drawing import arrange, draw_png, draw_svg
from mediakit.tools.images.barcode.symbols import BarcodeType, Gs1Mode, encode

DOUBLE_SCALE_TYPES = ("datamatrix", "aztec")
"""Types whose modules are two pixels wide at scale 1."""


@request
class BarcodeRequest:
    """Content and appearance of a barcode."""

    data: Annotated[str, Field(min_length=1, max_length=500), Synonyms("content, value, code, number, text")]
    """Text to encode. The check digit of EAN, UPC and ITF-14 is added if it is missing, and verified otherwise."""
    _: KW_ONLY
    type: Annotated[
        BarcodeType,
        Synonyms(
            "kind, symbology, barcode_type, code_type, standard",
            {
                "code128": "c128, gs1-128, ean128",
                "ean13": "ean, isbn, jan",
                "upca": "upc",
                "itf14": "itf, interleaved, i2of5",
                "datamatrix": "dm, ecc200",
            },
        ),
    ] = "code128"
    """Type of barcode. ean13 takes 12-13 digits, ean8 7-8, upca 11-12, upce 7-8, itf14 13-14."""
    scale: Annotated[int, Field(ge=1, le=10), Synonyms("size, width, height, module_width, zoom")] = 3
    """Pixels per module (the thinnest bar), twice as many in datamatrix and aztec. The image grows in proportion."""
    include_text: Annotated[bool, Synonyms("text, show_text, human_readable, label, display_value")] = True
    """Print the text below the bars. datamatrix, pdf417 and aztec never show it."""
    format: Annotated[
        Literal["png", "svg"],
        Synonyms(
            "extension, output_format, image_format", {"png": "jpg, jpeg, webp, bitmap", "svg": "vector, eps, pdf"}
        ),
    ] = "png"
    """File format."""
    dark: Annotated[Color, Synonyms("color, colour, foreground, fg, fill")] = "#000000"
    """Color of bars and text."""
    light: Annotated[Color, Synonyms("background, background_color, bg, bgcolor")] = "#ffffff"
    """Color of the background."""
    gs1: Gs1Mode = "auto"
    """Encode `(01)09501101530003(10)ABC` as GS1 in code128 and datamatrix. auto: if the text has this form."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: must be different colors.")
        return self


META: Mapping[str, meta_schemas.Schema] = {
    "type": meta_schemas.text("Type of the code.", "ean13"),
    "format": meta_schemas.FORMAT,
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "text": meta_schemas.text("What the code contains, with its check digit.", "9780201379624"),
    "module_px": meta_schemas.integer("Pixels of a module.", 3),
    "warnings": meta_schemas.WARNINGS,
}


@tool(
    BarcodeRequest,
    tag="Images",
    raw={"text/plain": "data"},
    produces=("image/png", "image/svg+xml"),
    alt=lambda request: f"Barcode ({request.type}): {request.data}",
    meta=META,
    examples=[
        Example("Parcel", {"data": "MK-2026-000417"}),
        Example("Book, with added check digit", {"data": "978020137962", "type": "ean13", "scale": 4}),
        Example("Carton", {"data": "1540014128876", "type": "itf14", "scale": 2}),
        Example(
            "Medicine pack (GS1 DataMatrix)",
            {"data": "(01)09501101530003(17)271231(10)ABC123", "type": "datamatrix", "scale": 5},
        ),
        Example(
            "Boarding pass in color",
            {"data": "M1LOVELACE/ADA EABC123 LHRJFK 0117 123Y012A0034 100", "type": "aztec", "dark": "#12355b"},
        ),
        Example("Form data (PDF417)", {"data": "name=Grüße; total=48.20", "type": "pdf417", "format": "svg"}),
    ],
)
def barcode(request: BarcodeRequest) -> ImageResult:
    """Create a barcode of one of ten types.

    Bars are whole pixels. Quiet zones and text follow the standard of each type. The print resolution is 300 dpi.

    Raises:
        InvalidInput: The type cannot encode the text, or its check digit is wrong.
    """
    symbol = encode(request.data, request.type, request.gs1)
    layout = arrange(symbol, request.type, text=request.include_text)
    scale = request.scale * 2 if request.type in DOUBLE_SCALE_TYPES else request.scale
    render = draw_svg if request.format == "svg" else draw_png
    meta = {
        "type": request.type,
        "format": request.format,
        "width": layout.width * scale,
        "height": layout.height * scale,
        "text": symbol.text,
        "module_px": scale,
        "warnings": [*symbol.warnings, *color_warnings(request.dark, request.light)],
    }
    return ImageResult(render(layout, scale, request.dark, request.light), image_type(request.format), meta)
