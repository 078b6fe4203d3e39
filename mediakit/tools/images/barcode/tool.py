"""The `barcode` tool: create a barcode of one of ten types."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.engines.symbol import color_warnings
from mediakit.results.files import ImageResult
from mediakit.tools.images.barcode import png, svg
from mediakit.tools.images.barcode.layout import arrange
from mediakit.tools.images.barcode.request import BarcodeRequest
from mediakit.tools.images.barcode.symbols import encode

DOUBLE_SCALE_TYPES = ("datamatrix", "aztec")
"""Types whose modules are two pixels wide at scale 1."""


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
    render = svg.render if request.format == "svg" else png.render
    meta = {
        "type": request.type,
        "format": request.format,
        "width": layout.width * scale,
        "height": layout.height * scale,
        "text": symbol.text,
        "module_px": scale,
        "warnings": color_warnings(request.dark, request.light),
    }
    return ImageResult(render(layout, scale, request.dark, request.light), image_type(request.format), meta)
