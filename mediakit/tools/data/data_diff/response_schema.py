"""JSON Schema of the response of `data_diff`."""

from typing import Any

from mediakit.engines.tables.model import COLUMN_TYPES

_COUNTS = (
    "added",
    "removed",
    "changed",
    "moved",
    "unchanged",
    "columns_added",
    "columns_removed",
    "columns_renamed",
    "cells_changed",
)
_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_ROW_NUMBERS: dict[str, Any] = {"type": "array", "items": {"type": "integer", "minimum": 1}}
_KEY: dict[str, Any] = {"type": ["object", "null"], "description": "Value by column; null without a key."}
_KIND: dict[str, Any] = {"type": "string", "enum": list(COLUMN_TYPES)}
_COLUMNS: dict[str, Any] = {
    "type": ["array", "null"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "type": _KIND}},
    "description": "Name and type of each column; null for trees.",
    "examples": [[{"name": "id", "type": "integer"}, {"name": "city", "type": "text"}]],
}
_TEXT: dict[str, Any] = {"type": ["string", "null"]}

SCHEMA: dict[str, Any] = {
    "same": {"type": "boolean", "description": "Whether nothing differs that is not ignored.", "examples": [False]},
    "mode": {"type": "string", "enum": ["table", "tree"], "description": "How the inputs were compared."},
    "summary": {
        "type": "object",
        "properties": {name: {"type": "integer", "minimum": 0} for name in _COUNTS},
        "description": "Numbers of rows (of values for trees), columns and cells. Rows that moved are counted even if "
        "their order is ignored.",
        "examples": [{**dict.fromkeys(_COUNTS, 0), "changed": 1, "unchanged": 7, "cells_changed": 1}],
    },
    "added": {
        "type": "array",
        "items": {"type": "object"},
        "description": "Rows of the new table by column, and their number as `row`, from 1 (`_row` if a column has "
        "this name). For trees: `path` and `value`.",
        "examples": [[]],
    },
    "removed": {
        "type": "array",
        "items": {"type": "object"},
        "description": "Rows of the old table, in the same form.",
        "examples": [[]],
    },
    "changed": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "key": {**_KEY, "x-optional": True},
                "row": {"type": "integer", "description": "Row of the old table, from 1.", "x-optional": True},
                "row2": {"type": "integer", "description": "Row of the new table, from 1.", "x-optional": True},
                "changes": {
                    "type": "object",
                    "additionalProperties": {"type": "object", "properties": {"from": {}, "to": {}}},
                    "description": "Old and new value by column.",
                    "x-optional": True,
                },
                "path": {"type": "string", "description": "Place in the old tree.", "x-optional": True},
                "path2": {"type": "string", "description": "Place in the new tree.", "x-optional": True},
                "from": {"description": "Old value in a tree.", "x-optional": True},
                "to": {"description": "New value in a tree.", "x-optional": True},
            },
        },
        "description": "Rows in both tables of which cells differ; for trees, values that differ.",
        "examples": [[{"key": {"id": 2}, "row": 2, "row2": 2, "changes": {"city": {"from": "Oslo", "to": "Bergen"}}}]],
    },
    "columns": {
        "type": "object",
        "properties": {
            "added": _NAMES,
            "removed": _NAMES,
            "renamed": {
                "type": "array",
                "items": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}},
            },
            "type_changed": {
                "type": "array",
                "items": {"type": "object", "properties": {"column": {"type": "string"}, "from": _KIND, "to": _KIND}},
                "description": "Columns read as another type, which alone does not count as a difference.",
            },
            "moved": {**_NAMES, "description": "Columns in another order."},
        },
        "examples": [{"added": [], "removed": [], "renamed": [], "type_changed": [], "moved": []}],
    },
    "key": {
        "type": ["array", "null"],
        "items": {"type": "string"},
        "description": "Columns by which rows were matched; null if they were matched by their content.",
        "examples": [["id"]],
    },
    "key_found": {"type": "boolean", "description": "Whether the key was found, not chosen.", "examples": [True]},
    "duplicate_keys": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"key": _KEY, "rows": _ROW_NUMBERS, "rows2": _ROW_NUMBERS},
        },
        "description": "Keys of several rows, and these rows; they are matched by similarity.",
        "examples": [[]],
    },
    "truncated": {
        "type": "boolean",
        "description": "Whether there are more differences than `max_changes`.",
        "examples": [False],
    },
}

META: dict[str, Any] = {
    "rows": {"type": ["integer", "null"], "description": "Rows of the old table; null for trees.", "examples": [8]},
    "rows2": {"type": ["integer", "null"], "description": "Rows of the new table.", "examples": [8]},
    "columns": _COLUMNS,
    "columns2": {**_COLUMNS, "description": "The same for the new table."},
    "input_format": {"type": "string", "examples": ["csv"]},
    "input_format2": {"type": "string", "examples": ["excel"]},
    "encoding": {**_TEXT, "examples": ["utf-8"]},
    "encoding2": {**_TEXT, "examples": [None]},
    "sheet": {**_TEXT, "examples": [None]},
    "sheet2": {**_TEXT, "examples": ["Sheet1"]},
    "warnings": {"type": "array", "items": {"type": "string"}, "examples": [[]]},
}
