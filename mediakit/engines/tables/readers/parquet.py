"""Parquet files, with polars."""

import datetime as dt
import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pybase64

from mediakit.engines.tables.bounds import check_size
from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.model import Column, Facts, Table
from mediakit.engines.tables.options import ReadOptions
from mediakit.errors import InvalidInput
from mediakit.installation import required


def read_parquet(content: bytes, options: ReadOptions, facts: Facts) -> Table:
    """Return the table of a Parquet file.

    Raises:
        InvalidInput: polars is not installed, or the file is damaged or too large.
    """
    pl = _polars(options.field)
    try:
        scan = pl.scan_parquet(io.BytesIO(content))
        width = len(scan.collect_schema())
        rows = int(scan.select(pl.len()).collect().item())
        check_size(rows, width, options)
        frame = scan.head(options.max_rows or rows).collect()
    except InvalidInput:
        raise
    except Exception as error:  # polars raises errors of its own for a damaged file
        raise InvalidInput(f"{options.field}: is a damaged Parquet file: {str(error)[:120]}.") from error
    return plain_table(frame.columns, [frame.get_column(name).to_list() for name in frame.columns], options, facts)


def plain_table(names: Sequence[str], columns: Sequence[list[Any]], options: ReadOptions, facts: Facts) -> Table:
    """Return the table of the values of a Parquet file."""
    plain = [[_plain(value) for value in values] for values in columns]
    typed = typed_values(list(names), plain, options, facts, has_dates=True)
    return Table([_flat(column) for column in typed] if options.flatten else typed)


def _flat(column: Column) -> Column:
    import json

    if column.type != "json":
        return column
    texts = [None if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in column.values]
    return Column(column.name, "text", texts)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return pybase64.b64encode(value).decode()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else value
    if isinstance(value, dt.timedelta):
        return str(value)
    return value


def _polars(field: str) -> Any:
    with required(f"{field}: reading Parquet", "Polars", extra="parquet"):
        import polars as pl
    return pl
