"""Runs a query in a worker process of its own: which statements may run, the tables in, the rows out."""

import datetime as dt
import logging
import math
import re
import sys
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pybase64
from pydantic_core import to_json

from mediakit.engines.sql.database import (
    ENGINE_MEMORY_BYTES,
    MAX_RESULT_BYTES,
    MAX_RESULT_COLUMNS,
    QUERY,
    TOO_MUCH_MEMORY,
    open_database,
    quoted,
    row_count,
)
from mediakit.engines.sql.named_tables import (
    Queried,
    Query,
    QueryColumn,
    QueryTable,
    read_tables,
)
from mediakit.engines.tables.model import Column, ColumnType, Document, Facts, Table, distinct_names, missing
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.engines.tables.writers.values import encode
from mediakit.errors import InvalidInput
from mediakit.installation import required

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
    "TIME_NS": "time",
    "TIMESTAMP": "datetime",
    "TIMESTAMP_S": "datetime",
    "TIMESTAMP_MS": "datetime",
    "TIMESTAMP WITH TIME ZONE": "datetime",
}
_WRITTEN_BY_ENGINE = (
    "INTERVAL",
    "TIME_NS",
    "TIMESTAMP_NS",
    "TIME WITH TIME ZONE",
    "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMPTZ_NS",
)
"""Types whose values Python cannot hold."""

_EXACT = 1e15
"""Doubles below that are whole are written without a fraction."""

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


def to_table(names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]], warnings: list[str]) -> Table:
    """Return the rows of a result as a table; `warnings` receives what it could not hold."""
    columns = []
    for place, (name, sql_type) in enumerate(zip(names, types, strict=True)):
        kind, values = column_type(sql_type), [row[place] for row in rows]
        if any(type(value) is float and not math.isfinite(value) for value in values) and NOT_FINITE not in warnings:
            warnings.append(NOT_FINITE)
        if kind not in ("boolean", "integer"):
            values = [None if value is None else _value(value, sql_type) for value in values]
        columns.append(Column(name, kind, values))
    return Table(columns)


def _value(value: Any, sql_type: str) -> Any:
    """Return a value of a result as writers take it; a nested one as JSON can hold it."""
    if isinstance(value, str):
        is_utc = sql_type == "TIMESTAMP WITH TIME ZONE" and value.endswith("+00")  # such as 2024-01-31 10:00:00+00
        return value.replace(" ", "T", 1).removesuffix("+00") + "Z" if is_utc else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes | bytearray | memoryview):
        return pybase64.b64encode(bytes(value)).decode()
    if isinstance(value, dict | list | tuple):
        items = [_value(item, "") for item in (value.values() if isinstance(value, dict) else value)]
        return dict(zip(map(str, value), items, strict=True)) if isinstance(value, dict) else items
    return value if value is None or isinstance(value, bool | int | Decimal) else str(value)


def _json_values(column: Column, sql_type: str) -> list[Any]:
    """Return values as JSON holds them: numbers that a double cannot hold exactly are text."""
    values = column.values
    if column.type == "json" or sql_type.startswith("DECIMAL") or sql_type in _LONG_INTEGERS:
        values = [str(each).lower() if isinstance(each, bool) else _exact(each) for each in values]
    if column.type in ("json", "number"):
        values = [int(each) if isinstance(each, float) and each.is_integer() and abs(each) < _EXACT else each
                  for each in values]  # fmt: skip
    return values


def _exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_exact, value))
    if isinstance(value, Decimal):
        double = float(value)
        return double if Decimal(repr(double)) == value else str(value)
    return str(value) if isinstance(value, int) and int(float(value)) != value else value


MAX_MESSAGE_LENGTH = 2000
_COLUMN = re.compile(
    r'(?:column|Column)(?: with name)? "((?:[^"]|"")+)"(?: not found| does not exist|.*?does not have)'
)
_QUALIFIED = re.compile(r'does not have a column named "((?:[^"]|"")+)"')
_TABLE = re.compile(r"Table with name (.+?) does not exist")
_FUNCTION = re.compile(r"Function with name (\S+) does not exist")
_SUGGESTED = re.compile(r'Did you mean "([^"]+)"')
_NEAR_NAMES = re.compile(r"^(?:Candidate bindings|Did you mean).*\n?", re.MULTILINE)
"""The lines in which the engine lists near names, which the hint has already."""
_LINE = re.compile(r"^LINE \d+: .*\n", re.MULTILINE)
"""The line of the query that an error shows."""
logger = logging.getLogger(__name__)


