"""The file that was read, with a numbered frame around each code."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.tools.images.code_reader import documents, pictures
from mediakit.tools.images.code_reader.jobs import Mark

SIDE = 900
"""Pixels of the longer side that is shown."""

MOST_PAGES = 3
"""Pages of a PDF that are shown: the first that have codes."""

INK, PAPER = "#e11d48", "white"


def drawn(content: bytes, marks: Sequence[Mark], scale: float) -> list[bytes]:
    """Draw a picture, or the pages of a PDF that have codes, small enough for a notebook.

    Args:
        content: The file.
        marks: What to frame.
        scale: At which a PDF's pages were read.

    Returns:
        PNG or JPEG files.
    """
    if not documents.is_pdf(content):
        return [_framed(pictures.opened(content), marks)]
    pages = sorted({page for _, page, _ in marks if page})[:MOST_PAGES]
    with documents.opened(content) as document:
        fitting = [page for page in pages if document.pixels(page, scale) <= MAX_PIXELS]
        return [_framed(document.drawn(page, scale), [mark for mark in marks if mark[1] == page]) for page in fitting]


def _framed(image: Image.Image, marks: Sequence[Mark]) -> bytes:
    part = min(1.0, SIDE / max(image.size))
    size = (max(1, round(image.width * part)), max(1, round(image.height * part)))
    shown = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGB")
    draw = ImageDraw.Draw(shown)
    for number, _, corners in marks:
        _frame(draw, number, [(x * part, y * part) for x, y in corners], shown.size)
    return _encoded(shown)


def _frame(draw: ImageDraw.ImageDraw, number: int, corners: list[tuple[float, float]], size: tuple[int, int]) -> None:
    draw.line([*corners, corners[0], corners[1]], PAPER, 5, joint="curve")
    draw.line([*corners, corners[0], corners[1]], INK, 3, joint="curve")
    font = ImageFont.load_default(16)
    left, top, right, bottom = draw.textbbox((0, 0), str(number), font)
    width, height = max(right - left + 12, 24), bottom - top + 12
    x = min(max(min(x for x, _ in corners) - 4, 0), size[0] - width)
    y = min(max(min(y for _, y in corners) - height - 2, 0), size[1] - height)
    draw.rounded_rectangle((x, y, x + width, y + height), 6, INK, PAPER, 1)
    draw.text((x + width / 2, y + height / 2), str(number), PAPER, font, anchor="mm")


def _encoded(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", optimize=True)
    if target.tell() > 250_000:
        target = io.BytesIO()
        image.save(target, "JPEG", quality=80)
    return target.getvalue()
