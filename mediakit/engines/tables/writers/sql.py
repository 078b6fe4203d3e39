"""Tables as standard SQL: CREATE TABLE and INSERT."""

from decimal import Decimal
from typing import Any

from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.engines.tables.writers.fragments import as_text
from mediakit.engines.tables.writers.numerals import number
from mediakit.errors import InvalidInput

_ROWS_PER_INSERT = 500
_LARGEST_INTEGER, _LARGEST_BIGINT = 2**31 - 1, 2**63 - 1
_TYPES: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE PRECISION",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "time": "TIME",
    "json": "VARCHAR",
}


def sql(table: Table, name: str) -> str:
    """Return a table as a CREATE TABLE statement and INSERT statements of up to 500 rows.

    Raises:
        InvalidInput: A text has a NUL character, which SQL cannot write.
    """
    if not table.columns:
        return ""
    fields = ",\n".join(f"  {_quoted(column.name)} {_type(column)}" for column in table.columns)
    statements = [f"CREATE TABLE {_quoted(name)} (\n{fields}\n);\n"]
    rows = [f"({', '.join(row)})" for row in zip(*map(_literals, table.columns), strict=True)]
    head = f"INSERT INTO {_quoted(name)} ({', '.join(map(_quoted, table.names))}) VALUES\n"
    starts = range(0, len(rows), _ROWS_PER_INSERT)
    statements += [head + ",\n".join(rows[start : start + _ROWS_PER_INSERT]) + ";\n" for start in starts]
    text = "".join(statements)
    if "\0" in text:
        raise InvalidInput("to: sql cannot hold NUL characters.")
    return text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(column: Column) -> str:
    if column.type == "datetime" and any(value and _has_offset(value) for value in column.values):
        return "TIMESTAMP WITH TIME ZONE"
    if column.type != "integer":
        return _TYPES[column.type]
    largest = max((abs(value) for value in column.values if value is not None), default=0)
    if largest > _LARGEST_BIGINT:
        return f"NUMERIC({len(str(largest))})"
    return "INTEGER" if largest <= _LARGEST_INTEGER else "BIGINT"


def _has_offset(moment: str) -> bool:
    return moment.endswith("Z") or moment[-6:-5] in ("+", "-")


def _literals(column: Column) -> list[str]:
    if column.type in ("integer", "number", "boolean"):
        return [_literal(value) for value in column.values]
    texts = as_text(column)
    pairs = zip(column.values, texts, strict=True)
    return ["NULL" if value is None else "'" + text.replace("'", "''") + "'" for value, text in pairs]


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return number(value) if isinstance(value, int | float | Decimal) else str(value)
