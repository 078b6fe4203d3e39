"""The fields of a form: a control, its help, its error, and the collapsible groups of fields."""

import html
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Kind, Parameter
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.widgets.inputs import base
from mediakit.widgets.inputs.choices import ColorInput
from mediakit.widgets.inputs.files import FileInput, FilesInput

REQUIRED = "is required."

_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True)
class FieldMessage:
    """A message below a field."""

    text: str
    """A sentence."""
    missing: str = ""
    """What must be filled in, such as `data` or `html or template`; empty for other errors."""


def by_field(error: Exception | None, names: Collection[str]) -> dict[str, FieldMessage]:
    """Return one message per invalid field; empty if the error does not belong to fields."""
    if not isinstance(error, InvalidInput):
        return {}
    if error.details:
        return {
            field_name(detail["field"]): _message(detail["field"], detail["message"])
            for detail in reversed(error.details)
        }
    head, _, rest = error.message.partition(": ")
    fields = head.split(", ")
    if not all(field_name(field) in names for field in fields):
        return {}
    if rest == "one of the two is required.":
        return {fields[0]: _message(" or ".join(fields), REQUIRED)}
    if len(fields) > 1:
        return {fields[0]: FieldMessage(_sentence(f"{' and '.join(fields)} {rest}"))}
    return {field_name(head): _message(head, rest)}


def field_name(path: str) -> str:
    """Return the field of a path, for example `series` for `series[0].data`."""
    return path.split("[", maxsplit=1)[0].split(".", maxsplit=1)[0]


def _message(path: str, message: str) -> FieldMessage:
    """Return the message of an error without the field's name; a path within the field is named."""
    if message == REQUIRED:
        return FieldMessage(f"Fill in {path}.", path)
    inner = _INDEX.sub(lambda match: f", item {int(match[1]) + 1}", path.removeprefix(field_name(path)))
    inner = inner.replace(".", ", ").removeprefix(", ")
    return FieldMessage(_sentence(f"{inner} {message}".lstrip()))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


class Collapsible:
    """Widgets below a heading that shows and hides them, without the kernel, which may be busy."""

    def __init__(self, title: str, children: Sequence[w.Widget], *, is_open: bool = False) -> None:
        self._summary = f"<summary>{html.escape(title)}</summary></details>"
        self._heading = base.markup(f"<details{' open' if is_open else ''}>{self._summary}")
        self.widget = base.vbox([self._heading, base.group(list(children), "fields")], "fold", "wide")

    def open(self) -> None:
        """Show the widgets."""
        self._heading.value = f"<details open>{self._summary}"


INPUTS: dict[Kind, Callable[[Parameter], base.Input]] = {
    "text": base.TextInput,
    "html": base.TextInput,
    "url": base.TextInput,
    "integer": base.NumberInput,
    "number": base.NumberInput,
    "boolean": base.BooleanInput,
    "choice": base.ChoiceInput,
    "color": ColorInput,
    "list": base.LinesInput,
    "object": base.JsonInput,
    "table": base.JsonInput,
}

OPTIONAL_INPUTS: dict[Kind, Callable[[Parameter], base.Input]] = {
    "integer": base.TextInput,
    "number": base.TextInput,
    "boolean": base.ChoiceInput,
}
"""Inputs that can be empty, for kinds whose usual input cannot."""


def input_for(parameter: Parameter, accept: str) -> base.Input:
    """Return a new input for a parameter; a file has one of the accepted media types, which are comma-separated."""
    if parameter.kind == "file":
        return FileInput(parameter, accept)
    if parameter.kind == "files":
        return FilesInput(parameter, accept)
    if parameter.is_secret:
        return base.PasswordInput(parameter)
    if parameter.default is None and parameter.kind in OPTIONAL_INPUTS:
        return OPTIONAL_INPUTS[parameter.kind](parameter)
    if parameter.kind == "list" and not parameter.holds_texts:
        return base.JsonInput(parameter)
    return INPUTS[parameter.kind](parameter)


class Field:
    """A labeled control with help text and an error message."""

    def __init__(self, parameter: Parameter, accept: str = "", custom_input: base.Input | None = None) -> None:
        self.input = custom_input or input_for(parameter, accept)
        self.touched = False
        """Whether the user has changed the value."""
        self._help = _help(parameter)
        self.error = ""
        """The error message; empty if the value is valid."""
        self._note = base.markup(self._help)
        self.control = self.input.control
        """The ipywidgets control."""
        parts = (self.input.caption, self.input.widget, self._note)
        self.widget = base.vbox([part for part in parts if part is not None], "field")
        if self.input.wide:
            base.styled(self.widget, "wide")

    def show_error(self, message: str) -> None:
        """Show an error message; an empty one removes it."""
        if message != self.error:
            self.error = message
            self._note.value = base.alert(message) + self._help


def _help(parameter: Parameter) -> str:
    limits = ""
    if parameter.minimum is not None and parameter.maximum is not None:
        limits = f"<span>{parameter.minimum:,.15g}–{parameter.maximum:,.15g}.</span> "
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(parameter.help))
    return f"<div class='mediakit-help'>{limits}{text}</div>"


def fields_of(
    tool: Tool[..., Any],
    inputs: Mapping[str, base.Input] | None = None,
    first: Iterable[str] = (),
    *,
    without: Collection[str] = (),
) -> dict[str, Field]:
    """Return a new field for each parameter of a tool, in its order after those that come `first`.

    `inputs` are used in place of the usual ones; parameters in `without` have no field.
    """
    parameters, inputs = {each.name: each for each in tool.parameters}, inputs or {}
    return {
        name: Field(parameters[name], custom_input=inputs[name]) if name in inputs else field_of(tool, parameters[name])
        for name in dict.fromkeys((*first, *parameters))
        if name not in without
    }


def field_of(tool: Tool[..., Any], parameter: Parameter, name: str = "") -> Field:
    """Return a new field for a parameter, with another name if it has one in the form."""
    # The schema of some parameters has the default of one case only.
    has_default = tool.__signature__.parameters[parameter.name].default is not None
    default = parameter.default if has_default else None
    accepted = ",".join(media for media, field in tool.spec.raw.items() if field == parameter.name)
    return Field(replace(parameter, default=default, name=name or parameter.name), accepted)


def read_fields(fields: Mapping[str, Field], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of some fields, by the names that `names` maps to fields, without those that are invalid."""
    values = {}
    for key, name in names.items():
        with suppress(InvalidInput):  # the field shows the error
            values[key] = fields[name].input.read()
    return values


def widgets_of(fields: Iterable[Field]) -> list[w.Widget]:
    """Return the widgets of fields, each once."""
    return list(dict.fromkeys(field.widget for field in fields))
