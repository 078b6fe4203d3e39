"""An image with a mark to drag to one of nine positions, and a slider for its size."""

from typing import Any

import anywidget
from traitlets import Bool, Bytes, Float, Int, List, Unicode

from mediakit.engines import raster
from mediakit.widgets.assets import asset


class MarkEditor(anywidget.AnyWidget):
    """The mark moves and scales at once; the form sends the image with the mark when it is made."""

    _esm = asset("watermark/mark_editor.js")

    position = Unicode().tag(sync=True)
    size_pct = Float(1.0).tag(sync=True)
    """Width of the mark in percent of the shorter side of the image."""
    image = Bytes().tag(sync=True)
    """The image without the mark as WebP; empty if there is none."""
    width = Int().tag(sync=True)
    """Width of the upright image in pixels."""
    height = Int().tag(sync=True)
    marked = Bytes().tag(sync=True)
    """The image with the mark as WebP; empty if there is none."""
    box = List(Int()).tag(sync=True)
    """Left, top, width and height of the mark in `marked`, in pixels; empty if it is repeated."""
    box_size_pct = Float(1.0).tag(sync=True)
    """The size of the mark in `marked`."""
    margin = Int().tag(sync=True)
    """Distance of the mark from the sides of the image, in pixels."""
    is_tiled = Bool().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.add_class("mediakit-mark-editor")

    def show(self, image: raster.Converted | None) -> None:
        """Show an image without a mark, or nothing."""
        with self.hold_sync():
            self.marked, self.box, self.is_tiled = b"", [], False
            self.image = image.content if image else b""
            self.width = image.original_width if image else 0
            self.height = image.original_height if image else 0

    def show_marked(self, image: raster.Converted, marked: raster.Converted, result: Any, request: Any) -> None:
        """Show an image with its mark.

        Args:
            image: The image without the mark.
            marked: The image with the mark.
            result: The result of `image_watermark`.
            request: Its request.
        """
        with self.hold_sync():
            self.show(image)
            self.marked, self.box, self.is_tiled = marked.content, result.meta["box"] or [], request.tile
            self.box_size_pct = request.size_pct
            self.margin = round(min(self.width, self.height) * request.margin_pct / 100)
