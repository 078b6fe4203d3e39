"""The form of the validators: one value or a pasted column, one value per line."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.validation.result import ValidationResult
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.tool_form import Form


class ValuesForm(Form[ValidationResult[Any]]):
    """A form whose first field takes one value or several lines; the preview shows the verdict on each."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("values",))
        self._values = next(iter(fields.values()))
        self._values.control.placeholder = "One value, or a column with one value per line"
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        arguments = self.tool.arguments.bind(**values)
        given = arguments.pop("values", None)
        if given is not None:
            self.tool.validate({**arguments, "values": given})
            arguments[self._values.input.parameter.name] = "\n".join(" ".join(value.split()) for value in given)
        super()._fill(arguments)
