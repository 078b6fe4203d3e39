"""A page of a PDF to draw boxes on, or to choose a position on."""

from typing import Literal

import anywidget
from traitlets import Bytes, Dict, Float, Int, List, Unicode

from mediakit.engines.pdf.thumbnails import Thumbnails
from mediakit.widgets.assets import asset

EDITOR_SIDE = 1000
"""Longest side of the page image, in pixels."""


class PageEditor(anywidget.AnyWidget):
    """One page at a time. Turning pages sets `page`, and the form sends the image of that page."""

    _esm = asset("pdf/page_editor.js")

    mode = Unicode().tag(sync=True)
    """`boxes` to draw boxes, `position` to choose one of nine positions."""
    count = Int().tag(sync=True)
    """Pages of the PDF."""
    page = Int(1).tag(sync=True)
    """The page that is shown, from 1."""
    image = Bytes().tag(sync=True)
    """The page as WebP; empty without a PDF."""
    width = Float().tag(sync=True)
    """Width of the page as it is seen, in the unit."""
    height = Float().tag(sync=True)
    boxes = List(Dict()).tag(sync=True)
    """Boxes of all pages, each with `page`, `x0`, `y0`, `x1` and `y1` from the top left corner."""
    position = Unicode().tag(sync=True)

    surface = Unicode().tag(sync=True)
    """What the boxes are drawn on, such as `page`."""
    unit = Unicode().tag(sync=True)
    """The unit of the boxes: `points`, or whole `pixels`."""

    def __init__(
        self, mode: Literal["boxes", "position"], surface: str = "page", unit: Literal["points", "pixels"] = "points"
    ) -> None:
        super().__init__(mode=mode, surface=surface, unit=unit)
        self.add_class("mediakit-page-editor")

    def show(self, loaded: Thumbnails | None) -> None:
        """Show the image of the current page; nothing without one."""
        page = loaded.pages[0] if loaded and loaded.pages else None
        with self.hold_sync():
            self.count = loaded.count if loaded else 0
            self.page = max(1, min(self.page, self.count))
            self.width = page.width if page else 0.0
            self.height = page.height if page else 0.0
            self.image = page.content if page else b""
