"""JSON Schema of the response."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.core import meta_schemas
from mediakit.engines.word_templates.field_info import FieldKind

FIELD: Mapping[str, Any] = {
    "type": "object",
    "required": ["name", "kind", "in"],
    "properties": {
        "name": {
            "type": "string",
            "description": "Path in the data; members of the items of a list have its name: `items.price`.",
        },
        "kind": {"type": "string", "enum": list(get_args(FieldKind))},
        "in": {"type": "string", "description": "Parts that use it, such as `body, header 1`."},
    },
}

EXAMPLE: list[Mapping[str, str]] = [
    {"name": "client.name", "kind": "value", "in": "body, header 1"},
    {"name": "items", "kind": "list", "in": "body"},
]

FIELDS_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "items": FIELD,
    "description": "The fields of the template, if the call has no data.",
    "examples": [EXAMPLE],
}

META: Mapping[str, Mapping[str, Any]] = {
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the document, if one was made.", 14210)),
    "fields": meta_schemas.optional({**FIELDS_SCHEMA, "description": "The fields of the template."}),
    "unused": meta_schemas.optional(meta_schemas.texts("Keys of the data that no placeholder asks for.", "phone")),
    "blank": meta_schemas.optional(meta_schemas.texts("Fields that are empty in the document.", "client.vat")),
    "warnings": meta_schemas.texts("What was removed, or is unreliable."),
}
"""JSON Schemas of what the tool adds to `meta`."""
