"""QR codes with styled modules or a logo. Each code is decoded before it is returned."""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import zxingcpp
from PIL import Image, ImageOps

from mediakit.core.files import file_of
from mediakit.engines.symbol import ANTIALIAS_DEPTH, WHITE, encode_indexed, gradient_palette, pack_bands
from mediakit.engines.symbol.qr import ErrorCorrection, encode
from mediakit.errors import InvalidInput
from mediakit.tools.images.qr import logo, module_shapes, square
from mediakit.tools.images.qr.request import QrRequest

SVG_TEST_SCALE = 8
"""Pixels per module of the image that is decoded to check an SVG."""


def render(request: QrRequest) -> tuple[Image.Image, ErrorCorrection, bytes]:
    """Render a code that can be decoded. The size of the logo is reduced until decoding succeeds.

    Returns:
        The whole symbol, its error correction level and the file.

    Raises:
        InvalidInput: The text does not fit, or the code cannot be decoded.
    """
    symbol, ecc = _encode(request)
    scale = SVG_TEST_SCALE if request.format == "svg" else request.pixels_per_module(symbol.width)
    image = None if request.logo is None else logo.load(file_of(request.logo))
    for area_side in logo.area_sides(symbol.width, ecc) if image else [0]:
        candidate = _Candidate(request, logo.clear_center(symbol, area_side), scale, image, area_side)
        if candidate.is_readable():
            return symbol, ecc, candidate.svg() if request.format == "svg" else candidate.png()
    raise InvalidInput(
        f"{'logo' if image else 'style'}: makes the code unreadable. "
        "Use a larger size, colors of more contrast or less text, or omit it."
    )


def _encode(request: QrRequest) -> tuple[Image.Image, ErrorCorrection]:
    """Encode the text. With a logo, use the highest error correction level at which the text fits."""
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
        f"logo: requires ecc {' or '.join(reversed(levels))}, and {length} do not fit into such a QR code. "
        "Shorten the text or omit the logo."
    )


@dataclass(frozen=True)
class _Candidate:
    """A code with a logo of one size, or without a logo."""

    request: QrRequest
    symbol: Image.Image
    """Symbol without the modules that the logo covers."""
    scale: int
    """Pixels per module."""
    logo: Image.Image | None
    area_side: int
    """Side of the cleared area, in modules."""

    @cached_property
    def gray(self) -> Image.Image:
        """The modules, black on white, at the size of the result; for SVG at the smallest size."""
        code = module_shapes.render(self.symbol, self.request.style, self.scale)
        smallest = self.request.modules(self.symbol.width) * self.scale
        side = smallest if self.request.format == "svg" else self.request.size
        gray = Image.new("L", (side, side), WHITE)
        gray.paste(code, ((side - code.width) // 2, (side - code.height) // 2))
        return gray

    @cached_property
    def colored(self) -> Image.Image:
        """The code in its colors, with its logo."""
        colored = ImageOps.colorize(self.gray, self.request.dark, self.request.light)
        if self.logo:
            logo.paste(colored, self.logo, self.area_side * self.scale)
        return colored

    def is_readable(self) -> bool:
        """Return whether a reader decodes exactly the text."""
        formats = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
        codes = zxingcpp.read_barcodes(self.colored.convert("L"), formats=formats)
        return [code.bytes for code in codes] == [self.request.data.encode()]

    def png(self) -> bytes:
        """Return the image as PNG. Without a logo, its palette contains the two colors and their blends."""
        if self.logo:
            self.colored.save(file := BytesIO(), "PNG")
            return file.getvalue()
        palette = gradient_palette(self.request.dark, self.request.light, ANTIALIAS_DEPTH)
        bands = pack_bands(self.gray, ANTIALIAS_DEPTH)
        return encode_indexed(self.gray.width, bands, palette, depth=ANTIALIAS_DEPTH)

    def svg(self) -> bytes:
        """Return the image as SVG."""
        side = self.request.modules(self.symbol.width)
        modules = square.svg_modules if self.request.style == "square" else module_shapes.svg_modules
        image = logo.svg_image(self.logo, side, self.area_side) if self.logo else ""
        return square.svg_document(self.request, side, modules(self.symbol, self.request) + image)
