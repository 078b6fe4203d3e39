"""The `qr` tool: create a QR code (ISO/IEC 18004)."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.engines.colors import contrast_ratio
from mediakit.engines.symbol import color_warnings, encode
from mediakit.results.files import ImageResult
from mediakit.results.item import ResultWarning
from mediakit.samples import LOGO
from mediakit.tools.images.qr.render import render_plain, render_styled
from mediakit.tools.images.qr.request import QrRequest

MIN_MODULE_PIXELS = 3
"""Minimum pixels per module. Phones often cannot read smaller modules from a distance."""
MIN_QUIET_ZONE_MODULES = 2
"""Minimum quiet zone. Smaller ones often cannot be read on dark pages; the standard requires 4 modules."""

META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.FORMAT,
    "ecc": meta_schemas.text("Error correction level of the code.", "M"),
    "version": meta_schemas.integer("Version of the code: its size, from 1 to 40.", 2),
    "module_px": meta_schemas.optional(meta_schemas.integer("Pixels of a module, in a PNG.", 17)),
    "warnings": meta_schemas.WARNINGS,
}


@tool(
    QrRequest,
    tag="Images",
    raw={"text/plain": "data"},
    produces=("image/png", "image/svg+xml"),
    alt=lambda request: f"QR code: {request.data}",
    meta=META,
    examples=[
        Example("A link", {"data": "https://example.com"}),
        Example(
            "Brand colors, for print",
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
        Example(
            "Gradient with round finder patterns",
            {"data": "https://example.com/menu", "palette": "sunset", "style": "tiles", "finder": "circle"},
        ),
        Example("Guest Wi-Fi, as dots", {"data": "WIFI:T:WPA;S:Guests;P:sunflower-42;;", "style": "dots"}),
    ],
)
def qr(request: QrRequest) -> ImageResult:
    """Create a QR code.

    Modules are whole pixels; the remaining pixels of `size` widen the quiet zone. A code with a style, a finder shape,
    a gradient, a transparent background or a logo is decoded before it is returned. `meta.warnings` lists what can keep
    scanners from reading the code.

    Raises:
        InvalidInput: The text does not fit at this error correction level, the modules do not fit in `size`, the
            contrast of a gradient is too low, or a styled code cannot be decoded.
    """
    warnings: list[ResultWarning] = []
    if request.is_plain:
        symbol, ecc = encode(request.data, request.ecc), request.ecc
        content = render_plain(symbol, request)
    else:
        symbol, ecc, content, warnings = render_styled(request)
    paint, margin = request.paint, float(request.margin)
    # The color that has the least contrast with the background decides.
    colors = paint.samples() if paint.gradient else [paint.dark]
    warnings += color_warnings(min(colors, key=lambda color: contrast_ratio(color, paint.light)), paint.light)
    meta: dict[str, object] = {"format": request.format, "ecc": ecc, "version": (symbol.width - 17) // 4}
    if request.format != "svg":
        meta["module_px"] = scale = request.pixels_per_module(symbol.width)
        margin = (request.size / scale - symbol.width) / 2
        if scale < MIN_MODULE_PIXELS:
            pixels = "1 pixel" if scale == 1 else f"{scale} pixels"
            message = f"size: a module is only {pixels} wide. Use a larger size or less text."
            warnings.append({"code": "tiny_modules", "message": message})
    if margin < MIN_QUIET_ZONE_MODULES:
        width = f"the quiet zone is {margin:.1f} modules wide"
        message = f"margin: {width}; scanners need {MIN_QUIET_ZONE_MODULES}, the standard requires 4."
        warnings.append({"code": "thin_margin", "message": message})
    return ImageResult(content, image_type(request.format), {**meta, "warnings": warnings})
