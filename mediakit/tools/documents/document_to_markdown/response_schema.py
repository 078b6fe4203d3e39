"""JSON Schema of the response of `document_to_markdown`."""

from typing import Any

from mediakit.tools.documents.document_to_markdown.kinds import KINDS

EXAMPLE = "## Orders\n\n| day | amount |\n| --- | --- |\n| 2026-03-01 | 12 |"

_NULLABLE: dict[str, Any] = {"type": ["string", "null"]}
_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "x-optional": True}

SCHEMA: dict[str, Any] = {
    "type": {"type": "string", "enum": list(KINDS), "description": "Kind of the document.", "examples": ["xlsx"]},
    "title": {**_NULLABLE, "examples": ["Orders of March"]},
    "author": {**_NULLABLE, "examples": ["Ada Lovelace"]},
    "created": {**_NULLABLE, "description": "ISO 8601.", "examples": ["2026-03-01T09:30:00Z"]},
    "modified": {**_NULLABLE, "description": "ISO 8601.", "examples": ["2026-03-02T16:00:00Z"]},
    "format": {"type": "string", "enum": ["markdown", "text"]},
    "content": {"type": "string", "examples": [EXAMPLE]},
    "length": {"type": "integer", "description": "Number of characters in the content.", "examples": [len(EXAMPLE)]},
    "truncated": {"type": "boolean", "examples": [False]},
    "slides": {**_NAMES, "description": "Titles of the slides, for presentations."},
    "sheets": {**_NAMES, "description": "Names of the sheets that were read, for workbooks.", "examples": [["Orders"]]},
    "chapters": {**_NAMES, "description": "Titles of the chapters, for EPUB."},
    "images": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "mime_type", "alt", "width", "height"],
            "properties": {
                "name": {"type": "string"},
                "mime_type": {"type": "string"},
                "alt": {"type": "string"},
                "width": {"type": ["integer", "null"]},
                "height": {"type": ["integer", "null"]},
                "file": {"type": "string", "contentEncoding": "base64", "description": "With images=embed."},
            },
        },
        "examples": [[]],
    },
}
