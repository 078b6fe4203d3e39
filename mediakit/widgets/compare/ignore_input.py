"""The input for areas to ignore: boxes that are drawn on the first image."""

from typing import Any

from mediakit.core.parameters import Parameter
from mediakit.engines import raster
from mediakit.engines.pdf.thumbnails import Thumbnail, Thumbnails
from mediakit.widgets.pdf.inputs import BoxesInput
from mediakit.widgets.pdf.page_editor import PageEditor


class IgnoreInput(BoxesInput):
    """Areas of an image, each as left, top, width and height in pixels."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, PageEditor("boxes", "image", "pixels"))
        self.editor.add_class("mediakit-ignored")

    def read(self) -> Any:
        """Return the areas; None without any."""
        return [_area(box) for box in self.editor.boxes] or None

    def fill(self, value: Any) -> None:
        """Show areas, or the numbers of areas in one list."""
        areas = value
        if value and isinstance(value[0], int):
            areas = [value[start : start + 4] for start in range(0, len(value), 4)]
        self.editor.boxes = [
            {"page": 1, "x0": left, "y0": top, "x1": left + width, "y1": top + height}
            for left, top, width, height in areas
        ]

    def show_image(self, image: raster.Converted | None) -> None:
        """Show the image to draw on, or none."""
        if image is None:
            self.show_pages(None)
        else:
            self.show_pages(Thumbnails(1, [Thumbnail(image.content, image.original_width, image.original_height)]))


def _area(box: dict[str, Any]) -> list[int]:
    left, top, right, bottom = (round(box[side]) for side in ("x0", "y0", "x1", "y1"))
    return [left, top, right - left, bottom - top]
