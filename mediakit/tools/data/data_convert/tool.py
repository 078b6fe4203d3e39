"""The tool `data_convert`."""

from mediakit.core.media import extension_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.python_tables import adapt_table
from mediakit.errors import NotConvertible
from mediakit.samples import SALES
from mediakit.tools.data.data_convert.request import Converted, DataConvertRequest
from mediakit.tools.data.data_convert.result import TableResult

OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": OFFICE,
    "parquet": "application/vnd.apache.parquet",
    "yaml": "application/yaml",
    "toml": "application/toml",
    "markdown": "text/markdown",
    "html": "text/html",
    "sql": "application/sql",
}
ARCHIVE = "application/zip"
"""Media type of a file per sheet."""

INPUT_TYPES = (
    "text/csv",
    *(media for name, media in FORMATS.items() if name not in ("csv", "html", "sql")),
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
)


@tool(
    DataConvertRequest,
    tag="Data",
    raw=dict.fromkeys((media for media in INPUT_TYPES if media != "application/json"), "file"),
    produces={**FORMATS, "zip": ARCHIVE},
    errors=[NotConvertible],
    adapt=adapt_table,
    examples=[
        Example("A CSV file as JSON", {"file": SALES}),
        Example("The same as an Excel workbook", {"file": SALES, "to": "xlsx"}),
        Example(
            "Chosen columns of the first rows as Markdown",
            {"file": SALES, "to": "markdown", "columns": ["order", "day", "amount"], "max_rows": 3},
        ),
        Example("YAML as JSON", {"text": "name: Ana\nlangs: [es, en]\n", "input_format": "yaml", "indent": 0}),
    ],
)
async def data_convert(request: DataConvertRequest) -> TableResult:
    """Convert a table, or JSON, YAML and TOML of any shape, to another format.

    Charset, delimiter, header and types are detected. A column gets a type only if all of its cells fit it, so
    identifiers such as 007 and phone numbers stay text. `meta` describes how the input was read, and its `warnings`
    name what is ambiguous or could not be kept. Text never becomes a formula in xlsx; for csv set `escape_formulas`.

    Raises:
        InvalidInput: The input cannot be read, or the format cannot hold it.
        NotConvertible: The conversion took longer than 10 seconds.
    """
    source, work = request.source, "mediakit.tools.data.data_convert.conversion:convert"
    converted = await run_guarded(work, request, returns=Converted, field=source.field, guard=TABLE)
    media = ARCHIVE if converted.is_archive else FORMATS[request.to]
    result = TableResult(converted.content, media, f"{source.stem}.{extension_of(media)}", converted.meta)
    result.preview = converted.preview
    return result
