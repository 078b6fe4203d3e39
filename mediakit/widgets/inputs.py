"""Inputs: a control each, and how its state becomes a parameter's value and back.

Sliders, toggle buttons and radio buttons are left out: ipywidgets gives them no accessible name.
"""

import html
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter

PARAGRAPH = 1000
"""Characters that a text must be allowed to have to be given several lines."""

PAGE = 100_000
"""Characters that a text must be allowed to have to be given a large box."""

TEXT_KINDS = ("text", "html", "url")


class Input:
    """A control, and how its state becomes the parameter's value and back."""

    wide = False
    """Whether the control wants the form's whole width."""
    caption: w.HTML | None = None
    """The label of a control that has none of its own."""

    def __init__(self, parameter: Parameter, control: w.DOMWidget) -> None:
        self.parameter = parameter
        self.control = control

    @property
    def widget(self) -> w.DOMWidget:
        """The control with what stands around it."""
        return self.control

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
        self.wide = parameter.kind in TEXT_KINDS
        length = parameter.max_length or 0
        state = {"value": str(parameter.default or ""), "placeholder": _hint(parameter)}
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
            options.insert(0, (_unset(parameter), None))
        first = [value for _, value in options].index(parameter.default)
        super().__init__(parameter, w.Dropdown(options=options, index=first, **labelled(parameter)))


class MaybeInput(Input):
    """Yes, no, or whatever the tool does without an answer."""

    def __init__(self, parameter: Parameter) -> None:
        options = [(_unset(parameter), None), ("yes", True), ("no", False)]
        super().__init__(parameter, w.Dropdown(options=options, index=0, **labelled(parameter)))


def _hint(parameter: Parameter) -> str:
    """Say what an empty text stands for, or give an example of one."""
    usual = parameter.schema.get("default")
    example = next((text for text in parameter.schema.get("examples", ()) if isinstance(text, str)), None)
    if example:
        return f"e.g. {example}"
    if usual is not None:
        return str(usual)
    return "" if parameter.kind in TEXT_KINDS or parameter.required else "optional"


def _unset(parameter: Parameter) -> str:
    usual = parameter.schema.get("default")
    return "not set" if usual is None else f"not set ({({True: 'yes', False: 'no'}).get(usual, usual)})"


def heading(text: str) -> w.HTML:
    """Write a label for what has several controls."""
    return w.HTML(f"<div class='mediakit-label'>{html.escape(text)}</div>")


def labelled(parameter: Parameter) -> dict[str, Any]:
    """Give what makes a control bear the parameter's name."""
    return {"description": parameter.name, "style": {"description_width": "auto"}}
