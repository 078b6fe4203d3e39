"""The form of `image_watermark`: the mark is dragged on the image."""

from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import load_file, local_file
from mediakit.engines import raster
from mediakit.errors import MediakitError
from mediakit.results.files import ImageResult
from mediakit.widgets.assets import asset
from mediakit.widgets.crop_input import preview_of
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.inputs import Input, NumberInput
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.tool_form import Form
from mediakit.widgets.watermark.position_input import MarkPositionInput


@dataclass(frozen=True)
class Previews:
    """Small copies for the editor of the image and of the image with the mark; None for one that is invalid."""

    image: raster.Converted | None
    marked: raster.Converted | None


class WatermarkForm(Form[ImageResult]):
    """A form with the image, on which the mark is dragged and scaled."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], "image/*", "an image", is_local=True)
        mark = DropFileInput(parameters["mark"], "image/*", "a logo", is_local=True)
        size = NumberInput(parameters["size_pct"])
        position = MarkPositionInput(parameters["position"], size)
        self._editor = position.editor
        self._previews = Previews(None, None)
        self._last_preview: tuple[bytes, raster.Converted | None] = b"", None
        inputs: dict[str, Input] = {"file": self._file, "mark": mark, "position": position, "size_pct": size}
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in parameters}

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        style = w.HTML(f"<style>{asset('watermark/watermark.css')}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
        return widget

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
