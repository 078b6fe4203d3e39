"""The tool `data_query` and its result."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args

from pydantic import Field
from pydantic_core import to_json

from mediakit.core import meta_schemas
from mediakit.core.media import extension_of
from mediakit.core.messages import counted
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, Wire, tool
from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.guarded import run_guarded
from mediakit.engines.sql.database import QUERY
from mediakit.engines.sql.named_tables import Format, Queried, QueryColumn, QueryTable
from mediakit.engines.sql.query import column_type
from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.python_tables import frame
from mediakit.engines.tables.request import INPUT_TYPES
from mediakit.engines.tables.writers import MEDIA_TYPES
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import Json, field
from mediakit.results.result import Bundle
from mediakit.samples import SALES
from mediakit.tools.data.data_query.request import DataQueryRequest, adapt_arguments

COLUMNS = [{"name": "city", "type": "VARCHAR"}, {"name": "total", "type": "DECIMAL(38,2)"}]


class QueryResult(DataResult, kw_only=True):
    """The rows of a query. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True, sends_file=True)

    columns: Annotated[list[QueryColumn], Field(examples=[COLUMNS])]
    rows: Annotated[list[dict[str, Any]], Field(examples=[[{"city": "Vigo", "total": 415.25}]])] = field(
        metadata={"json": True}
    )
    """The rows by column name. Numbers that a double cannot hold are text; dates are ISO 8601."""
    row_count: Annotated[int, Field(examples=[1])]
    truncated: Annotated[bool, Field(examples=[False])]
    """Whether there are more rows than `limit`."""
    tables: Annotated[list[QueryTable], Field(examples=[[{"name": "sales", "rows": 8, "columns": COLUMNS[:1]}]])]
    """The tables: name in SQL, number of rows, and columns."""
    made: FileResult | None = None
    """The file, if one was made."""
    elapsed_ms: Annotated[int, Field(examples=[3])] = field(compare=False)
    """Duration of the query in milliseconds."""

    @property
    def filename(self) -> str:
        """The name of the file; empty if none was made."""
        return "" if self.made is None else self.made.filename

    def _members(self) -> Mapping[str, Any]:
        return {name: value for name, value in super()._members().items() if name != "elapsed_ms"}

    def _rows(self) -> list[dict[str, Any]]:
        return self.rows

    def _frame(self) -> Any:
        return frame(
            Table(
                [
                    Column(one["name"], column_type(one["type"]), [row[one["name"]] for row in self.rows])
                    for one in self.columns
                ]
            )
        )

    def _facts(self) -> str:
        return f"{counted(self.row_count, 'row')} × {counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return self.row_count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _bundle(self) -> Bundle:
        columns = [
            ShownColumn(one["name"], one["type"], column_type(one["type"]) in ("integer", "number"))
            for one in self.columns
        ]
        rows = [[_shown(row[one.name]) for one in columns] for row in self.rows[:MAX_SHOWN_ROWS]]
        sources = ", ".join(f"{one['name']} ({counted(one['rows'], 'row')})" for one in self.tables)
        more = "more rows than the limit" if self.truncated else ""
        caption = " · ".join(filter(None, (self._facts(), more, f"from {sources}", f"{self.elapsed_ms} ms")))
        return {"text/html": table_html(columns, rows, caption, self.row_count)}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self._facts(), "truncated" if self.truncated else "", self.filename)))
        return f"<{type(self).__name__} {facts}>"


def _shown(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else to_json(value).decode()


FORMATS = {name: MEDIA_TYPES[name] for name in get_args(Format)}
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
