"""Renders a symbol as PNG or SVG. Plain squares are encoded row by row; everything else is an SVG, rasterized for PNG.

A code with a style, a gradient, transparency or a logo is decoded before it is returned.
"""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import pybase64
import zxingcpp
from PIL import Image, ImageFilter, ImageOps

from mediakit.core.inputs import file_of
from mediakit.core.runtime import runtime
from mediakit.engines.drawing.rasterizer import svg_to_rgba
from mediakit.engines.png import encode_indexed
from mediakit.engines.symbol import (
    ANTIALIAS_DEPTH,
    WHITE,
    ErrorCorrection,
    cut_out_palette,
    encode,
    equal_rows,
    gradient_palette,
    pack_bands,
)
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning
from mediakit.tools.images.qr import shapes
from mediakit.tools.images.qr.request import QrRequest

SVG_TEST_SCALE = 8
"""Pixels per module of the image that is decoded to check an SVG."""

BLURS = (0, 1)
"""Blur radii in pixels with which a code is decoded, in this order. Readers miss a few codes only if they are sharp."""

MAX_AREA_SHARES: dict[ErrorCorrection, float] = {"H": 0.3, "Q": 0.22}
"""Side of the cleared area relative to the code. Four readers decode 0.35 at H and 0.3 at Q."""
MIN_AREA_MODULES = 5
"""Minimum side of the cleared area."""
LOGO_SHARE = 0.86
"""Side of the logo relative to the cleared area; the rest stays light."""
MAX_LOGO_PIXELS = 600
"""Longest side of the logo: 0.3 of the largest PNG, also used in SVG."""


