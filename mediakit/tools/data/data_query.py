"""The tool `data_query`: its request, tables that Python callers pass by name, and its result."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import KW_ONLY
from pathlib import PurePath
from typing import Annotated, Any, Self, get_args

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import to_json

from mediakit.core import meta_schemas
from mediakit.core.inputs import (
    MAX_TOTAL_FILE_BYTES,
    MEGABYTE,
    FileBytes,
    FileList,
    FileSource,
    files_of,
    is_table,
    load_file,
    local_file,
)
from mediakit.core.media import extension_of
from mediakit.core.messages import counted, quote
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import field_names, invalid, request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.display import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.guarded import run_guarded
from mediakit.engines.sql.database import MAX_PARAMETERS, MAX_RESULT_ROWS, MAX_SQL_LENGTH, MAX_TABLES, QUERY
from mediakit.engines.sql.named_tables import Format, Queried, Query, QueryColumn, QueryTable, TableInput
from mediakit.engines.sql.query import column_type
from mediakit.engines.tables.model import COLUMN_TYPES, Column, Table
from mediakit.engines.tables.python_tables import adapt_table, frame, is_json_file, rows_of_result, rows_of_table
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import INPUT_TYPES, Rows, TableFile, TableOptions, TableText
from mediakit.engines.tables.writers import MEDIA_TYPES
from mediakit.errors import NotConvertible
from mediakit.results.data import MadeData
from mediakit.results.files import FileResult
from mediakit.results.item import Json, field
from mediakit.results.result import Bundle, ListResult
from mediakit.samples import SALES

_MAX_NAME_LENGTH = 255
_TABLES_RULE = 'must be an object such as {"sales": [{"id": 1}]}, or {"sales": {"rows": [...], "types": {...}}}'
_ROWS_SCHEMA = {"type": "array", "items": {"anyOf": [{"type": "object"}, {"type": "array"}]}}
_TYPES = [name for name in COLUMN_TYPES if name != "json"]


def _check_tables(value: Any) -> Any:
    """Return rows by the name of their table; what is in the rows is checked by the reader."""
    if not isinstance(value, Mapping) or not 1 <= len(value) <= MAX_TABLES:
        raise ValueError(f"{_TABLES_RULE}, with 1 to {MAX_TABLES} tables.")
    for name, table in value.items():
        if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME_LENGTH:
            raise ValueError(f"must have names of 1 to {_MAX_NAME_LENGTH} characters, got {quote(name)}.")
        rows, types = _rows_and_types(table)
        known = isinstance(types, Mapping) and all(kind in _TYPES for kind in types.values())
        if not isinstance(rows, list | dict) or not known:
            raise ValueError(f"{_TABLES_RULE}; {quote(name)} is not.")
    return dict(value)


def _rows_and_types(table: Any) -> tuple[Any, Any]:
    if isinstance(table, Mapping) and "rows" in table and table.keys() <= {"rows", "types"}:
        return table["rows"], table.get("types", {})
    return table, {}


def _check_parameters(value: Any) -> Any:
    if not isinstance(value, list | tuple | Mapping) or len(value) > MAX_PARAMETERS:
        raise ValueError(f"must be an array or an object of at most {MAX_PARAMETERS} values, got {quote(value)}.")
    if isinstance(value, Mapping):
        return dict(zip(map(str, value), _check_parameters(list(value.values())), strict=True))
    return [list(map(_scalar, item)) if isinstance(item, list | tuple) else _scalar(item) for item in value]


def _scalar(value: Any) -> Any:
    """Return a value that JSON and the engine have; dates of Python become ISO 8601 text, numbers keep their digits."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a scalar of NumPy
        value = value.item()
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if type(value).__name__ == "Decimal":
        return str(value)
    raise ValueError(f"must have texts, numbers, booleans, nulls and arrays of them, got {quote(value)}.")


Tables = Annotated[
    Any,
    PlainValidator(_check_tables),
    WithJsonSchema(
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": MAX_TABLES,
            "additionalProperties": {
                "anyOf": [
                    _ROWS_SCHEMA,
                    {
                        "type": "object",
                        "required": ["rows"],
                        "properties": {
                            "rows": _ROWS_SCHEMA,
                            "types": {"type": "object", "additionalProperties": {"enum": _TYPES}},
                        },
                    },
                ]
            },
        }
    ),
]
"""Rows by the name of their table."""

