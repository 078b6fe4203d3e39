"""The report of a call: a row for each row of the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core import meta_schemas
from mediakit.engines.tables.model import Column, ColumnType, Table

REPORT_FILE = "report.csv"

REPORT_TYPES: Mapping[str, ColumnType] = {
    "row": "integer",
    "filename": "text",
    "ok": "boolean",
    "error": "text",
    "pages": "integer",
    "fitted": "text",
    "defaults_used": "text",
}
"""The types of the columns of `report.csv`."""

REPORT_NAMES = tuple(REPORT_TYPES)

_NAMES: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}

REPORT_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "description": "The rows in their order.",
    "items": {
        "type": "object",
        "required": list(REPORT_NAMES),
        "properties": {
            "row": {"type": "integer", "description": "Number of the row, from 1."},
            "filename": {"type": ["string", "null"], "description": "Name of its document; null if the row failed."},
            "ok": {"type": "boolean", "description": "Whether the row has a document."},
            "error": {"type": ["string", "null"], "description": "Why it has none."},
            "pages": {"type": ["integer", "null"], "description": "Pages of a PDF."},
            "fitted": {**_NAMES, "description": "Keys of the template whose text was made smaller or cut."},
            "defaults_used": {**_NAMES, "description": "Keys of the template that have their example text."},
        },
    },
    "examples": [
        [
            {
                "row": 1,
                "filename": "Ada Lovelace.pdf",
                "ok": True,
                "error": None,
                "pages": 1,
                "fitted": [],
                "defaults_used": ["signer"],
            }
        ]
    ],
}

META: Mapping[str, meta_schemas.Schema] = {
    "count": meta_schemas.integer("Number of documents.", 12),
    "failed": meta_schemas.integer("Number of rows without a document.", 0),
    "report": REPORT_SCHEMA,
    "pages": meta_schemas.optional(meta_schemas.integer("Number of pages of a merged PDF.", 12)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


def report_csv(report: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the report as CSV, whose cells no spreadsheet runs as formulas."""
    from mediakit.engines.tables.writers.delimited import delimited

    columns = [Column(name, kind, [_cell(row[name]) for row in report]) for name, kind in REPORT_TYPES.items()]
    return delimited(Table(columns), ",", "\r\n", escape_formulas=True).encode()


def _cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) else value
