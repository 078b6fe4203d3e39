"""JSON Schema of the response of `data_query`."""

from typing import Any

_COLUMNS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "type"],
        "properties": {"name": {"type": "string"}, "type": {"type": "string", "description": "Type in SQL."}},
    },
}
SCHEMA: dict[str, Any] = {
    "columns": {
        **_COLUMNS,
        "examples": [[{"name": "city", "type": "VARCHAR"}, {"name": "total", "type": "DECIMAL(38,2)"}]],
    },
    "rows": {
        "type": "array",
        "items": {"type": "object"},
        "description": "The rows by column name. Numbers that a double cannot hold are text; dates are ISO 8601.",
        "examples": [[{"city": "Vigo", "total": 415.25}]],
    },
    "row_count": {"type": "integer", "examples": [1]},
    "truncated": {"type": "boolean", "description": "Whether there are more rows than `limit`.", "examples": [False]},
    "tables": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "rows", "columns"],
            "properties": {"name": {"type": "string"}, "rows": {"type": "integer"}, "columns": _COLUMNS},
        },
        "description": "The tables: name in SQL, number of rows, and columns.",
        "examples": [[{"name": "sales", "rows": 8, "columns": [{"name": "city", "type": "VARCHAR"}]}]],
    },
}
ELAPSED: dict[str, Any] = {
    "elapsed_ms": {"type": "integer", "description": "Duration of the query in milliseconds.", "examples": [3]}
}
