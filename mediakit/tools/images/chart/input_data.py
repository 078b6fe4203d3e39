"""Converts tables, dictionaries, Series, arrays and dates to the lists of the HTTP API."""

import datetime as dt
import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from mediakit.core.inputs import is_missing, is_table
from mediakit.core.messages import nearest, quote
from mediakit.core.request import invalid
from mediakit.engines.tables.python_tables import TABLE_KINDS, narwhals_frame
from mediakit.engines.tables.row_files import columns_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.fields import MAX_LABELS, MAX_POINTS, MAX_SERIES, Aggregate, is_x
from mediakit.tools.images.chart.request import AXIS_TYPES

NOT_ITERATED = str | bytes | bytearray | None


def label_texts(values: Any) -> list[Any]:
    """Return values as labels."""
    return [value if type(value) is str else label_text(value) for value in as_list(values)]


def label_text(value: Any) -> Any:
    """Return a label as text: dates without an empty time, numbers without an empty fraction, tuples with commas."""
    value = value.item() if hasattr(value, "item") and not isinstance(value, str) else value
    if is_missing(value):
        return ""
    formatters: tuple[tuple[Any, Callable[[Any], str]], ...] = (
        (str, str),
        (dt.datetime, lambda moment: moment.isoformat(" ").removesuffix(" 00:00:00")),
        (dt.date, dt.date.isoformat),
        (bool, str),
        (float, lambda number: str(int(number)) if number.is_integer() and abs(number) < 1e15 else str(number)),
        (tuple, lambda parts: ", ".join(str(label_text(part)) for part in parts)),
        (bytes, lambda content: content),
    )
    return next((format_value(value) for kind, format_value in formatters if isinstance(value, kind)), str(value))


def as_list(values: Any) -> Any:
    """Return an array or another iterable as a list; texts, dictionaries and numbers as they are."""
    if not is_iterable(values) or isinstance(values, Mapping):
        return values
    if getattr(getattr(values, "dtype", None), "kind", "") == "M" and hasattr(values, "astype"):
        values = values.astype("datetime64[us]")  # NumPy lists nanoseconds as integers
    return values.tolist() if hasattr(values, "tolist") else list(values)


def is_iterable(value: Any) -> bool:
    """Return whether a value is a list, an array or another iterable, not text."""
    return isinstance(value, Iterable) and not isinstance(value, NOT_ITERATED)


Columns = Mapping[str, list[Any]]
LabelsAndSeries = tuple[list[Any], list[dict[str, Any]]]

AGGREGATES: Mapping[Aggregate, Callable[[list[Any]], float]] = {
    "sum": lambda values: sum(values) if all(isinstance(value, int) for value in values) else math.fsum(values),
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "count": len,
}
"""How the numbers of a group become one."""

YEARS = range(1500, 2201)
_YEAR_WORDS = "year|years|yr|jahr|jahre|año|ano|anio|année|annee|anno|jaar|rok|år|год|年"
_YEAR_NAME = re.compile(rf"(?:^|[\W_])(?:{_YEAR_WORDS})(?:$|[\W_])", re.IGNORECASE)


def labels_and_series(
    columns: Columns,
    index: list[Any] | None,
    x: str | None,
    y: Sequence[str] | None,
    *,
    numeric_x: bool = False,
    aggregate: Aggregate | None = None,
) -> LabelsAndSeries:
    """Return the labels and the series of a table.

    Args:
        columns: The values of each column.
        index: Values of the index that are labels; None for none.
        x: Name of the column with the labels; None for the index or the first column of text, dates or years.
        y: Names of the columns with the numbers; None for all columns of numbers.
        numeric_x: Whether labels may be a column of numbers, as in a scatter chart.
        aggregate: How rows with the same label become one; None to keep all rows.

    Raises:
        InvalidInput: A column is unknown, has no numbers, or there is no column of numbers.
    """
    for field, names in (("x", [x] if x is not None else []), ("y", y or [])):
        for name in names:
            _check_column(field, name, columns)
    if x is None:
        x = _x_column(columns, y or ()) if numeric_x else None if index is not None else label_column(columns, y or ())
    count = max((len(column) for column in columns.values()), default=0)
    if x is not None:
        labels = label_texts(columns[x])
    else:
        labels = [str(number + 1) for number in range(count)] if index is None else label_texts(index)
    if aggregate == "count":
        values: Columns = {name: columns[name] for name in y} if y else {"count": [1] * count}
    else:
        values = _number_columns(columns, x, y)
    if aggregate:
        labels, values = _aggregated(labels, values, aggregate)
    elif numeric_x and len(values) == 1 and (groups := _group_column(columns, x)):
        return [], _grouped_points(labels, next(iter(values.values())), columns[groups])
    return labels, [{"name": name, "data": numbers(column)} for name, column in values.items()]


def _group_column(columns: Columns, x: str | None) -> str | None:
    """Return the only column of text if it names up to ten groups of points, each with several."""
    found = [name for name, column in columns.items() if name != x and _has_texts(column) and not _has_dates(column)]
    if len(found) != 1 or not all(isinstance(value, str) for value in columns[found[0]]):
        return None
    counts = Counter(columns[found[0]])
    return found[0] if 1 < len(counts) <= MAX_SERIES and min(counts.values()) > 1 else None


