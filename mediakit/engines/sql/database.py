"""The engine, DuckDB, in memory and without access to files, the network, extensions and Python's variables."""

import datetime as dt
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from mediakit.engines.guarded import Guard
from mediakit.engines.sql.named_tables import NamedTable
from mediakit.engines.tables.columns import numbers
from mediakit.engines.tables.columns.cells import NULL_WORDS, Cells
from mediakit.engines.tables.columns.numbers import TRUE_WORDS
from mediakit.engines.tables.model import Column, check_size, distinct_names
from mediakit.engines.tables.writers.values import encode
from mediakit.errors import InvalidInput, NotConvertible

MAX_SQL_LENGTH = 20_000
MAX_TABLES = 10
MAX_RESULT_ROWS = 100_000
MAX_RESULT_COLUMNS = 2_000
MAX_RESULT_BYTES = 50_000_000
"""Size of the rows as JSON."""

MAX_PARAMETERS = 1000

ENGINE_MEMORY_BYTES = 512_000_000
"""Memory that the engine plans with."""

TOO_MUCH_MEMORY = f"The query needs more than {ENGINE_MEMORY_BYTES // 10**6} MB of memory."

QUERY = Guard(
    "query",
    seconds=10,
    memory=1_500_000_000,
    took_too_long=(NotConvertible, "The query took longer than {seconds:g} seconds."),
    out_of_memory=(InvalidInput, TOO_MUCH_MEMORY),
    crashed=(InvalidInput, "sql: the engine cannot run this query."),
    prepare="mediakit.engines.sql.query:import_modules",
)
"""A query has a process of its own, because the engine does not keep to its limits and cannot be interrupted. The limit
of the engine itself does not hold for single large values."""


