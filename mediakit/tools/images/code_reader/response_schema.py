"""JSON Schema of the response fields."""

from typing import Any

from pydantic import TypeAdapter

META: dict[str, Any] = {
    "kind": {"type": "string", "enum": ["image", "pdf"]},
    "width": {
        "type": "integer",
        "description": "Width of the image, or of the first page read, in pixels.",
        "examples": [200],
    },
    "height": {"type": "integer", "examples": [200]},
    "pages_read": {"type": ["array", "null"], "items": {"type": "integer"}, "examples": [None]},
    "passes": {"type": "integer", "description": "Number of passes after the first.", "examples": [0]},
    "effort": {"type": "string", "const": "normal", "description": "Effort of the scan; there is one level."},
    "formats": {"type": "array", "items": {"type": "string"}, "examples": [["AllReadable"]]},
}

EXAMPLE: dict[str, Any] = {
    "format": "QRCode",
    "text": "https://example.com",
    "bytes_base64": "aHR0cHM6Ly9leGFtcGxlLmNvbQ==",
    "content_type": "text",
    "symbology_identifier": "]Q1",
    "page": None,
    "position": {
        "top_left": [25, 25],
        "top_right": [175, 25],
        "bottom_right": [175, 175],
        "bottom_left": [25, 175],
    },
    "box": {"x": 25, "y": 25, "width": 150, "height": 150},
    "orientation": 0,
    "ec_level": "M",
    "version": "2",
    "gtin": None,
    "add_on": None,
    "gs1": None,
    "parsed": {"type": "url", "url": "https://example.com"},
    "confidence": "high",
}
"""A code of a QR code with a URL."""


def schema_fields(codes: TypeAdapter[Any]) -> dict[str, Any]:
    """Return the schema of each field, with references resolved in place."""
    schema = codes.json_schema()
    definitions = schema.pop("$defs", {})
    return {
        "codes": {**_resolve(schema, definitions), "examples": [[EXAMPLE]]},
        "count": {"type": "integer", "examples": [1]},
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
