"""JSON Schemas of what tools report in `meta`, for the description of the HTTP API."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def integer(description: str, example: int) -> Schema:
    """Return the schema of an integer."""
    return {"type": "integer", "description": description, "examples": [example]}


def boolean(description: str, *, example: bool) -> Schema:
    """Return the schema of a boolean."""
    return {"type": "boolean", "description": description, "examples": [example]}


def text(description: str, example: str) -> Schema:
    """Return the schema of a text."""
    return {"type": "string", "description": description, "examples": [example]}


def texts(description: str, *example: str) -> Schema:
    """Return the schema of a list of texts."""
    return {"type": "array", "items": {"type": "string"}, "description": description, "examples": [list(example)]}


def optional(schema: Schema) -> Schema:
    """Return the schema of a member that some results do not have."""
    return {**schema, "x-optional": True}


WIDTH = integer("Width of the image in pixels.", 800)
HEIGHT = integer("Height of the image in pixels.", 500)
FORMAT = text("Format of the result.", "png")

WARNINGS: Schema = {
    "type": "array",
    "description": "What may not be as expected.",
    "items": {
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "string", "description": "A stable identifier for programs."},
            "message": {"type": "string", "description": "A sentence for people."},
        },
    },
    "examples": [[]],
}

TEMPLATE_META: Mapping[str, Schema] = {
    "defaults_used": optional(texts("Keys of the template that have their example text.", "tag", "date")),
    "fitted": optional(texts("Keys of the template whose text was made smaller or cut.", "title")),
    "warnings": optional(WARNINGS),
}
"""What renders of templates report."""
