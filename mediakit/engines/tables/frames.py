"""Tables as data frames."""

import datetime as dt
import importlib.util
from typing import Any

from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.errors import MissingPackage
from mediakit.installation import install_command, required

_BIGGEST = 2**63


def polars_frame(table: Table) -> Any:
    """Return a table as a polars DataFrame.

    Raises:
        MissingPackage: Polars is not installed.
    """
    with required("to: parquet", "Polars", extra="parquet"):
        import polars as pl
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
        MissingPackage: Neither is installed.
    """
    if importlib.util.find_spec("pandas"):
        return pandas_frame(table)
    if importlib.util.find_spec("polars"):
        return polars_frame(table)
    raise MissingPackage("to_frame() requires pandas or Polars.", command=install_command("pandas"))


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