def render_plain(symbol: Image.Image, request: QrRequest) -> bytes:
    """Render square modules of one color, in the requested format."""
    if request.format == "svg":
        content = shapes.svg_modules(symbol, "square", request.margin, request.paint.svg_paint)
        return _svg_document(request, request.modules(symbol.width), content)
    scale = request.pixels_per_module(symbol.width)
    wide = Image.new("L", (request.size, symbol.height), WHITE)
    modules = symbol.resize((symbol.width * scale, symbol.height), Image.Resampling.NEAREST)
    wide.paste(modules, ((request.size - modules.width) // 2, 0))
    packed, stride = wide.convert("1", dither=Image.Dither.NONE).tobytes(), (request.size + 7) // 8
    rows = [packed[start : start + stride] for start in range(0, len(packed), stride)]
    blank = b"\xff" * stride
    above = (request.size - len(rows) * scale) // 2
    below = request.size - len(rows) * scale - above
    bands = [(blank, above), *((row, scale) for row in rows), (blank, below)]
    paint = request.paint
    return encode_indexed(request.size, bands, bytes.fromhex(paint.dark[1:] + paint.light[1:]))


def render_styled(request: QrRequest) -> tuple[Image.Image, ErrorCorrection, bytes, list[ResultWarning]]:
    """Render a code that can be decoded. The size of the logo is reduced until decoding succeeds.

    Returns:
        The whole symbol, its error correction level, the file and what is missing of the logo.

    Raises:
        InvalidInput: The text does not fit, or the code cannot be decoded.
    """
    symbol, ecc = _encode(request)
    scale = SVG_TEST_SCALE if request.format == "svg" else request.pixels_per_module(symbol.width)
    logo, warnings = (None, []) if request.logo is None else _load_logo(file_of(request.logo))
    candidates, area_sides = [], [0]
    if logo:  # odd sides of the cleared area, the largest first, so that whole modules are covered
        sides = (int(symbol.width * MAX_AREA_SHARES[ecc] * part - 1) // 2 * 2 + 1 for part in (1, 0.75, 0.5))
        area_sides = list(dict.fromkeys(max(MIN_AREA_MODULES, side) for side in sides))
    for side in area_sides:
        start = (symbol.width - side) // 2
        cleared = symbol.copy()
        cleared.paste(WHITE, (start, start, start + side, start + side))
        candidates.append(_Candidate(request, cleared, scale, logo, side))
    for blur in BLURS:
        for candidate in candidates:
            if candidate.is_readable(blur):
                return symbol, ecc, candidate.svg() if request.format == "svg" else candidate.png(), warnings
    causes = {"logo": request.logo, "finder": request.finder, "gradient": request.paint.gradient}
    cause = next((name for name, value in causes.items() if value is not None), "style")
    raise InvalidInput(
        f"{cause}: makes the code unreadable. Use a larger size, colors of more contrast or less text, or omit it."
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
    def cut_out(self) -> Image.Image:
        """The code in its colors on a transparent background, without its logo."""
        request = self.request
        is_svg = request.format == "svg"
        side = request.modules(self.symbol.width) * self.scale if is_svg else request.size
        start = (side - self.symbol.width * self.scale) // 2 - request.margin * self.scale
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">'
            f'<g transform="translate({start} {start}) scale({self.scale})">{self._content}</g></svg>'
        )
        return svg_to_rgba(svg)

    @property
    def _content(self) -> str:
        request = self.request
        definition = request.paint.svg_definition(request.margin, self.symbol.width)
        modules = shapes.svg(self.symbol, request.style, request.finder, request.margin, request.paint.svg_paint)
        return definition + modules

    @cached_property
    def flat(self) -> Image.Image:
        """The code on its background, with its logo."""
        background = Image.new("RGB", self.cut_out.size, self.request.paint.light)
        background.paste(self.cut_out, mask=self.cut_out)
        return self._with_logo(background)

    def _with_logo(self, code: Image.Image) -> Image.Image:
        if self.logo is None:
            return code
        side = max(1, round(self.area_side * self.scale * LOGO_SHARE))
        small = ImageOps.contain(self.logo, (side, side), Image.Resampling.LANCZOS)
        corner = (code.width - small.width) // 2, (code.height - small.height) // 2
        if code.mode == "RGBA":
            code.alpha_composite(small, corner)
        else:
            code.paste(small, corner, small)
        return code

    def is_readable(self, blur: int) -> bool:
        """Return whether a reader decodes exactly the text of the blurred image."""
        formats = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
        codes = zxingcpp.read_barcodes(self.flat.convert("L").filter(ImageFilter.BoxBlur(blur)), formats=formats)
        return [code.bytes for code in codes] == [self.request.data.encode()]

    def png(self) -> bytes:
        """Return the image as PNG. With a single color and without a logo, its palette has the colors and blends."""
        paint, alpha = self.request.paint, self.cut_out.getchannel("A")
        if self.logo or paint.gradient:
            image = self.flat
            if paint.transparent:
                # Transparent pixels are `light` for readers that ignore alpha.
                image = Image.new("RGB", alpha.size, paint.light)
                image.paste(self.cut_out, mask=alpha.point([0, *[255] * 255]))
                image.putalpha(alpha)
                image = self._with_logo(image)
            image.save(file := BytesIO(), "PNG")
            return file.getvalue()
        palette, opacity = gradient_palette(paint.dark, paint.light, ANTIALIAS_DEPTH), b""
        if paint.transparent:
            palette, opacity = cut_out_palette(paint.dark, paint.light, ANTIALIAS_DEPTH)
        bands = pack_bands(equal_rows(ImageOps.invert(alpha).tobytes(), alpha.width), ANTIALIAS_DEPTH)
        return encode_indexed(alpha.width, bands, palette, depth=ANTIALIAS_DEPTH, alpha=opacity)

    def svg(self) -> bytes:
        """Return the image as SVG."""
        modules, content = self.request.modules(self.symbol.width), self._content
        if self.logo:
            self.logo.save(file := BytesIO(), "PNG")
            side = self.area_side * LOGO_SHARE
            start = (modules - side) / 2
            content += (
                f'<image x="{start:g}" y="{start:g}" width="{side:g}" height="{side:g}" '
                f'href="data:image/png;base64,{pybase64.b64encode(file.getvalue()).decode()}"/>'
            )
        return _svg_document(self.request, modules, content)


def _svg_document(request: QrRequest, side: int, content: str) -> bytes:
    """Return an SVG file with the background and elements in modules; `side` includes the quiet zones."""
    paint = request.paint
    background = "" if paint.transparent else f'<path fill="{paint.light}" d="M0 0h{side}v{side}H0z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.size}" height="{request.size}" '
        f'viewBox="0 0 {side} {side}">{background}{content}</svg>\n'
    ).encode()


def _load_logo(content: bytes) -> tuple[Image.Image, list[ResultWarning]]:
    """Decode a logo, limit its size, and return what is missing of its file."""
    from mediakit.engines import raster

    try:
        options = raster.ConvertOptions(width=MAX_LOGO_PIXELS, height=MAX_LOGO_PIXELS, fit="inside", format="png")
        converted = runtime.run(raster.convert_isolated(content, options))
    except InvalidInput as error:
        raise InvalidInput(f"logo:{error.message.removeprefix('file:')}") from None
    warnings: list[ResultWarning] = [
        {"code": each["code"], "message": f"logo:{each['message'].partition(':')[2]}"} for each in converted.warnings
    ]
    with Image.open(BytesIO(converted.content)) as image:
        return image.convert("RGBA"), warnings