def invalid_query(error: Exception, names: Mapping[str, Sequence[str]]) -> InvalidInput:
    """Return the error for a query that the engine refuses; `names` has the columns of each table."""
    kind, text = type(error).__name__, str(error).strip()
    if kind == "OutOfMemoryException" or isinstance(error, MemoryError):
        return InvalidInput(TOO_MUCH_MEMORY)
    if kind in ("PermissionException", "MissingExtensionException"):
        return InvalidInput("sql: queries cannot access files, the network, extensions and settings.")
    words = re.sub(r"\n{2,}", "\n", text)[:MAX_MESSAGE_LENGTH]
    hint = _hint(text, names)
    return InvalidInput(f"sql: {hint}\n{_NEAR_NAMES.sub('', words)}" if hint else f"sql: {words}")


def _hint(text: str, names: Mapping[str, Sequence[str]]) -> str:
    """Return a sentence about a name that is not there or needs quotes; empty for other errors."""
    columns = list(dict.fromkeys(name for each in names.values() for name in each))
    if unquoted := next((name for name in columns if _is_unquoted(name, text)), None):
        return f'The column "{unquoted[:80]}" needs double quotes in SQL: select "{unquoted[:80]}".'
    if match := _QUALIFIED.search(text) or _COLUMN.search(text):
        return _capitalized(missing(match[1].replace('""', '"'), columns))
    if match := _TABLE.search(text):
        return _capitalized(missing(match[1], list(names), "table"))
    if (match := _FUNCTION.search(text)) and (near := _SUGGESTED.search(text)):
        return f'There is no function "{match[1]}"; did you mean "{near[1]}"?'
    return ""


def _is_unquoted(column: str, text: str) -> bool:
    """Return whether the line of an error has the name of a column that needs quotes, such as `unit price`, without."""
    if re.fullmatch(r"\w+", column):
        return False
    pattern = r"(?<![\"'\w])" + r"\s+".join(map(re.escape, column.split())) + r"(?![\"'\w])"
    return re.search(pattern, "".join(_LINE.findall(text)), re.IGNORECASE) is not None


