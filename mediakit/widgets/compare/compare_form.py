"""The form of `image_compare`: both images behind a divider, and what differs beside it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import file_of, load_file, local_file
from mediakit.engines import raster
from mediakit.errors import MediakitError
from mediakit.tools.images.image_compare.tool import ComparisonResult
from mediakit.widgets.assets import asset
from mediakit.widgets.compare.ignore_input import IgnoreInput
from mediakit.widgets.compare.slider import ComparisonSlider
from mediakit.widgets.crop_input import preview_of
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of, in_order_of
from mediakit.widgets.inputs import Input
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.pdf.pdf_form import with_styles
from mediakit.widgets.tool_form import Form

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
            DropFileInput(parameters[name], "image/*", f"the {which} image", is_local=True)
            for name, which in (("file", "first"), ("file2", "second"))
        )
        self._ignore = IgnoreInput(parameters["ignore"])
        self._slider = ComparisonSlider()
        self._images: list[LoadedImage | None] = [None, None]
        inputs: dict[str, Input] = dict(zip(("file", "file2", "ignore"), (*self._files, self._ignore), strict=True))
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in ORDER}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._image_update = DebouncedUpdate(self._load_images, self._show_images)
        for file in self._files:
            file.control.observe(lambda _: self._image_update.schedule(delay=0), "value")
        self._image_update.schedule(delay=0)

    def _layout(self) -> w.VBox:
        self._output_area.insert_above(self._slider)
        self._preview.shows_comparison = True
        widget = with_styles(super()._layout())
        style = w.HTML(f"<style>{asset('compare/compare.css')}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
        return widget

    def _snippet_values(self) -> dict[str, Any]:
        return in_order_of(self.tool, super()._snippet_values())

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
