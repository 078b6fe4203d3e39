"""An image with modes: crop, boxes, a position, a mark and a divider."""

from collections.abc import Callable
from typing import Any

import anywidget
from traitlets import Bool, Bytes, Dict, Float, Int, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines import raster
from mediakit.engines.pdf import Thumbnail, Thumbnails
from mediakit.widgets.inputs.base import ChoiceInput, Input, NumberInput, heading, script, styled, vbox

EDITOR_SIDE = 1000
"""Longest side of the page image, in pixels."""


class ImageCanvas(anywidget.AnyWidget):
    """An image on which one thing is edited with the pointer, by touch or with the keyboard."""

    _esm = script("canvas.js")

    mode = Unicode().tag(sync=True)
    """`crop`, `boxes`, `position`, `mark` or `divider`."""
    image = Bytes().tag(sync=True)
    """The image as WebP; empty if there is none."""
    width = Float().tag(sync=True)
    """Width of the upright image, in the unit of what is edited: pixels, or points."""
    height = Float().tag(sync=True)

    def __init__(self, mode: str, css_class: str, **values: Any) -> None:
        super().__init__(mode=mode, **values)
        styled(self, css_class)

    def show_image(self, image: bytes, width: float, height: float) -> None:
        """Show an image in WebP, or none, with its size in the unit of what is edited."""
        with self.hold_sync():
            self.width, self.height, self.image = width, height, image

    def show_preview(self, preview: raster.Converted | None) -> None:
        """Show the small copy of an image, or none, with the size of the original."""
        if preview:
            self.show_image(preview.content, preview.original_width, preview.original_height)
        else:
            self.show_image(b"", 0, 0)


class PageEditor(ImageCanvas):
    """One page at a time. Turning pages sets `page`, and the form sends the image of that page."""

    count = Int().tag(sync=True)
    """Pages of the PDF."""
    page = Int(1).tag(sync=True)
    """The page that is shown, from 1."""
    value = List(Dict()).tag(sync=True)
    """Boxes of all pages, each with `page`, `x0`, `y0`, `x1` and `y1` from the top left corner."""
    position = Unicode().tag(sync=True)

    surface = Unicode("page").tag(sync=True)
    """What the boxes are drawn on, such as `page`."""
    unit = Unicode("points").tag(sync=True)
    """The unit of the boxes: `points`, or whole `pixels`."""

    def show(self, loaded: Thumbnails | None) -> None:
        """Show the image of the current page; nothing without one."""
        page = loaded.pages[0] if loaded and loaded.pages else None
        with self.hold_sync():
            self.count = loaded.count if loaded else 0
            self.page = max(1, min(self.page, self.count))
            self.show_image(page.content if page else b"", page.width if page else 0, page.height if page else 0)


class BoxesInput(Input):
    """Boxes that are drawn on the pages."""

    wide = True

    def __init__(self, parameter: Parameter, editor: PageEditor | None = None) -> None:
        self.editor = editor or PageEditor("boxes", "page-editor")
        super().__init__(parameter, self.editor)
        self.caption = heading(parameter.name)
        self.widget = vbox([self.editor], "boxes-input")

    def read(self) -> Any:
        """Return the boxes; None without any."""
        return [dict(box) for box in self.editor.value] or None

    def fill(self, value: Any) -> None:
        """Show boxes."""
        self.editor.value = [box if isinstance(box, dict) else vars(box) for box in value]


class PositionInput(ChoiceInput):
    """One of nine positions: from a list, and on a page."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.editor = PageEditor("position", "page-editor")
        self.widget = vbox([self.control, self.editor])
        _link(self.control, self.editor, "position", self._choice)

    def fill(self, value: Any) -> None:
        """Show a position, whose words may stand in another order."""
        super().fill(self._choice(value))

    def _choice(self, position: str) -> str:
        """Return the choice that means a position, whose words may stand in another order."""
        words = sorted(position.split())
        return next(choice for choice in self.parameter.choices if sorted(choice.split()) == words)


PREVIEW_SIDE = 900
"""Longest side of the preview, in pixels."""

FREE, OUTPUT = "free", "output"
"""Aspect ratios of the rectangle: any, or that of the width and height of the result."""


class CropEditor(ImageCanvas):
    """A rectangle; `value` is the crop as the field takes it, empty for the whole image."""

    value = Unicode().tag(sync=True)
    output_width = Int().tag(sync=True)
    """Width of the result in pixels; 0 if it is not set."""
    output_height = Int().tag(sync=True)
    ratio = Unicode(FREE).tag(sync=True)
    """Aspect ratio of the rectangle: `free`, `output`, `original`, or one such as `16:9`."""


class CropInput(Input):
    """The rectangle of an image to keep."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, CropEditor("crop", "crop"))
        self.caption = heading(parameter.name)

    def read(self) -> Any:
        """Return the crop; None for the whole image."""
        return self.control.value or None

    def fill(self, value: Any) -> None:
        """Show a crop as text or as four values."""
        parts = value if isinstance(value, str) else ",".join(map(str, value))
        self.control.value = raster.RelativeArea.parse(parts).text


