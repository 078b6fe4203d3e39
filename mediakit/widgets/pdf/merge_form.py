"""The form of `pdf_merge`: files with their first pages, which are dragged to their places."""

from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import FileBytes, load_file, local_file
from mediakit.engines import raster
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.kinds import is_pdf
from mediakit.errors import MediakitError
from mediakit.results.files import PdfResult
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.pdf.inputs import PdfFilesInput
from mediakit.widgets.pdf.pdf_form import THUMBNAIL_SIDE, first_thumbnails, with_styles
from mediakit.widgets.tool_form import Form


class PdfMergeForm(Form[PdfResult]):
    """The form of a merge."""

    def _make_fields(self) -> dict[str, Field]:
        parameter = next(parameter for parameter in self.tool.parameters if parameter.name == "files")
        self._files = PdfFilesInput(parameter, "application/pdf,image/*")
        return {"files": Field(parameter, custom_input=self._files), **fields_of(self.tool, without=("files",))}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._image_update = DebouncedUpdate(self._load_images, self._files.show_images)
        for name in ("files", "password"):
            self.fields[name].control.observe(lambda _: self._image_update.schedule(), "value")
        self._image_update.schedule(delay=0)

    def _layout(self) -> w.VBox:
        return with_styles(super()._layout())

    async def _load_images(self) -> list[bytes]:
        """Return an image of the first page of each file, empty for a file that cannot be read."""
        passwords = self.fields["password"].input.read()
        first = passwords if isinstance(passwords, str) else (passwords or [None])[0]
        return [await _image(file, first) for file in self._files.read() or []]


async def _image(file: Any, password: str | None) -> bytes:
    try:
        content: FileBytes = load_file(local_file(file))
        if is_pdf(content):
            loaded = await run_guarded(first_thumbnails, bytes(content), password, THUMBNAIL_SIDE, 1, guard=PDF)
            return loaded.pages[0].content
        side = THUMBNAIL_SIDE
        options = raster.ConvertOptions(width=side, height=side, fit="inside", without_enlargement=True, format="webp")
        return (await raster.convert_isolated(bytes(content), options)).content
    except (MediakitError, ValueError, IndexError):  # the preview shows the error of the tool
        return b""
