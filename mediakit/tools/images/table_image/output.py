"""The files of a table image: SVG; PNG, WebP and PDF made of an SVG with outlines; and the text layer of the PDF."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from mediakit.engines.direction import has_right_to_left
from mediakit.engines.drawing.rasterizer import svg_to_rgba
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, BUNDLED, Text, em_width, text_runs
from mediakit.engines.png import encode_graphics


@dataclass(frozen=True)
class _Part:
    """A line, or a part of it: where it begins and how wide it is, in units of the drawing."""

    content: str
    x: float
    y: float
    width: float
    size: float


def with_text_layer(content: bytes, texts: Sequence[Text], scale: float, *, is_pixels: bool = False) -> bytes:
    """Return a PDF of one page with invisible text.

    The font has no shapes and needs none: every character has a number, and the map of the font names its Unicode.
    Unless the PDF is an image, characters that the bundled typeface lacks are text in it already.
    """
    import pikepdf

    from mediakit.engines.pdf.shaped_text import invisible_font

    parts = [part for text in texts for part in _parts(text, only_outlines=not is_pixels) if part.content]
    numbers = {char: place for place, char in enumerate(sorted({char for part in parts for char in part.content}), 1)}
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[0]
        height = float(page.mediabox[3]) - float(page.mediabox[1])
        page.add_resource(invisible_font(pdf, numbers), pikepdf.Name.Font, pikepdf.Name("/TextLayer"))
        lines = "\n".join(_operators(part, numbers, scale, height) for part in parts)
        page.contents_add(f"BT 3 Tr\n{lines}\nET".encode("ascii"))
        pdf.save(made := io.BytesIO(), deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return made.getvalue()


def _parts(text: Text, *, only_outlines: bool) -> Iterator[_Part]:
    """Yield a line, or only those parts of it that are drawn as outlines."""
    width = em_width(text.content, text.weight, tabular=text.tabular) * text.size
    x = text.x - ANCHOR_OFFSETS[text.anchor] * width
    if not only_outlines:
        yield _Part(text.content, x, text.y, width, text.size)
        return
    for run in text_runs(text.content, text.weight, tabular=text.tabular):
        if run.script == BUNDLED:
            yield _Part(run.text, x, text.y, run.width * text.size, text.size)
        x += run.width * text.size


def _operators(part: _Part, numbers: dict[str, int], scale: float, height: float) -> str:
    from mediakit.engines.pdf.shaped_text import INVISIBLE_GLYPH_WIDTH

    stretch = 100 * part.width / (len(part.content) * part.size * INVISIBLE_GLYPH_WIDTH / 1000)
    # Readers expect a line from left to right: one of a right-to-left script is reversed.
    seen = part.content[::-1] if has_right_to_left(part.content) else part.content
    codes = "".join(f"{numbers[char]:04x}" for char in seen)
    return (
        f"/TextLayer {part.size * scale:.3f} Tf {max(stretch, 0.1):.2f} Tz "
        f"1 0 0 1 {part.x * scale:.3f} {height - part.y * scale:.3f} Tm <{codes}> Tj"
    )


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


def is_quick(svg: str, pixels: int) -> bool:
    """Return whether rendering an SVG takes so little time that a worker process would not pay off."""
    return pixels <= QUICK_PIXELS and len(svg) <= QUICK_SOURCE_LENGTH and svg.count("<text") <= QUICK_SYSTEM_TEXTS


def largest_scale(size: tuple[int, int], wanted: int, kind: RasterFormat) -> int:
    """Return the wanted scale, or the largest one below at which the image has not too many pixels."""
    for scale in range(wanted, 1, -1):
        width, height = size[0] * scale, size[1] * scale
        if width * height <= MAX_PIXELS and (kind != "webp" or max(width, height) <= MAX_WEBP_SIDE):
            return scale
    return 1


def raster_file(svg: str, kind: RasterFormat, scale: int) -> bytes:
    """Return a PNG or a lossless WebP. Rendering holds the interpreter lock most of the time."""
    pixels = svg_to_rgba(svg, scale).convert("RGB")
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
        import pymupdf

        image = vl_convert.svg_to_png(svg, scale=PDF_PIXELS_PER_POINT, ppi=72)
        with Image.open(io.BytesIO(image)) as opened:
            width, height = (side / PDF_PIXELS_PER_POINT for side in opened.size)
        with pymupdf.open() as document:  # type: ignore[no-untyped-call]
            page = document.new_page(width=width, height=height)
            page.insert_image(page.rect, stream=image)
            drawn = document.tobytes(deflate=True, no_new_id=True)
        return with_text_layer(drawn, texts, POINTS_PER_PIXEL, is_pixels=True)
    return with_text_layer(drawn, texts, POINTS_PER_PIXEL)