async def preview_of(content: bytes, side: int = PREVIEW_SIDE) -> raster.Converted:
    """Return a small copy of an image, at most `side` pixels wide and high. A damaged one is invalid input."""
    options = raster.ConvertOptions(
        width=side, height=side, fit="inside", without_enlargement=True, format="webp", quality=80
    )
    return await raster.convert_isolated(content, options)


class MarkEditor(ImageCanvas):
    """The mark moves, scales and rotates at once; the form sends the image with the mark when it is made."""

    position = Unicode().tag(sync=True)
    size_pct = Float(1.0).tag(sync=True)
    """Width of the mark in percent of the shorter side of the image."""
    rotate = Float().tag(sync=True)
    """Rotation of the mark in degrees."""
    marked = Bytes().tag(sync=True)
    """The image with the mark as WebP; empty if there is none."""
    box = List(Int()).tag(sync=True)
    """Left, top, width and height of the mark in `marked`, in pixels; empty if it is repeated."""
    box_size_pct = Float(1.0).tag(sync=True)
    """The size of the mark in `marked`."""
    margin = Int().tag(sync=True)
    """Distance of the mark from the sides of the image, in pixels."""
    is_tiled = Bool().tag(sync=True)

    def show(self, image: raster.Converted | None) -> None:
        """Show an image without a mark, or nothing."""
        with self.hold_sync():
            self.marked, self.box, self.is_tiled = b"", [], False
            self.show_preview(image)

    def show_marked(self, image: raster.Converted, marked: raster.Converted, result: Any, request: Any) -> None:
        """Show an image with its mark, as the result of `image_watermark` for a request."""
        with self.hold_sync():
            self.show(image)
            self.marked, self.box, self.is_tiled = marked.content, result.meta["box"] or [], request.tile
            self.box_size_pct = request.size_pct
            self.margin = round(min(self.width, self.height) * request.margin_pct / 100)


class MarkPositionInput(ChoiceInput):
    """One of nine positions. The editor sets the size and the rotation of the mark, too."""

    wide = True

    def __init__(self, parameter: Parameter, size: NumberInput, rotate: NumberInput) -> None:
        super().__init__(parameter)
        self.editor = MarkEditor("mark", "mark-editor")
        self.widget = vbox([self.editor, self.control], "mark-input")
        _link(self.control, self.editor, "position")
        _link(size.control, self.editor, "size_pct")
        _link(rotate.control, self.editor, "rotate")


def _link(control: Any, editor: Any, trait: str, convert: Callable[[Any], Any] = lambda value: value) -> None:
    """Keep a value of the editor equal to that of a control, which comes first, and takes converted values."""
    editor.set_trait(trait, control.value)
    control.observe(lambda change: editor.set_trait(trait, change["new"]), "value")
    editor.observe(lambda change: control.set_trait("value", convert(change["new"])), trait)


class IgnoreInput(BoxesInput):
    """Areas of an image, each as left, top, width and height in pixels."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, PageEditor("boxes", "page-editor", surface="image", unit="pixels"))
        styled(self.editor, "ignored")

    def read(self) -> Any:
        """Return the areas; None without any."""
        areas = [[round(box[side]) for side in ("x0", "y0", "x1", "y1")] for box in self.editor.value]
        return [[left, top, right - left, bottom - top] for left, top, right, bottom in areas] or None

    def fill(self, value: Any) -> None:
        """Show areas, or the numbers of areas in one list."""
        is_flat = value and isinstance(value[0], int)
        areas = [value[start : start + 4] for start in range(0, len(value), 4)] if is_flat else value
        self.editor.value = [
            {"page": 1, "x0": left, "y0": top, "x1": left + width, "y1": top + height}
            for left, top, width, height in areas
        ]

    def show_image(self, image: raster.Converted | None) -> None:
        """Show the image to draw on, or none."""
        shown = image and Thumbnail(image.content, image.original_width, image.original_height)
        self.editor.show(Thumbnails(1, [shown]) if shown else None)


class ComparisonSlider(ImageCanvas):
    """Both images at one scale. Regions that differ are outlined. Without two images nothing is shown."""

    before = Bytes().tag(sync=True)
    """The first image as WebP; empty if there is none."""
    after = Bytes().tag(sync=True)
    before_name = Unicode().tag(sync=True)
    after_name = Unicode().tag(sync=True)
    before_box = List(Int()).tag(sync=True)
    """Left, top, width and height of the first image, in the area that contains both images."""
    after_box = List(Int()).tag(sync=True)
    regions = List(List(Int())).tag(sync=True)
    """Left, top, width and height of each region that differs."""

    def __init__(self) -> None:
        super().__init__("divider", "compare")
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
        """Outline the regions of a comparison, and place the second image as it was compared."""
        with self.hold_sync():
            self._place(self._sizes[0] if resized else self._sizes[1], tuple(result.offset))
            self.regions = [region["box"] for region in result.regions]

    def _place(self, after: tuple[int, int], offset: tuple[int, int]) -> None:
        before = self._sizes[0]
        self.width, self.height = (max(sides) for sides in zip(before, after, strict=True))
        self.before_box = [0, 0, *before]
        self.after_box = [-offset[0], -offset[1], *after]
