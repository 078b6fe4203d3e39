"""Parses the options of a call from a query string, and checks their names."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from starlette.datastructures import QueryParams

from mediakit.core.parameters import Parameter
from mediakit.core.request import unknown
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput


def parse_query(tool: Tool[..., Any], query: QueryParams, body_field: str = "") -> dict[str, Any]:
    """Return the options in a query string, each parsed by the rules of its field.

    Args:
        tool: The tool to call.
        query: The query parameters of the request.
        body_field: The field that the body fills.

    Raises:
        InvalidInput: An option is unknown, repeated, secret, or invalid for its field.
    """
    known = parameters_by_name(tool)
    check_names(tool, query)
    values: dict[str, Any] = {}
    for name, text in query.multi_items():
        if name in values and isinstance(values[name], list):
            values[name] += known[name].parse(text)
        elif name in values:
            raise InvalidInput(f"{name}: must not be repeated in the query.")
        elif name == "output":
            values[name] = text
        elif known[name].name == body_field:
            raise InvalidInput(f"{name}: must not be in the query, because the body of this request contains it.")
        elif known[name].is_secret:
            raise InvalidInput(f"{name}: must be sent in a JSON or multipart body, not in the query string.")
        else:
            values[name] = known[name].parse(text)
    return values


def parameters_by_name(tool: Tool[..., Any]) -> dict[str, Parameter]:
    """Return the fields of a tool by their names and aliases."""
    return {name: parameter for parameter in tool.parameters for name in (parameter.name, *parameter.aliases)}


def check_names(tool: Tool[..., Any], names: Iterable[str]) -> None:
    """Reject names that are neither fields of the tool nor `output`, the option of the HTTP API.

    Raises:
        InvalidInput: A name is unknown.
    """
    known = _names(tool)
    if strange := [name for name in names if name not in known]:
        raise unknown(strange, known, tool.request, names if isinstance(names, Mapping) else None)


@cache
def _names(tool: Tool[..., Any]) -> tuple[str, ...]:
    return (*parameters_by_name(tool), "output")
