"""A call of every tool, for the tests that run across tools: the tool's own example with the most values."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from mediakit.core.tool import Tool
from mediakit.tools.catalogue import all_tools, load_tool
from tests.support import web_page

EXAMPLE_SITE = "https://example.com"


def example_values(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return the values of a tool's richest example; a page on loopback replaces the one on the internet."""
    values = max((example.values for example in tool.examples), key=len)
    urls = {parameter.name for parameter in tool.parameters if parameter.kind == "url"}
    return {
        name: value.replace(EXAMPLE_SITE, web_page.URL.rstrip("/")) if name in urls else value
        for name, value in values.items()
    }


CALLS: dict[str, dict[str, Any]] = {tool.name: example_values(tool) for tool in all_tools()}
CALLS["data_query"]["format"] = "csv"  # a call that makes a file
CALLS["data_sample"] = {"fields": "id, name, email", "rows": 5, "seed": 1, "format": "csv"}  # a call that makes a file
CALLS["mail_merge"] = dict(load_tool("mail_merge").examples[0].values)  # a table file
CALLS["validate_phone"] = {"phone": "+34 912 34 56 78", "types": ["mobile"]}  # calls with a raw body
CALLS["validate_code"] = {"code": "(01)04006381333931(17)260531(10)A42", "kind": "gs1"}


def parameter(tool: Tool[..., Any], *values: Any) -> Any:
    """Return a test case of a tool, marked if it needs a browser."""
    return pytest.param(tool, *values, id=tool.name, marks=[pytest.mark.browser] if tool.spec.needs_browser else [])


def raw_media_type(tool: Tool[..., Any]) -> str | None:
    """Return the media type of the raw body of a tool's call; None if the tool takes none."""
    values = {name: value for name, value in CALLS[tool.name].items() if not _is_several_files(value)}
    return next((media_type for media_type, field in tool.spec.raw.items() if field in values), None)


def _is_several_files(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, Path) for item in value)


every_tool = pytest.mark.parametrize("tool", [parameter(tool) for tool in all_tools()])
every_tool_with_raw_bodies = pytest.mark.parametrize(
    "tool", [parameter(each) for each in all_tools() if raw_media_type(each)]
)
every_tool_with_files = pytest.mark.parametrize("tool", [parameter(each) for each in all_tools() if each.file_fields])


def subject(tool: Tool[..., Any]) -> str:
    """Return the field that a raw body fills, or the first one if the tool takes no raw body."""
    return tool.spec.raw[media_type] if (media_type := raw_media_type(tool)) else tool.parameters[0].name


def concrete_media_type(tool: Tool[..., Any]) -> str:
    """Return the Content-Type of a tool's raw body."""
    return (raw_media_type(tool) or "").replace("image/*", "image/jpeg")


def raw_body(tool: Tool[..., Any]) -> bytes:
    """Return the raw body of a tool's call."""
    value = CALLS[tool.name][subject(tool)]
    return value.encode() if isinstance(value, str) else bytes(value.read_bytes())


def query(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return the query of a tool's call with a raw body."""
    options = {name: value for name, value in CALLS[tool.name].items() if name != subject(tool)}
    return {name: json.dumps(value) if _needs_json(value) else value for name, value in options.items()}


def _needs_json(value: Any) -> bool:
    """Return whether a value is an object, or a list of objects or of texts with commas."""
    items = value if isinstance(value, list) else []
    return isinstance(value, dict) or any(isinstance(item, dict) or "," in str(item) for item in items)


def json_body(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return the JSON body of a tool's call, with files as base64."""
    return {name: _json_value(value) for name, value in CALLS[tool.name].items()}


def form_parts(tool: Tool[..., Any]) -> list[tuple[str, tuple[str | None, bytes]]]:
    """Return the parts of a tool's call as a form."""
    return [part for name, value in CALLS[tool.name].items() for part in _parts(name, value)]


def shell_words(tool: Tool[..., Any]) -> list[str]:
    """Return the arguments of a tool's command."""
    values = CALLS[tool.name]
    first = values[subject(tool)]
    words = [str(path) for path in first] if isinstance(first, list) and isinstance(first[0], Path) else ["-"]
    for name, value in values.items():
        if name != subject(tool):
            words += _option(name, value)
    return words


def _option(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{flag}" if value else f"--no-{flag}"]
    items = value if isinstance(value, list) else [value]
    return [word for item in items for word in (f"--{flag}", json.dumps(item) if isinstance(item, dict) else str(item))]


def _json_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_json_value(item) for item in value]
    if isinstance(value, Path):
        return {"name": value.name, "file": base64.b64encode(value.read_bytes()).decode()}
    return value


def _parts(name: str, value: Any) -> list[tuple[str, tuple[str | None, bytes]]]:
    if isinstance(value, list):
        return [part for item in value for part in _parts(name, item)]
    if isinstance(value, Path):
        return [(name, (value.name, value.read_bytes()))]
    text = value if isinstance(value, str) else json.dumps(value)
    return [(name, (None, text.encode()))]
