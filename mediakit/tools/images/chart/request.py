"""The request of `chart`."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, InitVar
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from mediakit.core.fields import ColorOrTransparent
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.drawing.number_format import is_number_format
from mediakit.tools.images.chart.checks import check
from mediakit.tools.images.chart.columns import Aggregate
from mediakit.tools.images.chart.fields import AllSeries, Labels, PaletteField, ReferenceLines, ValidatedAs
from mediakit.tools.images.chart.theme import ThemeName

ChartType = Literal["bar", "line", "pie", "doughnut", "radar", "timeline", "scatter", "area", "combo"]
Missing = Literal["error", "gap", "zero"]
LegendPosition = Literal["auto", "top", "right", "bottom", "none"]


def _check_present(series: Any) -> Any:
    if series == ():
        raise PydanticCustomError("missing", "is required.")
    return series


def _check_format(text: str) -> str:
    if not is_number_format(text):
        raise ValueError('must be a number format such as ",.1f", "$,.2f", ".0%", ".3s" or "{,.1f} kg".')
    return text


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
    number_format: (
        Annotated[
            str,
            Field(max_length=40),
            AfterValidator(_check_format),
            Synonyms("value_format, fmt, tick_format, decimals, unit"),
        ]
        | None
    ) = None
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
    """Python only: name of the column of a table that has the labels."""
    y: InitVar[str | Sequence[str] | None] = None
    """Python only: name of the column of numbers, or a list of several."""
    aggregate: InitVar[Aggregate | None] = None
    """Python only: how the numbers of rows with the same label become one: `sum`, `mean`, `median`, `min`, `max` or
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
