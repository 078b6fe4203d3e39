"""The request of `chart`."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import TypedDict

from mediakit.core.fields import HexColor
from mediakit.core.request import CONFIG, request
from mediakit.tools.images.chart.number_format import is_number_format
from mediakit.tools.images.chart.theme import ThemeName

ChartType = Literal["bar", "line", "pie", "doughnut", "radar"]
LegendPosition = Literal["auto", "top", "right", "bottom", "none"]
MAX_VALUE = 1e300
"""Sums and products of values up to this one do not overflow a float."""


class Series(TypedDict):
    """A named list of numbers."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    name: NotRequired[Annotated[str, Field(max_length=100, description="Name in the legend.")]]
    data: Annotated[
        list[Annotated[float, Field(ge=-MAX_VALUE, le=MAX_VALUE)]], Field(description="One number for each label.")
    ]


@dataclass(frozen=True)
class ValidatedAs:
    """Validates a field as a type that is narrower than its annotation.

    Python callers may pass more types than the annotation of the JSON field; `read_input_data` converts them before.
    """

    type: Any

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the type."""
        return handler.generate_schema(self.type)


class InlineSchema:
    """Writes the JSON Schema of a type inline, without a reference."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the resolved schema."""
        return handler.resolve_ref_schema(handler(schema))


def _check_present(series: Any) -> Any:
    if series == ():
        raise PydanticCustomError("missing", "is required.")
    return series


def _check_format(text: str) -> str:
    if not is_number_format(text):
        raise ValueError('must be a number format such as ",.1f", "$,.2f", ".0%", ".3s" or "{,.1f} kg".')
    return text


Labels = Annotated[list[Annotated[str, Field(max_length=100)]], Field(min_length=1, max_length=50)]
AllSeries = Annotated[
    list[Annotated[Series, InlineSchema()]],
    Field(min_length=1, max_length=10, examples=[[{"name": "2025", "data": [1, 2.5, 3]}]]),
]


@request
class ChartRequest:
    """The data and the options of a chart."""

    type: ChartType
    """Chart type."""
    labels: Annotated[Iterable[Any], ValidatedAs(Labels)]
    """Labels of the numbers: 1 to 50 texts of up to 100 characters."""
    series: Annotated[
        Iterable[Any], ValidatedAs(AllSeries), BeforeValidator(_check_present), Field(validate_default=True)
    ] = ()
    """1 to 10 objects with `data` (a number for each label) and an optional `name`; pie and doughnut use the first."""
    _: KW_ONLY
    title: Annotated[str, Field(max_length=200)] | None = None
    """Title above the chart."""
    width: Annotated[int, Field(ge=200, le=2000)] = 800
    """Width in pixels."""
    height: Annotated[int, Field(ge=200, le=2000)] = 500
    """Height in pixels."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    stacked: bool = False
    """Stack the series; requires type bar or line (a stacked line chart is an area chart)."""
    horizontal: bool = False
    """Draw horizontal bars, which leave space for long labels; requires type bar."""
    values: bool = False
    """Show the numbers on bars and at points; for pie and doughnut in the legend."""
    number_format: Annotated[str, Field(max_length=40), AfterValidator(_check_format)] | None = None
    """Format of numbers, in the syntax of d3-format and Python: `,.1f`, `$,.2f`, `.0%`, `.3s`, or `{,.1f} kg`."""
    theme: ThemeName = "light"
    """Light or dark background."""
    palette: Annotated[list[HexColor], Field(min_length=1, max_length=50)] | None = None
    """Colors of the series (pie, doughnut: slices) in order; default ten color-blind-safe colors."""
    legend: LegendPosition = "auto"
    """Position of the legend."""

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        count = len(list(self.labels))
        for index, series in enumerate(self.series):
            if len(series["data"]) != count:
                raise ValueError(
                    f"series[{index}].data: must have a number for each of the {count} labels, "
                    f"got {len(series['data'])}."
                )
        if self.horizontal and self.type != "bar":
            raise ValueError(f"horizontal: requires type bar, got {self.type}.")
        if self.stacked and self.type not in ("bar", "line"):
            raise ValueError(f"stacked: requires type bar or line, got {self.type}.")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the JSON Schema of the request.

        `series` is required in JSON; only in Python may it be omitted, if `labels` contains the numbers, too.
        """
        described = handler.resolve_ref_schema(handler(schema))
        described["required"] = [*described.get("required", ()), "series"]
        described["properties"]["series"].pop("default", None)
        return described
