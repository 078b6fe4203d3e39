"""JSON Schema of the response fields."""

from typing import Any

from pydantic import TypeAdapter

META: dict[str, Any] = {
    "kind": {"enum": ["image", "pdf"]},
    "width": {"type": "integer", "description": "Width of the image, or of the first page read, in pixels."},
    "height": {"type": "integer"},
    "pages_read": {"type": ["array", "null"], "items": {"type": "integer"}},
    "passes": {"type": "integer", "description": "Number of passes after the first."},
    "effort": {"const": "normal", "description": "Effort of the scan; there is one level."},
    "formats": {"type": "array", "items": {"type": "string"}},
}


def schema_fields(codes: TypeAdapter[Any]) -> dict[str, Any]:
    """Return the schema of each field, with references resolved in place."""
    schema = codes.json_schema()
    definitions = schema.pop("$defs", {})
    return {
        "codes": _resolve(schema, definitions),
        "count": {"type": "integer"},
        "truncated": {"type": "boolean", "description": "Whether the file has more codes than max_codes."},
        "meta": {"properties": META},
    }


def _resolve(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolve(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolve(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {
        name: _resolve(each, definitions) for name, each in schema.items() if name != "title" or isinstance(each, dict)
    }
