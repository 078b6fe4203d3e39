"""Rendering of the input file with a numbered frame around each code."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.tools.images.code_reader import inputs
from mediakit.tools.images.code_reader.code import Mark

MAX_SIDE_PIXELS = 900
"""Longer side of the rendered image."""

MAX_SHOWN_PAGES = 3
"""Number of PDF pages with codes to show."""

FRAME_COLOR, OUTLINE_COLOR = "#e11d48", "white"


def render(content: bytes, marks: Sequence[Mark], scale: float) -> list[bytes]:
    """Render an image, or the pages of a TIFF or PDF with codes, at a size for notebooks.

    Args:
        content: The file.
        marks: Codes to frame.
        scale: Scale at which the pages of a PDF were read.

    Returns:
        PNG or JPEG files.
    """
    pages = sorted({page for _, page, _ in marks if page})[:MAX_SHOWN_PAGES]
    marks_of = {page: [mark for mark in marks if mark[1] == page] for page in pages}
    if not inputs.is_pdf(content):
        if pages:
            return [_with_frames(inputs.decode_tiff_page(content, page), marks_of[page]) for page in pages]
        return [_with_frames(inputs.decode(inputs.read_header(content)), marks)]
    with inputs.open_pdf(content) as document:
        fitting = [page for page in pages if document.pixels(page, scale) <= MAX_PIXELS]
        return [_with_frames(document.render(page, scale), marks_of[page]) for page in fitting]


def _with_frames(image: Image.Image, marks: Sequence[Mark]) -> bytes:
    scale_factor = min(1.0, MAX_SIDE_PIXELS / max(image.size))
    size = (max(1, round(image.width * scale_factor)), max(1, round(image.height * scale_factor)))
    shown = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGB")
    draw = ImageDraw.Draw(shown)
    for number, _, corners in marks:
        _frame(draw, number, [(x * scale_factor, y * scale_factor) for x, y in corners], shown.size)
    return _encode(shown)


def _frame(draw: ImageDraw.ImageDraw, number: int, corners: list[tuple[float, float]], size: tuple[int, int]) -> None:
    draw.line([*corners, corners[0], corners[1]], OUTLINE_COLOR, 5, joint="curve")
    draw.line([*corners, corners[0], corners[1]], FRAME_COLOR, 3, joint="curve")
    font = ImageFont.load_default(16)
    left, top, right, bottom = draw.textbbox((0, 0), str(number), font)
    width, height = max(right - left + 12, 24), bottom - top + 12
    x = min(max(min(x for x, _ in corners) - 4, 0), size[0] - width)
    y = min(max(min(y for _, y in corners) - height - 2, 0), size[1] - height)
    draw.rounded_rectangle((x, y, x + width, y + height), 6, FRAME_COLOR, OUTLINE_COLOR, 1)
    draw.text((x + width / 2, y + height / 2), str(number), OUTLINE_COLOR, font, anchor="mm")


def _encode(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", optimize=True)
    if target.tell() > 250_000:
        target = io.BytesIO()
        image.save(target, "JPEG", quality=80)
    return target.getvalue()
