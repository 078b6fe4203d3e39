"""`qr`: draw a QR code (ISO/IEC 18004)."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from PIL import Image
from pydantic import AliasChoices, Field, model_validator

from mediakit.core.fields import HexColor
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.results import ImageResult
from mediakit.core.tool import Example, tool
from mediakit.engines.qr_symbol import ErrorCorrection, encode
from mediakit.engines.symbol import Band, indexed_png, strokes
from mediakit.errors import InvalidInput


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
    """Colour of the dots."""
    light: HexColor = "#ffffff"
    """Colour of the background."""
    ecc: ErrorCorrection = "M"
    """Error correction level: how much of the code may be damaged (L 7 %, M 15 %, Q 25 %, H 30 %)."""

    @model_validator(mode="after")
    def _colors_differ(self) -> Self:
        if self.dark == self.light:
            raise ValueError("dark, light: are the same colour; nobody could read the code.")
        return self


@tool(
    QrRequest,
    path="/qr",
    tag="Images",
    raw={"text/plain": "data"},
    makes=("image/png", "image/svg+xml"),
    alt=lambda request: f"QR code: {request.data}",
    examples=[
        Example("A link", {"data": "https://example.com"}),
        Example(
            "Brand colours, for print",
            {
                "data": "https://example.com/menu",
                "format": "svg",
                "dark": "#0f3d3e",
                "light": "#f6f1e7",
                "ecc": "Q",
                "margin": 4,
            },
        ),
    ],
)
def qr(request: QrRequest) -> ImageResult:
    """Draw a QR code.

    Modules are whole pixels: what `size` leaves over widens the quiet zone, so every scanner sees even squares.

    Raises:
        InvalidInput: The text does not fit at this error correction level, or the modules do not fit in `size`.
    """
    symbol = encode(request.data, request.ecc)
    draw = _svg if request.format == "svg" else _png
    return ImageResult(draw(symbol, request), image_type(request.format), {"format": request.format})


def _png(symbol: Image.Image, request: QrRequest) -> bytes:
    modules = symbol.width + 2 * request.margin
    scale = request.size // modules
    if not scale:
        raise InvalidInput(
            f"size: {request.size} pixels are too few for {symbol.width} modules and a margin of {request.margin}; "
            f"give at least {modules}, or less text."
        )
    rows = _stretched(symbol, request.size, scale)
    blank = b"\xff" * len(rows[0])
    above = (request.size - len(rows) * scale) // 2
    below = request.size - len(rows) * scale - above
    bands = [Band(blank, above), *(Band(row, scale) for row in rows), Band(blank, below)]
    return indexed_png(request.size, bands, bytes.fromhex(request.dark[1:] + request.light[1:]))


def _stretched(symbol: Image.Image, size: int, scale: int) -> list[bytes]:
    """Give each row of modules as a row of `size` pixels, eight to a byte, the code in the middle."""
    width = symbol.width * scale
    wide = Image.new("L", (size, symbol.height), 255)
    wide.paste(symbol.resize((width, symbol.height), Image.Resampling.NEAREST), ((size - width) // 2, 0))
    packed = wide.convert("1", dither=Image.Dither.NONE).tobytes()
    stride = (size + 7) // 8
    return [packed[start : start + stride] for start in range(0, len(packed), stride)]


def _svg(symbol: Image.Image, request: QrRequest) -> bytes:
    modules = symbol.width + 2 * request.margin
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.size}" height="{request.size}" '
        f'viewBox="0 0 {modules} {modules}" shape-rendering="crispEdges">'
        f'<path fill="{request.light}" d="M0 0h{modules}v{modules}H0z"/>'
        f'<path stroke="{request.dark}" d="{strokes(symbol, request.margin)}"/></svg>\n'
    ).encode()
