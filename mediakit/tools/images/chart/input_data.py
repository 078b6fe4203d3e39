"""Converts input of Python callers (tables, dictionaries, Series, arrays, dates) to the lists of the HTTP API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mediakit.core.inputs import is_table
from mediakit.core.messages import quote
from mediakit.core.request import invalid
from mediakit.engines.tables.python_tables import TABLE_KINDS, narwhals_frame
from mediakit.engines.tables.row_files import columns_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.checks import AXIS_TYPES
from mediakit.tools.images.chart.columns import (
    AGGREGATES,
    Aggregate,
    Columns,
    LabelsAndSeries,
    has_labels,
    is_number,
    label_column,
    labels_and_series,
    named,
    numbers,
)
from mediakit.tools.images.chart.fields import MAX_LABELS, MAX_POINTS
from mediakit.tools.images.chart.label_text import as_list, is_iterable, label_text, label_texts
from mediakit.tools.images.chart.x_values import is_x

MAX_NAME_IN_ERROR = 40
"""Characters of a name that error messages quote."""


@dataclass(frozen=True)
class _Choice:
    """Which columns of a table are drawn, and how."""

    x: str | None = None
    y: Sequence[str] | None = None
    aggregate: Aggregate | None = None
    numeric_x: bool = False
    limit: int = MAX_POINTS
    """The most labels of the chart."""

    @classmethod
    def of(cls, x: Any, y: Any, aggregate: Any, *, kind: Any) -> "_Choice":
        """Return the choice of the arguments of a call with this type of chart.

        Raises:
            InvalidInput: There is no such aggregate.
        """
        if aggregate is not None and aggregate not in AGGREGATES:
            message = f"must be one of {', '.join(AGGREGATES)}, got {quote(aggregate)}."
            raise invalid([{"field": "aggregate", "message": message}])
        limit = MAX_POINTS if kind in (*AXIS_TYPES, "line") else MAX_LABELS
        return cls(x, [y] if isinstance(y, str) else y, aggregate, numeric_x=kind == "scatter", limit=limit)


def read_input_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with labels and series as lists.

    `labels` may contain the numbers, too: a dictionary of numbers, a Series, or a table. A table is a DataFrame, a
    list of dictionaries, a dictionary of lists, a result with rows, or the path of a table file. `series` may be a list
    of numbers, a dictionary of lists, a Series or a table. Missing values of tables are gaps, unless `missing` is set.
    A line chart of more than 50 dates or numbers becomes a timeline.

    Raises:
        InvalidInput: A table cannot be read, has no numbers, or no column that `x` or `y` names.
    """
    arguments = dict(values)
    kind = arguments.get("type")
    choice = _Choice.of(*(arguments.pop(name, None) for name in ("x", "y", "aggregate")), kind=kind)
    labels, series = arguments.get("labels"), arguments.get("series")
    if series is None and (found := _from_one_source(labels, choice)):
        arguments["labels"], arguments["series"] = found
        arguments["type"] = _long_line(kind, found[0])
        if not isinstance(labels, Mapping) or choice.aggregate:
            _default_to_gaps(arguments)
        return arguments
    _check_lists(labels, series, choice)
    if is_iterable(labels):
        arguments["labels"] = _texts_or_numbers(labels)
        arguments["type"] = _long_line(kind, arguments["labels"])
    _fill_series(arguments, series)
    return arguments


def _long_line(kind: Any, labels: list[Any]) -> Any:
    """Return the type of a chart: a line with more dates or numbers than a category axis takes is a timeline."""
    return "timeline" if kind == "line" and len(labels) > MAX_LABELS and is_x(labels) else kind


def _from_one_source(source: Any, choice: _Choice) -> LabelsAndSeries | None:
    """Return labels and series of one object that contains both; None if it does not."""
    columns = columns_of(source, "labels")
    if columns is None and is_table(source):
        return _from_table(source, choice)
    source = source if columns is None else columns
    return _from_mapping(source, choice) if isinstance(source, Mapping) else None


