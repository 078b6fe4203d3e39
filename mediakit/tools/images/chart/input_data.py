"""Converts input of Python callers (dictionaries, Series, DataFrames, arrays, dates) to the lists of the HTTP API."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mediakit.core.frames import is_missing, is_table
from mediakit.errors import InvalidInput

MAX_LABELS = 50
"""The most labels of a chart."""

MAX_NAME_IN_ERROR = 40
"""Characters of a name that error messages quote."""

NOT_ITERATED = str | bytes | bytearray | None

Columns = tuple[list[Any], list[dict[str, Any]]]
"""Labels and series."""


def read_input_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with labels and series as lists.

    `labels` may contain the numbers, too: a dictionary of numbers, a Series or a DataFrame. `series` may be a list of
    numbers, a dictionary of lists, a Series or a DataFrame.

    Raises:
        InvalidInput: A dictionary or a table has no numbers.
    """
    arguments = dict(values)
    labels, series = arguments.get("labels"), arguments.get("series")
    if series is None and (isinstance(labels, Mapping) or is_table(labels)):
        arguments["labels"], arguments["series"] = _split_labels_and_series(labels)
        return arguments
    if isinstance(labels, Mapping) or hasattr(labels, "columns"):
        raise InvalidInput("series: requires a list of labels, because these labels contain the numbers already.")
    if _is_iterable(labels):
        arguments["labels"] = _label_texts(labels)
    if _is_iterable(series):
        arguments["series"] = _series_list(series)
    return arguments


def _split_labels_and_series(source: Any) -> Columns:
    """Return labels and series of one object that contains both."""
    if not isinstance(source, Mapping):
        return _from_table(source)
    parts = list(source.values())
    if parts and all(isinstance(part, Mapping) for part in parts):
        return _from_nested(source)
    if parts and all(_is_iterable(part) for part in parts):
        return _from_columns({_label_text(name): _numbers(part) for name, part in source.items()})
    return _label_texts(source), [{"data": _numbers(parts)}]


def _from_nested(source: Mapping[Any, Mapping[Any, Any]]) -> Columns:
    """Return labels and series of `{series: {label: number}}`; every series must have every label."""
    labels = list(dict.fromkeys(label for part in source.values() for label in part))
    for name, part in source.items():
        for label in labels:
            if label not in part:
                raise InvalidInput(
                    f"labels: {_quoted(_label_text(name))} has no number for {_quoted(_label_text(label))}."
                )
    series = [
        {"name": _label_text(name), "data": _numbers(part[label] for label in labels)} for name, part in source.items()
    ]
    return _label_texts(labels), series


def _from_columns(columns: Mapping[str, list[Any]]) -> Columns:
    """Return the first column without numbers as labels and all columns with numbers as series."""
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InvalidInput(
            f"labels: the columns must have the same length, got {', '.join(map(str, sorted(lengths)))}."
        )
    numeric = {name: column for name, column in columns.items() if _has_numbers(column)}
    if not numeric:
        raise InvalidInput("labels: the table must have a column of numbers, got none.")
    others = [column for name, column in columns.items() if name not in numeric]
    labels = _label_texts(others[0]) if others else [str(number + 1) for number in range(max(lengths))]
    for name, column in numeric.items():
        _check_complete(name, column)
    return labels, [{"name": name, "data": column} for name, column in numeric.items()]


def _check_complete(name: str, column: list[Any]) -> None:
    row = next((number for number, value in enumerate(column, 1) if is_missing(value)), None)
    if row is not None:
        raise InvalidInput(f"series: {_quoted(name)} has no number in row {row}. Fill in the number or omit the row.")


def _from_table(table: Any) -> Columns:
    """Return labels and series of a Series or DataFrame of any library that narwhals supports."""
    import narwhals as nw

    native = nw.from_native(table, allow_series=True)
    if isinstance(native, nw.LazyFrame):
        native = native.head(MAX_LABELS + 1).collect()  # one more row than allowed shows that the table is too long
    index = nw.maybe_get_index(native)
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    if len(frame) > MAX_LABELS:
        raise InvalidInput(f"labels: must have at most {MAX_LABELS} items, got {len(frame)}; omit some rows.")
    labels, series = _from_columns(
        {_label_text(name): _numbers(frame.get_column(name).to_list()) for name in frame.columns}
    )
    if index is not None and not _is_default_index(index):
        labels = _label_texts(list(index))
    if isinstance(native, nw.Series) and not native.name:
        del series[0]["name"]
    return labels, series


def _series_list(source: Any) -> Any:
    """Return series as a list of dictionaries; invalid items are returned as they are, for the request to reject."""
    if isinstance(source, Mapping):
        return [{"name": _label_text(name), "data": _numbers(data)} for name, data in source.items()]
    if is_table(source):
        return _from_table(source)[1]
    parts = [_as_list(part) for part in _as_list(source)]
    if parts and all(_is_number(part) for part in parts):
        return [{"data": _numbers(parts)}]
    return [_one_series(part) for part in parts]


def _one_series(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _numbers(value) if name == "data" else value for name, value in part.items()}
    return {"data": _numbers(part)} if isinstance(part, list) else part


def _numbers(values: Any) -> Any:
    """Return an iterable as a list, with Decimal and Fraction converted to float; other values as they are."""
    if not _is_iterable(values) or isinstance(values, Mapping):
        return values
    return [float(value) if isinstance(value, Decimal | Fraction) else value for value in _as_list(values)]


def _label_texts(values: Any) -> list[Any]:
    return [_label_text(value) for value in _as_list(values)]


def _label_text(value: Any) -> Any:
    """Return a label as text: dates without an empty time, numbers without an empty fraction, tuples with commas."""
    value = value.item() if hasattr(value, "item") and not isinstance(value, str) else value
    formatters: tuple[tuple[Any, Callable[[Any], str]], ...] = (
        (str, str),
        (dt.datetime, lambda moment: moment.isoformat(" ").removesuffix(" 00:00:00")),
        (dt.date, dt.date.isoformat),
        (bool, str),
        (float, lambda number: f"{number:g}" if number.is_integer() else str(number)),
        (tuple, lambda parts: ", ".join(str(_label_text(part)) for part in parts)),
        (bytes, lambda content: content),
    )
    return next((format_value(value) for kind, format_value in formatters if isinstance(value, kind)), str(value))


def _as_list(values: Any) -> Any:
    """Return an array or another iterable as a list; texts, dictionaries and numbers as they are."""
    if not _is_iterable(values) or isinstance(values, Mapping):
        return values
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _is_iterable(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, NOT_ITERATED)


def _is_default_index(index: Any) -> bool:
    """Return whether pandas made the index, because the caller set none."""
    return type(index).__name__ == "RangeIndex"


def _has_numbers(column: list[Any]) -> bool:
    return any(map(_is_number, column)) and all(_is_number(value) or is_missing(value) for value in column)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def _quoted(name: Any) -> str:
    return repr(name[:MAX_NAME_IN_ERROR])
