"""JSON Schema of the response of `data_profile`."""

from typing import Any

from mediakit.tools.data.data_profile.problems import KINDS
from mediakit.tools.data.data_profile.semantics import SEMANTICS

_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_NUMBER: dict[str, Any] = {"type": ["number", "null"]}
_NULLABLE_COUNT: dict[str, Any] = {"type": ["integer", "null"]}
_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_ANY_VALUE: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
_TYPES = ["text", "integer", "number", "boolean", "date", "datetime", "time"]

_COLUMN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "type": {"type": "string", "enum": _TYPES},
        "semantic": {"type": ["string", "null"], "enum": [*SEMANTICS, None], "description": "What the values mean."},
        "count": {**_COUNT, "description": "Values that are not null."},
        "nulls": _COUNT,
        "null_pct": {"type": "number", "minimum": 0, "maximum": 100},
        "distinct": {**_COUNT, "description": "Distinct values, without null."},
        "unique": {"type": "boolean", "description": "Whether there are values, and none repeats."},
        "min": {**_ANY_VALUE, "description": "Of numbers, dates and times."},
        "max": _ANY_VALUE,
        "mean": _NUMBER,
        "median": _NUMBER,
        "std": {**_NUMBER, "description": "Standard deviation of a sample."},
        "quantiles": {
            "type": ["array", "null"],
            "items": _NUMBER,
            "description": "At 5, 25, 50, 75 and 95 %, interpolated linearly.",
        },
        "zeros": _NULLABLE_COUNT,
        "negatives": _NULLABLE_COUNT,
        "min_length": {**_NULLABLE_COUNT, "description": "Characters of the shortest text."},
        "max_length": _NULLABLE_COUNT,
        "top": {
            "type": "array",
            "items": {"type": "object", "properties": {"value": _ANY_VALUE, "count": _COUNT}},
            "description": "The most frequent values.",
        },
        "histogram": {
            "type": ["array", "null"],
            "items": {
                "type": "object",
                "properties": {
                    "from": {"type": ["number", "string"]},
                    "to": {"type": ["number", "string"]},
                    "count": _COUNT,
                },
            },
            "description": "20 bins of equal width, of numbers, dates and datetimes; one bin for a single value.",
        },
        "outliers": {
            "type": ["object", "null"],
            "properties": {"count": _COUNT, "values": {"type": "array", "items": {"type": "number"}}},
            "description": "Values more than 3 interquartile ranges beyond the quartiles, and the 5 farthest.",
        },
        "formats": {
            **_NAMES,
            "description": "How dates are written: ymd, dmy, mdy, or d mon y with the month by name.",
        },
        "problems": {**_NAMES, "description": "The sentences of the column's problems."},
    },
}

_PROBLEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "column": {"type": ["string", "null"], "description": "null for a problem of the table."},
        "kind": {"type": "string", "enum": list(KINDS)},
        "count": {**_COUNT, "description": "Cells or rows that it concerns."},
        "rows": {"type": "array", "items": {"type": "integer"}, "description": "The first 5 rows, from 1."},
        "sentence": {"type": "string"},
        "fix": {"type": "string"},
    },
}

SCHEMA: dict[str, Any] = {
    "rows": {**_COUNT, "description": "Rows that were looked at.", "examples": [2]},
    "columns": {"type": "array", "items": _COLUMN},
    "duplicate_rows": {**_COUNT, "description": "Rows that are equal to an earlier one.", "examples": [0]},
    "empty_rows": {**_COUNT, "examples": [0]},
    "empty_columns": {**_NAMES, "examples": [[]]},
    "constant_columns": {**_NAMES, "description": "Columns with one distinct value.", "examples": [[]]},
    "key_candidates": {
        "type": "array",
        "items": _NAMES,
        "description": "The smallest sets of up to 3 columns that identify a row; at most 20.",
        "examples": [[["id"]]],
    },
    "correlations": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "string"},
                "pearson": _NUMBER,
                "spearman": _NUMBER,
            },
        },
        "description": "Pairs of the first 20 number columns with a correlation above 0.3 in either direction.",
        "examples": [[]],
    },
    "score": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "description": "100 less points for nulls, duplicate rows and problems.",
        "examples": [94],
    },
    "problems": {"type": "array", "items": _PROBLEM},
    "sample": {"type": "array", "items": {"type": "object"}, "description": "The first rows.", "examples": [[]]},
    "schema_errors": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "row": {"type": ["integer", "null"]},
                "column": {"type": ["string", "null"]},
                "message": {"type": "string"},
            },
        },
        "description": "At most 100 errors of rows that do not fit `schema`.",
        "examples": [[]],
    },
    "schema_error_count": {**_COUNT, "examples": [0]},
}

_TEXT: dict[str, Any] = {"type": ["string", "null"]}
META_SCHEMA: dict[str, Any] = {
    "rows": {"type": "integer", "description": "Rows of the table.", "examples": [2]},
    "sampled": {"type": "boolean", "description": "Whether rows were omitted.", "examples": [False]},
    "input_format": {"type": "string", "examples": ["csv"]},
    "encoding": {**_TEXT, "examples": ["utf-8"]},
    "delimiter": {**_TEXT, "examples": [","]},
    "decimal": {**_TEXT, "examples": [None]},
    "date_order": {"type": ["string", "null"], "enum": ["ymd", "dmy", "mdy", None], "examples": [None]},
    "sheet": {**_TEXT, "examples": [None]},
    "sheets": {"type": ["array", "null"], "items": {"type": "string"}, "examples": [None]},
    "skipped_lines": {"type": "integer", "description": "Lines above the table.", "examples": [0]},
    "warnings": {"type": "array", "items": {"type": "string"}, "examples": [[]]},
}
