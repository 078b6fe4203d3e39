"""`qr`: draw a QR code (ISO/IEC 18004)."""

from PIL import Image

from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.engines.symbol import Warn, colour_warnings
from mediakit.engines.symbol.qr import ErrorCorrection, encode
from mediakit.results.image import ImageResult
from mediakit.samples import LOGO
from mediakit.tools.images.qr import plain
from mediakit.tools.images.qr.request import QrRequest

ENOUGH_PIXELS = 3
"""Pixels a module below which phones fail at a distance."""
ENOUGH_MARGIN = 2
"""Modules of quiet zone below which readers fail on dark pages; the standard asks for 4."""


@tool(
    QrRequest,
    tag="Images",
    raw={"text/plain": "data"},
    produces=("image/png", "image/svg+xml"),
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
        Example(
            "Rounded, with a logo",
            {"data": "https://example.com/trail", "style": "rounded", "logo": LOGO, "dark": "#1e3a5f"},
        ),
        Example("Guests' Wi-Fi, as dots", {"data": "WIFI:T:WPA;S:Guests;P:sunflower-42;;", "style": "dots"}),
    ],
)
def qr(request: QrRequest) -> ImageResult:
    """Draw a QR code.

    Modules are whole pixels: what `size` leaves over widens the quiet zone, so every scanner sees even squares. A code
    with a style or a logo is read back before it is given; `meta.warnings` names what scanners may not like.

    Raises:
        InvalidInput: The text does not fit at this error correction level, the modules do not fit in `size`, or a code
            with a style or a logo cannot be read.
    """
    if request.style == "square" and request.logo is None:
        symbol, ecc = encode(request.data, request.ecc), request.ecc
        content = plain.draw(symbol, request)
    else:
        from mediakit.tools.images.qr import designed

        symbol, ecc, content = designed.draw(request)
    return ImageResult(content, image_type(request.format), _meta(request, symbol, ecc))


def _meta(request: QrRequest, symbol: Image.Image, ecc: ErrorCorrection) -> dict[str, object]:
    version = (symbol.width - 17) // 4
    about = {"format": request.format, "ecc": ecc, "version": version}
    warnings = colour_warnings(request.dark, request.light)
    if request.format == "svg":
        return {**about, "warnings": warnings + _thin_margin(request.margin)}
    scale = request.pixels_a_module(symbol.width)
    margin = (request.size / scale - symbol.width) / 2
    return {**about, "module_px": scale, "warnings": warnings + _tiny_modules(scale) + _thin_margin(margin)}


def _tiny_modules(scale: int) -> list[Warn]:
    if scale >= ENOUGH_PIXELS:
        return []
    pixels = "1 pixel" if scale == 1 else f"{scale} pixels"
    return [{"code": "tiny_modules", "message": f"size: a module is {pixels} wide; give more than that, or less text."}]


def _thin_margin(modules: float) -> list[Warn]:
    if modules >= ENOUGH_MARGIN:
        return []
    message = (
        f"margin: the quiet zone is {modules:.1f} modules wide; scanners need {ENOUGH_MARGIN}, the standard asks 4."
    )
    return [{"code": "thin_margin", "message": message}]
