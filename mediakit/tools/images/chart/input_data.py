"""Converts tables, dictionaries, Series, arrays and dates to the lists of the HTTP API."""

import datetime as dt
import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args

from mediakit.core.inputs import is_missing, is_table
from mediakit.core.messages import nearest, quote
from mediakit.core.request import invalid
from mediakit.engines.tables.python_tables import TABLE_KINDS, narwhals_frame
from mediakit.engines.tables.row_files import columns_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.fields import MAX_LABELS, MAX_POINTS, MAX_SERIES, Aggregate, is_x
from mediakit.tools.images.chart.request import AXIS_TYPES, PIE_TYPES, ChartType

Columns = Mapping[str, list[Any]]

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

MAX_TITLE = 100
"""Characters of the title of an axis."""

MAX_NAME_IN_ERROR = 40
"""Characters of a name that error messages quote."""


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
    kind, labels, series = (arguments.get(name) for name in ("type", "labels", "series"))
    if "type" in arguments and not isinstance(kind, str):
        example = 'the type comes first, as in chart("bar", data, x="city", y="sales")'
        raise _invalid("type", f"must be one of {', '.join(get_args(ChartType))}, got {quote(kind)}; {example}.")
    if isinstance(labels, Iterator):
        arguments["labels"] = labels = list(labels)
    choice = _Choice(kind, *(arguments.pop(name, None) for name in ("x", "y", "aggregate")))
    found = choice.both_of(labels) if series is None else None
    if found is not None:
        titles = {name: found.pop(name, None) for name in ("x_title", "y_title") if arguments.get(name) is None}
        arguments |= {name: found[name] for name in ("labels", "series")}
        # Names that are longer than a title may be are cut.
        arguments |= {name: text[:MAX_TITLE] for name, text in titles.items() if text}
        has_gaps = not isinstance(labels, Mapping) or bool(choice.aggregate) or found.get("is_grouped", False)
    else:
        choice.check_lists(labels, series)
        tables = series if isinstance(series, list | tuple) else (series,)
        columns = None if isinstance(series, list | tuple) else columns_of(series, "series")
        has_gaps = columns is not None or any(map(is_table, tables))
        if is_iterable(labels):
            arguments["labels"] = label_texts(labels)
        if columns is not None or is_iterable(series):
            found = _Choice("line").of_columns(columns) if columns else {"series": _series_list(series)}
            arguments["series"] = found["series"]
    if kind == "line" and is_iterable(labels) and len(arguments["labels"]) > MAX_LABELS and is_x(arguments["labels"]):
        arguments["type"] = "timeline"
    parts = [part.get("data") for part in arguments["series"] if isinstance(part, Mapping)] if has_gaps else []
    if any(value is None for part in parts if isinstance(part, list) for value in part):
        arguments.setdefault("missing", "gap")
    return arguments


def _invalid(field: str, message: str) -> InvalidInput:
    return invalid([{"field": field, "message": message}])


