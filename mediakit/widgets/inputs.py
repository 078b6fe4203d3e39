"""Inputs: controls, and the conversion between their state and the value of a parameter.

Sliders, toggle buttons and radio buttons are not used, because ipywidgets gives them no accessible name.
"""

import html
import json
from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter

MULTILINE_LENGTH = 1000
"""Texts with at least this maximum length have several lines."""

LARGE_LENGTH = 100_000
"""Texts with at least this maximum length have a large text area."""

TEXT_KINDS = ("text", "html", "url")


class Input:
    """A control, and the conversion between its state and the value of the parameter."""

    wide = False
    """Whether the control uses the full width of the form."""
    caption: w.HTML | None = None
    """The label, for controls without a label of their own."""
    is_kept = True
    """Whether the state may be written to a file."""

    def __init__(self, parameter: Parameter, control: w.DOMWidget) -> None:
        self.parameter = parameter
        self.control = control

    @property
    def widget(self) -> w.DOMWidget:
        """The control and the widgets that belong to it."""
        return self.control

    def read(self) -> Any:
        """Return the value; None to omit the field.

        Raises:
            InvalidInput: The text of the control cannot be converted to a value.
        """
        return self.control.value

    def fill(self, value: Any) -> None:
        """Show a valid value."""
        self.control.value = value

    def snippet_value(self) -> Any:
        """Return the value for code snippets."""
        return self.read()

    def state(self) -> Any:
        """Return what the control shows, even if it is invalid."""
        return self.control.value

    def restore(self, state: Any) -> None:
        """Show an earlier state; notifies observers of the control."""
        self.control.value = state


class TextInput(Input):
    """A text with one or several lines, or an optional number."""

    def __init__(self, parameter: Parameter) -> None:
        self.wide = parameter.kind in TEXT_KINDS
        length = parameter.max_length or 0
        state = {"value": str(parameter.default or ""), "placeholder": _hint(parameter)}
        if self.wide and length >= MULTILINE_LENGTH:
            control = w.Textarea(**state, **labeled(parameter), rows=10 if length >= LARGE_LENGTH else 2)
        else:
            control = w.Text(**state, **labeled(parameter))
        super().__init__(parameter, control)

    def read(self) -> Any:
        """Return the value; None if the text is empty."""
        return self.parameter.parse(self.control.value) if self.control.value else None

    def fill(self, value: Any) -> None:
        """Show the value as text, an object as JSON."""
        self.control.value = json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else str(value)


class NumberInput(Input):
    """A number with a default. A number outside the limits shows an error instead of being changed."""

    def __init__(self, parameter: Parameter) -> None:
        kind = w.IntText if parameter.kind == "integer" else w.FloatText
        super().__init__(parameter, kind(parameter.default, **labeled(parameter), continuous_update=True))


class BooleanInput(Input):
    """A checkbox."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Checkbox(bool(parameter.default), **labeled(parameter), indent=False))


class ChoiceInput(Input):
    """A choice from a list."""

    def __init__(self, parameter: Parameter) -> None:
        options: list[tuple[str, str | None]] = [(choice, choice) for choice in parameter.choices]
        if parameter.default is None:
            options.insert(0, (_unset(parameter), None))
        first = [value for _, value in options].index(parameter.default)
        super().__init__(parameter, w.Dropdown(options=options, index=first, **labeled(parameter)))


class MaybeInput(Input):
    """An optional choice of yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        options = [(_unset(parameter), None), ("yes", True), ("no", False)]
        super().__init__(parameter, w.Dropdown(options=options, index=0, **labeled(parameter)))


def _hint(parameter: Parameter) -> str:
    """Return the placeholder: an example, the default, or `optional`."""
    default = parameter.schema.get("default")
    example = next((text for text in parameter.schema.get("examples", ()) if isinstance(text, str)), None)
    if example:
        return f"e.g. {example}"
    if default is not None:
        return str(default)
    return "" if parameter.kind in TEXT_KINDS or parameter.required else "optional"


def _unset(parameter: Parameter) -> str:
    default = parameter.schema.get("default")
    return "not set" if default is None else f"not set ({({True: 'yes', False: 'no'}).get(default, default)})"


def heading(text: str) -> w.HTML:
    """Return a label for an input with several controls."""
    return w.HTML(f"<div class='mediakit-label'>{html.escape(text)}</div>")


def labeled(parameter: Parameter) -> dict[str, Any]:
    """Return the options that label a control with the name of the parameter."""
    return {"description": parameter.name, "style": {"description_width": "auto"}}
