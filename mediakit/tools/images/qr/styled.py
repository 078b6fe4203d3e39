"""QR codes with shapes, gradients, transparency or a logo. Each code is decoded before it is returned."""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import zxingcpp
from PIL import Image, ImageFilter

from mediakit.core.inputs import file_of
from mediakit.engines.symbol import (
    ANTIALIAS_DEPTH,
    WHITE,
    cut_out_palette,
    encode_indexed,
    gradient_palette,
    pack_bands,
)
from mediakit.engines.symbol.qr import ErrorCorrection, encode
from mediakit.errors import InvalidInput
from mediakit.tools.images.qr import logo, shapes, square
from mediakit.tools.images.qr.request import QrRequest

SVG_TEST_SCALE = 8
"""Pixels per module of the image that is decoded to check an SVG."""

BLURS = (0, 1)
"""Blur radii in pixels with which a code is decoded, in this order. Readers miss a few codes only if they are sharp."""


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
    area_sides = logo.area_sides(symbol.width, ecc) if image else [0]
    candidates = [_Candidate(request, logo.clear_center(symbol, side), scale, image, side) for side in area_sides]
    for blur in BLURS:
        for candidate in candidates:
            if candidate.is_readable(blur):
                return symbol, ecc, candidate.svg() if request.format == "svg" else candidate.png()
    raise InvalidInput(
        f"{_cause(request)}: makes the code unreadable. "
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


def _cause(request: QrRequest) -> str:
    """Return the name of the option that most likely makes a code unreadable."""
    causes = {"logo": request.logo, "finder": request.finder, "gradient": request.paint.gradient}
    return next((name for name, value in causes.items() if value is not None), "style")


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
        code = shapes.render(self.symbol, self.request, self.scale)
        smallest = self.request.modules(self.symbol.width) * self.scale
        side = smallest if self.request.format == "svg" else self.request.size
        gray = Image.new("L", (side, side), WHITE)
        gray.paste(code, ((side - code.width) // 2, (side - code.height) // 2))
        return gray

    @property
    def code_side(self) -> int:
        """Side of the code without its quiet zone, in pixels."""
        return self.symbol.width * self.scale

    @cached_property
    def flat(self) -> Image.Image:
        """The code in its colors on its background, with its logo."""
        return self._with_logo(self.request.paint.flat(self.gray, self.code_side))

    def _with_logo(self, code: Image.Image) -> Image.Image:
        if self.logo:
            logo.paste(code, self.logo, self.area_side * self.scale)
        return code

    def is_readable(self, blur: int) -> bool:
        """Return whether a reader decodes exactly the text of the blurred image."""
        formats = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
        codes = zxingcpp.read_barcodes(self.flat.convert("L").filter(ImageFilter.BoxBlur(blur)), formats=formats)
        return [code.bytes for code in codes] == [self.request.data.encode()]

    def png(self) -> bytes:
        """Return the image as PNG. With a single color and without a logo, its palette has the colors and blends."""
        paint = self.request.paint
        if self.logo or paint.gradient:
            cut_out = self.request.transparent
            image = self._with_logo(paint.cut_out(self.gray, self.code_side)) if cut_out else self.flat
            image.save(file := BytesIO(), "PNG")
            return file.getvalue()
        bands = pack_bands(self.gray, ANTIALIAS_DEPTH)
        if paint.transparent:
            palette, alpha = cut_out_palette(paint.dark, paint.light, ANTIALIAS_DEPTH)
            return encode_indexed(self.gray.width, bands, palette, depth=ANTIALIAS_DEPTH, alpha=alpha)
        palette = gradient_palette(paint.dark, paint.light, ANTIALIAS_DEPTH)
        return encode_indexed(self.gray.width, bands, palette, depth=ANTIALIAS_DEPTH)

    def svg(self) -> bytes:
        """Return the image as SVG."""
        side = self.request.modules(self.symbol.width)
        image = logo.svg_image(self.logo, side, self.area_side) if self.logo else ""
        return square.svg_document(self.request, side, shapes.svg(self.symbol, self.request) + image)
