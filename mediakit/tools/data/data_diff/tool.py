"""The tool `data_diff`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core.media import extension_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import COLUMN_TYPES
from mediakit.engines.tables.python_tables import adapt_tables
from mediakit.errors import NotConvertible
from mediakit.results.files import FileResult
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.data.data_diff.request import Compared, DataDiffRequest
from mediakit.tools.data.data_diff.result import DiffResult

FORMATS = {
    "json": "application/json",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "markdown": "text/markdown",
    "patch": "application/json-patch+json",
}

_KIND: Mapping[str, Any] = {"type": "string", "enum": list(COLUMN_TYPES)}
_COLUMNS: Mapping[str, Any] = {
    "type": ["array", "null"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "type": _KIND}},
    "description": "Name and type of each column; null for trees.",
    "examples": [[{"name": "id", "type": "integer"}, {"name": "city", "type": "text"}]],
}
_TEXT: Mapping[str, Any] = {"type": ["string", "null"]}

META: Mapping[str, Mapping[str, Any]] = {
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


def _adapt(values: Mapping[str, Any]) -> dict[str, Any]:
    return adapt_tables(values, ("", "2"))


@tool(
    DataDiffRequest,
    tag="Data",
    produces=FORMATS,
    meta=META,
    errors=[NotConvertible],
    adapt=_adapt,
    examples=[
        Example("Two tables, by the key that both have", {"file": SALES, "file2": SALES_REVISED}),
        Example(
            "A workbook for people, by a chosen key, without a column",
            {"file": SALES, "file2": SALES_REVISED, "key": ["order"], "ignore": ["carrier"], "format": "xlsx"},
        ),
        Example(
            "Two JSON documents, with a tolerance",
            {
                "text": '{"name": "lake", "depth": 41.2, "tags": ["cold"]}',
                "text2": '{"name": "lake", "depth": 41.25, "tags": ["cold", "deep"]}',
                "tolerance": 0.1,
            },
        ),
        Example(
            "The JSON patch that turns one document into the other",
            {"text": '{"a": 1, "b": [1, 2]}', "text2": '{"a": 1, "b": [2]}', "format": "patch"},
        ),
    ],
)
async def data_diff(request: DataDiffRequest) -> DiffResult:
    """Compare two tables, or two JSON, YAML or TOML documents.

    The inputs may be of different kinds, such as CSV and Excel: values are compared as they are read, so 1.50 equals
    1.5 and 31.12.2024 equals 2024-12-31, but 01 is not 1; with `types` text everything is compared as written. Rows are
    matched by a key, which is found if it is not set, and never lost: rows that share a key, or have none, are matched
    by their content and similarity. CSV, XLSX, HTML and Markdown are reports for people, in which text never becomes a
    formula; a patch turns the old document into the new one (a table counts as an array of objects).

    Raises:
        InvalidInput: An input cannot be read, or an option does not fit it.
        NotConvertible: The comparison took longer than 10 seconds.
    """
    second, work = request.sides[1], "mediakit.tools.data.data_diff.comparison:compare"
    compared = await run_guarded(work, request, returns=Compared, field=second.name, guard=TABLE)
    made = None
    if compared.content is not None:
        media = FORMATS[request.format]
        made = FileResult(compared.content, media, f"{second.source.stem}-diff.{extension_of(media)}")
    meta = {**({} if made is None else {"size_bytes": len(made.content)}), **compared.meta}
    rows = {f"{name}_rows": compared.fields.pop(name) for name in ("added", "removed", "changed")}
    return DiffResult(**compared.fields, **rows, made=made, meta=meta)
