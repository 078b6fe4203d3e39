"""Values of a result as columns of the table writers, and as JSON."""

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import pybase64

from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.engines.tables.writers.json_values import encode

_INTEGERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
)
_LONG_INTEGERS = frozenset(("HUGEINT", "UHUGEINT"))
_TYPES: dict[str, ColumnType] = {
    "BOOLEAN": "boolean",
    "FLOAT": "number",
    "DOUBLE": "number",
    "DATE": "date",
    "TIME": "time",
    "TIMESTAMP": "datetime",
    "TIMESTAMP_S": "datetime",
    "TIMESTAMP_MS": "datetime",
    "TIMESTAMP WITH TIME ZONE": "datetime",
}
_WRITTEN_BY_ENGINE = ("INTERVAL", "TIMESTAMP_NS", "TIME WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS")
"""Types whose values Python cannot hold."""

NOT_FINITE = "NaN and infinity are null."


def column_type(sql_type: str) -> ColumnType:
    """Return the type of the table writers for a type of the engine."""
    if sql_type in _INTEGERS:
        return "integer"
    if sql_type.startswith("DECIMAL"):
        return "json" if sql_type.endswith("]") else "number"
    if sql_type.endswith("]") or sql_type.startswith(("STRUCT", "MAP", "UNION", "TUPLE", "VARIANT")):
        return "json"
    return _TYPES.get(sql_type, "text")


def is_written_by_engine(sql_type: str) -> bool:
    """Return whether the engine has to write the values of a type as text."""
    return sql_type in _WRITTEN_BY_ENGINE


def to_table(names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]], warnings: list[str]) -> Table:
    """Return the rows of a result as a table.

    Args:
        names: Names of the columns, without repetitions.
        types: Types of the engine.
        rows: The rows.
        warnings: Receives what the table could not hold.
    """
    columns = [[row[place] for row in rows] for place in range(len(names))]
    made = [_column(*parts) for parts in zip(names, types, columns, strict=True)]
    if any(_has_not_finite(column) for column in columns):
        warnings.append(NOT_FINITE)
    return Table(made)


def _has_not_finite(values: Iterable[Any]) -> bool:
    return any(type(value) is float and not math.isfinite(value) for value in values)


def _column(name: str, sql_type: str, values: list[Any]) -> Column:
    kind = column_type(sql_type)
    if kind in ("boolean", "integer"):
        return Column(name, kind, values)
    return Column(name, kind, [None if value is None else _value(value, sql_type) for value in values])


def _value(value: Any, sql_type: str) -> Any:
    """Return a value of a result as writers take it; a nested one as JSON can hold it."""
    if isinstance(value, str):
        return _iso(value) if sql_type == "TIMESTAMP WITH TIME ZONE" else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes | bytearray | memoryview):
        return pybase64.b64encode(bytes(value)).decode()
    return _other_value(value)


def _other_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _value(item, "") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value(item, "") for item in value]
    return value if value is None or isinstance(value, bool | int | Decimal) else str(value)


def _iso(moment: str) -> str:
    """Return a moment in UTC in ISO 8601; the engine writes `2024-01-31 10:00:00+00`."""
    return moment.replace(" ", "T", 1).removesuffix("+00") + "Z" if moment.endswith("+00") else moment


def for_json(table: Table, types: Sequence[str]) -> Table:
    """Return a table whose numbers JSON can hold: those that a double cannot hold exactly are text."""
    return Table([_exact(column, kind) for column, kind in zip(table.columns, types, strict=True)])


def _exact(column: Column, sql_type: str) -> Column:
    if column.type == "json":
        return Column(column.name, "json", [_exact_member(value) for value in column.values])
    if sql_type in _LONG_INTEGERS or sql_type.startswith("DECIMAL"):
        return Column(column.name, "json", [_exact_number(value) for value in column.values])
    return column


def _exact_number(value: Any) -> Any:
    if value is None:
        return None
    double = float(value)
    if isinstance(value, Decimal):
        return double if Decimal(repr(double)) == value else str(value)
    return value if int(double) == value else str(value)


def _exact_member(value: Any) -> Any:
    """Return a value of a column of values of any type; truth values are text, as the writers need it."""
    return str(value).lower() if isinstance(value, bool) else _exact_nested(value)


def _exact_nested(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _exact_nested(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_exact_nested(item) for item in value]
    if isinstance(value, bool):
        return value
    return _exact_number(value) if isinstance(value, int | Decimal) else value


def for_file(table: Table) -> Table:
    """Return a table whose nested values are JSON text, as formats without nested values need them."""
    return Table([_flat(column) for column in table.columns])


def _flat(column: Column) -> Column:
    if column.type != "json":
        return column
    return Column(column.name, "text", [None if value is None else encode(value, 0) for value in column.values])
