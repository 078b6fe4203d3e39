"""Rasterizes drawings with PDFium, whose pixels need no PNG in between, unlike those of an SVG renderer."""

import threading
from collections.abc import Iterable

from PIL import Image

from mediakit.engines.drawing.pdf_page import pdf_page
from mediakit.engines.drawing.shape import Shape
from mediakit.engines.drawing.text import Text

_pdfium_lock = threading.Lock()
"""PDFium must not be called from two threads at once."""


def rasterize(
    size: tuple[int, int],
    background: str,
    shapes: Iterable[Shape],
    texts: Iterable[Text],
    *,
    scale: int = 1,
    columns: int = 1,
) -> Image.Image:
    """Return an RGB image of shapes and, above them, texts in the bundled typeface.

    Args:
        size: Width and height of the drawing, in pixels.
        background: Color as `#rrggbb`.
        shapes: The shapes, from back to front.
        texts: The texts, without characters that need system fonts.
        scale: Image pixels in a pixel of the drawing.
        columns: Columns in which each pixel is rendered, whose mean it is. In a pixel, PDFium counts overlapping parts
            of one path twice, so dense lines are too dark without.
    """
    import pypdfium2

    page = pdf_page(size, background, shapes, texts, columns)
    with _pdfium_lock, pypdfium2.PdfDocument(page) as document:
        bitmap = document[0].render(scale=scale, may_draw_forms=False, prefer_bgrx=True)
        pixels = bitmap.width, bitmap.height
        image = Image.frombuffer("RGB", pixels, bitmap.buffer, "raw", "BGRX", bitmap.stride, 1)
        bitmap.close()
    return image.reduce((columns, 1)) if columns > 1 else image
