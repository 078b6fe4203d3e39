"""JSON Schema of what `text_repair` answers beside the file."""

from typing import Any, get_args

from mediakit.tools.files.text_repair.changes import ChangeKind

_COUNT = {"type": "integer", "minimum": 0}

FIELDS: dict[str, Any] = {
    "encoding": {
        "type": ["string", "null"],
        "description": "Registered name of the charset in lower case; null for text.",
        "examples": ["windows-1252"],
    },
    "confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "examples": [0.94]},
    "language": {"type": ["string", "null"], "description": "ISO 639-1, where it was detected.", "examples": ["es"]},
    "alternatives": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["encoding", "sample"],
            "properties": {"encoding": {"type": "string"}, "sample": {"type": "string"}},
        },
        "description": "At most three further charsets whose text differs, with a line of it.",
        "examples": [[{"encoding": "macintosh", "sample": "MÈrida"}]],
    },
    "had_bom": {"type": "boolean", "description": "Whether the text began with a byte order mark."},
    "newlines": {
        "type": "object",
        "required": ["lf", "crlf", "cr"],
        "properties": {"lf": _COUNT, "crlf": _COUNT, "cr": _COUNT},
        "description": "Line breaks of the input.",
        "examples": [{"lf": 0, "crlf": 4, "cr": 0}],
    },
    "changes": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["kind", "before", "after", "line"],
            "properties": {
                "kind": {"type": "string", "enum": list(get_args(ChangeKind))},
                "before": {"type": "string"},
                "after": {"type": "string"},
                "line": {"type": "integer", "minimum": 1},
            },
        },
        "description": "The first 100 changes.",
        "examples": [[{"kind": "encoding", "before": "CafÃ©", "after": "Café", "line": 1}]],
    },
    "replaced": {**_COUNT, "description": "Bytes that are not valid in the given encoding.", "examples": [0]},
    "bidi_controls": {**_COUNT, "description": "Controls of the writing direction in the input.", "examples": [0]},
}

TEXT: dict[str, Any] = {
    "type": "string",
    "description": "The text, up to 1,000,000 characters.",
    "examples": ["Café Müller\n"],
    "x-optional": True,
}
