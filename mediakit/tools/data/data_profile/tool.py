"""The tool `data_profile`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.python_tables import adapt_table
from mediakit.errors import NotConvertible
from mediakit.samples import SALES
from mediakit.tools.data.data_profile.request import DataProfileRequest, Profiled
from mediakit.tools.data.data_profile.result import ProfileResult

INPUT_TYPES = (
    "text/csv",
    "text/tab-separated-values",
    "application/x-ndjson",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.apache.parquet",
    "application/yaml",
    "application/toml",
    "text/markdown",
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
)
"""Media types of raw bodies."""

_TEXT: meta_schemas.Schema = {"type": ["string", "null"]}
META: Mapping[str, meta_schemas.Schema] = {
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


@tool(
    DataProfileRequest,
    tag="Data",
    raw=dict.fromkeys(INPUT_TYPES, "file"),
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    adapt=adapt_table,
    examples=[
        Example("What is in a CSV file", {"file": SALES}),
        Example(
            "Rows that do not fit a JSON Schema",
            {
                "file": SALES,
                "schema": {"properties": {"amount": {"type": "number", "minimum": 10}}, "required": ["order"]},
                "top": 3,
                "sample": 0,
            },
        ),
        Example(
            "Problems of a messy table",
            {
                "text": "id,city,visits,joined\n1,Madrid,12,2024-05-01\n2,madrid,-3,2024-02-30\n2, Oslo,7,2024-06-11\n",
                "sample": 0,
            },
        ),
    ],
)
async def data_profile(request: DataProfileRequest) -> ProfileResult:
    """Profile a table: types, statistics and problems of every column.

    For each column the profile has its type, what its values mean, counts, quantiles, a histogram, outliers and the
    most frequent values; for the table duplicate rows, keys, correlations and a score. `problems` name what is wrong,
    in which rows, and how to fix it: mixed types, lost zeros, spellings, ambiguous dates, mojibake and others. All
    numbers are exact, up to `max_rows` rows. No clock is used: births after 2026 count as future.

    Raises:
        InvalidInput: The table cannot be read, or `schema` is not a JSON Schema.
        NotConvertible: The profile took longer than 10 seconds.
    """
    work = "mediakit.tools.data.data_profile.profiling:profile"
    found = await run_guarded(work, request, returns=Profiled, field=request.source.field, guard=TABLE)
    return ProfileResult(**found.fields, meta=found.meta)
