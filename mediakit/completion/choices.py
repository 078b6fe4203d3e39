"""The texts that an argument accepts."""

import inspect
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

from mediakit.completion.open_string import OpenString
from mediakit.core.parameters import Parameter
from mediakit.core.tool import AsyncCall, AsyncClientTool, AsyncToolClient, ClientTool, Tool, ToolClient
from mediakit.errors import MediakitError
from mediakit.tools.catalogue import load_tool, tool_names

WITH_TOOL = ("batch", "form", "aio")
"""Calls whose first argument is a tool, and whose options are its fields."""


def choices(text: OpenString, variables: Mapping[str, Any]) -> Sequence[str]:
    """Return the texts that an argument accepts; none if that is not known.

    Args:
        text: The argument.
        variables: The variables of the notebook. Nothing is called, and only attributes of mediakit's objects are read.
    """
    called = _resolve(text.callee, variables)
    tool = _tool(called)
    if tool:
        names = [name for name, argument in tool.__signature__.parameters.items() if _is_positional(argument)]
        return _of_field(tool, text, text.keyword or (names[text.position] if text.position < len(names) else ""))
    if called is None or not getattr(called, "__module__", "").startswith("mediakit."):
        return ()
    if getattr(called, "__name__", "") in WITH_TOOL:
        return _of_tool_argument(text, variables)
    return _of_literal(called, text)


def _of_tool_argument(text: OpenString, variables: Mapping[str, Any]) -> Sequence[str]:
    if not text.keyword:
        return tool_names() if text.position == 0 else ()
    tool = _named_tool(text.first.strip("'\"")) or _tool(_resolve(text.first, variables))
    return _of_field(tool, text, text.keyword) if tool else ()


def _named_tool(name: str) -> Tool[..., Any] | None:
    return load_tool(name) if name in tool_names() else None


def _is_positional(argument: inspect.Parameter) -> bool:
    return argument.kind is argument.POSITIONAL_OR_KEYWORD


def _of_field(tool: Tool[..., Any], text: OpenString, name: str) -> Sequence[str]:
    field = next((field for field in tool.parameters if name in (field.name, *field.aliases)), None)
    return _of_parameter(field, is_item=text.is_item) if field else ()


def _of_parameter(field: Parameter, *, is_item: bool) -> Sequence[str]:
    if field.choices and not is_item:
        return list(field.choices)
    schemas = [field.schema, *field.schema.get("anyOf", ())]
    if is_item:
        schemas = [schema.get("items", {}) for schema in schemas]
    return [choice for schema in schemas for choice in schema.get("enum", ()) if isinstance(choice, str)]


def _of_literal(function: Any, text: OpenString) -> Sequence[str]:
    """Return the choices of a function's argument whose type is a `Literal`."""
    try:
        arguments = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ()
    positional = [argument for argument in arguments.values() if _is_positional(argument)]
    at_position = positional[text.position] if text.position < len(positional) else None
    argument = arguments.get(text.keyword) if text.keyword else at_position
    if argument is None or get_origin(argument.annotation) is not Literal:
        return ()
    return [str(choice) for choice in get_args(argument.annotation)]


def _tool(value: Any) -> Tool[..., Any] | None:
    if isinstance(value, ClientTool | AsyncClientTool | AsyncCall):
        return value.tool
    return value if isinstance(value, Tool) else None


def _resolve(name: str, variables: Mapping[str, Any]) -> Any:
    """Return the object of a dotted name; None if a part of it does not belong to mediakit."""
    first, *others = name.split(".")
    value = variables.get(first)
    for attribute in others:
        if not _may_read(value, attribute):
            return None
        try:
            value = getattr(value, attribute)
        except (AttributeError, MediakitError):
            return None
    return value


def _may_read(value: Any, attribute: str) -> bool:
    """Return whether reading an attribute runs no code of others, and no property."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] == "mediakit"
    if isinstance(value, Tool | ToolClient | AsyncToolClient):
        return True
    is_own = type(value).__module__.partition(".")[0] == "mediakit"
    return is_own and inspect.isfunction(inspect.getattr_static(type(value), attribute, None))
