"""The request of `chart`, and its rules across fields."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, InitVar
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from mediakit.core.fields import ColorOrTransparent, ValidatedAs
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.drawing.number_format import NumberFormat
from mediakit.tools.images.chart.fields import (
    MAX_LABELS,
    MAX_POINTS,
    Aggregate,
    AllSeries,
    Labels,
    PaletteField,
    ReferenceLines,
    XError,
    is_x,
    parse_x,
)
from mediakit.tools.images.chart.theme import ThemeName

PIE_TYPES = ("pie", "doughnut")
X_TYPES = ("timeline", "scatter")
"""Types whose labels are dates, times or numbers on an axis; in an area chart they may be."""
AXIS_TYPES = (*X_TYPES, "area")
STACKED_TYPES = ("bar", "line", "area")
WITHOUT_VALUE_AXIS = (*PIE_TYPES, "radar")


def check(request: "ChartRequest") -> None:
    """Raise an error for the first rule that a request breaks.

    Raises:
        ValueError: Labels or series are invalid, or two fields do not fit each other.
    """
    _check_labels(request)
    _check_x(request)
    for index, series in enumerate(request.series):
        _check_series(request, index, series)
    if request.horizontal and request.type != "bar":
        raise ValueError(f"horizontal: requires type bar, got {request.type}.")
    if request.stacked and request.type not in STACKED_TYPES:
        raise ValueError(f"stacked: requires type bar, line or area, got {request.type}.")
    for name in ("reference_lines", "x_title", "y_title") if request.type in WITHOUT_VALUE_AXIS else ():
        if getattr(request, name):
            raise ValueError(f"{name}: requires a chart with a value axis, got type {request.type}.")
    if all(value is None for series in request.series for value in series["data"]):
        raise ValueError("series: must have at least one number.")


def uses_axis(request: "ChartRequest") -> bool:
    """Return whether the labels are positions on an axis of dates, times or numbers."""
    return request.type in X_TYPES or (request.type == "area" and is_x(list(request.labels)))


def _check_labels(request: "ChartRequest") -> None:
    """Check that there are neither too few nor too many labels, and that those of a category axis are text."""
    labels = list(request.labels)
    if request.type == "scatter" and not labels and all("x" in series for series in request.series):
        return
    if not labels:
        raise ValueError(f"labels: {'is required' if request.labels == () else 'must have at least 1 item'}.")
    limit = MAX_POINTS if len(labels) > MAX_POINTS and request.type in AXIS_TYPES else MAX_LABELS
    if len(labels) > MAX_POINTS or not uses_axis(request):
        if len(labels) > limit:
            raise ValueError(f"labels: must have at most {limit} items, got {len(labels)}.")
        others = [index for index, label in enumerate(labels) if not isinstance(label, str)]
        if others:
            raise ValueError(f"labels[{others[0]}]: must be text, got {labels[others[0]]}.")


def _check_x(request: "ChartRequest") -> None:
    """Check that labels and x values are positions on an axis, all of the same kind."""
    lists: list[tuple[str, Sequence[Any]]] = [("labels", list(request.labels))] if uses_axis(request) else []
    lists += [(f"series[{index}].x", each["x"]) for index, each in enumerate(request.series) if "x" in each]
    kinds = set()
    for field, values in (pair for pair in lists if pair[1]):
        try:
            kinds.add("time" if parse_x(values).kind == "time" else "number")
        except XError as error:
            raise ValueError(f"{field}[{error.index}]: {error}") from None
        if len(kinds) > 1:
            raise ValueError(f"{field}: must be numbers or dates like the other x values.")


def _check_series(request: "ChartRequest", index: int, series: Any) -> None:
    if request.missing == "error" and None in series["data"]:
        field, fix = f"series[{index}].data[{series['data'].index(None)}]", 'Set missing to "gap" or "zero"'
        raise ValueError(f"{field}: must be a number, got null. {fix} to allow missing values.")
    count = len(series["x"]) if "x" in series else len(list(request.labels))
    if len(series["data"]) != count:
        what = "x values" if "x" in series else "labels"
        raise ValueError(
            f"series[{index}].data: must have a number for each of the {count} {what}, got {len(series['data'])}."
        )
    for name, kind in (("x", "scatter"), ("type", "combo")):
        if name in series and request.type != kind:
            raise ValueError(f"series[{index}].{name}: requires type {kind}, got {request.type}.")


ChartType = Literal["bar", "line", "pie", "doughnut", "radar", "timeline", "scatter", "area", "combo"]
Missing = Literal["error", "gap", "zero"]
LegendPosition = Literal["auto", "top", "right", "bottom", "none"]


def _check_present(series: Any) -> Any:
    if series == ():
        raise PydanticCustomError("missing", "is required.")
    return series


@request
class ChartRequest:
    """The data and the options of a chart."""

    type: Annotated[
        ChartType,
        Synonyms(
            "kind, chart_type, chart, plot, mark",
            {
                "bar": "column, columns, histogram, vertical, hbar, barh, horizontal",
                "line": "curve, spline, lines",
                "doughnut": "donut, ring",
                "radar": "spider, web, polar",
                "timeline": "time series, timeseries, dates",
                "scatter": "points, bubble, xy, dots",
                "area": "stacked area, filled",
                "combo": "mixed, bar line, combination, pareto",
                "pie": "circle, cake",
            },
        ),
    ]
    """Chart type."""
    labels: Annotated[Any, ValidatedAs(Labels)] = ()
    """Labels of the numbers: 1 to 50 texts; timeline, scatter, area: up to 5000 dates, times or numbers."""
    series: Annotated[
        Iterable[Any],
        ValidatedAs(AllSeries),
        BeforeValidator(_check_present),
        Field(validate_default=True),
    ] = ()
    """1 to 10 objects with `data` (a number for each label) and an optional `name`; pie and doughnut use the first."""
    _: KW_ONLY
    title: Annotated[str, Field(max_length=200), Synonyms("name, heading, caption")] | None = None
    """Title above the chart."""
    x_title: Annotated[str, Field(max_length=100), Synonyms("xlabel, x_label, x_axis")] | None = None
    """Title of the horizontal axis. From a table in Python, a scatter chart has the names of its columns."""
    y_title: Annotated[str, Field(max_length=100), Synonyms("ylabel, y_label, y_axis")] | None = None
    """Title of the vertical axis, above it."""
    width: Annotated[int, Field(ge=200, le=2000), Synonyms("w, size, figsize")] = 800
    """Width in pixels."""
    height: Annotated[int, Field(ge=200, le=2000), Synonyms("h, size, figsize")] = 500
    """Height in pixels."""
    format: Annotated[Literal["png", "svg"], Synonyms("extension, output_format, image_format")] = "png"
    """File format."""
    stacked: Annotated[bool, Synonyms("stack")] = False
    """Stack the series; requires type bar, line or area (a stacked line chart is an area chart)."""
    horizontal: Annotated[bool, Synonyms("orientation, orient")] = False
    """Draw horizontal bars, which leave space for long labels; requires type bar."""
    values: Annotated[bool, Synonyms("show_values, data_labels, value_labels, labels_on_bars, annotate")] = False
    """Show the numbers on bars and at points that have space; for pie and doughnut in the legend."""
    number_format: Annotated[NumberFormat, Synonyms("value_format, fmt, tick_format, decimals, unit")] | None = None
    """Format of numbers, in the syntax of d3-format and Python: `,.1f`, `$,.2f`, `.0%`, `.3s`, `.3g`, `{,.1f} kg`."""
    theme: Annotated[ThemeName, Synonyms("style, dark, template")] = "light"
    """Light or dark background."""
    palette: Annotated[PaletteField | None, Synonyms("colors, colours, color, colour, cmap, color_scheme")] = None
    """Colors of the series or slices, or the name of a palette; the default and all names are color-blind-safe."""
    legend: Annotated[LegendPosition, Synonyms("legend_position, show_legend", {"none": "false, off, hidden"})] = "auto"
    """Position of the legend."""

    missing: Missing = "error"
    """Missing values (`null`): an error, a gap, or zero. From a Series or DataFrame in Python the default is gap."""
    reference_lines: (
        Annotated[
            list[Any], ValidatedAs(ReferenceLines), Synonyms("hline, hlines, target, targets, threshold, annotations")
        ]
        | None
    ) = None
    """Up to 10 lines, each an object with `value` and optional `label` and `color`; requires a value axis."""
    background: ColorOrTransparent | None = None
    """Color behind the chart, or `transparent`. Default: that of the theme; texts contrast with the color."""
    x: InitVar[str | None] = None
    """Name of the column of a table that has the labels."""
    y: InitVar[str | Sequence[str] | None] = None
    """Name of the column of numbers, or a list of several."""
    aggregate: InitVar[Aggregate | None] = None
    """How the numbers of rows with the same label become one: `sum`, `mean`, `median`, `min`, `max` or
    `count`, which needs no column of numbers."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        check(self)
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the JSON Schema of the request.

        `series` is required in JSON, and `labels` except in a scatter chart. Only in Python may `series` be omitted, if
        `labels` contains the numbers, too.
        """
        described = handler.resolve_ref_schema(handler(schema))
        described["required"] = [*described.get("required", ()), "series"]
        described["if"] = {"properties": {"type": {"const": "scatter"}}}
        described["else"] = {"required": ["labels"]}
        for name in ("labels", "series"):
            described["properties"][name].pop("default", None)
        for name in ("x", "y", "aggregate"):
            described["properties"].pop(name, None)
        return described
