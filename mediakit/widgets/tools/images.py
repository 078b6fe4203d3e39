"""The forms of `images`, `image_compare` and `image_watermark`."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, NamedTuple

import ipywidgets as w

from mediakit.core.inputs import file_of
from mediakit.engines import raster
from mediakit.errors import MediakitError
from mediakit.results.files import ImageResult
from mediakit.tools.images.image_compare.tool import ComparisonResult
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.forms.output import Rendered
from mediakit.widgets.forms.state import Selected, Stateful
from mediakit.widgets.inputs.base import Input, NumberInput, labeled, vbox
from mediakit.widgets.inputs.canvas import (
    FREE,
    OUTPUT,
    ComparisonSlider,
    CropEditor,
    CropInput,
    IgnoreInput,
    MarkPositionInput,
    preview_of,
)
from mediakit.widgets.inputs.files import FileInput

PRESETS: Mapping[str, tuple[int, int]] = {
    "Instagram post": (1080, 1080),
    "Instagram portrait": (1080, 1350),
    "Story or reel": (1080, 1920),
    "Link preview (Open Graph)": (1200, 630),
    "X post": (1600, 900),
    "LinkedIn post": (1200, 627),
    "YouTube thumbnail": (1280, 720),
    "Facebook cover": (820, 312),
    "Full HD": (1920, 1080),
    "Avatar": (400, 400),
}
"""Width and height in pixels."""

INITIAL_FORMAT = "webp"
"""Format of a form without initial values, because the tool requires at least one option."""

OPTIONS = ("width", "height", "format", "quality", "max_bytes", "crop")


class ImagesForm(Form[ImageResult]):
    """The form of image conversions."""

    _inputs_of_fields: ClassVar = {"file": partial(FileInput, accept="image/*", noun="an image"), "crop": CropInput}
    _visible = ("file", "crop", "width", "height", "format", "quality")
    _other_title = "Fit, background, file size and metadata"

    def _make_fields(self) -> dict[str, Field]:
        fields = super()._make_fields()
        self._file: Any = fields["file"].input
        self._editor: CropEditor = fields["crop"].control
        self._sides = fields["width"].control, fields["height"].control
        options: list[tuple[str, tuple[int, ...]]] = [("Custom", ())]
        options += [(f"{name}, {size[0]} × {size[1]}", size) for name, size in PRESETS.items()]
        self._preset = w.Dropdown(options=options, **labeled("size for"))
        self._preset_box = vbox([self._preset], "field", "wide")
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        if not any(values.get(name) is not None for name in OPTIONS):
            self._input("format").fill(INITIAL_FORMAT)
        # Before the image is loaded again, so that the crop of another image is not shown on it.
        self._file.control.observe(lambda _: self._editor.set_trait("value", ""), "value")
        self._image_update = self._follow(["file"], self._load_image, self._editor.show_preview)
        self._show_sides()
        self._preset.observe(self._on_preset, "value")
        for side in self._sides:
            side.observe(lambda _: self._show_sides(), "value")

    def _arrange(self) -> None:
        super()._arrange()
        file, crop, *others = self._box.children
        self._box.children = [file, crop, self._preset_box, *others]

    def _stateful(self) -> Mapping[str, Stateful]:
        ratio = Selected(lambda: str(self._editor.ratio), lambda ratio: self._editor.set_trait("ratio", ratio))
        return {**super()._stateful(), "crop ratio": ratio}

    def _download_name(self, result: Any) -> str:
        return f"{self._file.stem or 'image'}-{result.width}x{result.height}"

    async def _load_image(self) -> raster.Converted | None:
        request = self.tool.validate({"file": self._file.read(), "format": INITIAL_FORMAT})
        return await preview_of(bytes(request.file))

    def _on_preset(self, change: Mapping[str, Any]) -> None:
        """Use the size of the preset, and its aspect ratio for the crop."""
        if not change["new"]:
            return
        with self._step():
            for side, pixels in zip(self._sides, change["new"], strict=True):
                side.value = str(pixels)
            self._editor.ratio = OUTPUT

    def _show_sides(self) -> None:
        """Show the preset of the current width and height, and give their aspect ratio to the crop."""
        width, height = (side.value.strip() for side in self._sides)
        size = tuple(int(text) if text.isascii() and text.isdigit() else 0 for text in (width, height))
        with self._editor.hold_sync():
            self._editor.output_width, self._editor.output_height = size
        if 0 in size and self._editor.ratio == OUTPUT:
            self._editor.ratio = FREE
        self._preset.value = size if size in PRESETS.values() else ()


ORDER = ("file", "file2", "threshold", "antialiasing", "size", "output_image", "align", "ignore")


class LoadedImage(NamedTuple):
    """An image file and its preview."""

    content: bytes
    preview: raster.Converted


class CompareForm(Form[ComparisonResult]):
    """A form with two images, a before and after slider with outlined regions, and the verdict."""

    def _make_fields(self) -> dict[str, Field]:
        self._files = tuple(
            FileInput(self._parameters[name], "image/*", f"the {which} image", is_local=True)
            for name, which in (("file", "first"), ("file2", "second"))
        )
        self._ignore = IgnoreInput(self._parameters["ignore"])
        self._slider = ComparisonSlider()
        self._images: list[LoadedImage | None] = [None, None]
        inputs: dict[str, Input] = dict(zip(("file", "file2", "ignore"), (*self._files, self._ignore), strict=True))
        return fields_of(self.tool, inputs, ORDER)

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._image_update = self._follow(
            ("file", "file2"), lambda: asyncio.gather(*map(_load, self._files)), self._show_images
        )

    def _layout(self) -> w.VBox:
        self._output_area.insert(self._slider, above=True)
        return super()._layout()

    def _show(self, rendered: Rendered | Exception) -> None:
        if isinstance(rendered, Rendered):
            self._show_regions(rendered)
        else:
            self._slider.regions = []
        super()._show(rendered)

    def _show_images(self, images: list[LoadedImage | None]) -> None:
        self._images = images
        first, second = images
        both = (first.preview, second.preview) if first and second else None
        self._slider.show(both, (self._files[0].stem, self._files[1].stem))
        self._ignore.show_image(first.preview if first else None)
        if self._output_area.rendered:
            self._show_regions(self._output_area.rendered)

    def _show_regions(self, rendered: Rendered) -> None:
        """Outline the regions, if the slider has the images that were compared."""
        request = rendered.request
        compared = [bytes(file_of(file)) for file in (request.file, request.file2)]
        if [image and image.content for image in self._images] == compared:
            self._slider.show_result(rendered.result, resized=request.size == "resize")


async def _load(file: FileInput) -> LoadedImage | None:
    try:
        content = file.content()
        return LoadedImage(content, await preview_of(content)) if content else None
    except (MediakitError, ValueError):  # the preview shows the error of the tool
        return None


class WatermarkForm(Form[ImageResult]):
    """A form with the image, on which the mark is dragged and scaled."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = self._parameters
        self._file = FileInput(parameters["file"], "image/*", "an image", is_local=True)
        size, rotate = NumberInput(parameters["size_pct"]), NumberInput(parameters["rotate"])
        position = MarkPositionInput(parameters["position"], size, rotate)
        self._editor = position.editor
        self._image: LoadedImage | None = None
        self._marked: raster.Converted | None = None
        inputs: dict[str, Input] = {
            "file": self._file,
            "mark": FileInput(parameters["mark"], "image/*", "a logo", is_local=True),
            "position": position,
            "size_pct": size,
            "rotate": rotate,
        }
        return fields_of(self.tool, inputs)

    async def _render(self) -> Rendered | Exception:
        rendered = await super()._render()
        self._image = await self._loaded_image()
        self._marked = None
        if isinstance(rendered, Rendered):
            with suppress(MediakitError):
                self._marked = await preview_of(rendered.result.file)
        return rendered

    def _download_name(self, result: Any) -> str:  # noqa: ARG002  # it has no size
        return f"{self._file.stem or 'image'}-watermark"

    def _show(self, rendered: Rendered | Exception) -> None:
        image, marked = self._image.preview if self._image else None, self._marked
        if isinstance(rendered, Rendered) and image and marked:
            self._editor.show_marked(image, marked, rendered.result, rendered.request)
        else:
            self._editor.show(image)
        super()._show(rendered)

    async def _loaded_image(self) -> LoadedImage | None:
        """Return the image with its preview, which is made again only for another image."""
        with suppress(MediakitError, ValueError):
            if self._image and self._file.content() == self._image.content:
                return self._image
        return await _load(self._file)
