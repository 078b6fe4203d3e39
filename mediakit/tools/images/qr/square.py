"""QR codes with square modules, encoded row by row as one-bit PNG or as one SVG path."""

from PIL import Image

from mediakit.engines.symbol import Band, encode_indexed, svg_path
from mediakit.tools.images.qr.request import QrRequest


def render(symbol: Image.Image, request: QrRequest) -> bytes:
    """Render a symbol in the requested format."""
    if request.format == "svg":
        return svg_document(
            request, request.modules(symbol.width), svg_modules(symbol, request.margin, request.paint.svg_paint)
        )
    return _png(symbol, request, request.pixels_per_module(symbol.width))


def svg_modules(symbol: Image.Image, margin: int, paint: str) -> str:
    """Return the modules as an SVG element; `margin` is the quiet zone in modules, `paint` the value of `stroke`."""
    return f'<path shape-rendering="crispEdges" stroke="{paint}" d="{svg_path(symbol, margin)}"/>'


def svg_document(request: QrRequest, side: int, content: str) -> bytes:
    """Return an SVG file with the background and the given content.

    Args:
        request: Size and colors.
        side: Side of the image in modules, quiet zones included.
        content: SVG elements, in modules.
    """
    paint = request.paint
    background = "" if paint.transparent else f'<path fill="{paint.light}" d="M0 0h{side}v{side}H0z"/>'
    definition = paint.svg_definition(request.margin, side - 2 * request.margin)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.size}" height="{request.size}" '
        f'viewBox="0 0 {side} {side}">{definition}{background}{content}</svg>\n'
    ).encode()


def _png(symbol: Image.Image, request: QrRequest, scale: int) -> bytes:
    rows = _pixel_rows(symbol, request.size, scale)
    blank = b"\xff" * len(rows[0])
    above = (request.size - len(rows) * scale) // 2
    below = request.size - len(rows) * scale - above
    bands = [Band(blank, above), *(Band(row, scale) for row in rows), Band(blank, below)]
    paint = request.paint
    return encode_indexed(request.size, bands, bytes.fromhex(paint.dark[1:] + paint.light[1:]))


def _pixel_rows(symbol: Image.Image, size: int, scale: int) -> list[bytes]:
    """Return each row of modules as a row of `size` pixels, centered and packed at eight pixels per byte."""
    width = symbol.width * scale
    wide = Image.new("L", (size, symbol.height), 255)
    wide.paste(symbol.resize((width, symbol.height), Image.Resampling.NEAREST), ((size - width) // 2, 0))
    packed = wide.convert("1", dither=Image.Dither.NONE).tobytes()
    stride = (size + 7) // 8
    return [packed[start : start + stride] for start in range(0, len(packed), stride)]
