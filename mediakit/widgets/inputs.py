"""Inputs: a control each, and how its state becomes a parameter's value and back.

Sliders, toggle buttons and radio buttons are left out: ipywidgets gives them no accessible name.
"""

from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter

PARAGRAPH = 1000
"""Characters that a text must be allowed to have to be given several lines."""

PAGE = 100_000
"""Characters that a text must be allowed to have to be given a large box."""


class Input:
    """A control, and how its state becomes the parameter's value and back."""

    wide = False
    """Whether the control wants the form's whole width."""
    caption: w.HTML | None = None
    """The label of a control that has none of its own."""

    def __init__(self, parameter: Parameter, control: w.DOMWidget) -> None:
        self.parameter = parameter
        self.control = control

    def read(self) -> Any:
        """Give the value; None: leave the field out.

        Raises:
            InvalidInput: What stands in the control is no such value.
        """
        return self.control.value

    def fill(self, value: Any) -> None:
        """Put a valid value into the control."""
        self.control.value = value

    def written(self) -> Any:
        """Give the value as a snippet should have it."""
        return self.read()


class TextInput(Input):
    """Text in one line or several; a number that may be left out is text too."""

    def __init__(self, parameter: Parameter) -> None:
        self.wide = parameter.kind == "text"
        length = parameter.max_length or 0
        state = {
            "value": str(parameter.default or ""),
            "placeholder": _example(parameter) or ("" if self.wide or parameter.required else "optional"),
        }
        if self.wide and length >= PARAGRAPH:
            control = w.Textarea(**state, **labelled(parameter), rows=10 if length >= PAGE else 2)
        else:
            control = w.Text(**state, **labelled(parameter))
        super().__init__(parameter, control)

    def read(self) -> Any:
        """Give the value, None for no text."""
        return self.parameter.parse(self.control.value) if self.control.value else None

    def fill(self, value: Any) -> None:
        """Write the value."""
        self.control.value = str(value)


class NumberInput(Input):
    """A number that has a default; what breaks its limits is refused in words instead of being changed."""

    def __init__(self, parameter: Parameter) -> None:
        kind = w.IntText if parameter.kind == "integer" else w.FloatText
        super().__init__(parameter, kind(parameter.default, **labelled(parameter), continuous_update=True))


class BooleanInput(Input):
    """Yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Checkbox(bool(parameter.default), **labelled(parameter), indent=False))


class ChoiceInput(Input):
    """One of a few words."""

    def __init__(self, parameter: Parameter) -> None:
        options: list[tuple[str, str | None]] = [(choice, choice) for choice in parameter.choices]
        if parameter.default is None:
            options.insert(0, ("not set", None))
        first = [value for _, value in options].index(parameter.default)
        super().__init__(parameter, w.Dropdown(options=options, index=first, **labelled(parameter)))


class ColorInput(Input):
    """A colour, typed or picked."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.ColorPicker(value=parameter.default, **labelled(parameter)))

    def fill(self, value: Any) -> None:
        """Show the colour, given with or without `#`."""
        self.control.value = f"#{value.removeprefix('#')}"


def _example(parameter: Parameter) -> str:
    """Give an example of a text."""
    return next((f"e.g. {example}" for example in parameter.schema.get("examples", ()) if isinstance(example, str)), "")


def labelled(parameter: Parameter) -> dict[str, Any]:
    """Give what makes a control bear the parameter's name."""
    return {"description": parameter.name, "style": {"description_width": "auto"}}
