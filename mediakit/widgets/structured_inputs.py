"""Inputs for lists and objects."""

import json
from typing import Any

import ipywidgets as w

from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.widgets.inputs import Input, labeled


class LinesInput(Input):
    """A list of texts, one per line."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Textarea(**labeled(parameter), placeholder="One per line", rows=4))
        self.fill(parameter.default or [])

    def read(self) -> Any:
        """Return the lines that are not empty; None if there are none."""
        return [line.strip() for line in self.control.value.splitlines() if line.strip()] or None

    def fill(self, value: Any) -> None:
        """Show a list with one item per line."""
        self.control.value = "\n".join(value)


class JsonInput(Input):
    """An object, or a list with items other than texts, as JSON."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        default_example = '{"title": "Hello"}' if parameter.kind == "object" else "[1, 2, 3]"
        examples = parameter.schema.get("examples")
        example = json.dumps(examples[0]) if examples else default_example
        super().__init__(parameter, w.Textarea(**labeled(parameter), placeholder=example, rows=4))
        if parameter.default is not None:
            self.fill(parameter.default)

    def read(self) -> Any:
        """Return the parsed JSON; None if the text is empty.

        Raises:
            InvalidInput: The text is not valid JSON.
        """
        text = self.control.value.strip()
        try:
            return json.loads(text) if text else None
        except ValueError:
            message = f"must be JSON such as {self.control.placeholder}, got {quote(text)}."
            raise invalid([{"field": self.parameter.name, "message": message}]) from None

    def fill(self, value: Any) -> None:
        """Show a value as indented JSON."""
        self.control.value = json.dumps(value, ensure_ascii=False, indent=2)
