"""The request of `data_query`, and tables that Python callers pass by name."""

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY
from pathlib import PurePath
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

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
from mediakit.core.messages import quote
from mediakit.core.request import field_names, invalid, request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.sql.database import MAX_PARAMETERS, MAX_RESULT_ROWS, MAX_SQL_LENGTH, MAX_TABLES
from mediakit.engines.sql.named_tables import Format, Query, TableInput
from mediakit.engines.tables.model import COLUMN_TYPES, ColumnType
from mediakit.engines.tables.python_tables import FILE_MEMBERS, adapt_table, rows_of_result, rows_of_table
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions, TableText

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
        return {str(name): _parameter(item) for name, item in value.items()}
    return [_parameter(item) for item in value]


def _parameter(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_scalar(item) for item in value]
    return _scalar(value)


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
            found.append(TableInput(source, self.read_options(f"tables.{name}", flatten=False), name, _typed(types)))
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


def _typed(types: Mapping[str, ColumnType]) -> dict[str, ColumnType]:
    return dict(types)


_KINDS = (list, tuple, Mapping, bytes, bytearray, memoryview, os.PathLike, FileSource)


def adapt_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its tables as files and rows.

    An argument that is not a field is a table of that name. With such tables the first positional argument may be the
    query.

    Raises:
        InvalidInput: A file cannot be read.
    """
    fields = field_names(DataQueryRequest)
    named = {name: value for name, value in values.items() if name not in fields and _may_be_table(value)}
    arguments = {name: value for name, value in values.items() if name not in named}
    for field in ("files", "tables"):
        given = arguments.get(field)
        if isinstance(given, Mapping) and not _is_file(given):
            del arguments[field]
            named = {**given, **named}
    if named and "sql" not in arguments and isinstance(arguments.get("file"), str):
        arguments["sql"] = arguments.pop("file")
    return _with_tables(adapt_table(arguments), named)


def _may_be_table(value: Any) -> bool:
    """Return whether a value can be a table, so that a misspelled option is not taken for one."""
    if isinstance(value, str):
        return len(value) > 1 and _exists(value)
    return isinstance(value, _KINDS) or is_table(value) or callable(getattr(value, "read", None))


def _exists(path: str) -> bool:
    try:
        return isinstance(local_file(path), PurePath)
    except ValueError:
        return False


def _is_file(value: Mapping[str, Any]) -> bool:
    return value.keys() <= FILE_MEMBERS and isinstance(value.get("file"), str | bytes)


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
            files.append(_file(name, value))
    is_first = not any(field in arguments for field in ("file", "text", "rows"))
    if files and tables and is_first and not rows_of_table(next(iter(named.values()))):
        arguments["file"] = files.pop(0)  # the first table of the call stays the first one
    given = arguments.get("files")
    others = list(given) if isinstance(given, list | tuple) else [] if given is None else [given]
    if files:
        arguments["files"] = [*others, *files]
    return {**arguments, "tables": tables} if tables else arguments


def _file(name: str, value: Any) -> FileBytes:
    """Return a file with the name of its table; its extension stays, because it tells formats of text apart."""
    try:
        content = load_file(local_file(value), allow_empty=True)
    except ValueError as error:
        raise invalid([{"field": name, "message": str(error)}]) from None
    return FileBytes.named(content, f"{name}{PurePath(content.name).suffix or '.csv' * ('.' in name)}")
