"""Converts input of Python callers (dictionaries, Series, DataFrames, arrays, dates) to the lists of the HTTP API."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core.inputs import is_table
from mediakit.core.request import invalid
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.checks import AXIS_TYPES
from mediakit.tools.images.chart.columns import (
    LabelsAndSeries,
    has_labels,
    is_number,
    label_column,
    labels_and_series,
    named,
    numbers,
)
from mediakit.tools.images.chart.data_fields import MAX_LABELS, MAX_POINTS
from mediakit.tools.images.chart.label_text import as_list, is_iterable, label_text, label_texts
from mediakit.tools.images.chart.x_values import is_x

MAX_NAME_IN_ERROR = 40
"""Characters of a name that error messages quote."""


def read_input_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with labels and series as lists.

    `labels` may contain the numbers, too: a dictionary of numbers, a Series or a DataFrame. `series` may be a list of
    numbers, a dictionary of lists, a Series or a DataFrame. Missing values of tables are gaps, unless `missing` is set.
    A line chart of a table with more than 50 rows becomes a timeline.

    Raises:
        InvalidInput: A dictionary or a table has no numbers, or no column that `x` or `y` names.
    """
    arguments = dict(values)
    x, y = arguments.pop("x", None), arguments.pop("y", None)
    labels, series = arguments.get("labels"), arguments.get("series")
    if series is None and (isinstance(labels, Mapping) or is_table(labels)):
        _fill_from_one_source(arguments, labels, x, [y] if isinstance(y, str) else y)
        return arguments
    if x is not None or y is not None:
        field = "y" if x is None else "x"
        raise invalid([{"field": field, "message": "requires a table: a DataFrame or a dictionary of lists."}])
    if isinstance(labels, Mapping) or hasattr(labels, "columns"):
        raise InvalidInput("series: requires a list of labels, because these labels contain the numbers already.")
    if is_iterable(labels):
        arguments["labels"] = _texts_or_numbers(labels)
    if is_iterable(series):
        arguments["series"] = _series_list(series)
        if is_table(series) or any(map(is_table, series if isinstance(series, list) else ())):
            _default_to_gaps(arguments)
    return arguments


def _fill_from_one_source(arguments: dict[str, Any], source: Any, x: str | None, y: Sequence[str] | None) -> None:
    """Set labels and series from one object that contains both."""
    kind = arguments.get("type")
    limit = MAX_POINTS if kind in (*AXIS_TYPES, "line") else MAX_LABELS
    if isinstance(source, Mapping):
        found = _from_mapping(source, x, y, numeric_x=kind == "scatter")
    else:
        found = _from_table(source, x, y, limit, numeric_x=kind == "scatter")
    arguments["labels"], arguments["series"] = found
    if is_table(source):
        _default_to_gaps(arguments)
    if kind == "line" and len(found[0]) > MAX_LABELS and is_x(found[0]):
        arguments["type"] = "timeline"


def _default_to_gaps(arguments: dict[str, Any]) -> None:
    """Make missing values gaps if there are any and the caller did not decide."""
    parts = [part.get("data") for part in arguments["series"] if isinstance(part, Mapping)]
    if any(value is None for part in parts if isinstance(part, list) for value in part):
        arguments.setdefault("missing", "gap")


def _from_mapping(
    source: Mapping[Any, Any], x: str | None, y: Sequence[str] | None, *, numeric_x: bool
) -> LabelsAndSeries:
    parts = list(source.values())
    if parts and all(isinstance(part, Mapping) for part in parts):
        return _from_nested(source)
    if parts and all(is_iterable(part) for part in parts):
        columns = named(source)
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            found = ", ".join(map(str, sorted(lengths)))
            raise InvalidInput(f"labels: the columns must have the same length, got {found}.")
        return labels_and_series(columns, None, x, y, numeric_x=numeric_x)
    return label_texts(source), [{"data": numbers(parts)}]


def _from_nested(source: Mapping[Any, Mapping[Any, Any]]) -> LabelsAndSeries:
    """Return labels and series of `{series: {label: number}}`; every series must have every label."""
    labels = list(dict.fromkeys(label for part in source.values() for label in part))
    for name, part in source.items():
        for label in labels:
            if label not in part:
                raise InvalidInput(
                    f"labels: {_quoted(label_text(name))} has no number for {_quoted(label_text(label))}."
                )
    series = [
        {"name": label_text(name), "data": numbers(part[label] for label in labels)} for name, part in source.items()
    ]
    return label_texts(labels), series


def _from_table(
    table: Any, x: str | None, y: Sequence[str] | None, limit: int, *, numeric_x: bool = False
) -> LabelsAndSeries:
    """Return labels and series of a Series or DataFrame of any library that narwhals supports."""
    import narwhals as nw

    native = nw.from_native(table, allow_series=True)
    if isinstance(native, nw.LazyFrame):
        native = native.head(limit + 1).collect()  # one more row than allowed shows that the table is too long
    index = nw.maybe_get_index(native)
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    if len(frame) > limit:
        raise InvalidInput(f"labels: must have at most {limit} items, got {len(frame)}; omit some rows.")
    columns = {label_text(name): frame.get_column(name).to_list() for name in frame.columns}
    name = getattr(index, "name", None)
    if x is not None and x == name and x not in columns:
        x = None
    labels, series = labels_and_series(columns, _index_labels(index, columns), x, y, numeric_x=numeric_x)
    if isinstance(native, nw.Series) and not native.name:
        del series[0]["name"]
    return labels, series


def _index_labels(index: Any, columns: Mapping[str, list[Any]]) -> list[Any] | None:
    """Return the values of an index that are labels: it is named, or says more than the position of the rows.

    Integers that are left after filtering or sorting rows are not used as labels if a column is.
    """
    if index is None:
        return None
    values = list(index)
    names = [name for name in getattr(index, "names", ()) if name is not None]
    if names or has_labels(values):
        return values
    return None if type(index).__name__ == "RangeIndex" or label_column(columns) else values


def _series_list(source: Any) -> Any:
    """Return series as a list of dictionaries; invalid items are returned as they are, for the request to reject."""
    if isinstance(source, Mapping):
        return [{"name": label_text(name), "data": numbers(data)} for name, data in source.items()]
    if is_table(source):
        return _from_table(source, None, None, MAX_POINTS)[1]
    parts = [as_list(part) for part in as_list(source)]
    if parts and any(map(is_number, parts)) and all(is_number(part) or part is None for part in parts):
        return [{"data": numbers(parts)}]
    return [_one_series(part) for part in parts]


def _one_series(part: Any) -> Any:
    if isinstance(part, Mapping):
        known = {"data": numbers, "x": _texts_or_numbers}
        return {name: known[name](value) if name in known else value for name, value in part.items()}
    return {"data": numbers(part)} if isinstance(part, list) else part


def _texts_or_numbers(values: Any) -> Any:
    return label_texts(values) if is_iterable(values) else values


def _quoted(name: Any) -> str:
    return repr(name[:MAX_NAME_IN_ERROR])
