"""The forms of `images`, `image_compare` and `image_watermark`."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import file_of, load_file, local_file
from mediakit.engines import raster
from mediakit.errors import MediakitError
from mediakit.results.files import ImageResult
from mediakit.tools.images.image_compare.tool import ComparisonResult
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.forms.output import DebouncedUpdate, Rendered
from mediakit.widgets.forms.state import Selected, Stateful
from mediakit.widgets.inputs.base import Input, NumberInput
from mediakit.widgets.inputs.canvas import (
    FREE,
    OUTPUT,
    ComparisonSlider,
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

CUSTOM = "Custom"


def preset_dropdown() -> w.Dropdown:
    """Return a control whose value is the selected size; an empty tuple if it is not a preset."""
    options: list[tuple[str, tuple[int, ...]]] = [(CUSTOM, ())]
    options += [(f"{name}, {size[0]} × {size[1]}", size) for name, size in PRESETS.items()]
    return w.Dropdown(options=options, value=(), description="size for", style={"description_width": "auto"})


def preset_of(width: str, height: str) -> tuple[int, ...]:
    """Return the preset with a width and height as text; an empty tuple if there is none."""
    return next((size for size in PRESETS.values() if (width, height) == (str(size[0]), str(size[1]))), ())


VISIBLE = ("file", "crop", "width", "height", "format", "quality")
"""Fields that are not collapsed, in their order."""

INITIAL_FORMAT = "webp"
"""Format of a form without initial values, because the tool requires at least one option."""

OPTIONS = ("width", "height", "format", "quality", "max_bytes", "crop")


class ImagesForm(Form[ImageResult]):
    """The form of image conversions."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = FileInput(parameters["file"], "image/*", "an image")
        self._crop = CropInput(parameters["crop"])
        inputs: dict[str, Input] = {"file": self._file, "crop": self._crop}
        fields = fields_of(self.tool, inputs, VISIBLE)
        self._sides = fields["width"].control, fields["height"].control
        self._preset = preset_dropdown()
        self._preset_box = w.VBox([self._preset])
        for name in ("mediakit-field", "mediakit-wide"):
            self._preset_box.add_class(name)
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        if not any(values.get(name) is not None for name in OPTIONS):
            self.fields["format"].input.fill(INITIAL_FORMAT)
        self._image_update = DebouncedUpdate(self._load_image, self._crop.show_image)
        self._show_sides()
        self._preset.observe(self._on_preset, "value")
        for side in self._sides:
            side.observe(lambda _: self._show_sides(), "value")
        self._file.control.observe(lambda _: self._on_file(), "value")
        self._image_update.schedule(delay=0)

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"Fit, background, file size and metadata": [name for name in self.fields if name not in VISIBLE]}

    def _arrange(self) -> None:
        super()._arrange()
        file, crop, *others = self._box.children
        self._box.children = [file, crop, self._preset_box, *others]

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        self._preview.shows_comparison = True
        return widget

    def _stateful(self) -> Mapping[str, Stateful]:
        ratio = Selected(
            lambda: str(self._crop.control.ratio), lambda ratio: self._crop.control.set_trait("ratio", ratio)
        )
        return {**super()._stateful(), "crop ratio": ratio}

    def _show(self, rendered: Rendered | Exception) -> None:
        if isinstance(rendered, Rendered):
            result: Any = rendered.display_data.result
            self._preview.name = f"{self._file.stem or 'image'}-{result.width}x{result.height}"
        super()._show(rendered)

    async def _load_image(self) -> raster.Converted | None:
        """Return the preview for the crop editor; None without a valid image."""
        try:
            content = self.tool.validate({"file": self._file.read(), "format": INITIAL_FORMAT}).file
            return await preview_of(bytes(content))
        except MediakitError:
            return None

    def _on_file(self) -> None:
        self._crop.control.value = ""
        self._image_update.schedule(delay=0)

    def _on_preset(self, change: Mapping[str, Any]) -> None:
        """Use the size of the preset, and its aspect ratio for the crop."""
        if not change["new"]:
            return
        with self._step():
            for side, pixels in zip(self._sides, change["new"], strict=True):
                side.value = str(pixels)
            self._crop.control.ratio = OUTPUT

    def _show_sides(self) -> None:
        """Show the preset of the current width and height, and give their aspect ratio to the crop."""
        width, height = (side.value.strip() for side in self._sides)
        size = [int(text) if text.isascii() and text.isdigit() else None for text in (width, height)]
        self._crop.show_output_size(*size)
        if None in size and self._crop.control.ratio == OUTPUT:
            self._crop.control.ratio = FREE
        self._preset.value = preset_of(width, height)


ORDER = ("file", "file2", "threshold", "antialiasing", "size", "output_image", "align", "ignore")


@dataclass(frozen=True)
class LoadedImage:
    """An image file and its preview."""

    content: bytes
    preview: raster.Converted


class CompareForm(Form[ComparisonResult]):
    """A form with two images, a before and after slider with outlined regions, and the verdict."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._files = tuple(
            FileInput(parameters[name], "image/*", f"the {which} image", is_local=True)
            for name, which in (("file", "first"), ("file2", "second"))
        )
        self._ignore = IgnoreInput(parameters["ignore"])
        self._slider = ComparisonSlider()
        self._images: list[LoadedImage | None] = [None, None]
        inputs: dict[str, Input] = dict(zip(("file", "file2", "ignore"), (*self._files, self._ignore), strict=True))
        return fields_of(self.tool, inputs, ORDER)

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._image_update = self._follow(("file", "file2"), self._load_images, self._show_images)

    def _layout(self) -> w.VBox:
        self._output_area.insert_above(self._slider)
        self._preview.shows_comparison = True
        return super()._layout()

    def _show(self, rendered: Rendered | Exception) -> None:
        if isinstance(rendered, Rendered):
            self._show_regions(rendered)
        else:
            self._slider.regions = []
        super()._show(rendered)

    async def _load_images(self) -> list[LoadedImage | None]:
        """Return both images; None for one that is missing or invalid."""
        return await asyncio.gather(*(_load(file.read()) for file in self._files))

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
            self._slider.show_result(rendered.display_data.result, resized=request.size == "resize")


async def _load(file: Any) -> LoadedImage | None:
    if file is None:
        return None
    try:
        content = bytes(load_file(local_file(file)))
        return LoadedImage(content, await preview_of(content))
    except (MediakitError, ValueError):  # the preview shows the error of the tool
        return None


@dataclass(frozen=True)
class Previews:
    """Small copies for the editor of the image and of the image with the mark; None for one that is invalid."""

    image: raster.Converted | None
    marked: raster.Converted | None


class WatermarkForm(Form[ImageResult]):
    """A form with the image, on which the mark is dragged and scaled."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = FileInput(parameters["file"], "image/*", "an image", is_local=True)
        mark = FileInput(parameters["mark"], "image/*", "a logo", is_local=True)
        size = NumberInput(parameters["size_pct"])
        rotate = NumberInput(parameters["rotate"])
        position = MarkPositionInput(parameters["position"], size, rotate)
        self._editor = position.editor
        self._previews = Previews(None, None)
        self._last_preview: tuple[bytes, raster.Converted | None] = b"", None
        inputs: dict[str, Input] = {
            "file": self._file,
            "mark": mark,
            "position": position,
            "size_pct": size,
            "rotate": rotate,
        }
        return fields_of(self.tool, inputs)

    async def _render(self) -> Rendered | Exception:
        rendered = await super()._render()
        marked = rendered.display_data.result.file if isinstance(rendered, Rendered) else b""
        self._previews = Previews(await self._preview_of_file(), await _preview(marked))
        return rendered

    def _show(self, rendered: Rendered | Exception) -> None:
        image, marked = self._previews.image, self._previews.marked
        if isinstance(rendered, Rendered):
            self._preview.name = f"{self._file.stem or 'image'}-watermark"
        if isinstance(rendered, Rendered) and image and marked:
            self._editor.show_marked(image, marked, rendered.display_data.result, rendered.request)
        else:
            self._editor.show(image)
        super()._show(rendered)

    async def _preview_of_file(self) -> raster.Converted | None:
        """Return the preview of the image, which is made again only for another image."""
        content = self._content()
        if content != self._last_preview[0]:
            self._last_preview = content, await _preview(content)
        return self._last_preview[1]

    def _content(self) -> bytes:
        file: Any = self._file.read()
        try:
            return b"" if file is None else bytes(load_file(local_file(file)))
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return b""


async def _preview(content: bytes) -> raster.Converted | None:
    try:
        return await preview_of(content) if content else None
    except MediakitError:
        return None
