"""Parquet files, with polars."""

import io
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pybase64

from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.model import Facts, ReadOptions, Table, check_size
from mediakit.engines.tables.nested import as_texts, flattened
from mediakit.errors import InvalidInput
from mediakit.installation import required


def read_parquet(content: bytes, options: ReadOptions, facts: Facts) -> Table:
    """Return the table of a Parquet file.

    Raises:
        InvalidInput: polars is not installed, or the file is damaged or too large.
    """
    with required(f"{options.field}: reading Parquet", "Polars", extra="parquet"):
        import polars as pl
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
    columns = [series_values(frame.get_column(name)) for name in frame.columns]
    table = plain_table(frame.columns, columns, options, facts)
    if options.types != "text":
        moments = {name for name, dtype in frame.schema.items() if isinstance(dtype, pl.Datetime)}
        for place, column in enumerate(table.columns):
            if column.name in moments and column.type == "text":  # with nanoseconds
                table.columns[place] = replace(column, type="datetime")
    return table


def plain_table(names: Sequence[str], columns: Sequence[list[Any]], options: ReadOptions, facts: Facts) -> Table:
    """Return the table of the values of a Parquet file."""
    names, plain = list(names), [list(map(_plain, values)) for values in columns]
    if options.flatten:
        names, plain = flattened(names, plain, options)
    table = Table(typed_values(names, plain, options, facts, has_dates=True))
    return Table(list(map(as_texts, table.columns))) if options.flatten else table


def series_values(series: Any) -> list[Any]:
    """Return the values of a series of polars.

    Datetimes with nanoseconds are texts in ISO 8601, and floats of 32 bits have their own digits.
    """
    import polars as pl

    if isinstance(series.dtype, pl.Datetime) and series.dtype.time_unit == "ns":
        if (series.to_physical() % 1000 != 0).any():
            form = "%Y-%m-%dT%H:%M:%S%.9f" + ("%:z" if series.dtype.time_zone else "")
            return list(series.dt.to_string(form).to_list())
    elif _has_float32(series.dtype):
        series = series.cast(_replaced(series.dtype, pl.Float32, pl.String), strict=False).cast(
            _replaced(series.dtype, pl.Float32, pl.Float64), strict=False
        )
    return list(series.to_list())


def _has_float32(dtype: Any) -> bool:
    import polars as pl

    return "Float32" in repr(dtype) and not isinstance(dtype, pl.Enum)


def _replaced(dtype: Any, old: Any, new: Any) -> Any:
    """Return a type with the types within it replaced."""
    import polars as pl

    if dtype == old:
        return new
    if isinstance(dtype, pl.List):
        return pl.List(_replaced(dtype.inner, old, new))
    if isinstance(dtype, pl.Array):
        return pl.Array(_replaced(dtype.inner, old, new), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct({each.name: _replaced(each.dtype, old, new) for each in dtype.fields})
    return dtype


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return pybase64.b64encode(value).decode()
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else value
    return value
