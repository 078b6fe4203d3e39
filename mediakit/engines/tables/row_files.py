"""Tables from files such as CSV, XLSX or Parquet, and from results of tools. Files are parsed in a worker process."""

import datetime as dt
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from mediakit.core.inputs import FileBytes, FileSource, load_file
from mediakit.core.media import TABLE_FILES, check_kind
from mediakit.core.messages import quote
from mediakit.core.runtime import runtime
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import ColumnType, ReadOptions, Table
from mediakit.engines.tables.python_tables import rows_of_result
from mediakit.errors import InvalidInput

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".xls", ".ods", ".parquet", ".json", ".jsonl", ".ndjson")
TEXT_OPTIONS = ReadOptions(types="text", field="rows")
"""Options for files of text. Their cells stay as they are written, so that `007` and `250.00` keep their digits."""

TYPED_OPTIONS = ReadOptions(flatten=False, field="rows")
"""Options for files whose cells have types. Their nested values are JSON texts."""


def source_of(value: Any, field: str = "rows") -> Any:
    """Return the rows of a result that has rows, and the file of any other result; other values unchanged.

    Raises:
        InvalidInput: The result is not a table; the message says what returns one.
    """
    if not isinstance(value, FileSource):
        return value
    if (rows := rows_of_result(value)) is not None:
        return rows
    try:
        check_kind(value._saved().mime_type, TABLE_FILES, type(value).__name__)
        return load_file(value, allow_empty=True)
    except ValueError as error:
        raise InvalidInput(f"{field}: {error}") from None


def columns_of(source: Any, field: str) -> dict[str, list[Any]] | None:
    """Return the columns of a table file, of a result or of a list of dicts, with numbers and dates of Python.

    Other values return None: data frames, dicts, and lists of single values. `field` is the one that errors name.

    Raises:
        InvalidInput: The file cannot be read, or the result or the file is not a table.
    """
    kinds: Mapping[str, ColumnType] = {}
    if is_result := isinstance(source, FileSource):
        listed = getattr(source, "columns", ())
        source = source_of(source, field)
        if isinstance(source, list):
            from mediakit.engines.sql.query import column_type

            kinds = {each["name"]: column_type(each["type"]) for each in listed if isinstance(each, Mapping)}
    if isinstance(source, list | tuple):
        if not all(isinstance(row, Mapping) for row in source) or (not source and not is_result):
            return None
        records = [{str(name): value for name, value in row.items()} for row in source]
        names = dict.fromkeys(name for record in records for name in record)
        return {name: _python_values([each.get(name) for each in records], kinds.get(name, "json")) for name in names}
    file = _file_of(source, field)
    if file is None:
        return None
    if runtime.inside:
        table = read_typed(file, file.name, field)
    else:
        table = runtime.run(run_guarded(read_typed, bytes(file), file.name, field, field=field, guard=TABLE))
    return {column.name: _python_values(column.values, column.type) for column in table.columns}


def _file_of(source: Any, field: str) -> FileBytes | None:
    if isinstance(source, str):
        try:
            path = Path(source)
            if not path.is_file() and path.suffix.lower() not in TABLE_SUFFIXES:
                return None
        except (OSError, ValueError):  # the text is too long for a name
            return None
        source = path
    if not (isinstance(source, bytes | os.PathLike) or callable(getattr(source, "read", None))):
        return None
    try:
        return load_file(source)
    except ValueError as error:
        raise InvalidInput(f"{field}: {error}") from None


def read_typed(content: bytes, name: str, field: str) -> Table:
    """Return a table with the types of its columns; call it in a worker.

    Raises:
        InvalidInput: The content is not a table.
    """
    from mediakit.engines.tables.reading import as_tables, read_file

    options = ReadOptions(field=field)
    return with_plain_decimals(as_tables(read_file(content, name, options), options).table)


_PARSERS: Mapping[ColumnType, Callable[[str], Any]] = {
    "number": float,
    "integer": int,
    "date": dt.date.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
}
"""Values of these types are texts in JSON, and those of numbers only if a float cannot hold them."""


def _python_values(values: list[Any], kind: ColumnType) -> list[Any]:
    parse = _PARSERS.get(kind)
    if parse is None:
        return values
    try:
        return [parse(value) if isinstance(value, str) else value for value in values]
    except ValueError:  # such as a year beyond 9999
        return values


async def load(source: Any, *, has_header: bool = False) -> Any:
    """Return the rows of a table file as dictionaries; return any other source unchanged.

    The source is the path of a table file, its content with a name, a result of a tool, or rows. Unless it is known to
    have a header, the texts of the first row decide.

    Raises:
        InvalidInput: The file cannot be read, or it is not a table.
    """
    source = source_of(source)
    if not isinstance(source, str | os.PathLike | FileBytes):
        return source
    if isinstance(source, FileBytes):
        file = source
    elif (path := Path(source)).suffix.lower() not in TABLE_SUFFIXES:
        raise InvalidInput(
            "rows: must be a DataFrame, a list of dictionaries or values, a dictionary, or the path of a CSV, TSV, "
            f"XLSX or Parquet file, got {quote(str(path))}."
        )
    else:
        try:
            file = load_file(path, allow_empty=True)
        except ValueError as error:
            raise InvalidInput(f"rows: {error}") from None
    return await run_guarded(read_records, bytes(file), file.name, has_header, field="rows", guard=TABLE)


def read_records(content: bytes, name: str, has_header: bool = False) -> list[dict[str, Any]]:  # noqa: FBT001, FBT002  # called in a worker
    """Return the rows of a table file by column."""
    from mediakit.engines.tables.nested import as_texts
    from mediakit.engines.tables.reading import as_tables, binary_kind, read_file

    options = TYPED_OPTIONS if binary_kind(content) else TEXT_OPTIONS
    options = replace(options, header=True) if has_header else options
    table = as_tables(read_file(content, name, options), options).table
    return list(with_plain_decimals(Table(list(map(as_texts, table.columns)))).records())


def with_plain_decimals(table: Table) -> Table:
    """Return a table with decimal numbers as texts, which keep their digits and which a worker may return."""
    return Table(
        [
            replace(each, values=[str(value) if isinstance(value, Decimal) else value for value in each.values])
            if Decimal in set(map(type, each.values))
            else each
            for each in table.columns
        ]
    )
