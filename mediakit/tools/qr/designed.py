"""The code with a style or a logo, read back before it is given away."""

from collections.abc import Iterator
from io import BytesIO

import zxingcpp
from PIL import Image, ImageOps

from mediakit.core.fields import content_of
from mediakit.engines.qr_symbol import ErrorCorrection, encode
from mediakit.engines.symbol import SHADES, WHITE, bands, indexed_png, shades
from mediakit.errors import InvalidInput
from mediakit.tools.qr import logo, plain, styles
from mediakit.tools.qr.request import QrRequest

SVG_PIXELS = 8
"""Pixels a module that an SVG is tried at."""


def draw(request: QrRequest) -> tuple[Image.Image, ErrorCorrection, bytes]:
    """Draw a code; a logo shrinks until the code can be read.

    Returns:
        The whole symbol, its error correction level and the file.

    Raises:
        InvalidInput: The text has no room, or the code cannot be read.
    """
    symbol, ecc = _encoded(request)
    scale = SVG_PIXELS if request.format == "svg" else request.pixels_a_module(symbol.width)
    for space in _spaces(symbol.width, ecc) if request.logo is not None else [0]:
        shown = logo.cleared(symbol, space) if space else symbol
        gray = _gray(shown, request, scale)
        painted = _painted(gray, request, space * scale)
        if _reads(painted, request.data):
            return symbol, ecc, _file(shown, gray, painted, request, space)
    doubtful = "style" if request.logo is None else "logo"
    raise InvalidInput(
        f"{doubtful}: the code could not be read back with it; "
        "give a larger size, colours of more contrast or less text, or leave it out."
    )


def _encoded(request: QrRequest) -> tuple[Image.Image, ErrorCorrection]:
    """Encode; where a logo covers modules, at the highest error correction level that the text fits at."""
    if request.logo is None:
        return encode(request.data, request.ecc), request.ecc
    levels: tuple[ErrorCorrection, ...] = ("H",) if request.ecc == "H" else ("H", "Q")
    for level in levels:
        try:
            return encode(request.data, level), level
        except InvalidInput:
            continue
    length = f"{len(request.data)} characters ({len(request.data.encode())} bytes)"
    raise InvalidInput(
        f"logo: needs ecc {' or '.join(reversed(levels))}, and {length} are more than a QR code holds there; "
        "shorten the text or leave the logo out."
    )


def _spaces(modules: int, ecc: ErrorCorrection) -> Iterator[int]:
    yield from range(logo.space(modules, ecc), logo.SMALLEST - 1, -2)


def _gray(symbol: Image.Image, request: QrRequest, scale: int) -> Image.Image:
    """Draw the modules black on white, at the size of the picture, an SVG as small as it can be."""
    code = styles.pixels(symbol, request.style, scale)
    side = request.modules(symbol.width) * scale if request.format == "svg" else request.size
    gray = Image.new("L", (side, side), WHITE)
    gray.paste(code, ((side - code.width) // 2, (side - code.height) // 2))
    return gray


def _painted(gray: Image.Image, request: QrRequest, space: int) -> Image.Image:
    """Give the colours to a picture, and its logo a space of so many pixels."""
    painted = ImageOps.colorize(gray, request.dark, request.light)
    if request.logo is not None:
        logo.paste(painted, content_of(request.logo), space)
    return painted


def _reads(picture: Image.Image, data: str) -> bool:
    found = zxingcpp.read_barcodes(
        picture.convert("L"), formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
    )
    return [code.bytes for code in found] == [data.encode()]


def _file(symbol: Image.Image, gray: Image.Image, painted: Image.Image, request: QrRequest, space: int) -> bytes:
    if request.format == "svg":
        return _svg(symbol, request, space)
    if request.logo is not None:
        painted.save(file := BytesIO(), "PNG")
        return file.getvalue()
    palette = shades(request.dark, request.light, SHADES)
    return indexed_png(gray.width, bands(gray, SHADES), palette, depth=SHADES)


def _svg(symbol: Image.Image, request: QrRequest, space: int) -> bytes:
    draw_modules = plain.modules if request.style == "square" else styles.path
    side = request.modules(symbol.width)
    inside = draw_modules(symbol, request)
    if request.logo is not None:
        inside += logo.svg(content_of(request.logo), side, space)
    return plain.svg(request, side, inside)
