"""The forms of tools that work on a PDF: its pages, its form fields, and several PDFs in one."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import ipywidgets as w

from mediakit.core.inputs import FileBytes, load_file, local_file
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf import Thumbnails, is_pdf
from mediakit.engines.pdf.forms import FieldInfo, FieldValue, FormOptions, FormOutcome
from mediakit.errors import MediakitError
from mediakit.results.files import PdfResult
from mediakit.tools.pdf.pdf_form import PdfForm
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import Choices, Input, labeled
from mediakit.widgets.inputs.canvas import EDITOR_SIDE, BoxesInput, PositionInput, preview_of
from mediakit.widgets.inputs.file_fields import FileFieldsInput
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.pages import MAX_THUMBNAILS, PagesInput, PdfFilesInput, PerFileInput

THUMBNAIL_SIDE = 240
"""Longest side of a thumbnail, in pixels."""


async def thumbnails(content: bytes, password: str | None, side: int, pages: Sequence[int]) -> Thumbnails:
    """Return images of pages of a PDF, from 0; those that it does not have are omitted."""
    work = "mediakit.engines.pdf.mupdf:thumbnails"
    return await run_guarded(work, content, password, side, pages, returns=Thumbnails, guard=PDF)


PAGE_INPUTS: Mapping[str, tuple[str, type[PagesInput | BoxesInput | PositionInput]]] = {
    "pdf_pages": ("pages", PagesInput),
    "pdf_redact": ("boxes", BoxesInput),
    "pdf_stamp": ("position", PositionInput),
}
"""The field beside the pages of the file, and its input, by tool."""


class PagesForm(Form[Any]):
    """A form with the pages of its file beside one of its fields."""

    def _make_fields(self) -> dict[str, Field]:
        name, make = PAGE_INPUTS[self.tool.name]
        self._pages = make(self._parameters[name])
        self._file = FileInput(self._parameters["file"], "application/pdf", "a PDF")
        return fields_of(self.tool, {"file": self._file, name: self._pages})

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        pages = self._pages
        show = pages.show_pages if isinstance(pages, PagesInput) else pages.editor.show
        self._page_update = self._follow(("file", "password"), self._load_pages, show)
        if not isinstance(pages, PagesInput):
            pages.editor.observe(lambda _: self._page_update.schedule(delay=0), "page")

    def _download_name(self, result: Any) -> str:
        stem = self._file.stem
        return f"{stem}-{self.tool.command.removeprefix('pdf-')}" if stem else super()._download_name(result)

    async def _load_pages(self) -> Thumbnails | None:
        content, password = self._file.content(), self._input("password").read()
        if content is None:
            return None
        if isinstance(self._pages, PagesInput):
            return await thumbnails(content, password, THUMBNAIL_SIDE, range(MAX_THUMBNAILS))
        return await thumbnails(content, password, EDITOR_SIDE, [self._pages.editor.page - 1])


class PdfMergeForm(Form[PdfResult]):
    """The form of a merge."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = self._parameters
        self._files = PdfFilesInput(parameters["files"], "application/pdf,image/*")
        inputs: dict[str, Input] = {
            "files": self._files,
            "pages": PerFileInput(parameters["pages"], self._files, "all pages"),
            "titles": PerFileInput(parameters["titles"], self._files, "name of the file"),
        }
        return fields_of(self.tool, inputs)

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._image_update = self._follow(("files", "password"), self._load_images, self._files.show_images)

    async def _load_images(self) -> list[bytes]:
        """Return an image of the first page of each file, empty for a file that cannot be read."""
        passwords = self._input("password").read()
        first = passwords if isinstance(passwords, str) else (passwords or [None])[0]
        return [await _image(file, first) for file in self._files.read() or []]


async def _image(file: Any, password: str | None) -> bytes:
    try:
        content: FileBytes = load_file(local_file(file))
        if is_pdf(content):
            loaded = await thumbnails(bytes(content), password, THUMBNAIL_SIDE, [0])
            return loaded.pages[0].content
        return (await preview_of(bytes(content), THUMBNAIL_SIDE)).content
    except (MediakitError, ValueError, IndexError):  # the preview shows the error of the tool
        return b""


class FormValuesInput(FileFieldsInput):
    """The values that differ from those of the file, in controls that show both."""

    max_controls = 200

    def show_fields(self, fields: Sequence[FieldInfo] | None) -> None:
        """Show the fields of a file that can be filled; None without a file."""
        fillable = [each for each in fields or () if each.type not in ("button", "signature") and not each.read_only]
        more = f"The first {self.max_controls} fields are shown." if len(fillable) >= self.max_controls else ""
        note = more if fillable else "The PDF has no fields that can be filled."
        note = note if fields is not None else "Choose a PDF to see its fields."
        self._show_controls(fillable[: self.max_controls], note)

    def read(self) -> Any:
        """Return the changed values; None without any."""
        return dict(self._state) or None

    def fill(self, value: Any) -> None:
        """Show values by name of their field."""
        self.restore(dict(value))

    def _show_values(self) -> None:
        # The last part of a name becomes the full name, where only one field has it.
        for short in [name for name in self._state if name not in self._fields]:
            full = [name for name in self._fields if name.rpartition(".")[2] == short]
            if len(full) == 1:
                self._state[full[0]] = self._state.pop(short)
        super()._show_values()

    def _control_of(self, field: FieldInfo) -> w.ValueWidget:
        label = labeled(field.label or field.name)
        values = field.options or []
        options = list(zip(field.option_labels or values, values, strict=False))
        if field.multiple:
            return w.SelectMultiple(options=options, rows=min(len(values), 6), **label)
        if field.type == "checkbox" and len(values) < 2:
            return w.Checkbox(indent=False, **label)
        if field.editable:
            return w.Combobox(options=tuple(values), **label)
        if field.options is not None:
            return Choices(options=[("(empty)", None), *options], **label)
        return w.Textarea(rows=3, **label) if field.multiline else w.Text(**label)

    def _show_value(self, field: FieldInfo, control: Any) -> None:
        value: Any = self._state.get(field.name, field.value)
        if isinstance(control, w.Checkbox):
            control.value = value is True
        elif isinstance(control, w.SelectMultiple | w.Dropdown):
            chosen = value if isinstance(value, list | tuple) else (value,) if value else ()
            if set(chosen) <= set(field.options or ()):  # a control cannot show other values
                control.value = tuple(chosen) if field.multiple else next(iter(chosen), None)
        else:
            control.value = "" if value is None else str(value)

    def _on_change(self, field: FieldInfo, control: w.ValueWidget) -> None:
        shown = control.value
        value: FieldValue = list(shown) if field.multiple else shown if isinstance(shown, bool) else shown or None
        if (value or None) == (field.value or None):
            self._state.pop(field.name, None)
        else:
            self._state[field.name] = value
        self._publish()


class PdfFillForm(Form[PdfForm]):
    """A form with a control for each field of its file, and a preview of the filled pages."""

    _inputs_of_fields: ClassVar = {
        "file": partial(FileInput, accept="application/pdf", noun="a PDF form"),
        "values": FormValuesInput,
    }
    _file_suffix = "filled"

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._values: FormValuesInput = self._input("values")
        self._field_update = self._follow(("file", "password"), self._load_fields, self._values.show_fields)

    async def _load_fields(self) -> list[FieldInfo] | None:
        if (content := self._input("file").content()) is None:
            return None
        work, options = "mediakit.engines.pdf.forms.filling:work", FormOptions(password=self._input("password").read())
        outcome = await run_guarded(work, content, options, returns=FormOutcome, guard=PDF)
        return outcome.fields
