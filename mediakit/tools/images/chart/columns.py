"""The columns of a table as labels and series: which column has the labels, and which ones have numbers."""

import datetime as dt
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

from mediakit.core.inputs import is_missing
from mediakit.core.messages import nearest, quote
from mediakit.core.request import invalid
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.label_text import as_list, is_iterable, label_text, label_texts

Columns = Mapping[str, list[Any]]
LabelsAndSeries = tuple[list[Any], list[dict[str, Any]]]
Aggregate = Literal["sum", "mean", "median", "min", "max", "count"]

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
    return labels, [{"name": name, "data": numbers(column)} for name, column in values.items()]


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
    return [_number(value) for value in items]


def is_number(value: Any) -> bool:
    """Return whether a value is a number; not for True and False."""
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def has_labels(index: Sequence[Any]) -> bool:
    """Return whether the values of an index say more than the position of their rows."""
    return not all(isinstance(value, int) and not isinstance(value, bool) for value in index)


def _number(value: Any) -> Any:
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
