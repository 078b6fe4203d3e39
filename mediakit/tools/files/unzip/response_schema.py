"""JSON Schema of the response."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.archives.names import UNSAFE

ENTRY: Mapping[str, Mapping[str, Any]] = {
    "name": {"type": "string", "description": "The name, unchanged."},
    "size_bytes": {"type": "integer", "description": "Size of the file, as the archive claims."},
    "compressed_bytes": {"type": ["integer", "null"], "description": "Size in the archive; null in TAR files."},
    "modified": {"type": ["string", "null"], "description": "ISO 8601 without a zone; null if it is not a date."},
    "crc32": {"type": ["string", "null"], "description": "In hexadecimal; null where the archive has none."},
    "encrypted": {"type": "boolean"},
    "method": {"type": "string", "description": "Compression method, such as `stored` or `deflate`."},
    "is_folder": {"type": "boolean"},
    "unsafe": {
        "type": ["string", "null"],
        "enum": [*UNSAFE, None],
        "description": "Why the entry is never unpacked; null for a safe one.",
    },
}

FILE: Mapping[str, Mapping[str, Any]] = {
    "name": {"type": "string", "description": "Safe and unique, with `/` between folders."},
    "file": {"type": "string", "contentEncoding": "base64"},
    "mime_type": {"type": "string"},
    "size_bytes": {"type": "integer"},
}

ENTRY_EXAMPLE: Mapping[str, Any] = {
    "name": "data/cities.csv", "size_bytes": 24, "compressed_bytes": 26, "modified": "1980-01-01T00:00:00",
    "crc32": "5f0d8a36", "encrypted": False, "method": "deflate", "is_folder": False, "unsafe": None,
}  # fmt: skip

FILE_EXAMPLE: Mapping[str, Any] = {
    "name": "data/cities.csv", "file": "Y2l0eSxvcmRlcnMKTGlzYm9uLDEyCg==", "mime_type": "text/csv", "size_bytes": 22,
}  # fmt: skip

SCHEMA: Mapping[str, Any] = {
    "entries": {
        "type": "array",
        "maxItems": 1000,
        "items": {"type": "object", "required": list(ENTRY), "properties": ENTRY},
        "description": "The first 1000 entries, in the order of the archive; with `list_only` and `names` those of the "
        "names.",
        "examples": [[ENTRY_EXAMPLE]],
    },
    "truncated": {"type": "boolean", "description": "Whether there are more entries.", "examples": [False]},
    "total_bytes": {"type": "integer", "description": "Size of all files, as the archive claims.", "examples": [24]},
    "name_encoding": {
        "type": "string",
        "description": "Charset of the names that do not say theirs.",
        "examples": ["utf-8"],
    },
    "comment": {"type": "string", "description": "Comment of the archive.", "examples": [""]},
    "files": {
        "type": "array",
        "items": {"type": "object", "required": list(FILE), "properties": FILE},
        "description": "The chosen files, in the order of the archive; absent with `list_only`.",
        "examples": [[FILE_EXAMPLE]],
        "x-optional": True,
    },
    "meta": {
        "properties": {
            "entries": {"type": "integer", "description": "Number of entries.", "examples": [1]},
        }
    },
}
