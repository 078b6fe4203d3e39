"""The form of images: drop or paste an image, crop it, choose a size, and compare the result."""

from collections.abc import Collection, Mapping
from typing import Any

import ipywidgets as w

from mediakit.engines import raster
from mediakit.errors import MediakitError
from mediakit.results.files import ImageResult
from mediakit.widgets.assets import asset
from mediakit.widgets.crop_input import FREE, OUTPUT, CropInput, preview_of
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.form_state import Selected, Stateful
from mediakit.widgets.inputs import Input
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.size_presets import preset_dropdown, preset_of
from mediakit.widgets.tool_form import Form

VISIBLE = ("file", "crop", "width", "height", "format", "quality")
"""Fields that are not collapsed, in their order."""

INITIAL_FORMAT = "webp"
"""Format of a form without initial values, because the tool requires at least one option."""

OPTIONS = ("width", "height", "format", "quality", "max_bytes", "crop")


class ImagesForm(Form[ImageResult]):
    """The form of image conversions."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], "image/*", "an image")
        self._crop = CropInput(parameters["crop"])
        inputs: dict[str, Input] = {"file": self._file, "crop": self._crop}
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        made = {**fields_of(self.tool, without=custom), **custom}
        fields = {name: made[name] for name in parameters}
        self._sides = fields["width"].control, fields["height"].control
        self._preset = preset_dropdown()
        self._preset_box = w.VBox([self._preset])
        for name in ("mediakit-field", "mediakit-wide"):
            self._preset_box.add_class(name)
        return {name: fields[name] for name in (*VISIBLE, *(name for name in fields if name not in VISIBLE))}

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
        style = w.HTML(f"<style>{asset('images_form.css')}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
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
