"""The forms of tools that work on a PDF: its pages, its form fields, and several PDFs in one."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import ipywidgets as w

from mediakit.core.inputs import FileBytes, load_file, local_file
from mediakit.core.parameters import Parameter
from mediakit.engines import raster
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms import FieldInfo, FieldValue, FormOptions, FormOutcome
from mediakit.engines.pdf.kinds import is_pdf
from mediakit.engines.pdf.thumbnails import Thumbnails, thumbnails
from mediakit.errors import MediakitError
from mediakit.results.files import PdfResult
from mediakit.results.result import Result
from mediakit.tools.pdf.pdf_form import PdfForm
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.forms.output import Rendered
from mediakit.widgets.inputs.base import FormControls, Input, heading
from mediakit.widgets.inputs.canvas import EDITOR_SIDE, BoxesInput, PositionInput
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.pages import MAX_THUMBNAILS, PagesInput, PdfFilesInput, PerFileInput

R = TypeVar("R", bound=Result)

THUMBNAIL_SIDE = 240
"""Longest side of a thumbnail, in pixels."""


class PagesForm(Form[R]):
    """A form with the pages of its file beside one of its fields. Subclasses choose the field and its input."""

    field: ClassVar[str]
    """Name of the field."""
    make_input: ClassVar[type[PagesInput | BoxesInput | PositionInput]]

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = FileInput(parameters["file"], "application/pdf", "a PDF")
        self._pages = self.make_input(parameters[self.field])
        inputs: dict[str, Input] = {"file": self._file, self.field: self._pages}
        return fields_of(self.tool, inputs)

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._page_update = self._follow(("file", "password"), self._load_pages, self._pages.show_pages)
        if not isinstance(self._pages, PagesInput):
            self._pages.editor.observe(lambda _: self._page_update.schedule(delay=0), "page")

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


class PdfPagesForm(PagesForm[Any]):
    """The form of `pdf_pages`: thumbnails to reorder, repeat and remove."""

    field = "pages"
    make_input = PagesInput


class PdfRedactForm(PagesForm[Any]):
    """The form of `pdf_redact`: boxes are drawn on the pages."""

    field = "boxes"
    make_input = BoxesInput


class PdfStampForm(PagesForm[Any]):
    """The form of `pdf_stamp`: the position is chosen on a page."""

    field = "position"
    make_input = PositionInput


class PdfMergeForm(Form[PdfResult]):
    """The form of a merge."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
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


EMPTY = "(empty)"
"""The choice of nothing."""


def is_fillable(field: FieldInfo) -> bool:
    """Return whether a field has a control: it can be filled."""
    return field.type not in ("button", "signature") and not field.read_only


def control_of(field: FieldInfo) -> w.ValueWidget:
    """Return a control that shows the value of a field."""
    if field.multiple:
        return w.SelectMultiple(rows=min(len(field.options or ()), 6), **_options(field), **_labeled(field))
    if field.type == "checkbox" and len(field.options or ()) < 2:
        return w.Checkbox(value=field.value is True, indent=False, **_labeled(field))
    if field.editable:
        return w.Combobox(options=tuple(field.options or ()), value=str(field.value or ""), **_labeled(field))
    if field.options is not None:
        return w.Dropdown(**_options(field), **_labeled(field))
    kind = w.Textarea if field.multiline else w.Text
    return kind(value=str(field.value or ""), **_labeled(field), **({"rows": 3} if field.multiline else {}))


def value_of(field: FieldInfo, control: w.ValueWidget) -> FieldValue:
    """Return the value of a control as the tool takes it; None clears the field."""
    value: Any = control.value
    if field.multiple:
        return list(value)
    return value if isinstance(value, bool) else value or None


def is_changed(field: FieldInfo, value: FieldValue) -> bool:
    """Return whether a value differs from that of the file."""
    return (value or None) != (field.value or None)


def show_value(field: FieldInfo, control: w.ValueWidget, value: Any) -> None:
    """Show a value, if it is one that the control can show."""
    convert: Callable[[Any], Any] = str
    if isinstance(control, w.Checkbox):
        convert = bool
    elif field.multiple:
        convert = _tuple
    elif isinstance(control, w.Dropdown):
        convert = _same
    shown = "" if value is None and convert is str else convert(value)
    allowed = set(field.options or ()) if field.options is not None and not field.editable else None
    chosen = shown if isinstance(shown, tuple) else (shown,)
    if convert in (_tuple, _same) and allowed is not None and not set(filter(None, chosen)) <= allowed:
        return
    control.value = shown