@dataclass(frozen=True)
class _Choice:
    """Which columns of a table are drawn, and how."""

    kind: Any
    """Type of the chart."""
    x: str | None = None
    y: str | Sequence[str] | None = None
    aggregate: Any = None

    def __post_init__(self) -> None:
        if self.aggregate is not None and not (isinstance(self.aggregate, str) and self.aggregate in AGGREGATES):
            raise _invalid("aggregate", f"must be one of {', '.join(AGGREGATES)}, got {quote(self.aggregate)}.")

    @property
    def limit(self) -> int:
        """The most labels of the chart."""
        return MAX_POINTS if self.kind in (*AXIS_TYPES, "line") else MAX_LABELS

    def both_of(self, source: Any) -> dict[str, Any] | None:
        """Return labels and series of one object that contains both; None if it does not."""
        columns = columns_of(source, "labels")
        if columns is not None:
            return self.of_columns(columns)
        if is_table(source):
            return self.of_frame(source)
        if not isinstance(source, Mapping):
            return self._of_list(source)
        parts = list(source.values())
        if parts and all(isinstance(part, Mapping) for part in parts):
            names = list(dict.fromkeys(label for part in parts for label in part))
            for name, part in source.items():
                for label in names:
                    if label not in part:
                        series, missing = (repr(label_text(each)[:MAX_NAME_IN_ERROR]) for each in (name, label))
                        raise InvalidInput(f"labels: {series} has no number for {missing}.")
            data = {name: [part[label] for label in names] for name, part in source.items()}
            return {"labels": label_texts(names), "series": _series_list(data)}
        if parts and all(is_iterable(part) for part in parts):
            return self.of_columns({label_text(name): as_list(column) for name, column in source.items()})
        return {"labels": label_texts(source), "series": [{"data": numbers(parts)}]}

    def _of_list(self, source: Any) -> dict[str, Any] | None:
        """Return labels and series of a list of numbers, or of pairs of a label and a number; None for other lists."""
        items = as_list(source) if is_iterable(source) else []
        if any(map(is_number, items)) and all(is_number(item) or is_missing(item) for item in items):
            return {"labels": [str(place + 1) for place in range(len(items))], "series": [{"data": numbers(items)}]}
        if items and all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
            names, values = (list(part) for part in zip(*items, strict=True))
            if _has_numbers(values) and (self.kind == "scatter" or all(isinstance(item, tuple) for item in items)):
                return {"labels": label_texts(names), "series": [{"data": numbers(values)}]}
        if items and isinstance(items[0], list):
            raise _invalid("labels", f"must be one list, or {TABLE_KINDS}, got lists in a list.")
        return None

    def check_lists(self, labels: Any, series: Any) -> None:
        """Refuse labels that are not a list, and options of a table where there is none."""
        for field in ("x", "y", "aggregate"):
            if getattr(self, field) is not None:
                raise _invalid(field, f"requires a table: {TABLE_KINDS}.")
        if series is None and labels is not None and not is_iterable(labels):
            raise _invalid("labels", f"must be a list of labels, or {TABLE_KINDS}, got {quote(labels)}.")
        if isinstance(labels, Mapping) or hasattr(labels, "columns"):
            raise InvalidInput("series: requires a list of labels, because these labels contain the numbers already.")

    def of_columns(self, columns: Columns, index: list[Any] | None = None) -> dict[str, Any]:
        """Return labels and series of a table, and the titles of the axes of a scatter chart.

        The index has its values that are labels; None for none.

        Raises:
            InvalidInput: A column is unknown, has no numbers, or there is none; or there are too many labels.
        """
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise InvalidInput(
                f"labels: the columns must have the same length, got {', '.join(map(str, sorted(lengths)))}."
            )
        x, y = self._names(columns, has_index=index is not None)
        count = max(lengths, default=0)
        labels = label_texts((index or [str(number + 1) for number in range(count)]) if x is None else columns[x])
        if self.aggregate == "count":
            values: Columns = {name: columns[name] for name in y} if y else {"count": [1] * count}
        else:
            values = _number_columns(columns, x, y)
        if self.aggregate:
            labels, values = _aggregated(labels, values, self.aggregate)
        series = [{"name": name, "data": numbers(column)} for name, column in values.items()]
        groups = _group_column(columns, x) if len(values) == 1 and not self.aggregate else None
        found: dict[str, Any] = {}
        if self.kind == "scatter":
            found = {"x_title": x, "y_title": next(iter(values)) if len(values) == 1 else None}
            if groups:
                labels, series = [], _grouped_points(labels, next(iter(values.values())), columns[groups])
        elif groups and self.kind not in PIE_TYPES:  # a pie draws one series
            pivoted = _grouped_series(labels, next(iter(values.values())), columns[groups])
            labels, series = pivoted or (labels, series)
            found = {"is_grouped": pivoted is not None}
        self._check_count(len(labels))
        return {"labels": labels, "series": series, **found}

    def _names(self, columns: Columns, *, has_index: bool) -> tuple[str | None, Sequence[str] | None]:
        """Return the column of the labels (None: the index or row numbers), and those of the numbers (None: all)."""
        y = [self.y] if isinstance(self.y, str) else self.y
        chosen: list[tuple[str, Sequence[Any]]] = [("x", [] if self.x is None else [self.x]), ("y", y or [])]
        for field, names in chosen:
            for name in names:
                if name not in columns:
                    shown = name if isinstance(name, str) else repr(name)
                    raise _invalid(field, f"the table has no column {quote(shown)}; {nearest(shown, [*columns])}")
        if self.x is not None:
            return self.x, y
        if self.kind != "scatter":
            return None if has_index else label_column(columns, y or ()), y
        # The first column of numbers or dates, if another one is left.
        left = {name: column for name, column in columns.items() if name not in (y or ())}
        found = [name for name, column in left.items() if _has_numbers(column) or _has_dates(column)]
        return found[0] if len(found) > (0 if y else 1) else None, y

    def of_frame(self, table: Any) -> dict[str, Any]:
        """Return labels and series of a Series or DataFrame of any library that narwhals supports."""
        native = narwhals_frame(table, "labels")
        import narwhals as nw

        if isinstance(native, nw.LazyFrame):
            # One more row than allowed shows that the table is too long.
            native = (native if self.aggregate else native.head(self.limit + 1)).collect()
        index = nw.maybe_get_index(native)
        frame = native.to_frame() if isinstance(native, nw.Series) else native
        if not self.aggregate:
            self._check_count(len(frame))
        columns = {label_text(name): frame.get_column(name).to_list() for name in frame.columns}
        is_index = self.x is not None and self.x == getattr(index, "name", None) and self.x not in columns
        choice = _Choice(self.kind, None, self.y, self.aggregate) if is_index else self
        found = choice.of_columns(columns, _index_labels(index, columns))
        if isinstance(native, nw.Series) and not native.name:
            found["series"][0].pop("name", None)
        return found

    def _check_count(self, count: int) -> None:
        if count > self.limit:
            group = "" if self.aggregate else ', or group them, such as with x="region", y="quantity", aggregate="sum"'
            raise InvalidInput(f"labels: must have at most {self.limit} items, got {count}; omit some rows{group}.")


