"""Successful responses of a tool: a JSON envelope, a temporary link, or the file itself."""

from collections.abc import Mapping
from typing import Any

from mediakit.api.headers import JSON
from mediakit.api.openapi.components import FILE, RATE_LIMITED, REPLAYED, Components, header_references, pascal
from mediakit.api.openapi.examples import example_of
from mediakit.api.openapi.request_bodies import component_name
from mediakit.core.media import media_type
from mediakit.core.tool import Tool
from mediakit.results.data import tool_schema

CREDITS: Mapping[str, Any] = {
    "used": {"type": "integer", "description": "Credits used this month, including this call.", "examples": [42]},
    "remaining": {"type": ["integer", "null"], "description": "Credits left; null: unlimited.", "examples": [458]},
    "unlimited": {"type": "boolean", "examples": [False]},
}
"""The members of every `meta`."""

SIZE = {"type": "integer", "description": "Size of the file.", "examples": [20335]}

LINK: Mapping[str, Any] = {
    "type": "object",
    "description": "A temporary link to a result.",
    "required": ["success", "url", "expires_at", "mime_type", "size_bytes", "meta"],
    "properties": {
        "success": {"type": "boolean", "const": True},
        "url": {"type": "string", "format": "uri", "description": "Works without a key."},
        "expires_at": {"type": "string", "format": "date-time", "description": "15 minutes after creation."},
        "mime_type": {"type": "string"},
        "size_bytes": SIZE,
        "meta": {"$ref": "#/components/schemas/Credits"},
    },
}
JSON_FILE: Mapping[str, Any] = {
    "description": "The file itself, with `output=binary`, where the file is JSON: any value without `success`.",
    "not": {"type": "object", "required": ["success"]},
}
LINK_URL = "https://api.example.com/files/3q2-7wAAAAAexampleexampleexampleexampleexam"


def success(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    """Return the response with status 200."""
    components.add("Credits", {"type": "object", "required": list(CREDITS), "properties": CREDITS})
    envelope = components.add(f"{component_name(tool)}Result", _envelope(tool, components))
    alternatives: list[dict[str, Any]] = [envelope]
    examples = {"json": {"summary": "JSON", "value": example_of(envelope, components.schemas)}}
    if "url" in tool.wire.outputs:
        alternatives.append(components.add("Link", LINK))
        examples["url"] = {"summary": "A temporary link", "value": _link_example(tool, components)}
    has_files = "binary" in tool.wire.outputs
    if JSON in tool.produces and has_files:
        alternatives.append(components.add("JsonFile", JSON_FILE))
    files = {name: _file(name) for name in tool.produces if has_files and name != JSON}
    return {
        "description": "The result: a JSON envelope, a temporary link, or the file itself.",
        "headers": header_references(*RATE_LIMITED, *REPLAYED, *(FILE if has_files else ())),
        "content": {JSON: {"schema": {"anyOf": alternatives}, "examples": examples}, **files},
    }


def _envelope(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    name = component_name(tool)
    fields = tool_schema(tool)
    reported = fields.pop("meta", {}).get("properties", {}) | tool.spec.meta
    properties = {field: components.extract(schema, f"{name}Result{pascal(field)}") for field, schema in fields.items()}
    return {
        "type": "object",
        "required": ["success", *_required(fields), "meta"],
        "properties": {
            "success": {"type": "boolean", "const": True},
            **properties,
            "meta": _meta(f"{name}Meta", reported, components),
        },
    }


def _meta(name: str, reported: Mapping[str, Any], components: Components) -> dict[str, Any]:
    own = {field: components.extract(schema, f"{name}{pascal(field)}") for field, schema in reported.items()}
    required = [*_required(reported), *CREDITS]
    return components.add(name, {"type": "object", "required": required, "properties": {**own, **CREDITS}})


def _required(fields: Mapping[str, Any]) -> list[str]:
    return [name for name, schema in fields.items() if not schema.get("x-optional")]


def _file(name: str) -> dict[str, Any]:
    """Return the description of a response that is the file itself."""
    media = media_type(name)
    label = media.label if media else f"a file of the type {name}"
    is_text = bool(media and media.is_text)
    schema = {"type": "string"} if is_text else {"type": "string", "format": "binary"}
    return {"schema": schema, "examples": {"file": {"summary": "The file itself", "value": f"(the bytes of {label})"}}}


def _link_example(tool: Tool[..., Any], components: Components) -> dict[str, Any]:
    example: dict[str, Any] = example_of(LINK, components.schemas)
    return {**example, "url": LINK_URL, "mime_type": tool.produces[0]}
