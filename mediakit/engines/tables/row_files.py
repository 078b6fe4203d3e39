"""Rows of a table file, such as CSV, XLSX or Parquet. The file is parsed in a worker process."""

import os
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from mediakit.core.inputs import FileBytes, load_file
from mediakit.core.messages import quote
from mediakit.engines.tables.guarded import run_guarded
from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.options import ReadOptions
from mediakit.errors import InvalidInput

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".xls", ".ods", ".parquet", ".json", ".jsonl", ".ndjson")
TEXT_OPTIONS = ReadOptions(types="text", field="rows")
"""Options for files of text. Their cells stay as they are written, so that `007` and `250.00` keep their digits."""

TYPED_OPTIONS = ReadOptions(field="rows")
"""Options for files whose cells have types."""


async def load(source: Any, *, has_header: bool = False) -> Any:
    """Return the rows of a table file as dictionaries; return any other source unchanged.

    Args:
        source: The path of a table file, its content with a name, or rows.
        has_header: Whether the first row has the names of the columns; by default, its texts decide.

    Raises:
        InvalidInput: The file cannot be read, or it is not a table.
    """
    if not isinstance(source, str | os.PathLike | FileBytes):
        return source
    file = source if isinstance(source, FileBytes) else _read(PurePath(source))
    return await run_guarded(read_records, bytes(file), file.name, has_header, field="rows")


def read_records(content: bytes, name: str, has_header: bool = False) -> list[dict[str, Any]]:  # noqa: FBT001, FBT002  # called in a worker
    """Return the rows of a table file by column."""
    from mediakit.engines.tables.kinds import binary_kind
    from mediakit.engines.tables.reading import as_tables, read_file

    options = TYPED_OPTIONS if binary_kind(content) else TEXT_OPTIONS
    options = replace(options, header=True) if has_header else options
    return list(with_plain_decimals(as_tables(read_file(content, name, options), options).table).records())


def with_plain_decimals(table: Table) -> Table:
    """Return a table with decimal numbers as texts, which keep their digits and which a worker may return."""
    return Table(list(map(_with_plain_decimals, table.columns)))


def _with_plain_decimals(column: Column) -> Column:
    if Decimal not in set(map(type, column.values)):
        return column
    return replace(column, values=[str(value) if isinstance(value, Decimal) else value for value in column.values])


def _read(path: PurePath) -> FileBytes:
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise InvalidInput(
            "rows: must be a DataFrame, a list of dictionaries or values, a dictionary, or the path of a CSV, TSV, "
            f"XLSX or Parquet file, got {quote(str(path))}."
        )
    try:
        return load_file(Path(path), allow_empty=True)
    except ValueError as error:
        raise InvalidInput(f"rows: {error}") from None