def _capitalized(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


_SKIPPED = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_EXPLAIN = re.compile(
    rf"{_SKIPPED}EXPLAIN\b{_SKIPPED}(?:ANALYZE\b)?{_SKIPPED}(?:\([^()]*\))?", re.IGNORECASE | re.DOTALL
)
_PIVOT_START = re.compile(
    rf"(?:{_SKIPPED}\()*{_SKIPPED}(?:PIVOT|PIVOT_WIDER|FROM|WITH|SELECT)\b", re.IGNORECASE | re.DOTALL
)
"""How a query with PIVOT begins, which the engine runs as several statements."""


def check_statement(connection: Any, sql: str) -> None:
    """Refuse everything but one statement that reads.

    Raises:
        InvalidInput: There is no statement, more than one, or one that does not read only.
    """
    statements = connection.extract_statements(sql)
    if len(statements) > 1:
        raise InvalidInput("sql: one statement.")
    if not statements:
        raise InvalidInput("sql: must have a statement; it is empty or only a comment.")
    kind = statements[0].type.name
    if explained := _EXPLAIN.match(sql):
        check_statement(connection, sql[explained.end() :])
    elif kind != "SELECT" and not (kind == "MULTI" and _PIVOT_START.match(sql)):
        raise InvalidInput("sql: only SELECT is allowed.")


MAX_TYPE_LENGTH = 200
"""Characters of the name of a type, as that of an enumeration has all of its values."""


def import_modules() -> None:
    """Import what every query needs; the process must not start a thread, because queries run in forks of it."""
    import duckdb  # noqa: F401

    import mediakit.engines.tables.packed.recognition
    import mediakit.engines.tables.readers.json_yaml_toml
    import mediakit.engines.tables.readers.workbook  # noqa: F401


def run_query(query: Query) -> Queried:
    """Run a query.

    Raises:
        InvalidInput: A table cannot be read, the query is not one that reads, it fails, or its result is too large.
    """
    import duckdb

    warnings: list[str] = []
    tables = read_tables(query, warnings)
    try:
        connection = open_database(tables, warnings)
    except duckdb.OutOfMemoryException:
        raise InvalidInput(TOO_MUCH_MEMORY) from None
    names = {each.name: each.table.names for each in tables}
    described: list[QueryTable] = []
    for each in tables:
        found = connection.execute(f"DESCRIBE {quoted(each.name)}").fetchall()
        columns: list[QueryColumn] = [{"name": row[0], "type": row[1]} for row in found]
        described.append({"name": each.name, "rows": row_count(connection, each.name), "columns": columns})
    if query.format == "parquet":
        with required("format: parquet", "Polars", extra="parquet"):
            import polars as pl  # noqa: F401
    _limit_address_space()
    started = time.perf_counter()
    try:
        titles, types, rows = _fetch(connection, query)
    except Exception as error:
        if isinstance(error, InvalidInput):
            raise
        raise invalid_query(error, names) from None
    elapsed = round((time.perf_counter() - started) * 1000)
    table = to_table(titles, types, rows[: query.limit], warnings)
    return Queried(
        columns=[{"name": name, "type": kind} for name, kind in zip(titles, types, strict=True)],
        rows=_as_json(table, types),
        row_count=min(len(rows), query.limit),
        truncated=len(rows) > query.limit,
        tables=described,
        warnings=list(dict.fromkeys(warnings)),
        elapsed_ms=elapsed,
        file=None if query.format == "json" else _file(table, query),
    )


def _fetch(connection: Any, query: Query) -> tuple[list[str], list[str], list[Any]]:
    """Return the names and types of the columns, and the rows, one more than the limit if there are more."""
    check_statement(connection, query.sql)
    _execute(connection, query.sql, query.parameters)
    names = [column[0] for column in connection.description]
    types = [str(column[1]).strip('"')[:MAX_TYPE_LENGTH] for column in connection.description]
    if len(names) > MAX_RESULT_COLUMNS:
        raise InvalidInput(f"sql: the result must have at most {MAX_RESULT_COLUMNS:,} columns, got {len(names):,}.")
    if not set(types).isdisjoint(_WRITTEN_BY_ENGINE):
        places = [f"c{place}" for place in range(len(types))]
        parts = [f"CAST({place} AS VARCHAR)" if kind in _WRITTEN_BY_ENGINE else place
                 for place, kind in zip(places, types, strict=True)]  # fmt: skip
        inner = query.sql.strip().rstrip(";")  # a checked query
        texts = f"SELECT {', '.join(parts)} FROM (\n{inner}\n) AS t({', '.join(places)})"  # noqa: S608
        _execute(connection, texts, query.parameters)
    return distinct_names(names, str.lower), types, connection.fetchmany(query.limit + 1)


def _execute(connection: Any, sql: str, parameters: Any) -> None:
    if parameters is None:
        connection.execute(sql)
    else:
        connection.execute(sql, parameters)


def _as_json(table: Table, types: list[str]) -> bytes:
    columns = map(_json_values, table.columns, types)
    content = to_json([dict(zip(table.names, row, strict=True)) for row in zip(*columns, strict=True)])
    if len(content) > MAX_RESULT_BYTES:
        size = f"{MAX_RESULT_BYTES // 10**6} MB"
        raise InvalidInput(f"sql: the result must have at most {size}; set limit, or select fewer columns.")
    return content


def _file(table: Table, query: Query) -> bytes:
    """Return a table in the requested format, with its nested values as JSON text."""
    columns = [
        Column(each.name, "text", [None if value is None else encode(value, 0) for value in each.values])
        if each.type == "json"
        else each
        for each in table.columns
    ]
    document = Document(Facts(), {"query": Table(columns)})
    options = WriteOptions(to=query.format, title="query", escape_formulas=query.escape_formulas)
    return write(document, options).content


def _limit_address_space() -> None:
    """Limit the address space of this process for good, so that a large value ends the query and not the machine."""
    if sys.platform != "linux":
        return
    import resource
    from pathlib import Path

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    used = pages * resource.getpagesize()
    size = max(QUERY.memory, used + ENGINE_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