_CONFIG: dict[str, Any] = {
    "threads": 2,
    "memory_limit": f"{ENGINE_MEMORY_BYTES // 10**6}MB",
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
_LOCKS = (
    "SET TimeZone = 'UTC'",
    "SET python_enable_replacements = false",
    "SET allow_persistent_secrets = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
    "BEGIN TRANSACTION READ ONLY",
)

_MOMENTS = ("DATE", "TIME", "TIME_NS", "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMPTZ", "INTERVAL")
_PLAIN: Mapping[str, Any] = {"BIGINT": "int64", "DOUBLE": "float64", "BOOLEAN": "bool"}
"""Types whose values the engine takes as arrays of numbers."""

_SCALARS: tuple[tuple[frozenset[type], str], ...] = (
    (frozenset({bool}), "BOOLEAN"),
    (frozenset({int}), "BIGINT"),
    (frozenset({int, float, Decimal}), "DOUBLE"),
    (frozenset({str}), "VARCHAR"),
    (frozenset({dt.date}), "DATE"),
    (frozenset({dt.datetime}), "TIMESTAMP"),
    (frozenset({dt.time}), "TIME"),
)
"""Types of values within lists and structures."""
_MAX_FIELDS = 500

_DURATION = re.compile(r"-?\d{2,7}:[0-5]\d:[0-5]\d(?:\.\d{1,6})?")
_NANOSECONDS = re.compile(r"\.\d{7,}")
_OFFSET = re.compile(r"(?:Z|[+-]\d\d:\d\d)$")
_LARGEST_BIGINT, _LARGEST_HUGEINT = 2**63 - 1, 2**127 - 1
_MAX_DECIMALS, _MAX_DIGITS = 6, 18
_SOURCE = "mediakit_source"


def open_database(tables: Sequence[NamedTable], warnings: list[str]) -> Any:
    """Return a connection to a database with the tables, which cannot be changed; their values are removed."""
    import duckdb

    connection = duckdb.connect(":memory:", config=_CONFIG)
    connection.execute("SET pandas_analyze_sample = 0")  # arrays of objects are texts
    for each in tables:
        _create(connection, each, warnings)
        for name in each.other_names:
            connection.execute(f"CREATE VIEW {quoted(name)} AS FROM {quoted(each.name)}")
    for statement in _LOCKS:
        connection.execute(statement)
    return connection


def quoted(name: str) -> str:
    """Return a name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _create(connection: Any, named: NamedTable, warnings: list[str]) -> None:
    """Create a table from its text if its first rows tell the types of all, else from the values through arrays."""
    _rename(named, warnings)
    if named.read_whole:
        if _create_from_text(connection, named):
            warnings += named.warnings
            return
        named.read_whole()
        _rename(named, warnings)
    arrays: dict[str, Any] = {}
    kinds = []
    for place, column in enumerate(named.table.columns):
        kinds.append(sql_type(column))
        arrays |= _arrays(place, column, kinds[-1])
    import duckdb

    connection.register(_SOURCE, arrays)
    try:
        _create_as(connection, named, kinds)
    except duckdb.ConversionException:  # a date that the engine does not have
        _create_as(connection, named, ["VARCHAR" if kind in _MOMENTS or _is_nested(kind) else kind for kind in kinds])
    except duckdb.InvalidInputException as error:
        raise InvalidInput(f"{named.name}: has text that is not valid Unicode: {str(error)[:200]}") from None
    connection.unregister(_SOURCE)


_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATETIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
_MOST_EXACT_DECIMALS = 4
"""Numbers with more decimals may be so small that they have an exponent."""


def _create_from_text(connection: Any, named: NamedTable) -> bool:
    """Create a table from delimited text; return whether all cells have the form that the first rows have."""
    import duckdb

    columns = named.table.columns
    used = Counter(word for column in columns if column.type != "text" for word in _null_words(column) if word.strip())
    shared = {word for word, count in used.items() if count > 1}  # null in columns of text, too
    parts = [_checked_cell(place, column, shared) for place, column in enumerate(columns)]
    if None in parts:
        return False
    fields = ", ".join(f"t{place}: 'VARCHAR'" for place in range(len(columns)))
    values = ", ".join(f"{part} AS {quoted(column.name)}" for part, column in zip(parts, columns, strict=True))
    try:
        with _path_of((named.text or "").encode()) as path:
            connection.execute(
                f"CREATE TABLE {quoted(named.name)} AS SELECT {values} FROM read_csv({_literal(path)},"  # noqa: S608
                f" columns = {{{fields}}}, delim = {_literal(named.delimiter)}, quote = '\"', escape = '\"',"
                " header = false, auto_detect = false, strict_mode = true, null_padding = false)"
            )
    except (duckdb.ConversionException, duckdb.InvalidInputException, UnicodeEncodeError):
        return False
    check_size(row_count(connection, named.name), len(columns), named.options)
    return True


def row_count(connection: Any, table: str) -> int:
    """Return the number of rows of a table."""
    return int(connection.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()[0])  # noqa: S608  # quoted


@contextmanager
def _path_of(content: bytes) -> Iterator[str]:
    """Yield the path of a file with this content; in memory, where the system has such files."""
    if sys.platform == "linux":
        with os.fdopen(os.memfd_create("table"), "wb", buffering=0) as file:
            file.write(content)
            yield f"/proc/self/fd/{file.fileno()}"
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table.csv")
            path.write_bytes(content)
            yield str(path)


def _null_words(column: Column) -> set[str]:
    """Return the cells of the first rows that are null, besides empty ones."""
    pairs = zip(column.cells or (), column.values, strict=True)
    return {cell for cell, value in pairs if value is None and cell}


def _checked_cell(place: int, column: Column, shared: set[str]) -> str | None:
    """Return the SQL of a cell's value, which fails where the cell has another form than those of the first rows.

    None where these do not tell the type of the column, or SQL writes their values differently.
    """
    from mediakit.engines.tables.packed.recognition import have_no_type

    cell, cells = f"t{place}", column.cells or []
    if column.type == "text":
        if not have_no_type(cells, NULL_WORDS) or _are_durations(column.values):
            return None
        return f"CASE WHEN {cell} NOT IN {_in(shared)} THEN {cell} END" if shared else cell
    filled = list(dict.fromkeys(text for text, value in zip(cells, column.values, strict=True) if value is not None))
    found = _test_and_type(cell, column, filled)
    if found is None:
        return None
    test, kind = found
    value = f"lower({cell}) IN {_in(TRUE_WORDS)}" if kind == "BOOLEAN" else f"TRY_CAST({cell} AS {kind})"
    words = _null_words(column)
    other = f"{cell} NOT IN {_in(words)}" if words else f"{cell} IS NOT NULL"
    return f"CASE WHEN {test} THEN {value} WHEN {other} THEN CAST(error('another form') AS {kind}) END"


def _test_and_type(cell: str, column: Column, filled: list[str]) -> tuple[str, str] | None:
    """Return a condition that a cell is written as the first ones of its column are, and the type in SQL."""
    if column.type == "boolean":
        words = {text.casefold() for text in filled}
        words |= {"true", "false"} if words & {"true", "false"} else set()  # one of these may stand alone
        spellings = {form for word in words for form in (word, word.upper(), word.capitalize())}
        return (f"{cell} IN {_in(spellings)}", "BOOLEAN") if spellings.issuperset(filled) else None
    if column.type == "integer" and all(map(_INTEGER.fullmatch, filled)):
        return f"CAST(TRY_CAST({cell} AS BIGINT) AS VARCHAR) = {cell} AND strlen({cell}) <= {_MAX_DIGITS}", "BIGINT"
    if column.type == "number":
        kind = _number_type(column.values)
        decimals = int(kind.rpartition(",")[2][:-1]) if kind != "DOUBLE" else _MAX_DECIMALS
        fraction = f"[0-9]{{1,{decimals}}}0*|0+" if decimals else "0+"
        form = rf"-?(0|[1-9][0-9]{{0,{_MAX_DIGITS - _MOST_EXACT_DECIMALS - 1}}})(\.({fraction}))?"
        is_clear = decimals <= _MOST_EXACT_DECIMALS and numbers.readings(Cells.of(filled)) == ["."]
        fits = is_clear and all(re.fullmatch(form, text) for text in filled)
        return (f"regexp_full_match({cell}, {_literal(form)})", kind) if fits else None
    if column.type == "date" and all(map(_DATE.fullmatch, filled)):
        return f"CAST(TRY_CAST({cell} AS DATE) AS VARCHAR) = {cell} AND strlen({cell}) = 10", "DATE"
    if column.type == "datetime" and all(map(_DATETIME.fullmatch, filled)):
        form = "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
        day = f"left({cell}, 10)"
        is_day = f"CAST(TRY_CAST({day} AS DATE) AS VARCHAR) = {day}"
        return f"regexp_full_match({cell}, {_literal(form)}) AND {is_day}", "TIMESTAMP"
    return None


def _in(words: Iterable[str]) -> str:
    return f"({', '.join(map(_literal, sorted(words)))})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _create_as(connection: Any, named: NamedTable, kinds: Sequence[str]) -> None:
    columns = zip(named.table.columns, kinds, strict=True)
    parts = [f"{_expression(place, kind)} AS {quoted(column.name)}" for place, (column, kind) in enumerate(columns)]
    statement = f"CREATE TABLE {quoted(named.name)} AS SELECT {', '.join(parts)} FROM {_SOURCE}"  # noqa: S608  # quoted
    connection.execute(statement)


def _rename(named: NamedTable, warnings: list[str]) -> None:
    """Rename columns whose names differ in case only, which SQL takes for the same."""
    columns = named.table.columns
    for column, name in zip(columns, distinct_names([column.name for column in columns], str.lower), strict=True):
        if name != column.name:
            warnings.append(f'{named.name}: a column "{column.name}" is named "{name}", because SQL ignores case.')
            column.name = name


def sql_type(column: Column) -> str:
    """Return the type of a column in SQL.

    Money and other numbers of at most 6 decimals and 18 digits are decimals, so that their sums are exact.
    """
    match column.type:
        case "integer":
            largest = max((abs(value) for value in column.values if value is not None), default=0)
            return "BIGINT" if largest <= _LARGEST_BIGINT else "HUGEINT" if largest <= _LARGEST_HUGEINT else "VARCHAR"
        case "number":
            return _number_type(column.values)
        case "datetime" if any(value and _OFFSET.search(value) for value in column.values):
            return "TIMESTAMPTZ"
        case "datetime" | "time":
            has_nanoseconds = any(value and _NANOSECONDS.search(value) for value in column.values)
            return ("TIME" if column.type == "time" else "TIMESTAMP") + ("_NS" if has_nanoseconds else "")
        case "json":
            structure = nested_structure(column.values)
            return "VARCHAR" if structure is None else json.dumps(structure)
        case kind:
            is_duration = kind == "text" and _are_durations(column.values)
            return "INTERVAL" if is_duration else {"boolean": "BOOLEAN", "date": "DATE"}.get(kind, "VARCHAR")


def _are_durations(texts: Iterable[str | None]) -> bool:
    """Return whether all texts are durations such as 37:45:00; columns of times of day have a type of their own."""
    present = (text for text in texts if text is not None)
    first = next(present, "")
    return _DURATION.fullmatch(first) is not None and all(map(_DURATION.fullmatch, present))


def nested_structure(values: Iterable[Any]) -> Any:
    """Return the structure of values as `json_transform` takes it, such as ["VARCHAR"]; None for different kinds."""
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))
    if not kinds:
        return "VARCHAR"
    if kinds == {list}:
        inner = nested_structure(item for value in present for item in value)
        return None if inner is None else [inner]
    if kinds == {dict}:
        names = dict.fromkeys(name for value in present for name in value)
        if not names or len(names) > _MAX_FIELDS or len({name.lower() for name in names}) < len(names):
            return None
        fields = {name: nested_structure(value.get(name) for value in present) for name in names}
        return {name: "JSON" if kind is None else kind for name, kind in fields.items()}
    kind = next((kind for wanted, kind in _SCALARS if kinds <= wanted), None)
    is_too_large = kind == "BIGINT" and max(map(abs, present)) > _LARGEST_BIGINT
    return "DOUBLE" if is_too_large else kind


def _number_type(values: Iterable[Any]) -> str:
    texts = [text.lstrip("-") for text in _number_texts(values).values() if text is not None]
    if any("e" in text or "E" in text for text in texts):
        return "DOUBLE"
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    digits = max((len(text.partition(".")[0]) for text in texts), default=0)
    fits = decimals <= _MAX_DECIMALS and digits + decimals <= _MAX_DIGITS
    return f"DECIMAL({_MAX_DIGITS},{decimals})" if fits else "DOUBLE"


def number_text(value: Any) -> str:
    """Return a number with all of its digits, without a fraction of zeros."""
    text = f"{value:f}" if isinstance(value, Decimal) else repr(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _number_texts(values: Iterable[Any]) -> dict[Any, str | None]:
    """Return the text of each different number; columns repeat many of theirs."""
    return {value: None if value is None else number_text(value) for value in set(values)}


def _arrays(place: int, column: Column, kind: str) -> dict[str, Any]:
    """Return the values of a column as arrays: a typed one and its nulls, or one of texts."""
    import numpy as np

    values = column.values
    column.values = []  # frees the memory of each column once it is an array
    if kind in _PLAIN:
        nulls = np.fromiter((value is None for value in values), bool, len(values))
        typed = np.array([0 if value is None else value for value in values], _PLAIN[kind])
        return {f"c{place}": typed, f"n{place}": nulls}
    if kind.startswith("DECIMAL"):
        values = list(map(_number_texts(values).__getitem__, values))
    elif column.type == "json":
        values = [None if value is None else encode(value, 0) for value in values]
    elif column.type == "integer":
        values = [None if value is None else str(value) for value in values]
    made = np.empty(len(values), object)
    made[:] = values
    return {f"c{place}": made}


def _expression(place: int, kind: str) -> str:
    if kind in _PLAIN:
        return f"CASE WHEN n{place} THEN NULL ELSE c{place} END"
    if _is_nested(kind):
        structure = kind.replace("'", "''")
        return f"json_transform(CAST(c{place} AS JSON), '{structure}')"
    return f"CAST(c{place} AS {kind})"


def _is_nested(kind: str) -> bool:
    return kind[0] in "[{"
