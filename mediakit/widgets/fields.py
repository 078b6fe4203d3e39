"""The fields of a tool."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.widgets.field import Field


def fields_of(tool: Tool[..., Any], *, without: Collection[str] = ()) -> dict[str, Field]:
    """Return a new field for each parameter of a tool, except for those in `without`."""
    return {parameter.name: field_of(tool, parameter) for parameter in tool.parameters if parameter.name not in without}


def field_of(tool: Tool[..., Any], parameter: Parameter, name: str = "") -> Field:
    """Return a new field for a parameter, with another name if it has one in the form."""
    shown = replace(_with_python_default(tool, parameter), name=name or parameter.name)
    return Field(shown, _accepted(tool, parameter.name))


def in_order_of(tool: Tool[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in the order of the tool's parameters, for code."""
    return {parameter.name: values[parameter.name] for parameter in tool.parameters if parameter.name in values}


def read_fields(fields: Mapping[str, Field], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of some fields without those that are invalid.

    Args:
        fields: The fields of a form.
        names: The name of each field to read, by its name in the returned values.
    """
    values = {}
    for key, name in names.items():
        with suppress(InvalidInput):  # the field shows the error
            values[key] = fields[name].input.read()
    return values


def widgets_of(fields: Iterable[Field]) -> list[w.Widget]:
    """Return the widgets of fields, each once."""
    return list(dict.fromkeys(field.widget for field in fields))


def _with_python_default(tool: Tool[..., Any], parameter: Parameter) -> Parameter:
    """Return a parameter with the default of the Python call; the schema of some shows the default of one case only."""
    if parameter.default is not None and tool.__signature__.parameters[parameter.name].default is None:
        return replace(parameter, default=None)
    return parameter


def _accepted(tool: Tool[..., Any], name: str) -> str:
    """Return the media types that a file input accepts, comma-separated."""
    return ",".join(media for media, field in tool.spec.raw.items() if field == name)
