"""The files of a table image: SVG, and PNG, WebP and PDF that are made of an SVG with outlines."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from mediakit.engines.drawing.drawing import Drawing
from mediakit.engines.drawing.svg import FALLBACK_FAMILIES, escape_text, font_style, outlined_text, text_elements
from mediakit.engines.drawing.text import Text
from mediakit.engines.png import encode_graphics
from mediakit.tools.images.table_image.text_layer import with_text_layer

RasterFormat = Literal["png", "webp"]

MAX_PIXELS = 50_000_000
MAX_WEBP_SIDE = 16_383
COMPRESSION_LEVEL = 4
PDF_PIXELS_PER_POINT = 3
"""Resolution of a PDF whose fonts cannot be embedded: 216 dpi."""
POINTS_PER_PIXEL = 0.75
"""A CSS pixel is 1/96 inch, a point 1/72 inch."""

QUICK_PIXELS, QUICK_SOURCE_LENGTH, QUICK_SYSTEM_TEXTS = 1_500_000, 150_000, 8
"""Limits of an image that is rendered in hundredths of a second, so that a worker process would not pay off."""


@dataclass(frozen=True)
class Canvas:
    """A drawing and its size in CSS pixels."""

    drawing: Drawing
    width: int
    height: int
    background: str


def svg_file(canvas: Canvas, title: str, description: str) -> bytes:
    """Return an SVG document whose texts stay texts."""
    family, style = font_style(canvas.drawing.texts, "table")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{canvas.width}" height="{canvas.height}" '
        f'viewBox="0 0 {canvas.width} {canvas.height}" role="img" text-rendering="geometricPrecision" '
        f'font-family="{family}, {FALLBACK_FAMILIES}">'
        f"<title>{escape_text(title)}</title><desc>{escape_text(description)}</desc>{style}"
    )
    return "".join((head, *_shapes(canvas), *text_elements(canvas.drawing.texts), "</svg>\n")).encode()


def outlined_svg(canvas: Canvas, scale: float = 1) -> str:
    """Return an SVG that needs no fonts except for scripts that the bundled typeface lacks; scaled for a PDF."""
    width, height = canvas.width * scale, canvas.height * scale
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {canvas.width} {canvas.height}">'
    )
    return "".join((head, *_shapes(canvas), *map(outlined_text, canvas.drawing.texts), "</svg>"))


def is_quick(svg: str, pixels: int) -> bool:
    """Return whether rendering an SVG takes so little time that a worker process would not pay off."""
    return pixels <= QUICK_PIXELS and len(svg) <= QUICK_SOURCE_LENGTH and svg.count("<text") <= QUICK_SYSTEM_TEXTS


def largest_scale(canvas: Canvas, wanted: int, kind: RasterFormat) -> int:
    """Return the wanted scale, or the largest one below at which the image has not too many pixels."""
    for scale in range(wanted, 1, -1):
        width, height = canvas.width * scale, canvas.height * scale
        if width * height <= MAX_PIXELS and (kind != "webp" or max(width, height) <= MAX_WEBP_SIDE):
            return scale
    return 1


def raster_file(svg: str, kind: RasterFormat, scale: int) -> bytes:
    """Return a PNG or a lossless WebP. Rendering holds the interpreter lock most of the time."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=scale, ppi=72))) as image:
        pixels = image.convert("RGB")
    if kind == "png":
        return encode_graphics(pixels, COMPRESSION_LEVEL)
    pixels.save(buffer := io.BytesIO(), "WEBP", lossless=True, quality=50, method=2)
    return buffer.getvalue()


def pdf_file(svg: str, texts: Sequence[Text]) -> bytes:
    """Return a PDF of one page in the size of the image, whose text can be searched and copied."""
    import vl_convert

    try:
        drawn = vl_convert.svg_to_pdf(svg)
    except RuntimeError:  # a font of the system, such as one of color emoji, cannot be embedded
        return with_text_layer(_pdf_of_pixels(svg), texts, POINTS_PER_PIXEL, is_pixels=True)
    return with_text_layer(drawn, texts, POINTS_PER_PIXEL)


def _pdf_of_pixels(svg: str) -> bytes:
    """Return a PDF with the image as pixels."""
    import pymupdf
    import vl_convert

    image = vl_convert.svg_to_png(svg, scale=PDF_PIXELS_PER_POINT, ppi=72)
    with Image.open(io.BytesIO(image)) as opened:
        width, height = (side / PDF_PIXELS_PER_POINT for side in opened.size)
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=width, height=height)
        page.insert_image(page.rect, stream=image)
        content: bytes = document.tobytes(deflate=True, no_new_id=True)
    return content


def _shapes(canvas: Canvas) -> list[str]:
    background = f'<rect width="{canvas.width}" height="{canvas.height}" fill="{canvas.background}"/>'
    return [background, *(shape.element for shape in canvas.drawing.shapes)]
