"""Nested values to tables: JSON of any shape, and Parquet."""

import io
import json
import tempfile
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pybase64

from mediakit.engines.tables.columns import typed_values
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.layout import has_header
from mediakit.engines.tables.model import (
    DURATION,
    MAX_COLUMNS,
    Column,
    Facts,
    ReadOptions,
    Table,
    check_size,
    numbered_names,
    unique_names,
)
from mediakit.errors import InvalidInput
from mediakit.installation import required


def tabled(value: Any, options: ReadOptions, facts: Facts) -> Table:
    """Return the table that a value holds; one object is one row.

    Raises:
        InvalidInput: The value is not a table, or it is too large.
    """
    rows = _rows(value, options.field)
    check_size(len(rows), 0, options)
    rows = rows[: options.row_limit()]
    if rows and isinstance(rows[0], list):
        names, columns = _from_arrays(rows, options)
    else:
        _check_kind(rows, dict, "an object", options.field)
        keys: dict[str, None] = {}
        for row in rows:
            if row.keys() != keys.keys():
                keys |= dict.fromkeys(row)
                _check_width(len(keys), options.field)
        names, columns = list(keys), [[row.get(name) for row in rows] for name in keys]
    if options.flatten:
        names, columns = flattened(names, columns, options)
    check_size(len(rows), len(names), options)
    typed = typed_values(names, columns, options, facts, has_dates=False)
    return Table([as_texts(column) if options.flatten else column for column in typed])


def _rows(value: Any, field: str) -> Sequence[Any]:
    if isinstance(value, list):
        return [[item] for item in value] if value and not isinstance(value[0], list | dict) else value
    if isinstance(value, dict):
        parts = list(value.values())
        if parts and all(isinstance(part, list) for part in parts):
            (first, *others) = value.values()
            if not others and first and all(isinstance(item, dict) for item in first):
                return list(first)
            lengths = {len(part) for part in value.values()}
            if len(lengths) > 1:
                found = ", ".join(map(str, sorted(lengths)))
                raise InvalidInput(f"{field}: the arrays of an object must have the same length, got {found}.")
            return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
        return [value]
    raise InvalidInput(f"{field}: must be a table: an array of objects or arrays, or an object, got a single value.")


def _from_arrays(rows: Sequence[Any], options: ReadOptions) -> tuple[list[str], list[list[Any]]]:
    _check_kind(rows, list, "an array", options.field)
    width = max(map(len, rows))
    check_size(len(rows), width, options)
    is_headed = options.header
    if is_headed == "auto":
        is_headed = all(isinstance(cell, str) for cell in rows[0]) and has_header(rows)
    head = ["" if cell is None else text_of(cell) for cell in rows[0]] if is_headed else []
    body = rows[1:] if is_headed else rows
    columns = [[row[place] if place < len(row) else None for row in body] for place in range(width)]
    names = unique_names([*head, *[""] * (width - len(head))]) if is_headed else numbered_names(width)
    return names, columns


def _check_kind(rows: Sequence[Any], kind: type, wanted: str, field: str) -> None:
    wrong = next((place for place, row in enumerate(rows, 1) if not isinstance(row, kind)), None)
    if wrong is not None:
        raise InvalidInput(f"{field}: row {wrong} must be {wanted}, as the first row is.")


def _check_width(width: int, field: str) -> None:
    if width > MAX_COLUMNS:
        raise InvalidInput(f"{field}: must have at most {MAX_COLUMNS:,} columns, got more.")


def flattened(names: list[str], columns: list[list[Any]], options: ReadOptions) -> tuple[list[str], list[list[Any]]]:
    """Return the columns with nested objects spread over columns of their own, `a.b` for the key b of a."""
    found: list[tuple[str, list[Any]]] = []
    queue = list(zip(names, columns, strict=True))[::-1]
    while queue:
        name, values = queue.pop()
        objects = [value if isinstance(value, dict) else {} for value in values]
        keys = list(dict.fromkeys(key for one in objects for key in one))
        if not keys:
            found.append((name, [None if value == {} else value for value in values]))
            continue
        if any(value is not None and not isinstance(value, dict) for value in values):
            found.append((name, [None if isinstance(value, dict) else value for value in values]))
        queue += [(f"{name}.{key}", [one.get(key) for one in objects]) for key in reversed(keys)]
        _check_width(len(found) + len(queue), options.field)
    return unique_names(name for name, _ in found), [values for _, values in found]


