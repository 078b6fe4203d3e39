"""The form of made-up tables: rows of fields, or a template or a table in their place."""

from collections.abc import Mapping
from typing import Any

from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.sample_fields import SampleFieldsInput
from mediakit.widgets.tool_form import Form

_INSTEAD = ("template", "like")
"""Fields that take the place of `fields`."""


class SampleForm(Form[Any]):
    """A form with a row for each field, and a live preview of the table."""

    def _make_fields(self) -> dict[str, Field]:
        parameter = next(parameter for parameter in self.tool.parameters if parameter.name == "fields")
        self._rows = SampleFieldsInput(parameter)
        made = {"fields": Field(parameter, custom_input=self._rows), **fields_of(self.tool, without=("fields",))}
        for name in _INSTEAD:
            made[name].control.observe(lambda _: self._show_rows(), "value")
        return made

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._show_rows()

    def _show_rows(self) -> None:
        """Hide the rows while a template or a table takes their place."""
        self._rows.is_used = not any(self.fields[name].control.value for name in _INSTEAD)
        self.fields["fields"].widget.layout.display = None if self._rows.is_used else "none"
