"""The form of `pdf_form`: inputs for the fields of the file."""

from collections.abc import Mapping
from typing import Any

from mediakit.core.inputs import load_file, local_file
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms import FieldInfo, FormOptions, FormOutcome
from mediakit.errors import MediakitError
from mediakit.tools.pdf.pdf_form import PdfForm
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.pdf.form_values_input import FormValuesInput
from mediakit.widgets.tool_form import Form


class PdfFillForm(Form[PdfForm]):
    """A form with a control for each field of its file, and a preview of the filled pages."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], "application/pdf", "a PDF form")
        self._values = FormValuesInput(parameters["values"])
        custom = {
            "file": Field(parameters["file"], custom_input=self._file),
            "values": Field(parameters["values"], custom_input=self._values),
        }
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in parameters}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._field_update = DebouncedUpdate(self._load_fields, self._values.show_fields)
        for name in ("file", "password"):
            self.fields[name].control.observe(lambda _: self._field_update.schedule(), "value")
        self._field_update.schedule(delay=0)

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
