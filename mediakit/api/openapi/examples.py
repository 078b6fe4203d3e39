"""Example values: made from JSON Schemas, and the samples of the documentation page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mediakit.api.openapi.components import PREFIX
from mediakit.api.public_pages import ASSETS
from mediakit.core.tool import Example, Tool
from mediakit.tools.tasks import keywords

TEXTS: Mapping[str, str] = {
    "date-time": "2026-11-03T12:15:00Z",
    "uri": "https://example.com",
    "color": "#2563eb",
}
"""Texts by the `format` of their schema."""


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return a value that is valid in a schema: its first example, constant, choice or default, else a typical one."""
    if "$ref" in schema:
        siblings = {key: part for key, part in schema.items() if key != "$ref"}
        return example_of({**schemas[schema["$ref"].removeprefix(PREFIX)], **siblings}, schemas)
    for key in ("examples", "enum"):
        if key in schema:
            return schema[key][0]
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas)
    return _typical(schema, schemas)


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


def thumbnail(command: str) -> dict[str, str]:
    """Return the field with the URL of a thumbnail; no field if there is none."""
    name = f"thumbnails/{command}.webp"
    return {"thumbnail": f"docs/{name}"} if name in ASSETS else {}


def docs_extension(tool: Tool[..., Any]) -> dict[str, Any]:
    """Return the thumbnail of a tool, other words for it, whether its result is data, and its samples in their order.

    A sample is the name of an example of the JSON body. Samples with files are complete, with the URL of each file,
    because an example in the document would have to contain the files as base64.
    """
    samples = [_sample(example) for example in tool.examples if _is_served(example)]
    words = keywords(tool.name)
    return {**thumbnail(tool.command), "keywords": words, "data": tool.wire.is_data, "samples": samples}


def has_file(value: Any) -> bool:
    """Return whether a value of an example is a file, or a list with a file."""
    return isinstance(value, Path) or (isinstance(value, list | tuple) and any(map(has_file, value)))


def _sample(example: Example) -> Any:
    if not any(map(has_file, example.values.values())):
        return example.title
    values = {name: _with_urls(value) for name, value in example.values.items()}
    return {"summary": example.title, "value": values}


def _with_urls(value: Any) -> Any:
    if isinstance(value, Path):
        return {"name": value.name, "url": f"docs/samples/{value.name}"}
    return [_with_urls(item) for item in value] if isinstance(value, list | tuple) else value


def _is_served(example: Example) -> bool:
    values = (item for value in example.values.values() for item in (value if isinstance(value, list) else [value]))
    return all(value in ASSETS.values() for value in values if isinstance(value, Path))
