"""The tool `data_query`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.media import extension_of
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import run_guarded
from mediakit.engines.sql.limits import QUERY
from mediakit.engines.sql.model import Format, Queried
from mediakit.errors import NotConvertible
from mediakit.results.files import FileResult
from mediakit.results.item import Json
from mediakit.samples import SALES
from mediakit.tools.data.data_query.python_arguments import adapt_arguments
from mediakit.tools.data.data_query.request import DataQueryRequest
from mediakit.tools.data.data_query.result import QueryResult

FORMATS = {
    "json": "application/json",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "markdown": "text/markdown",
}
INPUT_TYPES = (
    "text/csv",
    "text/tab-separated-values",
    "application/x-ndjson",
    "application/yaml",
    "application/toml",
    "text/markdown",
    "application/vnd.apache.parquet",
    FORMATS["xlsx"],
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
)
META: Mapping[str, meta_schemas.Schema] = {
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the file, if one was made.", 640)),
    "warnings": meta_schemas.texts("What may not be as expected, such as how a table was read."),
}


def named_tables(
    sql: str,
    /,
    *,
    parameters: Any = None,
    limit: int = 1000,
    format: Format = "json",  # noqa: A002  # the name of the field
    **tables: Any,
) -> None:
    """Arguments of calls with tables by name, for type checkers."""


@overloads(named_tables, QueryResult, DataQueryRequest, QueryResult)
@tool(
    DataQueryRequest,
    tag="Data",
    raw=dict.fromkeys(INPUT_TYPES, "file"),
    produces=FORMATS,
    meta=META,
    errors=[NotConvertible],
    adapt=adapt_arguments,
    uses_file_names=True,
    examples=[
        Example(
            "Totals of a CSV file", {"file": SALES, "sql": "SELECT paid, sum(amount) AS total FROM data GROUP BY ALL"}
        ),
        Example(
            "With a parameter",
            {
                "file": SALES,
                "sql": "SELECT customer, amount FROM data WHERE amount > $least ORDER BY amount DESC",
                "parameters": {"least": 100},
                "limit": 3,
            },
        ),
        Example(
            "Two tables",
            {
                "sql": "SELECT name, sum(n) AS visits FROM visits JOIN cities USING (id) GROUP BY ALL ORDER BY name",
                "tables": {
                    "visits": [{"id": 1, "n": 3}, {"id": 2, "n": 4}, {"id": 1, "n": 5}],
                    "cities": [{"id": 1, "name": "Oslo"}, {"id": 2, "name": "Vigo"}],
                },
            },
        ),
    ],
)
async def data_query(request: DataQueryRequest) -> QueryResult:
    """Query tables with SQL: CSV, Excel, Parquet, JSON and data frames.

    The SQL is that of DuckDB, with window functions, PIVOT, QUALIFY and GROUP BY ALL. A table has the name of its file,
    and the first one is `data`, too; each sheet of a workbook is a table, such as `book_sheet`. Types are detected as
    by `data_convert`: identifiers with leading zeros are VARCHAR, and sums of money are exact. A query can only read
    the tables of its call: it has no access to files, the network or settings. For csv, see `escape_formulas`.

    Raises:
        InvalidInput: A table cannot be read, the query fails or does more than read, or it needs too much memory.
        NotConvertible: The query took longer than 10 seconds.
    """
    queried = await run_guarded("mediakit.engines.sql.query:run_query", request.query, returns=Queried, guard=QUERY)
    media = FORMATS[request.format]
    made = None if queried.file is None else FileResult(queried.file, media, f"query.{extension_of(media)}")
    rows: Any = Json(queried.rows)
    size = {} if made is None else {"size_bytes": len(made.content)}
    return QueryResult(
        columns=queried.columns,
        rows=rows,
        row_count=queried.row_count,
        truncated=queried.truncated,
        tables=queried.tables,
        made=made,
        elapsed_ms=queried.elapsed_ms,
        meta={**size, "warnings": queried.warnings},
    )
