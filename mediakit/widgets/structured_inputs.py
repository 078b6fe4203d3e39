"""Inputs for lists and objects."""

import json
from typing import Any

import ipywidgets as w

from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.widgets.inputs import Input, labeled

EXAMPLES = {"object": '{"title": "Hello"}', "table": '[{"name": "Ana", "age": 34}]'}
"""Placeholders by kind of field."""


class LinesInput(Input):
    """A list of texts, one per line. If the items can also be objects, a line can be a JSON object."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Textarea(**labeled(parameter), placeholder="One per line", rows=4))
        items = parameter.schema.get("items", {})
        self._allows_empty = items.get("type") == "string" and not items.get("minLength") and "enum" not in items
        self._allows_objects = any(option.get("type") == "object" for option in items.get("anyOf", ()))
        self._initial: tuple[str, list[Any]] = ("", [])
        self.fill(parameter.default or [])

    def read(self) -> Any:
        """Return an item per line; None if all lines are empty.

        Empty lines are items if the field allows empty texts and a line with text follows.

        Raises:
            InvalidInput: A line begins with `{`, but is not valid JSON.
        """
        text, items = self._initial
        if self.control.value == text:
            return items or None
        lines = [line.strip() for line in self.control.value.rstrip().split("\n")]
        return [self._item(line) for line in lines if line or (self._allows_empty and any(lines))] or None

    def fill(self, value: Any) -> None:
        """Show a list with one item per line."""
        self.control.value = "\n".join(
            item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in value
        )
        self._initial = self.control.value, list(value)

    def _item(self, line: str) -> Any:
        if not (self._allows_objects and line.startswith("{")):
            return line
        try:
            return json.loads(line)
        except ValueError:
            message = f"must be a text or a JSON object per line, got {quote(line)}."
            raise invalid([{"field": self.parameter.name, "message": message}]) from None


class JsonInput(Input):
    """An object, or a list with items other than texts, as JSON."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        examples = parameter.schema.get("examples")
        example = json.dumps(examples[0]) if examples else EXAMPLES.get(parameter.kind, "[1, 2, 3]")
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
