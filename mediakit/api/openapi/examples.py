"""Example values made from JSON Schemas."""

from collections.abc import Mapping
from typing import Any

from mediakit.api.openapi.components import PREFIX

TEXTS: Mapping[str, str] = {
    "date-time": "2026-11-03T12:15:00Z",
    "uri": "https://example.com",
    "color": "#2563eb",
}
"""Texts by the `format` of their schema."""


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return a value that is valid in a schema: its first example, constant, choice or default, else a typical one.

    Args:
        schema: The schema.
        schemas: The components that it refers to, by name.
    """
    if "$ref" in schema:
        return example_of({**schemas[schema["$ref"].removeprefix(PREFIX)], **_siblings(schema)}, schemas)
    for key in ("examples", "enum"):
        if key in schema:
            return schema[key][0]
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas)
    return _typical(schema, schemas)


def _siblings(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in schema.items() if key != "$ref"}


def _typical(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    kind = schema.get("type", "object")
    match kind if isinstance(kind, str) else kind[0]:
        case "object":
            return {name: example_of(part, schemas) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [example_of(schema["items"], schemas)] if "items" in schema else []
        case "string":
            return TEXTS.get(schema.get("format", ""), "text")
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return schema.get("minimum", 1)
