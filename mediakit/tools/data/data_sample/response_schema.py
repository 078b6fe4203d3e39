"""JSON Schema of the response of `data_sample`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.engines.tables.model import COLUMN_TYPES

SCHEMA: dict[str, Any] = {
    "rows": {
        "type": "array",
        "items": {"type": "object"},
        "description": "The rows by the name of the field. Dates and times are ISO 8601.",
        "examples": [[{"id": 1, "name": "Samantha Boyd", "email": "samantha.boyd@example.org"}]],
    }
}

META: Mapping[str, meta_schemas.Schema] = {
    "seed": meta_schemas.integer("The seed, with which the same rows are made again.", 42),
    "rows": meta_schemas.integer("Number of rows.", 10),
    "columns": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "type", "kind"],
            "properties": {
                "name": {"type": "string"},
                "type": {"type": "string", "enum": list(COLUMN_TYPES)},
                "kind": {"type": "string"},
            },
        },
        "description": "Name, type and kind of each column.",
        "examples": [[{"name": "id", "type": "integer", "kind": "id"}]],
    },
    "lang": meta_schemas.text("The locale of the values.", "en_US"),
    "kinds_version": meta_schemas.text("Version of the kinds; the same seed makes the same rows within one.", "1"),
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the file, if one was made.", 640)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}