def _fill_series(arguments: dict[str, Any], series: Any) -> None:
    columns = None if isinstance(series, list | tuple) else columns_of(series, "series")
    if columns is not None:
        arguments["series"] = labels_and_series(columns, None, None, None)[1]
    elif is_iterable(series):
        arguments["series"] = _series_list(series)
    if columns is not None or any(map(is_table, series if isinstance(series, list) else (series,))):
        _default_to_gaps(arguments)


def _check_lists(labels: Any, series: Any, choice: _Choice) -> None:
    """Refuse labels that are not a list, and options of a table where there is none."""
    for field in ("x", "y", "aggregate"):
        if getattr(choice, field) is not None:
            raise invalid([{"field": field, "message": f"requires a table: {TABLE_KINDS}."}])
    if series is None and labels is not None and not is_iterable(labels):
        message = f"must be a list of labels, or {TABLE_KINDS}, got {quote(labels)}."
        raise invalid([{"field": "labels", "message": message}])
    if isinstance(labels, Mapping) or hasattr(labels, "columns"):
        raise InvalidInput("series: requires a list of labels, because these labels contain the numbers already.")


def _default_to_gaps(arguments: dict[str, Any]) -> None:
    """Make missing values gaps if there are any and the caller did not decide."""
    parts = [part.get("data") for part in arguments["series"] if isinstance(part, Mapping)]
    if any(value is None for part in parts if isinstance(part, list) for value in part):
        arguments.setdefault("missing", "gap")


def _from_mapping(source: Mapping[Any, Any], choice: _Choice) -> LabelsAndSeries:
    parts = list(source.values())
    if parts and all(isinstance(part, Mapping) for part in parts):
        return _from_nested(source)
    if parts and all(is_iterable(part) for part in parts):
        columns = named(source)
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            found = ", ".join(map(str, sorted(lengths)))
            raise InvalidInput(f"labels: the columns must have the same length, got {found}.")
        return _chosen(columns, None, choice)
    return label_texts(source), [{"data": numbers(parts)}]


def _chosen(columns: Columns, index: list[Any] | None, choice: _Choice) -> LabelsAndSeries:
    """Return the labels and the series that are chosen of a table.

    Raises:
        InvalidInput: There are more labels than a chart has, or a column does not fit.
    """
    made = labels_and_series(columns, index, choice.x, choice.y, numeric_x=choice.numeric_x, aggregate=choice.aggregate)
    _check_count(len(made[0]), choice)
    return made


def _check_count(count: int, choice: _Choice) -> None:
    if count > choice.limit:
        group = "" if choice.aggregate else ', or group them, such as with x="region", y="quantity", aggregate="sum"'
        raise InvalidInput(f"labels: must have at most {choice.limit} items, got {count}; omit some rows{group}.")


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


def _from_table(table: Any, choice: _Choice) -> LabelsAndSeries:
    """Return labels and series of a Series or DataFrame of any library that narwhals supports.

    Raises:
        InvalidInput: The object is of no such library, or has too many rows.
    """
    native = narwhals_frame(table, "labels")
    import narwhals as nw

    if isinstance(native, nw.LazyFrame):
        # One more row than allowed shows that the table is too long.
        native = (native if choice.aggregate else native.head(choice.limit + 1)).collect()
    index = nw.maybe_get_index(native)
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    if not choice.aggregate:
        _check_count(len(frame), choice)
    columns = {label_text(name): frame.get_column(name).to_list() for name in frame.columns}
    name = getattr(index, "name", None)
    if choice.x is not None and choice.x == name and name not in columns:
        choice = replace(choice, x=None)
    labels, series = _chosen(columns, _index_labels(index, columns), choice)
    if isinstance(native, nw.Series) and not native.name:
        series[0].pop("name", None)
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
        return _from_table(source, _Choice())[1]
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
