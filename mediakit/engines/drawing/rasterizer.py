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
    size: tuple[int, int], background: str, shapes: Iterable[Shape], texts: Iterable[Text], scale: int = 1
) -> Image.Image:
    """Return an RGB image of shapes and, above them, texts in the bundled typeface.

    Args:
        size: Width and height of the drawing, in pixels.
        background: Color as `#rrggbb`.
        shapes: The shapes, from back to front.
        texts: The texts, without characters that need system fonts.
        scale: Image pixels in a pixel of the drawing.
    """
    import pypdfium2

    page = pdf_page(size, background, shapes, texts)
    with _pdfium_lock, pypdfium2.PdfDocument(page) as document:
        bitmap = document[0].render(scale=scale, may_draw_forms=False)
        image: Image.Image = bitmap.to_pil()
        bitmap.close()
        return image
