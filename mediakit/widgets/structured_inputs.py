"""Inputs for more than one value: lists and objects."""

import json
from typing import Any

import ipywidgets as w

from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.widgets.inputs import Input, labelled


class LinesInput(Input):
    """A list of texts, one a line."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Textarea(**labelled(parameter), placeholder="One a line", rows=4))
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
        usual = '{"title": "Hello"}' if parameter.kind == "object" else "[1, 2, 3]"
        example = json.dumps(parameter.schema["examples"][0]) if "examples" in parameter.schema else usual
        super().__init__(parameter, w.Textarea(**labelled(parameter), placeholder=example, rows=4))
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
