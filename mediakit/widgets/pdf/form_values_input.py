"""The input for the values of a PDF form: a control for each of its fields."""

import json
from collections.abc import Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.pdf.forms import FieldInfo
from mediakit.widgets.inputs import Input, heading
from mediakit.widgets.pdf.field_controls import control_of, is_changed, is_fillable, show_value, value_of

MAX_CONTROLS = 200
"""Fields that have a control; the others keep their values, or get those of the call."""

NO_FILE = "Choose a PDF to see its fields."


class FormControls(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A column of controls; `value` has the changed values as JSON."""

    value = Unicode("{}")


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
