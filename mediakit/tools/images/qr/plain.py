"""The code as squares, the way that must be fast: a one-bit PNG row by row, or one path of SVG."""

from PIL import Image

from mediakit.engines.symbol import Band, indexed_png, strokes
from mediakit.tools.images.qr.request import QrRequest


def draw(symbol: Image.Image, request: QrRequest) -> bytes:
    """Draw a symbol as it was asked for."""
    if request.format == "svg":
        return svg(request, request.modules(symbol.width), modules(symbol, request))
    return _png(symbol, request, request.pixels_a_module(symbol.width))


def _png(symbol: Image.Image, request: QrRequest, scale: int) -> bytes:
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


def modules(symbol: Image.Image, request: QrRequest) -> str:
    """Draw the modules of an SVG as one path."""
    return f'<path shape-rendering="crispEdges" stroke="{request.dark}" d="{strokes(symbol, request.margin)}"/>'


def svg(request: QrRequest, side: int, inside: str) -> bytes:
    """Put what is drawn on its background.

    Args:
        request: What was asked for.
        side: Of the drawing, in modules.
        inside: Elements of SVG, in modules.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.size}" height="{request.size}" '
        f'viewBox="0 0 {side} {side}"><path fill="{request.light}" d="M0 0h{side}v{side}H0z"/>{inside}</svg>\n'
    ).encode()
