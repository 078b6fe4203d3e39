"""Codes as drawings inside a page: sharp at any size."""

from typing import TYPE_CHECKING, cast

import zxingcpp

from mediakit.engines.symbol import svg_path
from mediakit.engines.symbol.qr import encode

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

QUIET = 2
"""Modules of quiet zone; the page's white goes on around it."""


def qr_code(data: str) -> str:
    """Draw a QR code as SVG."""
    symbol = encode(data, "M")
    side = symbol.width + 2 * QUIET
    return (
        f'<svg class="qr" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/><path stroke="#000" d="{svg_path(symbol, QUIET)}"/></svg>'
    )


def code_128(data: str, *, room: int) -> str:
    """Draw a Code 128 barcode (ISO/IEC 15417) as SVG, each module as many whole pixels as fit into `room`."""
    symbol = zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.Code128)
    image = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    row = bytes(memoryview(cast("Buffer", image)))[: image.shape[1]]
    module = max(1, room // len(row))
    bars = "".join(f"M{x}.5 0v1" for x, value in enumerate(row) if not value)
    return (
        f'<svg class="barcode" width="{len(row) * module}" viewBox="0 0 {len(row)} 1" preserveAspectRatio="none" '
        f'shape-rendering="crispEdges"><path stroke="#000" d="{bars}"/></svg>'
    )