Parameters = Annotated[
    Any,
    PlainValidator(_check_parameters),
    WithJsonSchema({"anyOf": [{"type": "array"}, {"type": "object"}], "x-kind": "object"}),
]


@request
class DataQueryRequest(TableOptions):
    """Tables, and a query over them."""

    file: TableFile | None = None
    """CSV, TSV, JSON, JSON Lines, Excel, ODS, Parquet, YAML, TOML or Markdown; in Python also a data frame, a list of
    dicts or a dict of lists. The table is named as the file, and `data`."""
    sql: Annotated[str, Field(max_length=MAX_SQL_LENGTH), Synonyms("query, q, statement")] | None = None
    """One SELECT in the SQL of DuckDB; WITH, FROM first, VALUES, PIVOT, DESCRIBE, SUMMARIZE, SHOW and EXPLAIN, too.
    Required."""
    _: KW_ONLY
    files: Annotated[Any, FileList(max_items=MAX_TABLES, allow_empty=True)] | None = None
    """Files of further tables, named as the files: `sales 2024.csv` is `sales_2024`. In Python also an object of tables
    by name."""
    text: TableText | None = None
    """A table as text, in place of `file`; named `data`."""
    rows: Rows | None = None
    """Rows in place of `file`: an array of objects or of arrays; named `data`."""
    tables: Tables | None = None
    """Rows of further tables by the name of the table. In Python any other argument is a table, too: `sales=frame`."""
    parameters: Annotated[Parameters | None, Synonyms("params, args, arguments")] = None
    """Values for `?` and `$1` (an array) or `$name` (an object) in the query."""
    limit: Annotated[int, Field(ge=1, le=MAX_RESULT_ROWS), Synonyms("max_rows, nrows, top")] = 1000
    """Number of rows to return at most."""
    format: Annotated[Format, Synonyms("to, output, output_format", {"xlsx": "excel"})] = "json"
    """Format of the result: rows as json, or a file."""
    escape_formulas: bool = False
    """Write an apostrophe before cells of csv that a spreadsheet would run as formulas. It changes the data."""

    @property
    def query(self) -> Query:
        """The query that the request describes."""
        return Query(self._inputs(), self.sql or "", self.parameters, self.limit, self.format, self.escape_formulas)

    def _inputs(self) -> list[TableInput]:
        found = []
        if any(value is not None for value in (self.file, self.text, self.rows)):
            source = self.table_source(self.file, self.text, self.rows)
            found.append(TableInput(source, self.read_options(source.field, flatten=False), source.name))
        for name, table in (self.tables or {}).items():
            rows, types = _rows_and_types(table)
            source = Source("rows", rows)
            found.append(TableInput(source, self.read_options(f"tables.{name}", flatten=False), name, types))
        for place, file in enumerate(files_of(self.files) if self.files else ()):
            options = self.read_options(f"files[{place}]", flatten=False)
            found.append(TableInput(Source("file", file, file.name), options, file.name or f"table_{place + 1}"))
        return found

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.sql or "").strip():
            raise ValueError("sql: is required, such as SELECT * FROM data.")
        inputs = self._inputs()
        if not 1 <= len(inputs) <= MAX_TABLES:
            raise ValueError(f"file: 1 to {MAX_TABLES} tables are required (file, text, rows, files, tables).")
        sizes = [len(each.source.value) for each in inputs if each.source.field == "file"]
        if sum(sizes) > MAX_TOTAL_FILE_BYTES:
            raise ValueError(f"files: must have at most {MAX_TOTAL_FILE_BYTES // MEGABYTE} MB in total.")
        if self.escape_formulas and self.format != "csv":
            raise ValueError(f"escape_formulas: requires format csv, got {self.format}.")
        return self


_KINDS = (list, tuple, Mapping, bytes, bytearray, memoryview, os.PathLike, FileSource)


