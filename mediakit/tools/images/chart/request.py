"""What a chart is asked for."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import TypedDict

from mediakit.core.fields import HexColor
from mediakit.core.request import CONFIG, request
from mediakit.tools.images.chart.numbers import is_format
from mediakit.tools.images.chart.theme import ThemeName

ChartType = Literal["bar", "line", "pie", "doughnut", "radar"]
Legend = Literal["auto", "top", "right", "bottom", "none"]
LARGEST = 1e300
"""Sums and products of numbers up to here stay within what a float holds."""


class Series(TypedDict):
    """Numbers that belong together."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # where pydantic looks for it

    name: NotRequired[Annotated[str, Field(max_length=100, description="What the legend calls them.")]]
    data: Annotated[
        list[Annotated[float, Field(ge=-LARGEST, le=LARGEST)]], Field(description="A number for each label.")
    ]


@dataclass(frozen=True)
class Checked:
    """Checks a field as one type where callers in Python may give more, which `accepted` has turned into it."""

    type: Any

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check as the type."""
        return handler.generate_schema(self.type)


class InPlace:
    """Describes a type where it is used, without a reference."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe it."""
        return handler.resolve_ref_schema(handler(schema))


def _check_given(series: Any) -> Any:
    if series == ():
        raise PydanticCustomError("missing", "is required.")
    return series


def _check_format(text: str) -> str:
    if not is_format(text):
        raise ValueError('must be such as ",.1f", "$,.2f", ".0%", ".3s" or "{,.1f} kg".')
    return text


Labels = Annotated[list[Annotated[str, Field(max_length=100)]], Field(min_length=1, max_length=50)]
AllSeries = Annotated[
    list[Annotated[Series, InPlace()]],
    Field(min_length=1, max_length=10, examples=[[{"name": "2025", "data": [1, 2.5, 3]}]]),
]


@request
class ChartRequest:
    """Data, and how they are drawn."""

    type: ChartType
    """What is drawn."""
    labels: Annotated[Iterable[Any], Checked(Labels)]
    """What the numbers are of, 1 to 50 names of up to 100 characters, kept in their order."""
    series: Annotated[
        Iterable[Any], Checked(AllSeries), BeforeValidator(_check_given), Field(validate_default=True)
    ] = ()
    """1 to 10 objects with `data`, a number for each label, and a `name`; pie and doughnut draw the first."""
    _: KW_ONLY
    title: Annotated[str, Field(max_length=200)] | None = None
    """Heading."""
    width: Annotated[int, Field(ge=200, le=2000)] = 800
    """Width in pixels."""
    height: Annotated[int, Field(ge=200, le=2000)] = 500
    """Height in pixels."""
    format: Literal["png", "svg"] = "png"
    """File format."""
    stacked: bool = False
    """Put the series on top of each other: bar and line (which then is an area chart)."""
    horizontal: bool = False
    """Let bars grow to the right, with room for long labels."""
    values: bool = False
    """Write the numbers on the bars, at the points, in the legend of a pie."""
    number_format: Annotated[str, Field(max_length=40), AfterValidator(_check_format)] | None = None
    """How numbers are written, as d3-format and Python have it: `,.1f`, `$,.2f`, `.0%`, `.3s`, or `{,.1f} kg`."""
    theme: ThemeName = "light"
    """Colours of paper and ink."""
    palette: Annotated[list[HexColor], Field(min_length=1, max_length=50)] | None = None
    """Colours of the series (of a pie: of the slices) in their order; otherwise ten that all eyes tell apart."""
    legend: Legend = "auto"
    """Where the names of the series stand."""

    @model_validator(mode="after")
    def _data_fit(self) -> Self:
        count = len(list(self.labels))
        for place, series in enumerate(self.series):
            if len(series["data"]) != count:
                raise ValueError(
                    f"series[{place}].data: must have a number for each of the {count} labels, "
                    f"got {len(series['data'])}."
                )
        if self.horizontal and self.type != "bar":
            raise ValueError("horizontal: goes with type bar.")
        if self.stacked and self.type not in ("bar", "line"):
            raise ValueError("stacked: goes with type bar or line.")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe the request; Python alone may leave `series` out, where `labels` holds the numbers, too."""
        made = handler.resolve_ref_schema(handler(schema))
        made["required"] = [*made.get("required", ()), "series"]
        made["properties"]["series"].pop("default", None)
        return made
