"""An image with modes: crop, boxes, a position, a mark and a divider."""

from typing import Any, Literal

import anywidget
import ipywidgets as w
from traitlets import Bool, Bunch, Bytes, Dict, Float, Int, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines import raster
from mediakit.engines.pdf.thumbnails import Thumbnail, Thumbnails
from mediakit.widgets.inputs.base import ChoiceInput, Input, NumberInput, asset, heading

EDITOR_SIDE = 1000
"""Longest side of the page image, in pixels."""


class ImageCanvas(anywidget.AnyWidget):
    """An image on which one thing is edited with the pointer, by touch or with the keyboard."""

    _esm = asset("canvas.js")

    mode = Unicode().tag(sync=True)
    """`crop`, `boxes`, `position`, `mark` or `divider`."""
    image = Bytes().tag(sync=True)
    """The image as WebP; empty if there is none."""
    width = Float().tag(sync=True)
    """Width of the upright image, in the unit of what is edited: pixels, or points."""
    height = Float().tag(sync=True)

    def __init__(self, mode: str, css_class: str, **values: Any) -> None:
        super().__init__(mode=mode, **values)
        self.add_class(css_class)


class PageEditor(ImageCanvas):
    """One page at a time. Turning pages sets `page`, and the form sends the image of that page."""

    count = Int().tag(sync=True)
    """Pages of the PDF."""
    page = Int(1).tag(sync=True)
    """The page that is shown, from 1."""
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
        super().__init__(mode, "mediakit-page-editor", surface=surface, unit=unit)

    def show(self, loaded: Thumbnails | None) -> None:
        """Show the image of the current page; nothing without one."""
        page = loaded.pages[0] if loaded and loaded.pages else None
        with self.hold_sync():
            self.count = loaded.count if loaded else 0
            self.page = max(1, min(self.page, self.count))
            self.width = page.width if page else 0.0
            self.height = page.height if page else 0.0
            self.image = page.content if page else b""


class BoxesInput(Input):
    """Boxes that are drawn on the pages."""

    wide = True

    def __init__(self, parameter: Parameter, editor: PageEditor | None = None) -> None:
        self.editor = editor or PageEditor("boxes")
        super().__init__(parameter, w.Text())  # not shown: the value is that of the editor
        self.caption = heading(parameter.name)
        self._box = w.VBox([self.editor])
        self._box.add_class("mediakit-boxes-input")
        self.editor.observe(self._notify, "boxes")

    @property
    def widget(self) -> w.DOMWidget:
        """The page with its boxes."""
        return self._box

    def read(self) -> Any:
        """Return the boxes; None without any."""
        return [dict(box) for box in self.editor.boxes] or None

    def fill(self, value: Any) -> None:
        """Show boxes."""
        self.editor.boxes = [box if isinstance(box, dict) else vars(box) for box in value]

    def state(self) -> Any:
        """Return the boxes."""
        return [dict(box) for box in self.editor.boxes]

    def restore(self, state: Any) -> None:
        """Show earlier boxes."""
        self.editor.boxes = list(state)

    def show_pages(self, loaded: Thumbnails | None) -> None:
        """Show the current page of a PDF."""
        self.editor.show(loaded)

    def _notify(self, change: Bunch) -> None:
        """Notify observers of the control, which has no value of its own."""
        self.notify(change["old"], change["new"])


class PositionInput(ChoiceInput):
    """One of nine positions: from a list, and on a page."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.editor = PageEditor("position")
        self._box = w.VBox([self.control, self.editor])
        self.editor.position = self.control.value
        self.control.observe(lambda change: self.editor.set_trait("position", change["new"]), "value")
        self.editor.observe(lambda change: self.control.set_trait("value", self._choice(change["new"])), "position")

    @property
    def widget(self) -> w.DOMWidget:
        """The list and the page."""
        return self._box

    def fill(self, value: Any) -> None:
        """Show a position, whose words may stand in another order."""
        super().fill(self._choice(value))

    def show_pages(self, loaded: Thumbnails | None) -> None:
        """Show the current page of a PDF."""
        self.editor.show(loaded)

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
        super().__init__(parameter, CropEditor("crop", "mediakit-crop"))
        self.caption = heading(parameter.name)

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
            self.control.width = preview.original_width if preview else 0
            self.control.height = preview.original_height if preview else 0
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

    def __init__(self) -> None:
        super().__init__("mark", "mediakit-mark-editor")

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


class MarkPositionInput(ChoiceInput):
    """One of nine positions. The editor sets the size and the rotation of the mark, too."""

    wide = True

    def __init__(self, parameter: Parameter, size: NumberInput, rotate: NumberInput) -> None:
        super().__init__(parameter)
        self.editor = MarkEditor()
        self._box = w.VBox([self.editor, self.control])
        self._box.add_class("mediakit-mark-input")
        _link(self.control, "value", self.editor, "position")
        _link(size.control, "value", self.editor, "size_pct")
        _link(rotate.control, "value", self.editor, "rotate")

    @property
    def widget(self) -> w.DOMWidget:
        """The image and the list."""
        return self._box


def _link(control: Any, name: str, editor: Any, trait: str) -> None:
    """Keep a value of the editor equal to that of a control, which comes first."""
    editor.set_trait(trait, getattr(control, name))
    control.observe(lambda change: editor.set_trait(trait, change["new"]), name)
    editor.observe(lambda change: control.set_trait(name, change["new"]), trait)


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
        super().__init__("divider", "mediakit-compare")
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