def label_texts(values: Any) -> list[Any]:
    """Return values as labels."""
    return [value if type(value) is str else label_text(value) for value in as_list(values)]


def label_text(value: Any) -> Any:
    """Return a label as text: dates without an empty time, numbers without an empty fraction, tuples with commas."""
    value = value.item() if hasattr(value, "item") and not isinstance(value, str) else value
    if is_missing(value):
        return ""
    match value:
        case bytes():
            return value
        case dt.datetime():
            return value.isoformat(" ").removesuffix(" 00:00:00")
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case tuple():
            return ", ".join(str(label_text(part)) for part in value)
    return str(value)


def as_list(values: Any) -> Any:
    """Return an array or another iterable as a list; texts, dictionaries and numbers as they are."""
    if not is_iterable(values) or isinstance(values, Mapping):
        return values
    if getattr(getattr(values, "dtype", None), "kind", "") == "M" and hasattr(values, "astype"):
        values = values.astype("datetime64[us]")  # NumPy lists nanoseconds as integers
    return values.tolist() if hasattr(values, "tolist") else list(values)


def is_iterable(value: Any) -> bool:
    """Return whether a value is a list, an array or another iterable, not text."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray)


def numbers(values: Any) -> Any:
    """Return an iterable as a list, with Decimal and Fraction converted to float and missing values to None."""
    if not is_iterable(values) or isinstance(values, Mapping):
        return values
    items = as_list(values)
    if {*map(type, items)} <= {int, float} and all(item == item for item in items):  # noqa: PLR0124  # no NaN
        return items
    return [
        None if is_missing(value) else float(value) if isinstance(value, Decimal | Fraction) else value
        for value in items
    ]


def is_number(value: Any) -> bool:
    """Return whether a value is a number; not for True and False."""
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def label_column(columns: Columns, y: Sequence[str] = ()) -> str | None:
    """Return the first column of text, dates or years; None if there is none besides the columns `y`."""
    has_other_numbers = sum(map(_has_numbers, columns.values())) > 1
    for place, (name, column) in enumerate(columns.items()):
        is_year = has_other_numbers and _is_year(name, column, by_order=place == 0)
        if name not in y and (is_year or _has_texts(column)):
            return name
    return None


def _number_columns(columns: Columns, x: str | None, y: Sequence[str] | None) -> Columns:
    """Return the columns of the series."""
    if y is None:
        found = {name: column for name, column in columns.items() if name != x and _has_numbers(column)}
        if not found:
            raise InvalidInput("labels: the table must have a column of numbers, got none.")
        return {name: column for name, column in found.items() if not _is_year(name, column)} or found
    for name in y:
        if not _has_numbers(columns[name]):
            raise _invalid("y", f"column {quote(name)} must have numbers only.")
    return {name: columns[name] for name in y}


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


def _grouped_series(
    labels: list[Any], values: list[Any], groups: list[Any]
) -> tuple[list[Any], list[dict[str, Any]]] | None:
    """Return each label once, and a series for each group. None if labels do not repeat, or repeat in a group."""
    cells = dict(zip(zip(labels, groups, strict=True), numbers(values), strict=True))
    distinct = list(dict.fromkeys(labels))
    if len(distinct) == len(labels) or len(cells) < len(labels):
        return None
    names = dict.fromkeys(groups)
    return distinct, [
        {"name": label_text(name), "data": [cells.get((label, name)) for label in distinct]} for name in names
    ]


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


def _has_numbers(column: list[Any]) -> bool:
    return any(map(is_number, column)) and all(is_number(value) or is_missing(value) for value in column)


def _has_dates(column: list[Any]) -> bool:
    values = [value for value in column if not is_missing(value)]
    return bool(values) and all(isinstance(value, dt.date) for value in values)


def _has_texts(column: list[Any]) -> bool:
    """Return whether a column has text, dates or other values that are neither numbers nor True and False."""
    return any(not is_number(value) and not isinstance(value, bool) and not is_missing(value) for value in column)


def _is_year(name: str, column: list[Any], *, by_order: bool = False) -> bool:
    """Return whether a column has years, as its name says; or its order, if that counts."""
    if not column or not all(is_number(value) and value in YEARS for value in column):
        return False
    return bool(_YEAR_NAME.search(name)) or (by_order and len(column) > 1 and all(a < b for a, b in pairwise(column)))


def _index_labels(index: Any, columns: Columns) -> list[Any] | None:
    """Return the values of an index that are labels: it is named, or says more than the position of the rows.

    Integers that are left after filtering or sorting rows are not used as labels if a column is.
    """
    if index is None:
        return None
    values = list(index)
    is_named = any(name is not None for name in getattr(index, "names", ()))
    if is_named or not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return values
    return None if type(index).__name__ == "RangeIndex" or label_column(columns) else values


def _series_list(source: Any) -> Any:
    """Return series as a list of dictionaries; invalid items are returned as they are, for the request to reject."""
    if isinstance(source, Mapping):
        return [{"name": label_text(name), "data": numbers(data)} for name, data in source.items()]
    if is_table(source):
        return _Choice("line").of_frame(source)["series"]
    parts = [as_list(part) for part in as_list(source)]
    if parts and not any(isinstance(part, list | Mapping) for part in parts):
        return [{"data": numbers(parts)}]
    return [_one_series(part) for part in parts]


def _one_series(part: Any) -> Any:
    if isinstance(part, Mapping):
        known: Mapping[str, Callable[[Any], Any]] = {
            "data": numbers,
            "x": lambda values: label_texts(values) if is_iterable(values) else values,
        }
        return {name: known[name](value) if name in known else value for name, value in part.items()}
    return {"data": numbers(part)} if isinstance(part, list) else part