def adapt_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its tables as files and rows.

    An argument that is not a field is a table of that name. With such tables the first positional argument may be the
    query. The query and the table may be in either order.

    Raises:
        InvalidInput: A file cannot be read.
    """
    fields = field_names(DataQueryRequest)
    named = {name: value for name, value in values.items() if name not in fields and _may_be_table(value)}
    arguments = {name: value for name, value in values.items() if name not in named}
    for several in ("files", "tables"):
        given = arguments.get(several)
        if isinstance(given, Mapping) and not is_json_file(given):
            del arguments[several]
            named = {**given, **named}
    if isinstance(arguments.get("file"), str):
        if named and "sql" not in arguments:
            arguments["sql"] = arguments.pop("file")
        elif _may_be_table(arguments.get("sql")) and not isinstance(arguments["sql"], str):
            arguments["file"], arguments["sql"] = arguments["sql"], arguments["file"]
    return _with_tables(adapt_table(arguments), named)


def _may_be_table(value: Any) -> bool:
    """Return whether a value can be a table, so that a misspelled option is not taken for one."""
    if isinstance(value, str):
        with suppress(ValueError):
            return len(value) > 1 and isinstance(local_file(value), PurePath)
        return False
    return isinstance(value, _KINDS) or is_table(value) or callable(getattr(value, "read", None))


def _with_tables(arguments: dict[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    files: list[Any] = []
    for name, each in named.items():
        result = rows_of_result(each)
        value = each if result is None else result
        if isinstance(value, Mapping) and value.keys() == {"rows", "types"} and isinstance(value["types"], Mapping):
            tables[name] = value
        elif found := rows_of_table(value):
            rows, types = found
            tables[name] = {"rows": rows, "types": types} if types else rows
        else:
            try:
                content = load_file(local_file(value), allow_empty=True)
            except ValueError as error:
                raise invalid([{"field": name, "message": str(error)}]) from None
            files.append(FileBytes.named(content, f"{name}{PurePath(content.name).suffix or '.csv' * ('.' in name)}"))
    is_first = not any(field in arguments for field in ("file", "text", "rows"))
    if files and tables and is_first and not rows_of_table(next(iter(named.values()))):
        arguments["file"] = files.pop(0)  # the first table of the call stays the first one
    if files:
        given = arguments.get("files")
        others = given if isinstance(given, list | tuple) else [] if given is None else [given]
        arguments["files"] = [*others, *files]
    return {**arguments, "tables": tables} if tables else arguments


COLUMNS = [{"name": "city", "type": "VARCHAR"}, {"name": "total", "type": "DECIMAL(38,2)"}]


class QueryResult(ListResult[dict[str, Any]], MadeData, kw_only=True):
    """The rows of a query. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    _items = "rows"

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

    def _members(self) -> Mapping[str, Any]:
        return {name: value for name, value in super()._members().items() if name != "elapsed_ms"}

    def _rows(self) -> list[dict[str, Any]]:
        return self.rows

    def _frame(self) -> Any:
        names = [one["name"] for one in self.columns]
        types = [column_type(one["type"]) for one in self.columns]
        values = ([row[name] for row in self.rows] for name in names)
        return frame(Table(list(map(Column, names, types, values))))

    def _facts(self) -> str:
        return f"{counted(self.row_count, 'row')} × {counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return self.row_count

    def _bundle(self) -> Bundle:
        columns = [
            ShownColumn(one["name"], one["type"], column_type(one["type"]) in ("integer", "number"))
            for one in self.columns
        ]
        head = ([row[one.name] for one in columns] for row in self.rows[:MAX_SHOWN_ROWS])
        rows = [
            [each if each is None or isinstance(each, str) else to_json(each).decode() for each in row] for row in head
        ]
        sources = ", ".join(f"{one['name']} ({counted(one['rows'], 'row')})" for one in self.tables)
        more = "more rows than the limit" if self.truncated else ""
        caption = " · ".join(filter(None, (self._facts(), more, f"from {sources}", f"{self.elapsed_ms} ms")))
        return {"text/html": table_html(columns, rows, caption, self.row_count)}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self._facts(), "truncated" if self.truncated else "", self.filename)))
        return f"<{type(self).__name__} {facts}>"


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
            "Totals of a CSV file",
            {"file": SALES, "sql": "SELECT paid, sum(amount) AS total FROM data GROUP BY ALL ORDER BY paid"},
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
