"""The forms of tools that work on the pages of a PDF, which show the pages."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import ipywidgets as w

from mediakit.core.inputs import load_file, local_file
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.thumbnails import Thumbnails, thumbnails
from mediakit.errors import MediakitError
from mediakit.results.result import Result
from mediakit.widgets.assets import asset
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.inputs import Input
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.pdf.inputs import MAX_THUMBNAILS, BoxesInput, PagesInput, PositionInput
from mediakit.widgets.pdf.page_editor import EDITOR_SIDE
from mediakit.widgets.tool_form import Form

R = TypeVar("R", bound=Result)

THUMBNAIL_SIDE = 240
"""Longest side of a thumbnail, in pixels."""


def with_styles(widget: w.VBox) -> w.VBox:
    """Return the box of a form with the style sheet for pages."""
    style = w.HTML(f"<style>{asset('pdf/pages.css')}</style>")
    style.add_class("mediakit-style")
    widget.children = [style, *widget.children]
    return widget


class PdfForm(Form[R]):
    """A form with the pages of its file beside one of its fields. Subclasses choose the field and its input."""

    field: ClassVar[str]
    """Name of the field."""
    make_input: ClassVar[type[PagesInput | BoxesInput | PositionInput]]

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], "application/pdf", "a PDF")
        self._pages = self.make_input(parameters[self.field])
        inputs: dict[str, Input] = {"file": self._file, self.field: self._pages}
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in parameters}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._page_update = DebouncedUpdate(self._load_pages, self._pages.show_pages)
        for name in ("file", "password"):
            self.fields[name].control.observe(lambda _: self._page_update.schedule(), "value")
        if not isinstance(self._pages, PagesInput):
            self._pages.editor.observe(lambda _: self._page_update.schedule(delay=0), "page")
        self._page_update.schedule(delay=0)

    def _layout(self) -> w.VBox:
        return with_styles(super()._layout())

    def _show(self, rendered: Rendered | Exception) -> None:
        if self._file.stem:
            self._preview.name = f"{self._file.stem}-{self.tool.command.removeprefix('pdf-')}"
        super()._show(rendered)

    async def _load_pages(self) -> Thumbnails | None:
        """Return the images of the pages; None without a valid PDF."""
        file = self._file.read()
        if file is None:
            return None
        try:
            content, password = bytes(load_file(local_file(file))), self.fields["password"].input.read()
            if isinstance(self._pages, PagesInput):
                return await run_guarded(first_thumbnails, content, password, THUMBNAIL_SIDE, MAX_THUMBNAILS, guard=PDF)
            return await run_guarded(
                thumbnails, content, password, EDITOR_SIDE, [self._pages.editor.page - 1], guard=PDF
            )
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return None


def first_thumbnails(content: bytes, password: str | None, side: int, most: int) -> Thumbnails:
    """Return images of the first pages of a PDF; call it in a worker."""
    return thumbnails(content, password, side, most=most)


class PdfPagesForm(PdfForm[Any]):
    """The form of `pdf_pages`: thumbnails to reorder, repeat and remove."""

    field = "pages"
    make_input = PagesInput


class PdfRedactForm(PdfForm[Any]):
    """The form of `pdf_redact`: boxes are drawn on the pages."""

    field = "boxes"
    make_input = BoxesInput


class PdfStampForm(PdfForm[Any]):
    """The form of `pdf_stamp`: the position is chosen on a page."""

    field = "position"
    make_input = PositionInput
