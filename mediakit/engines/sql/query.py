"""Runs a query in a worker process of its own: which statements may run, the tables in, the rows out."""

import re
import sys
import time
from typing import Any

from pydantic_core import from_json, to_json

from mediakit.engines.sql.database import (
    ENGINE_MEMORY_BYTES,
    MAX_RESULT_BYTES,
    MAX_RESULT_COLUMNS,
    QUERY,
    TOO_MUCH_MEMORY,
    open_database,
    quoted,
)
from mediakit.engines.sql.named_tables import (
    NamedTable,
    Queried,
    Query,
    QueryColumn,
    QueryTable,
    read_tables,
    unique_columns,
)
from mediakit.engines.sql.values import for_file, for_json, invalid_query, is_written_by_engine, to_table
from mediakit.engines.tables.model import Document, Facts, Table
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.engines.tables.writers.json_yaml_toml import json_table
from mediakit.errors import InvalidInput
from mediakit.installation import required

ONLY_SELECT = "sql: only SELECT is allowed."
ONE_STATEMENT = "sql: one statement."

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
        raise InvalidInput(ONE_STATEMENT)
    if not statements:
        raise InvalidInput("sql: must have a statement; it is empty or only a comment.")
    kind = statements[0].type.name
    if explained := _EXPLAIN.match(sql):
        check_statement(connection, sql[explained.end() :])
    elif kind != "SELECT" and not (kind == "MULTI" and _PIVOT_START.match(sql)):
        raise InvalidInput(ONLY_SELECT)


MAX_TYPE_LENGTH = 200
"""Characters of the name of a type, as that of an enumeration has all of its values."""


def import_modules() -> None:
    """Import what every query needs, so that a spare process is ready for the next one."""
    import duckdb
    import numpy  # noqa: F401, ICN001

    import mediakit.engines.tables.readers.json_text
    import mediakit.engines.tables.readers.workbook  # noqa: F401

    duckdb.connect(":memory:").close()


def run_query(query: Query) -> Queried:
    """Run a query.

    Raises:
        InvalidInput: A table cannot be read, the query is not one that reads, it fails, or its result is too large.
    """
    warnings: list[str] = []
    tables = read_tables(query, warnings)
    counts = [len(each.table) for each in tables]
    connection = _opened(tables, warnings)
    names = {each.name: each.table.names for each in tables}
    described: list[QueryTable] = [
        {"name": each.name, "rows": count, "columns": _described(connection, each.name)}
        for each, count in zip(tables, counts, strict=True)
    ]
    if query.format == "parquet":
        _import_polars()
    _limit_address_space()
    started = time.perf_counter()
    try:
        columns, types, rows = _fetch(connection, query)
    except Exception as error:
        if isinstance(error, InvalidInput):
            raise
        raise invalid_query(error, names) from None
    elapsed = round((time.perf_counter() - started) * 1000)
    table = to_table(columns, types, rows[: query.limit], warnings)
    return Queried(
        columns=[{"name": name, "type": kind} for name, kind in zip(columns, types, strict=True)],
        rows=_as_json(table, types),
        row_count=min(len(rows), query.limit),
        truncated=len(rows) > query.limit,
        tables=described,
        warnings=list(dict.fromkeys(warnings)),
        elapsed_ms=elapsed,
        file=None if query.format == "json" else _file(for_file(table), query),
    )


def _opened(tables: list[NamedTable], warnings: list[str]) -> Any:
    import duckdb

    try:
        return open_database(tables, warnings)
    except duckdb.OutOfMemoryException:
        raise InvalidInput(TOO_MUCH_MEMORY) from None


def _described(connection: Any, name: str) -> list[QueryColumn]:
    found = connection.execute(f"DESCRIBE {quoted(name)}").fetchall()
    return [{"name": row[0], "type": row[1]} for row in found]


def _fetch(connection: Any, query: Query) -> tuple[list[str], list[str], list[Any]]:
    """Return the names and types of the columns, and the rows, one more than the limit if there are more."""
    check_statement(connection, query.sql)
    _execute(connection, query.sql, query.parameters)
    names = [column[0] for column in connection.description]
    types = [str(column[1]).strip('"')[:MAX_TYPE_LENGTH] for column in connection.description]
    if len(names) > MAX_RESULT_COLUMNS:
        raise InvalidInput(f"sql: the result must have at most {MAX_RESULT_COLUMNS:,} columns, got {len(names):,}.")
    if any(map(is_written_by_engine, types)):
        _execute(connection, _with_texts(query.sql, types), query.parameters)
    return unique_columns(names), types, connection.fetchmany(query.limit + 1)


def _execute(connection: Any, sql: str, parameters: Any) -> None:
    if parameters is None:
        connection.execute(sql)
    else:
        connection.execute(sql, parameters)


def _with_texts(sql: str, types: list[str]) -> str:
    """Return the query with its values of types that Python cannot hold as text."""
    names = [f"c{place}" for place in range(len(types))]
    parts = [
        f"CAST({name} AS VARCHAR)" if is_written_by_engine(kind) else name
        for name, kind in zip(names, types, strict=True)
    ]
    inner = sql.strip().rstrip(";")
    return f"SELECT {', '.join(parts)} FROM (\n{inner}\n) AS t({', '.join(names)})"  # noqa: S608  # a checked query


def _as_json(table: Table, types: list[str]) -> bytes:
    content = json_table(for_json(table, types), "rows", 0).encode("utf-8", "replace")
    if len(content) > MAX_RESULT_BYTES:
        size = f"{MAX_RESULT_BYTES // 10**6} MB"
        raise InvalidInput(f"sql: the result must have at most {size}; set limit, or select fewer columns.")
    return to_json(from_json(content))


def _file(table: Table, query: Query) -> bytes:
    document = Document(Facts(), {"query": table})
    options = WriteOptions(to=query.format, title="query", escape_formulas=query.escape_formulas)
    return write(document, options).content


def _import_polars() -> None:
    """Import Polars, which writes Parquet, while it may still reserve addresses.

    Raises:
        MissingPackage: It is not installed.
    """
    with required("format: parquet", "Polars", extra="parquet"):
        import polars as pl  # noqa: F401


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
