"""The answer's fields in JSON Schema."""

from typing import Any

from pydantic import TypeAdapter

META: dict[str, Any] = {
    "kind": {"enum": ["image", "pdf"]},
    "width": {"type": "integer", "description": "Pixels of the picture, or of the first page read."},
    "height": {"type": "integer"},
    "pages_read": {"type": ["array", "null"], "items": {"type": "integer"}},
    "passes": {"type": "integer", "description": "Looks beyond the first."},
    "effort": {"const": "normal", "description": "How hard was looked; there is one way so far."},
    "formats": {"type": "array", "items": {"type": "string"}},
}


def fields(codes: TypeAdapter[Any]) -> dict[str, Any]:
    """Describe the fields; parts that repeat are written out where they stand."""
    schema = codes.json_schema()
    parts = schema.pop("$defs", {})
    return {
        "codes": _written_out(schema, parts),
        "count": {"type": "integer"},
        "truncated": {"type": "boolean", "description": "Whether the file has more codes than max_codes."},
        "meta": {"properties": META},
    }


def _written_out(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_written_out(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _written_out(parts[schema["$ref"].rpartition("/")[2]], parts)
    return {
        name: _written_out(each, parts) for name, each in schema.items() if name != "title" or isinstance(each, dict)
    }
