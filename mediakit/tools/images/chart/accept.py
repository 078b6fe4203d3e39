"""What Python alone can give: dictionaries, Series, DataFrames, arrays, dates; turned into what JSON has, too."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mediakit.core.frames import is_missing, is_table
from mediakit.errors import InvalidInput

MOST_ROWS = 51
"""Rows that are read of a table: one more than a chart takes, which says that it is too long."""

PLAIN = str | bytes | bytearray | None


def accepted(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give the values of a call with labels and series as lists.

    Labels may hold the numbers, too: a dictionary of numbers, a Series or a DataFrame. Series may be one list of
    numbers, a dictionary of lists, a Series or a DataFrame.

    Raises:
        InvalidInput: A dictionary or a table has no numbers.
    """
    given = dict(values)
    labels, series = given.get("labels"), given.get("series")
    if series is None and (isinstance(labels, Mapping) or is_table(labels)):
        given["labels"], given["series"] = _labelled(labels)
        return given
    if isinstance(labels, Mapping) or hasattr(labels, "columns"):
        raise InvalidInput("series: goes with a list of labels; these labels hold their numbers already.")
    given |= {"labels": _names(labels)} if _is_many(labels) else {}
    given |= {"series": _series(series)} if _is_many(series) else {}
    return given


def _labelled(source: Any) -> tuple[list[Any], list[dict[str, Any]]]:
    """Take labels and series out of one object."""
    if not isinstance(source, Mapping):
        return _from_table(source)
    parts = list(source.values())
    if parts and all(isinstance(part, Mapping) for part in parts):
        return _from_nested(source)
    if parts and all(_is_many(part) for part in parts):
        return _from_columns({_name(name): _numbers(part) for name, part in source.items()})
    return _names(source), [{"data": _numbers(parts)}]


def _from_nested(source: Mapping[Any, Mapping[Any, Any]]) -> tuple[list[Any], list[dict[str, Any]]]:
    """Read `{series: {label: number}}`; every series must have every label."""
    labels = list(dict.fromkeys(label for part in source.values() for label in part))
    for name, part in source.items():
        for label in labels:
            if label not in part:
                raise InvalidInput(f"labels: {_name(name)[:40]!r} has no number for {_name(label)[:40]!r}.")
    series = [{"name": _name(name), "data": _numbers(part[label] for label in labels)} for name, part in source.items()]
    return _names(labels), series


def _from_columns(columns: Mapping[str, list[Any]]) -> tuple[list[Any], list[dict[str, Any]]]:
    """Take the first column that has no numbers as labels, and all that have as series."""
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InvalidInput(
            f"labels: the columns must have the same length, got {', '.join(map(str, sorted(lengths)))}."
        )
    counted = {name: column for name, column in columns.items() if _has_numbers(column)}
    if not counted:
        raise InvalidInput("labels: no column of this table has numbers.")
    named = [column for name, column in columns.items() if name not in counted]
    labels = _names(named[0]) if named else [str(place + 1) for place in range(max(lengths))]
    for name, column in counted.items():
        if any(map(is_missing, column)):
            row = next(place for place, value in enumerate(column, 1) if is_missing(value))
            raise InvalidInput(f"series: {name[:40]!r} has no number in row {row}; fill it, or leave the row out.")
    return labels, [{"name": name, "data": column} for name, column in counted.items()]


def _from_table(table: Any) -> tuple[list[Any], list[dict[str, Any]]]:
    """Read a Series or a DataFrame of pandas, Polars, PyArrow, Dask or whatever else narwhals knows."""
    import narwhals as nw

    native = nw.from_native(table, allow_series=True)
    if isinstance(native, nw.LazyFrame):
        native = native.head(MOST_ROWS).collect()
    index = nw.maybe_get_index(native)
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    if len(frame) > MOST_ROWS:
        raise InvalidInput(f"labels: must have at most {MOST_ROWS - 1} items, got {len(frame)}; leave rows out.")
    columns = {_name(name): _numbers(frame.get_column(name).to_list()) for name in frame.columns}
    labels, series = _from_columns(columns)
    if index is not None and not _is_counter(index):
        labels = _names(list(index[:MOST_ROWS]))
    if isinstance(native, nw.Series) and not native.name:
        del series[0]["name"]
    return labels, series


def _series(source: Any) -> Any:
    """Give series as a list of dictionaries; what is no series is left for the request to refuse."""
    if isinstance(source, Mapping):
        return [{"name": _name(name), "data": _numbers(data)} for name, data in source.items()]
    if is_table(source):
        return _from_table(source)[1]
    parts = [_listed(part) for part in _listed(source)]
    if parts and all(_is_number(part) for part in parts):
        return [{"data": _numbers(parts)}]
    return [_one_series(part) for part in parts]


def _one_series(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _numbers(value) if name == "data" else value for name, value in part.items()}
    return {"data": _numbers(part)} if isinstance(part, list) else part


def _numbers(values: Any) -> Any:
    """Write numbers as Python's own."""
    if not _is_many(values) or isinstance(values, Mapping):
        return values
    return [float(value) if isinstance(value, Decimal | Fraction) else value for value in _listed(values)]


def _names(values: Any) -> list[Any]:
    return [_name(value) for value in _listed(values)]


def _name(value: Any) -> Any:
    """Write a label: a date without an empty time, a number without an empty fraction, a tuple in a row."""
    value = value.item() if hasattr(value, "item") and not isinstance(value, str) else value
    writers: tuple[tuple[Any, Callable[[Any], str]], ...] = (
        (str, str),
        (dt.datetime, lambda moment: moment.isoformat(" ").removesuffix(" 00:00:00")),
        (dt.date, dt.date.isoformat),
        (bool, str),
        (float, lambda number: f"{number:g}" if number.is_integer() else str(number)),
        (tuple, lambda parts: ", ".join(str(_name(part)) for part in parts)),
        (bytes, lambda content: content),
    )
    return next((write(value) for kind, write in writers if isinstance(value, kind)), str(value))


def _listed(values: Any) -> Any:
    """Give an array or another iterable as a list; a text, a dictionary or a number as it is."""
    if not _is_many(values) or isinstance(values, Mapping):
        return values
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _is_many(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, PLAIN)


def _is_counter(index: Any) -> bool:
    """Tell the index that pandas makes where there is none."""
    return type(index).__name__ == "RangeIndex"


def _has_numbers(column: list[Any]) -> bool:
    return any(map(_is_number, column)) and all(_is_number(value) or is_missing(value) for value in column)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)
