"""The input for the crop of an image: a preview with a rectangle that is dragged or moved with the keyboard."""

from typing import Any

import anywidget
from traitlets import Bytes, Int, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines import raster
from mediakit.widgets.assets import asset
from mediakit.widgets.inputs import Input, heading

PREVIEW_SIDE = 900
"""Longest side of the preview, in pixels."""

FREE, OUTPUT = "free", "output"
"""Aspect ratios of the rectangle: any, or that of the width and height of the result."""


class CropEditor(anywidget.AnyWidget):
    """An image with a rectangle; `value` is the crop as the field takes it, empty for the whole image."""

    _esm = asset("crop_editor.js")

    value = Unicode().tag(sync=True)
    image = Bytes().tag(sync=True)
    """The preview as WebP; empty if there is no image."""
    image_width = Int().tag(sync=True)
    """Width of the upright image in pixels."""
    image_height = Int().tag(sync=True)
    output_width = Int().tag(sync=True)
    """Width of the result in pixels; 0 if it is not set."""
    output_height = Int().tag(sync=True)
    ratio = Unicode(FREE).tag(sync=True)
    """Aspect ratio of the rectangle: `free`, `output`, `original`, or one such as `16:9`."""


class CropInput(Input):
    """The rectangle of an image to keep."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, CropEditor())
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-crop")

    def read(self) -> Any:
        """Return the crop; None for the whole image."""
        return self.control.value or None

    def fill(self, value: Any) -> None:
        """Show a crop as text or as four values."""
        parts = value if isinstance(value, str) else ",".join(map(str, value))
        self.control.value = raster.RelativeArea.parse(parts).text

    def show_image(self, preview: raster.Converted | None) -> None:
        """Show an image, or none."""
        with self.control.hold_sync():
            self.control.image_width = preview.original_width if preview else 0
            self.control.image_height = preview.original_height if preview else 0
            self.control.image = preview.content if preview else b""

    def show_output_size(self, width: int | None, height: int | None) -> None:
        """Set the size of the result, which the aspect ratio `output` has."""
        with self.control.hold_sync():
            self.control.output_width, self.control.output_height = width or 0, height or 0


async def preview_of(content: bytes) -> raster.Converted:
    """Return a small copy of an image for the editor.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large.
    """
    options = raster.ConvertOptions(
        width=PREVIEW_SIDE, height=PREVIEW_SIDE, fit="inside", without_enlargement=True, format="webp", quality=80
    )
    return await raster.convert_isolated(content, options)
