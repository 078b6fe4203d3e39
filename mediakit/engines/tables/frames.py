"""Tables as data frames, and data frames as rows and types."""

import datetime as dt
import importlib.util
from decimal import Decimal
from typing import Any

from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.errors import InvalidInput

_BIGGEST = 2**63


def polars_frame(table: Table) -> Any:
    """Return a table as a polars DataFrame.

    Raises:
        InvalidInput: polars is not installed.
    """
    try:
        import polars as pl
    except ImportError:
        raise InvalidInput("to: parquet needs pip install mediakit[parquet].") from None
    kinds: dict[ColumnType, Any] = {
        "text": pl.String,
        "integer": pl.Int64,
        "number": pl.Float64,
        "boolean": pl.Boolean,
        "date": pl.Date,
        "time": pl.Time,
    }
    series = []
    for column in table.columns:
        kind = _frame_type(column)
        values = _frame_values(column, kind)
        series.append(pl.Series(column.name, values, dtype=kinds.get(kind), strict=False))
    return pl.DataFrame(series)


def pandas_frame(table: Table) -> Any:
    """Return a table as a pandas DataFrame with nullable types."""
    import pandas as pd

    kinds = {"integer": "Int64", "number": "Float64", "boolean": "boolean", "text": "string"}
    data: dict[str, Any] = {}
    for column in table.columns:
        kind = _frame_type(column)
        values: Any = _frame_values(column, kind)
        if kind in kinds:
            data[column.name] = pd.array(values, dtype=kinds[kind])
        elif kind == "datetime":
            data[column.name] = pd.to_datetime(pd.Series(values, dtype="object"))
        else:
            data[column.name] = pd.Series(values, dtype="object")
    return pd.DataFrame(data, index=range(len(table)))


def frame(table: Table) -> Any:
    """Return a table as a DataFrame of pandas where that is installed, else of polars.

    Raises:
        ImportError: Neither is installed.
    """
    if importlib.util.find_spec("pandas"):
        return pandas_frame(table)
    if importlib.util.find_spec("polars"):
        return polars_frame(table)
    raise ImportError("to_frame() needs pandas or polars: pip install pandas")


def _frame_type(column: Column) -> ColumnType:
    """Return the type that a frame can hold: integers beyond 64 bits and moments with different offsets are text."""
    if column.type == "integer" and any(value is not None and abs(value) >= _BIGGEST for value in column.values):
        return "text"
    if column.type == "datetime" and len({_offset(value) for value in column.values if value}) > 1:
        return "text"
    return column.type


def _offset(moment: str) -> str:
    return "Z" if moment.endswith("Z") else moment[-6:] if moment[-6:-5] in ("+", "-") else ""


def _frame_values(column: Column, kind: ColumnType) -> list[Any]:
    if kind == "text" and column.type != "text":
        return [None if value is None else str(value) for value in column.values]
    if kind == "number":
        return [None if value is None else float(value) for value in column.values]
    parse = _PARSERS.get(kind)
    return [None if value is None else parse(value) for value in column.values] if parse else column.values


_PARSERS: dict[ColumnType, Any] = {
    "date": dt.date.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
    "time": dt.time.fromisoformat,
}


def rows_of_frame(table: Any) -> tuple[list[dict[str, Any]], dict[str, ColumnType]]:
    """Return the rows of a pandas, polars or pyarrow table as JSON could hold them, and the types of its columns."""
    import narwhals as nw

    native = nw.from_native(table, allow_series=True)
    native = native.collect() if isinstance(native, nw.LazyFrame) else native
    data = native.to_frame() if isinstance(native, nw.Series) else native
    names = [str(name) for name in data.columns]
    columns = [_plain_values(data.get_column(name).to_list()) for name in data.columns]
    types = {name: _column_type(values) for name, values in zip(names, columns, strict=True)}
    written = [[_json(value) for value in values] for values in columns]
    rows = [dict(zip(names, row, strict=True)) for row in zip(*written, strict=True)]
    return rows, {name: kind for name, kind in types.items() if kind is not None}


def _plain_values(values: list[Any]) -> list[Any]:
    return [None if value is None or value != value else value for value in values]  # noqa: PLR0124  # NaN, NaT


def _column_type(values: list[Any]) -> ColumnType | None:
    """Return the type that the values of a frame's column must keep; None where their JSON says it."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {str}:
        return "text"
    if kinds and all(issubclass(kind, dt.datetime) for kind in kinds):
        return "datetime"
    if kinds == {dt.date}:
        return "date"
    return "time" if kinds == {dt.time} else None


def _json(value: Any) -> Any:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value) if value == Decimal(repr(float(value))) else str(value)
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)
