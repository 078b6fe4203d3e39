"""The form of `docx_template`: inputs for the placeholders of the file."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core.inputs import load_file, local_file
from mediakit.engines.guarded import run_guarded
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.errors import MediakitError
from mediakit.tools.documents.docx_template import DocxResult
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.tool_form import Form
from mediakit.widgets.word.template_data_input import TemplateDataInput


class WordTemplateForm(Form[DocxResult]):
    """A form with a control for each placeholder of its file, and a preview of the filled text."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], ".docx,.dotx", "a Word template")
        self._data = TemplateDataInput(parameters["data"])
        custom = {
            "file": Field(parameters["file"], custom_input=self._file),
            "data": Field(parameters["data"], custom_input=self._data),
        }
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in parameters}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._field_update = DebouncedUpdate(self._load_fields, self._show_fields)
        self.fields["file"].control.observe(lambda _: self._field_update.schedule(), "value")
        self._field_update.schedule(delay=0)

    def _show(self, rendered: Rendered | Exception) -> None:
        if self._file.stem:
            self._preview.name = f"{self._file.stem}-filled"
        super()._show(rendered)

    def _show_fields(self, fields: Sequence[TemplateField] | None) -> None:
        if self._data.show_fields(fields):
            self._update.schedule()  # the empty values of new fields are in the call

    async def _load_fields(self) -> Sequence[TemplateField] | None:
        """Return the placeholders of the file; None without a valid template."""
        file = self._file.read()
        if file is None:
            return None
        try:
            work = "mediakit.engines.word_templates.filling:fill"
            outcome = await run_guarded(work, load_file(local_file(file)), None, "error", returns=Filled)
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return None
        return outcome.fields
