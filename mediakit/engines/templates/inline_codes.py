"""QR codes and barcodes as inline SVG, which is sharp at any zoom level.

The packages for codes are imported when a template has a code.
"""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

QUIET_ZONE_MODULES = 2
"""The standard requires four modules. Two are sufficient here, because the page around the code is white."""


def qr_code_svg(data: str) -> str:
    """Return a QR code with error correction level M as SVG."""
    from mediakit.engines.symbol import svg_path
    from mediakit.engines.symbol.qr import encode

    symbol = encode(data, "M")
    side = symbol.width + 2 * QUIET_ZONE_MODULES
    return (
        f'<svg class="qr" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/>'
        f'<path stroke="#000" d="{svg_path(symbol, QUIET_ZONE_MODULES)}"/></svg>'
    )


def code_128_svg(data: str, *, max_width: int) -> str:
    """Return a Code 128 barcode (ISO/IEC 15417) as SVG. Its modules have the most whole pixels that fit `max_width`."""
    import zxingcpp

    symbol = zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.Code128)
    image = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    row = bytes(memoryview(cast("Buffer", image)))[: image.shape[1]]
    module = max(1, max_width // len(row))
    bars = "".join(f"M{x}.5 0v1" for x, value in enumerate(row) if not value)
    return (
        f'<svg class="barcode" width="{len(row) * module}" viewBox="0 0 {len(row)} 1" preserveAspectRatio="none" '
        f'shape-rendering="crispEdges"><path stroke="#000" d="{bars}"/></svg>'
    )
