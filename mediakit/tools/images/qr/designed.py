"""The code with a style or a logo, read back before it is given away."""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import zxingcpp
from PIL import Image, ImageOps

from mediakit.core.files import file_of
from mediakit.engines.symbol import SHADES, WHITE, bands, indexed_png, shades
from mediakit.engines.symbol.qr import ErrorCorrection, encode
from mediakit.errors import InvalidInput
from mediakit.tools.images.qr import logo, plain, styles
from mediakit.tools.images.qr.request import QrRequest

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
    picture = None if request.logo is None else logo.read(file_of(request.logo))
    for space in logo.spaces(symbol.width, ecc) if picture else [0]:
        attempt = _Attempt(request, logo.cleared(symbol, space), scale, picture, space)
        if attempt.reads():
            return symbol, ecc, attempt.svg() if request.format == "svg" else attempt.png()
    raise InvalidInput(
        f"{'logo' if picture else 'style'}: the code could not be read back with it; "
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


@dataclass(frozen=True)
class _Attempt:
    """A code with a logo of one size, or none."""

    request: QrRequest
    symbol: Image.Image
    """Without the modules that the logo covers."""
    scale: int
    """Pixels a module."""
    logo: Image.Image | None
    space: int
    """Modules for the logo."""

    @cached_property
    def gray(self) -> Image.Image:
        """The modules black on white, as large as the picture; of an SVG as small as it can be."""
        code = styles.pixels(self.symbol, self.request.style, self.scale)
        smallest = self.request.modules(self.symbol.width) * self.scale
        side = smallest if self.request.format == "svg" else self.request.size
        gray = Image.new("L", (side, side), WHITE)
        gray.paste(code, ((side - code.width) // 2, (side - code.height) // 2))
        return gray

    @cached_property
    def painted(self) -> Image.Image:
        """The picture in its colours, with its logo."""
        painted = ImageOps.colorize(self.gray, self.request.dark, self.request.light)
        if self.logo:
            logo.paste(painted, self.logo, self.space * self.scale)
        return painted

    def reads(self) -> bool:
        """Tell whether a reader finds the text, and nothing else."""
        formats = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
        found = zxingcpp.read_barcodes(self.painted.convert("L"), formats=formats)
        return [code.bytes for code in found] == [self.request.data.encode()]

    def png(self) -> bytes:
        """Give the picture as a file, with a palette where it has two colours and what lies between."""
        if self.logo:
            self.painted.save(file := BytesIO(), "PNG")
            return file.getvalue()
        palette = shades(self.request.dark, self.request.light, SHADES)
        return indexed_png(self.gray.width, bands(self.gray, SHADES), palette, depth=SHADES)

    def svg(self) -> bytes:
        """Give the picture as outlines."""
        side = self.request.modules(self.symbol.width)
        modules = plain.modules if self.request.style == "square" else styles.path
        above = logo.svg(self.logo, side, self.space) if self.logo else ""
        return plain.svg(self.request, side, modules(self.symbol, self.request) + above)
