"""The rules of a chart's request that concern several fields."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from mediakit.tools.images.chart.fields import MAX_LABELS, MAX_POINTS
from mediakit.tools.images.chart.x_values import XError, is_x, parse_x

PIE_TYPES = ("pie", "doughnut")
X_TYPES = ("timeline", "scatter")
"""Types whose labels are dates, times or numbers on an axis; in an area chart they may be."""
AXIS_TYPES = (*X_TYPES, "area")
STACKED_TYPES = ("bar", "line", "area")
WITHOUT_VALUE_AXIS = (*PIE_TYPES, "radar")

NULL = 'must be a number, got null. Set missing to "gap" or "zero" to allow missing values.'

Location = tuple[str | int, ...]


class Checked(Protocol):
    """The fields of a chart's request that the rules concern."""

    @property
    def type(self) -> str:
        """Type of the chart."""

    @property
    def labels(self) -> Iterable[Any]:
        """Labels."""

    @property
    def series(self) -> Iterable[Any]:
        """Series."""

    @property
    def missing(self) -> str:
        """What missing values are."""

    @property
    def horizontal(self) -> bool:
        """Whether bars are horizontal."""

    @property
    def stacked(self) -> bool:
        """Whether series are stacked."""

    @property
    def reference_lines(self) -> Sequence[Any] | None:
        """Lines at values."""


def check(request: Checked) -> None:
    """Raise an error for the first rule that a request breaks.

    Raises:
        ValidationError: Items of a list are invalid.
        ValueError: Two fields do not fit each other.
    """
    for problems in (_labels(request), _x(request), _numbers(request)):
        if found := list(problems)[:10]:
            raise ValidationError.from_exception_data("ChartRequest", found)
    for index, series in enumerate(request.series):
        _check_series(request, index, series)
    _check_options(request)


def uses_axis(request: Checked) -> bool:
    """Return whether the labels are positions on an axis of dates, times or numbers."""
    return request.type in X_TYPES or (request.type == "area" and is_x(list(request.labels)))


def _labels(request: Checked) -> Iterator[InitErrorDetails]:
    """Yield an error for too few or too many labels, and for labels that are not text on a category axis."""
    labels = list(request.labels)
    if request.type == "scatter" and not labels and all("x" in series for series in request.series):
        return
    if request.labels == ():
        yield _error(("labels",), PydanticCustomError("missing", "is required."), None)
    elif not labels:
        yield _error(("labels",), "too_short", labels, min_length=1, actual_length=0)
    limit = MAX_POINTS if len(labels) > MAX_POINTS and request.type in AXIS_TYPES else MAX_LABELS
    if len(labels) > MAX_POINTS or not uses_axis(request):
        yield from _category_labels(labels, limit)


def _category_labels(labels: list[Any], limit: int) -> Iterator[InitErrorDetails]:
    if len(labels) > limit:
        yield _error(("labels",), "too_long", labels, max_length=limit, actual_length=len(labels))
        return
    for index, label in enumerate(labels):
        if not isinstance(label, str):
            yield _error(("labels", index), "string_type", label)


def _x(request: Checked) -> Iterator[InitErrorDetails]:
    """Yield an error for labels and x values that are not positions on an axis, or of different kinds."""
    lists: list[tuple[Location, Sequence[Any]]] = [(("labels",), list(request.labels))] if uses_axis(request) else []
    lists += [(("series", index, "x"), each["x"]) for index, each in enumerate(request.series) if "x" in each]
    kinds = set()
    for location, values in (pair for pair in lists if pair[1]):
        try:
            kinds.add("time" if parse_x(values).kind == "time" else "number")
        except XError as error:
            yield _error((*location, error.index), PydanticCustomError("x", "{reason}", {"reason": str(error)}), None)
            continue
        if len(kinds) > 1:
            reason = "must be numbers or dates like the other x values."
            yield _error(location, PydanticCustomError("x", "{reason}", {"reason": reason}), None)


def _numbers(request: Checked) -> Iterator[InitErrorDetails]:
    """Yield an error for each missing value, unless the request allows them."""
    if request.missing != "error":
        return
    for at, series in enumerate(request.series):
        for index, value in enumerate(series["data"]):
            if value is None:
                yield _error(("series", at, "data", index), PydanticCustomError("null", NULL), None)


def _check_series(request: Checked, index: int, series: Any) -> None:
    count = len(series["x"]) if "x" in series else len(list(request.labels))
    if len(series["data"]) != count:
        what = "x values" if "x" in series else "labels"
        raise ValueError(
            f"series[{index}].data: must have a number for each of the {count} {what}, got {len(series['data'])}."
        )
    for name, kind in (("x", "scatter"), ("type", "combo")):
        if name in series and request.type != kind:
            raise ValueError(f"series[{index}].{name}: requires type {kind}, got {request.type}.")


def _check_options(request: Checked) -> None:
    if request.horizontal and request.type != "bar":
        raise ValueError(f"horizontal: requires type bar, got {request.type}.")
    if request.stacked and request.type not in STACKED_TYPES:
        raise ValueError(f"stacked: requires type bar, line or area, got {request.type}.")
    if request.reference_lines and request.type in WITHOUT_VALUE_AXIS:
        raise ValueError(f"reference_lines: requires a chart with a value axis, got type {request.type}.")
    if all(value is None for series in request.series for value in series["data"]):
        raise ValueError("series: must have at least one number.")


def _error(location: Location, kind: str | PydanticCustomError, value: Any, **context: Any) -> InitErrorDetails:
    return InitErrorDetails(type=kind, loc=location, input=value, ctx={"field_type": "List", **context})
