"""From a parameter to the control that people edit it with.

Sliders, toggle buttons and radio buttons are left out: ipywidgets gives them no accessible name.
"""

import json
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Kind, Parameter
from mediakit.core.request import invalid
from mediakit.core.results import Result
from mediakit.core.wording import quote

PARAGRAPH = 1000
"""Characters that a text must be allowed to have to be given several lines."""

PAGE = 100_000
"""Characters that a text must be allowed to have to be given a large box."""


class Input:
    """A control, and how its state becomes the parameter's value and back."""

    wide = False
    """Whether the control wants the form's whole width."""

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
    """Text in one line or several; numbers and choices that may be left out are text too."""

    def __init__(self, parameter: Parameter) -> None:
        length = parameter.max_length or 0
        self.wide = parameter.kind == "text"
        rows = {"rows": 10 if length >= PAGE else 2}
        kind, options = (w.Textarea, rows) if self.wide and length >= PARAGRAPH else (w.Text, {})
        super().__init__(parameter, kind(**_label(parameter), placeholder="" if self.wide else "automatic", **options))

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
        super().__init__(parameter, kind(parameter.default, **_label(parameter), continuous_update=True))


class BooleanInput(Input):
    """Yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Checkbox(bool(parameter.default), **_label(parameter), indent=False))


class ChoiceInput(Input):
    """One of a few words."""

    def __init__(self, parameter: Parameter) -> None:
        options: list[tuple[str, str | None]] = [(choice, choice) for choice in parameter.choices]
        if parameter.default is None:
            options.insert(0, ("not chosen" if parameter.required else "automatic", None))
        super().__init__(parameter, w.Dropdown(options=options, value=parameter.default, **_label(parameter)))


class ColorInput(Input):
    """A colour, typed or picked."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.ColorPicker(value=parameter.default, **_label(parameter)))

    def fill(self, value: Any) -> None:
        """Show the colour, given with or without `#`."""
        self.control.value = f"#{value.removeprefix('#')}"


class LinesInput(Input):
    """A list of texts, one a line."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Textarea(**_label(parameter), placeholder="One a line", rows=4))
        self.fill(parameter.default or [])

    def read(self) -> Any:
        """Give the lines that are not empty."""
        return [line.strip() for line in self.control.value.splitlines() if line.strip()] or None

    def fill(self, value: Any) -> None:
        """Write an item a line."""
        self.control.value = "\n".join(value)


class JsonInput(Input):
    """An object, or a list of more than texts, as JSON."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        example = '{"title": "Hello"}' if parameter.kind == "object" else "[1, 2, 3]"
        super().__init__(parameter, w.Textarea(**_label(parameter), placeholder=example, rows=4))
        if parameter.default is not None:
            self.fill(parameter.default)

    def read(self) -> Any:
        """Read the JSON."""
        text = self.control.value.strip()
        try:
            return json.loads(text) if text else None
        except ValueError:
            problem = f"must be JSON such as {self.control.placeholder}, got {quote(text)}."
            raise invalid([{"field": self.parameter.name, "message": problem}]) from None

    def fill(self, value: Any) -> None:
        """Write the JSON, indented."""
        self.control.value = json.dumps(value, ensure_ascii=False, indent=2)


class FileInput(Input):
    """A file from the reader's computer, or the one that the form was made with."""

    wide = True

    def __init__(self, parameter: Parameter, accept: str) -> None:
        super().__init__(parameter, w.FileUpload(accept=accept, multiple=False, description=f"Choose {parameter.name}"))
        self._start: Any = None

    def read(self) -> Any:
        """Give the uploaded file's bytes, else the file that the form was made with."""
        return bytes(self.control.value[0]["content"]) if self.control.value else self._start

    def fill(self, value: Any) -> None:
        """Keep a file until another one is chosen."""
        self._start = value

    def written(self) -> Any:
        """Name the file instead of writing its bytes."""
        if self.control.value:
            return PurePath(self.control.value[0]["name"])
        if isinstance(self._start, Result):
            return PurePath(f"picture.{self._start.extension}")
        return self._start if isinstance(self._start, str | bytes | None) else Path(self._start)


CONTROLS: dict[Kind, Callable[[Parameter], Input]] = {
    "text": TextInput,
    "integer": NumberInput,
    "number": NumberInput,
    "boolean": BooleanInput,
    "choice": ChoiceInput,
    "color": ColorInput,
    "list": LinesInput,
    "object": JsonInput,
}


def input_for(parameter: Parameter, accept: str) -> Input:
    """Make the input of a parameter.

    Args:
        parameter: The field that is edited.
        accept: Media types of the files that it takes, comma separated.
    """
    if parameter.kind == "file":
        return FileInput(parameter, accept)
    # These controls cannot be empty.
    if parameter.kind in ("integer", "number", "color") and parameter.default is None:
        return TextInput(parameter)
    if parameter.kind == "list" and parameter.schema.get("items", {}).get("type") != "string":
        return JsonInput(parameter)
    return CONTROLS[parameter.kind](parameter)


def _label(parameter: Parameter) -> dict[str, Any]:
    return {"description": parameter.name, "style": {"description_width": "auto"}}
