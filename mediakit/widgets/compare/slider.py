"""Two images on top of each other with a divider to drag: the first on its left, the second on its right."""

from typing import Any

import anywidget
from traitlets import Bytes, Int, List, Unicode

from mediakit.engines import raster
from mediakit.widgets.assets import asset


class ComparisonSlider(anywidget.AnyWidget):
    """Both images at one scale. Regions that differ are outlined. Without two images nothing is shown."""

    _esm = asset("compare/slider.js")

    before = Bytes().tag(sync=True)
    """The first image as WebP; empty if there is none."""
    after = Bytes().tag(sync=True)
    before_name = Unicode().tag(sync=True)
    after_name = Unicode().tag(sync=True)
    width = Int().tag(sync=True)
    """Width of the area that contains both images, in pixels."""
    height = Int().tag(sync=True)
    before_box = List(Int()).tag(sync=True)
    """Left, top, width and height of the first image in that area."""
    after_box = List(Int()).tag(sync=True)
    regions = List(List(Int())).tag(sync=True)
    """Left, top, width and height of each region that differs."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("mediakit-compare")
        self._sizes = [(0, 0), (0, 0)]

    def show(self, images: tuple[raster.Converted, raster.Converted] | None, names: tuple[str, str]) -> None:
        """Show two images without regions, or nothing."""
        with self.hold_sync():
            self.regions = []
            self.before_name, self.after_name = names
            self.before, self.after = (image.content for image in images) if images else (b"", b"")
            if images:
                self._sizes = [(image.original_width, image.original_height) for image in images]
                self._place(self._sizes[1], (0, 0))

    def show_result(self, result: Any, *, resized: bool) -> None:
        """Outline the regions of a comparison, and place the second image as it was compared.

        Args:
            result: The result of `image_compare`.
            resized: Whether the second image was scaled to the size of the first one.
        """
        with self.hold_sync():
            self._place(self._sizes[0] if resized else self._sizes[1], tuple(result.offset))
            self.regions = [region["box"] for region in result.regions]

    def _place(self, after: tuple[int, int], offset: tuple[int, int]) -> None:
        before = self._sizes[0]
        self.width, self.height = (max(sides) for sides in zip(before, after, strict=True))
        self.before_box = [0, 0, *before]
        self.after_box = [-offset[0], -offset[1], *after]
