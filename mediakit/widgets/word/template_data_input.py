"""The input for the data of a Word template: a control for each of its fields."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.engines.templates.data import adapt_data
from mediakit.engines.word_templates import TemplateField
from mediakit.widgets.inputs import Input, heading
from mediakit.widgets.word.data_controls import DataField, control_of, data_fields, shown_value, value_of

MAX_CONTROLS = 150
"""Fields that have a control; the others keep their values from the call."""

NO_FILE = "Choose a Word template to see its fields."
FROM_CODE = "from your code"
"""What a control shows instead of a value that it cannot show."""

NO_FIELDS = "The document has no placeholders such as {{ name }}."
ROWS_HELP = "Lists have one item per line, with | between its values. Rows of a spreadsheet can be pasted."


class DataControls(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A column of controls; `value` has the data as JSON."""

    value = Unicode("{}")


class TemplateDataInput(Input):
    """The data of a template. Values that a control cannot show, such as images, stay as the call passed them."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, DataControls())
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-form-values")
        self.controls: dict[str, w.ValueWidget] = {}
        """The controls by path of the field."""
        self._fields: dict[str, DataField] = {}
        self._data: dict[str, Any] = {}
        self._edited: dict[str, Any] = {}
        self._is_showing = False
        self._note = w.HTML()
        self.show_fields(None)

    def show_fields(self, fields: Sequence[TemplateField] | None) -> bool:
        """Show a control for each field of a file, with the values that were entered before; None without a file.

        Returns:
            Whether the fields differ from those that were shown.
        """
        wanted = data_fields(fields or ())[:MAX_CONTROLS]
        changed = wanted != [*self._fields.values()]
        if changed:
            for control in self.controls.values():
                control.close()
            self._fields = {field.name: field for field in wanted}
            self.controls = {field.name: self._control(field) for field in wanted}
        self._note.value = f"<div class='mediakit-help'>{_note(fields, wanted)}</div>"
        self._show_values()
        self.control.children = [*self.controls.values(), self._note]
        return changed

    def read(self) -> Any:
        """Return the data, with an empty value for each field that is not filled; None without data and fields.

        Raises:
            InvalidInput: The text of a nested list is not JSON.
        """
        data = deepcopy(self._data)
        for name, field in self._fields.items():
            if name in self._edited:
                _set(data, name, self._value(field))
            elif _get(data, name) is None:
                _set(data, name, field.empty)
        return data or None

    def fill(self, value: Any) -> None:
        """Show data."""
        self.restore({"data": adapt_data({"data": value})["data"], "edited": {}})

    def state(self) -> Any:
        """Return the data of the call and the edited controls."""
        return {"data": deepcopy(self._data), "edited": dict(self._edited)}

    def restore(self, state: Any) -> None:
        """Show an earlier state."""
        self._data, self._edited = deepcopy(state["data"]), dict(state["edited"])
        self._show_values()
        self._publish()

    def _control(self, field: DataField) -> w.ValueWidget:
        control = control_of(field)
        control.observe(lambda _: self._on_change(field.name, control), "value")
        return control

    def _on_change(self, name: str, control: w.ValueWidget) -> None:
        if not self._is_showing:
            self._edited[name] = control.value
            self._publish()

    def _value(self, field: DataField) -> Any:
        try:
            return value_of(field, self._edited[field.name])
        except ValueError:
            message = f"{field.name} must be a JSON list such as [{{…}}, {{…}}]."
            raise invalid([{"field": self.parameter.name, "message": message}]) from None

    def _publish(self) -> None:
        state = {"data": self._data, "edited": self._edited}
        self.control.value = json.dumps(state, ensure_ascii=False, default=str)

    def _show_values(self) -> None:
        self._is_showing = True
        try:
            for name, control in self.controls.items():
                field = self._fields[name]
                given = _get(self._data, name)
                shown = self._edited.get(name, shown_value(field, field.empty if given is None else given))
                control.disabled = shown is None
                if shown is not None:
                    control.value = shown
                elif not isinstance(control, w.Checkbox):
                    control.placeholder = FROM_CODE
        finally:
            self._is_showing = False


def _get(data: Any, name: str) -> Any:
    for part in name.split("."):
        if not isinstance(data, Mapping):
            return None
        data = data.get(part)
    return data


def _set(data: dict[str, Any], name: str, value: Any) -> None:
    """Set the value at a path, unless a value that is not an object is in its way."""
    *owners, last = name.split(".")
    for part in owners:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        data = inner
    data[last] = value


def _note(fields: Sequence[TemplateField] | None, shown: Sequence[DataField]) -> str:
    if fields is None:
        return NO_FILE
    if not shown:
        return NO_FIELDS
    return ROWS_HELP if any(field.kind == "rows" for field in shown) else ""
