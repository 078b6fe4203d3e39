"""Tables that only Python callers can pass or receive: data frames, dictionaries of lists, lists of dictionaries."""

import datetime as dt
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pybase64

from mediakit.core.inputs import FileSource, is_array, is_missing, is_table
from mediakit.engines.tables.columns.cells import duration_text, shortest_float32
from mediakit.engines.tables.model import Column, ColumnType, Table, unique_names
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command, required
from mediakit.results.data import JSON, Data, rows_of

TABLE_KINDS = (
    "a DataFrame, a list of dictionaries, a dictionary of lists, a result with rows, or the path of a table file"
)
"""What Python callers can pass as a table, for errors."""


def is_json_file(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a file as JSON carries it."""
    return value.keys() <= {"name", "file"} and isinstance(value.get("file"), str | bytes)


def adapt_table(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with a table of Python as `rows`, and the types of its columns as `types`.

    The table may be passed as `rows`, or as `file`, which is the first argument.
    """
    return adapt_tables(values, ("",))


def adapt_tables(values: Mapping[str, Any], suffixes: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call with several tables of Python as rows, and the types of their columns.

    `suffixes` are what the names of `file`, `rows` and `types` end with, for each table; "" for the first one, whose
    types count for the others as well unless they have their own.
    """
    arguments = dict(values)
    chosen = arguments.get("types", "auto")
    found: dict[str, Any] = {}
    has_types = False
    for suffix in suffixes:
        hidden = _adapt_rows(arguments, f"file{suffix}", f"rows{suffix}")
        own = arguments.get(f"types{suffix}")
        own = chosen if own is None else own
        if hidden and (own == "auto" or isinstance(own, Mapping)):
            own, has_types = (hidden if own == "auto" else {**hidden, **own}), True
        found[f"types{suffix}"] = own
    return {**arguments, **(found if has_types else {})}


def _adapt_rows(arguments: dict[str, Any], file: str, field: str) -> Mapping[str, ColumnType]:
    """Replace a table of Python by its rows, and return the types that JSON does not show."""
    if (result := rows_of_result(arguments.get(file))) is not None:
        arguments[file] = result
    if is_python_table(arguments.get(file)) and arguments.get(field) is None:
        arguments[field] = arguments.pop(file)
    source: Any = arguments.get(field)
    if not (is_table(source) or isinstance(source, Iterable)) or isinstance(source, str | bytes | FileSource):
        return {}
    if is_array(source):
        if names := source.dtype.names:
            source = {name: source[name].tolist() for name in names}
        else:
            source = [[value] for value in source.tolist()] if source.ndim == 1 else source.tolist()
        arguments.setdefault("header", False)
    rows, types = _rows_and_types(source)
    if rows == [] and is_table(source):  # names alone
        rows, types = [list(_frame_columns(source))], {}
        arguments.setdefault("header", True)
    arguments[field] = rows
    return types


def rows_of_result(value: Any) -> list[dict[str, Any]] | None:
    """Return the rows of a tabular result without a file of its own, such as verdicts; None for other values."""
    if not isinstance(value, Data) or value._saved().mime_type != JSON:
        return None
    return None if (rows := rows_of(value)) is None else [dict(row) for row in rows]


def is_python_table(value: Any) -> bool:
    """Return whether a value is a table that only Python callers can pass."""
    if isinstance(value, FileSource):  # the result of a tool, whose own frame has fewer types than its file
        return False
    if isinstance(value, Mapping):
        return not is_json_file(value)
    return isinstance(value, list | tuple) or is_table(value) or is_array(value)


def _rows_and_types(source: Any) -> tuple[Any, dict[str, ColumnType]]:
    if is_table(source):
        return _from_columns(_frame_columns(source))
    if isinstance(source, Mapping):
        indexes = [list(values) for values in source.values() if isinstance(values, Mapping)]
        is_even = len(indexes) == len(source) and all(index == indexes[0] for index in indexes)
        if is_even and indexes and all(isinstance(each, int) for each in indexes[0]):  # from `DataFrame.to_dict()`
            source = {name: values.values() for name, values in source.items()}
        no_columns = (str, bytes, Mapping)
        if not all(isinstance(values, Iterable) and not isinstance(values, no_columns) for values in source.values()):
            return _plain(source), {}  # one object, which is one row
        columns = {str(name): list(values) for name, values in source.items()}
        equal = len({len(values) for values in columns.values()}) == 1
        return _from_columns(columns) if equal else (columns, {})
    rows = list(source)
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(str(name) for row in rows for name in row))
        by_name = [{str(name): value for name, value in row.items()} for row in rows]
        return _from_columns({name: [row.get(name) for row in by_name] for name in names})
    return [_plain(row) for row in rows], {}


def narwhals_frame(table: Any, field: str) -> Any:
    """Return a data frame or a series of any library as one of narwhals. A repeated name becomes `name_2`.

    Raises:
        InvalidInput: The object is of no library that narwhals knows.
    """
    import narwhals as nw

    may_repeat = hasattr(table, "set_axis") or hasattr(table, "rename_columns")  # pandas and PyArrow
    columns: Any = getattr(table, "column_names", None) or getattr(table, "columns", ()) if may_repeat else ()
    names = list(map(str, columns))
    if len(set(names)) < len(names):
        names = unique_names(names)
        table = table.set_axis(names, axis=1) if hasattr(table, "set_axis") else table.rename_columns(names)
    try:
        return nw.from_native(table, allow_series=True)
    except TypeError:
        if isinstance(table, Mapping) and hasattr(table, "to_frame"):  # a batch
            return narwhals_frame(table.to_frame(), field)
        raise InvalidInput(f"{field}: must be {TABLE_KINDS}, got {type(table).__name__}.") from None


def _frame_columns(table: Any) -> dict[str, list[Any]]:
    """Return the columns of a data frame or a series; an index with a name, texts or dates is a column."""
    import narwhals as nw

    index = getattr(table, "index", None)
    is_named = any(name is not None for name in getattr(index, "names", ()))
    if hasattr(table, "reset_index") and (
        is_named or getattr(index, "inferred_type", "empty") not in ("integer", "empty")
    ):
        table = table.reset_index(allow_duplicates=True)
    native = narwhals_frame(table, "rows")
    native = native.collect() if isinstance(native, nw.LazyFrame) else native
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    found: dict[str, list[Any]] = {}
    for name in frame.columns:
        series = frame.get_column(name)
        if type(series.to_native()).__module__.startswith("polars."):
            from mediakit.engines.tables.nested import series_values

            found[str(name)] = series_values(series.to_native())
        elif series.dtype == nw.Float32:
            found[str(name)] = [
                shortest_float32(each) if isinstance(each, float) else each for each in series.to_list()
            ]
        else:
            found[str(name)] = list(series.to_list())
    return found


def _from_columns(columns: Mapping[str, list[Any]]) -> tuple[list[dict[str, Any]], dict[str, ColumnType]]:
    present = {
        name: values if _types(values) <= _NEVER_MISSING else [None if is_missing(value) else value for value in values]
        for name, values in columns.items()
    }
    types = {name: kind for name, values in present.items() if (kind := _type(values))}
    plain = [values if _types(values) <= _OF_JSON else [*map(_plain, values)] for values in present.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)], types


_NEVER_MISSING = {str, int, bool, type(None)}
_OF_JSON = {*_NEVER_MISSING, float}


def _types(values: Sequence[Any]) -> set[type]:
    return set(map(type, values))


def _type(values: Sequence[Any]) -> ColumnType | None:
    """Return the type that JSON does not show; None where it does, or the values are of several types."""
    kinds = _types(values) - {type(None)}
    fitting = (kind for wanted, kind in _HIDDEN_TYPES if all(issubclass(each, wanted) for each in kinds))
    return next(fitting, None) if kinds else None


_HIDDEN_TYPES: tuple[tuple[type, ColumnType], ...] = (
    (str, "text"),
    (dt.datetime, "datetime"),
    (dt.date, "date"),
    (dt.time, "time"),
    (Decimal, "number"),
)


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if value is None or isinstance(value, str | bool | int | float):
        return None if is_missing(value) else value
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray | memoryview):
        return pybase64.b64encode(bytes(value)).decode()
    return _plain_other(value)


def _plain_other(value: Any) -> Any:
    if hasattr(value, "tolist"):  # an array or a scalar of NumPy
        is_short = str(getattr(value, "dtype", "")) == "float32"
        value = value.tolist()
        if is_short:
            return [_shortest(item) for item in value] if isinstance(value, list) else _shortest(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if isinstance(value, int | float) else str(value)


def _shortest(value: Any) -> Any:
    return shortest_float32(value) if isinstance(value, float) else _plain(value)


def rows_of_table(value: Any) -> tuple[Any, dict[str, ColumnType]] | None:
    """Return the rows of a table of Python and the types of its columns that JSON does not show.

    A table without rows has the names of its columns as types. Files and other values return None.
    """
    if not is_python_table(value):
        return None
    rows, types = _rows_and_types(value)
    if rows == [] and is_table(value):
        return [], {**dict.fromkeys(_frame_columns(value), "text"), **types}
    return rows, types


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
    if column.type == "datetime":
        present = filter(None, column.values)
        offsets = {"Z" if each[-1] == "Z" else each[-6:] if each[-6:-5] in ("+", "-") else "" for each in present}
        return "text" if len(offsets) > 1 else "datetime"
    return column.type


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
