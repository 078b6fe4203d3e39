"""The values of a field as controls, one for each field of a file such as a PDF form or a Word template."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs.base import Controls, Input, heading, markup, styled


class FileFieldsInput(Input):
    """A control for each field of a file, by its name. Subclasses keep the entered values, also without a file."""

    wide = True
    max_controls: ClassVar[int]
    """Fields that have a control; the others keep their values, or get those of the call."""
    _empty: ClassVar[Mapping[str, Any]] = {}
    """The state before a value is entered."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, styled(Controls(), "form-values"))
        self.caption = heading(parameter.name)
        self.controls: dict[str, w.ValueWidget] = {}
        """The controls by name of the field."""
        self._fields: dict[str, Any] = {}
        self._state = dict[str, Any](deepcopy(self._empty))
        self._is_showing = False
        self._note = markup()
        self.show_fields(None)

    def state(self) -> Any:
        """Return what was entered."""
        return deepcopy(self._state)

    def restore(self, state: Any) -> None:
        """Show what was entered earlier."""
        state = {**self._empty, **state}
        if not all(isinstance(state[name], dict) for name in self._empty):
            raise ValueError(f"{self.parameter.name}: the state is damaged.")
        self._state = deepcopy(state)
        self._show_values()
        self._publish()

    def _publish(self) -> None:
        self.control.value = json.dumps(self._state, ensure_ascii=False, default=str)

    def show_fields(self, fields: Any) -> Any:
        """Show the fields of a file; None without a file."""
        raise NotImplementedError

    def _show_controls(self, fields: Sequence[Any], note: str) -> bool:
        """Show a control for each field, with the values that were entered before; return whether others were shown."""
        is_changed = list(fields) != [*self._fields.values()]
        if is_changed:
            for control in self.controls.values():
                control.close()
            self._fields = {field.name: field for field in fields}
            self.controls = {field.name: self._observed(field) for field in fields}
        self._note.value = f"<div class='mediakit-help'>{note}</div>"
        self._show_values()
        self.control.children = [*self.controls.values(), self._note]
        return is_changed

    def _observed(self, field: Any) -> w.ValueWidget:
        def on_change(_change: Bunch) -> None:
            if not self._is_showing:
                self._on_change(field, control)

        control = self._control_of(field)
        control.observe(on_change, "value")
        return control

    def _show_values(self) -> None:
        self._is_showing = True
        try:
            for name, control in self.controls.items():
                self._show_value(self._fields[name], control)
        finally:
            self._is_showing = False

    def _control_of(self, field: Any) -> w.ValueWidget:
        """Return an empty control."""
        raise NotImplementedError

    def _show_value(self, field: Any, control: Any) -> None:
        """Show the value of a field in its control."""
        raise NotImplementedError

    def _on_change(self, field: Any, control: w.ValueWidget) -> None:
        """Keep the value that the user has entered."""
        raise NotImplementedError