def as_texts(column: Column) -> Column:
    """Return a column of arrays as JSON texts."""
    if column.type != "json":
        return column
    encode = partial(json.dumps, ensure_ascii=False, default=text_of)
    values = [value if value is None or isinstance(value, str) else encode(value) for value in column.values]
    return Column(column.name, "text", values)


def read_parquet(content: bytes, options: ReadOptions, facts: Facts) -> Table:
    """Return the table of a Parquet file.

    Raises:
        InvalidInput: polars is not installed, or the file is damaged or too large.
    """
    with required(f"{options.field}: reading Parquet", "Polars", extra="parquet"):
        import polars as pl
    names: list[str] = []
    try:
        scan = pl.scan_parquet(io.BytesIO(content))
        try:
            width = len(scan.collect_schema())
        except pl.exceptions.DuplicateError:
            names, content = _with_unique_names(content, options)
            scan, width = pl.scan_parquet(io.BytesIO(content)), len(names)
        rows = int(scan.select(pl.len()).collect().item())
        check_size(rows, width, options)
        frame = scan.head(options.max_rows or rows).collect()
    except InvalidInput:
        raise
    except Exception as error:  # polars raises errors of its own for a damaged file
        raise InvalidInput(f"{options.field}: is a damaged Parquet file: {str(error)[:120]}.") from error
    columns = [series_values(frame.get_column(name)) for name in frame.columns]
    table = plain_table(names or frame.columns, columns, options, facts)
    for column in table.columns if options.types != "text" else ():
        dtype = frame.schema.get(column.name)
        if column.type == "text" and isinstance(dtype, pl.Duration):  # moments with nanoseconds
            column.unit = DURATION
        elif column.type == "text" and (isinstance(dtype, pl.Datetime) or dtype == pl.Time):
            column.type = "datetime" if isinstance(dtype, pl.Datetime) else "time"
    return table


def _with_unique_names(content: bytes, options: ReadOptions) -> tuple[list[str], bytes]:
    """Return unique names for the columns of a Parquet file, and a file without the repeated names Polars refuses."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        given, renamed = Path(folder, "given.parquet"), Path(folder, "renamed.parquet")
        given.write_bytes(content)
        table = connection.read_parquet(str(given))
        check_size(*table.shape, options)
        table.write_parquet(str(renamed))
        schema = connection.execute("SELECT name, coalesce(num_children, 0) FROM parquet_schema(?)", [str(given)])
        names, below = [], 0
        for name, children in schema.fetchall()[1:]:  # after the root; those of a nested column follow it
            if not below:
                names.append(name)
            below += children - bool(below)
        return unique_names(names), renamed.read_bytes()


def plain_table(names: Sequence[str], columns: Sequence[list[Any]], options: ReadOptions, facts: Facts) -> Table:
    """Return the table of the values of a Parquet file."""
    names, plain = list(names), [list(map(_plain, values)) for values in columns]
    if options.flatten:
        names, plain = flattened(names, plain, options)
    table = Table(typed_values(names, plain, options, facts, has_dates=True))
    return Table(list(map(as_texts, table.columns))) if options.flatten else table


def series_values(series: Any) -> list[Any]:
    """Return the values of a series of polars.

    Datetimes, times and durations with nanoseconds are texts in ISO 8601 or such as 37:45:00.000000001, because Python
    has no values for them. Floats of 32 bits have their own digits.
    """
    import polars as pl

    if series.dtype == pl.Time or getattr(series.dtype, "time_unit", "") == "ns":
        if (series.to_physical() % 1000 != 0).any():
            if not isinstance(series.dtype, pl.Datetime):
                return [None if value is None else _clock(value) for value in series.to_physical().to_list()]
            form = "%Y-%m-%dT%H:%M:%S%.9f" + ("%:z" if series.dtype.time_zone else "")
            return list(series.dt.to_string(form).to_list())
    elif "Float32" in repr(series.dtype) and not isinstance(series.dtype, pl.Enum):
        series = series.cast(_replaced(series.dtype, pl.Float32, pl.String), strict=False).cast(
            _replaced(series.dtype, pl.Float32, pl.Float64), strict=False
        )
    return list(series.to_list())


def _clock(nanoseconds: int) -> str:
    """Return a time or a duration as 37:45:00.000000001."""
    seconds, fraction = divmod(abs(nanoseconds), 10**9)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{'-' if nanoseconds < 0 else ''}{hour:02}:{minute:02}:{second:02}.{fraction:09}"


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
