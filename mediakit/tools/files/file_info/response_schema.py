"""JSON Schema of the response of `file_info`."""

from typing import Any, get_args

from mediakit.engines.file_types.file_type import Kind

_NULLABLE_BOOLEAN: dict[str, Any] = {"type": ["boolean", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "x-optional": True}

SCHEMA: dict[str, Any] = {
    "mime_type": {
        "type": "string",
        "description": "Media type of the file; application/octet-stream if it is unknown.",
        "examples": ["image/png"],
    },
    "extension": {"type": "string", "description": "Usual extension with the dot, or empty.", "examples": [".png"]},
    "description": {"type": "string", "examples": ["PNG image"]},
    "kind": {"type": "string", "enum": list(get_args(Kind)), "examples": ["image"]},
    "size_bytes": {"type": "integer", "examples": [20335]},
    "hashes": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "Hexadecimal digits by the name of the hash.",
        "examples": [{"crc32": "352441c2"}],
    },
    "extension_matches": {
        **_NULLABLE_BOOLEAN,
        "description": "Whether the extension of the name fits the type; null if nothing is known of it.",
        "examples": [True],
    },
    "encrypted": {**_NULLABLE_BOOLEAN, "description": "For PDF, Office and ZIP files.", "examples": [None]},
    "details": {
        "type": "object",
        "properties": {
            "width": {**_COUNT, "description": "Pixels, as stored."},
            "height": {**_COUNT, "description": "Pixels, as stored."},
            "frames": _COUNT,
            "pages": _COUNT,
            "entries": {**_COUNT, "description": "Files of an archive."},
            "unpacked_bytes": {**_COUNT, "description": "As the archive states it."},
            "charset": {"type": "string", "x-optional": True},
            "lines": _COUNT,
            "newline": {"type": ["string", "null"], "enum": ["lf", "crlf", "cr", "mixed", None], "x-optional": True},
            "duration_seconds": {"type": "number", "x-optional": True},
        },
        "description": "What is known by kind.",
        "examples": [{"width": 800, "height": 500, "frames": 1}],
    },
    "alternatives": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Media types that the file is as well.",
        "examples": [[]],
    },
    "entropy": {"type": "number", "minimum": 0, "maximum": 8, "description": "Bits per byte.", "examples": [7.91]},
}