def _options(field: FieldInfo) -> dict[str, Any]:
    labels = field.option_labels or field.options or []
    options: list[tuple[str, str | None]] = list(zip(labels, field.options or (), strict=False))
    known = set(field.options or ())
    if field.multiple:
        chosen = field.value if isinstance(field.value, list) else []
        return {"options": options, "value": tuple(value for value in chosen if value in known)}
    return {"options": [(EMPTY, None), *options], "value": field.value if field.value in known else None}


def _labeled(field: FieldInfo) -> dict[str, Any]:
    return {"description": field.label or field.name, "style": {"description_width": "auto"}}


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)


def _same(value: Any) -> Any:
    return value or None


MAX_CONTROLS = 200
"""Fields that have a control; the others keep their values, or get those of the call."""

NO_FILE = "Choose a PDF to see its fields."


class FormValuesInput(Input):
    """The values that differ from those of the file, in controls that show both."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, FormControls())
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-form-values")
        self.controls: dict[str, w.ValueWidget] = {}
        """The controls by full name of the field."""
        self._fields: dict[str, FieldInfo] = {}
        self._changed: dict[str, Any] = {}
        self._is_showing = False
        self._note = w.HTML()
        self.show_fields(None)

    def show_fields(self, fields: Sequence[FieldInfo] | None) -> None:
        """Show a control for each field of a file, with the values that were entered before; None without a file."""
        shown = [field for field in fields or () if is_fillable(field)][:MAX_CONTROLS]
        if fields is None or [*self._fields.values()] != shown:
            for control in self.controls.values():
                control.close()
            self._fields = {field.name: field for field in shown}
            self.controls = {field.name: self._control(field) for field in shown}
        self._note.value = f"<div class='mediakit-help'>{_note(fields, len(shown))}</div>"
        self._adopt_short_names()
        self._show_changed()
        self.control.children = [*self.controls.values(), self._note]

    def read(self) -> Any:
        """Return the changed values; None without any."""
        return dict(self._changed) or None

    def fill(self, value: Any) -> None:
        """Show values by name of their field."""
        self.restore(dict(value))

    def state(self) -> Any:
        """Return the changed values."""
        return dict(self._changed)

    def restore(self, state: Any) -> None:
        """Show earlier values."""
        self._changed = dict(state)
        self._adopt_short_names()
        self._show_changed()
        self._publish()

    def _control(self, field: FieldInfo) -> w.ValueWidget:
        control = control_of(field)
        control.observe(lambda _: self._on_change(field, control), "value")
        return control

    def _on_change(self, field: FieldInfo, control: w.ValueWidget) -> None:
        if self._is_showing:
            return
        value = value_of(field, control)
        if is_changed(field, value):
            self._changed[field.name] = value
        else:
            self._changed.pop(field.name, None)
        self._publish()

    def _publish(self) -> None:
        self.control.value = json.dumps(self._changed, ensure_ascii=False, default=str)

    def _show_changed(self) -> None:
        self._is_showing = True
        try:
            for name, control in self.controls.items():
                field = self._fields[name]
                show_value(field, control, self._changed.get(name, field.value))
        finally:
            self._is_showing = False

    def _adopt_short_names(self) -> None:
        """Replace the last parts of names by full names, where only one field has them."""
        for short in [name for name in self._changed if name not in self._fields]:
            full = [name for name in self._fields if name.rpartition(".")[2] == short]
            if len(full) == 1:
                self._changed[full[0]] = self._changed.pop(short)


def _note(fields: Sequence[FieldInfo] | None, shown: int) -> str:
    if fields is None:
        return NO_FILE
    if not shown:
        return "The PDF has no fields that can be filled."
    return "" if shown < MAX_CONTROLS else f"The first {MAX_CONTROLS} fields are shown."


class PdfFillForm(Form[PdfForm]):
    """A form with a control for each field of its file, and a preview of the filled pages."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = FileInput(parameters["file"], "application/pdf", "a PDF form")
        self._values = FormValuesInput(parameters["values"])
        return fields_of(self.tool, {"file": self._file, "values": self._values})

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._field_update = self._follow(("file", "password"), self._load_fields, self._values.show_fields)

    def _show(self, rendered: Rendered | Exception) -> None:
        if self._file.stem:
            self._preview.name = f"{self._file.stem}-filled"
        super()._show(rendered)

    async def _load_fields(self) -> list[FieldInfo] | None:
        """Return the fields of the file; None without a valid PDF."""
        file = self._file.read()
        if file is None:
            return None
        try:
            options = FormOptions(password=self.fields["password"].input.read())
            work = "mediakit.engines.pdf.forms.filling:work"
            outcome = await run_guarded(work, load_file(local_file(file)), options, returns=FormOutcome, guard=PDF)
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return None
        return outcome.fields