def _grouped_points(labels: list[Any], values: list[Any], groups: list[Any]) -> list[dict[str, Any]]:
    """Return a series of points for each group, in the order of their first rows."""
    series: dict[str, dict[str, Any]] = {}
    for x, value, group in zip(labels, numbers(values), groups, strict=True):
        points = series.setdefault(group, {"name": label_text(group), "x": [], "data": []})
        points["x"].append(x)
        points["data"].append(value)
    return list(series.values())


def _aggregated(labels: list[Any], values: Columns, aggregate: Aggregate) -> tuple[list[Any], Columns]:
    """Return each label once, in the order of its first row, with one number of its rows; missing values are omitted.

    A label without numbers has a missing value, or the count 0.
    """
    groups: dict[Any, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(label, []).append(place)
    found: dict[str, list[Any]] = {}
    for name, column in values.items():
        present = [[column[place] for place in places if not is_missing(column[place])] for places in groups.values()]
        function = AGGREGATES[aggregate]
        found[name] = [function(part) if part or aggregate == "count" else None for part in present]
    return list(groups), found


def numbers(values: Any) -> Any:
    """Return an iterable as a list, with Decimal and Fraction converted to float and missing values to None."""
    if not is_iterable(values) or isinstance(values, Mapping):
        return values
    items = as_list(values)
    if {*map(type, items)} <= {int, float} and all(item == item for item in items):  # noqa: PLR0124  # no NaN
        return items
    return [_number_or_none(value) for value in items]


def is_number(value: Any) -> bool:
    """Return whether a value is a number; not for True and False."""
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def has_labels(index: Sequence[Any]) -> bool:
    """Return whether the values of an index say more than the position of their rows."""
    return not all(isinstance(value, int) and not isinstance(value, bool) for value in index)


def _number_or_none(value: Any) -> Any:
    if is_missing(value):
        return None
    return float(value) if isinstance(value, Decimal | Fraction) else value


def _check_column(field: str, name: Any, columns: Columns) -> None:
    if name not in columns:
        shown = name if isinstance(name, str) else repr(name)
        raise invalid(
            [{"field": field, "message": f"the table has no column {quote(shown)}; {nearest(shown, [*columns])}"}]
        )


def label_column(columns: Columns, y: Sequence[str] = ()) -> str | None:
    """Return the first column of text, dates or years; None if there is none besides the columns `y`."""
    has_other_numbers = sum(map(_has_numbers, columns.values())) > 1
    for place, (name, column) in enumerate(columns.items()):
        is_year = has_other_numbers and _is_year_like(name, column, is_first=place == 0)
        if name not in y and (is_year or _has_texts(column)):
            return name
    return None


def _x_column(columns: Columns, y: Sequence[str]) -> str | None:
    """Return the first column of numbers or dates, for the x axis of a scatter chart, if another one is left."""
    candidates = [
        name for name, column in columns.items() if name not in y and (_has_numbers(column) or _has_dates(column))
    ]
    return candidates[0] if len(candidates) > (0 if y else 1) else None


def _number_columns(columns: Columns, x: str | None, y: Sequence[str] | None) -> Columns:
    """Return the columns of the series."""
    if y is None:
        found = {name: column for name, column in columns.items() if name != x and _has_numbers(column)}
        if not found:
            raise InvalidInput("labels: the table must have a column of numbers, got none.")
        return {name: column for name, column in found.items() if not _is_year(name, column)} or found
    for name in y:
        if not _has_numbers(columns[name]):
            raise invalid([{"field": "y", "message": f"column {quote(name)} must have numbers only."}])
    return {name: columns[name] for name in y}


def _has_numbers(column: list[Any]) -> bool:
    return any(map(is_number, column)) and all(is_number(value) or is_missing(value) for value in column)


def _has_dates(column: list[Any]) -> bool:
    values = [value for value in column if not is_missing(value)]
    return bool(values) and all(isinstance(value, dt.date) for value in values)


def _has_texts(column: list[Any]) -> bool:
    """Return whether a column has text, dates or other values that are neither numbers nor True and False."""
    return any(not is_number(value) and not isinstance(value, bool) and not is_missing(value) for value in column)


def _is_year_like(name: str, column: list[Any], *, is_first: bool) -> bool:
    """Return whether a column has years, as its name says; or its order, if it is the first column."""
    if _is_year(name, column):
        return True
    is_ordered = all(a < b for a, b in pairwise(column)) if _may_be_years(column) else False
    return is_first and is_ordered and len(column) > 1


def _is_year(name: str, column: list[Any]) -> bool:
    return bool(_YEAR_NAME.search(name)) and _may_be_years(column)


def _may_be_years(column: list[Any]) -> bool:
    return bool(column) and all(is_number(value) and value in YEARS for value in column)


def named(columns: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """Return columns with names as text and values as lists."""
    return {label_text(name): as_list(column) for name, column in columns.items()}


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
        _draw_long_line_as_timeline(arguments)
        if not isinstance(labels, Mapping) or choice.aggregate:
            _default_to_gaps(arguments)
        return arguments
    _check_lists(labels, series, choice)
    if is_iterable(labels):
        arguments["labels"] = _texts_or_numbers(labels)
        _draw_long_line_as_timeline(arguments)
    _fill_series(arguments, series)
    return arguments


def _draw_long_line_as_timeline(arguments: dict[str, Any]) -> None:
    """Change the type of a line with more dates or numbers than an axis of labels takes."""
    labels = arguments["labels"]
    if arguments.get("type") == "line" and len(labels) > MAX_LABELS and is_x(labels):
        arguments["type"] = "timeline"


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
