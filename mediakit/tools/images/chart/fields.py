"""The field types of a chart: labels, series, reference lines and palettes."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema
from typing_extensions import TypedDict

from mediakit.core.fields import Color
from mediakit.core.messages import nearest, quote
from mediakit.core.request import CONFIG
from mediakit.engines.colors import PALETTE_NAMES, PaletteName

MAX_VALUE = 1e300
"""Sums and products of values up to this one do not overflow a float."""
MAX_LABELS, MAX_POINTS, MAX_SERIES, MAX_REFERENCE_LINES = 50, 5000, 10, 10
"""The most labels of a category axis, points of an axis of dates or numbers, series, and reference lines."""

MAX_COLORS = 50
"""The most colors of a palette."""

Number = Annotated[float, Field(ge=-MAX_VALUE, le=MAX_VALUE)]


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


class _TextOrNumber:
    """Annotation of a label that is text, or a number on an axis of numbers."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = handler.generate_schema(Annotated[str, Field(max_length=100)])
        return core_schema.no_info_wrap_validator_function(_text_or_number, text)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": [{"type": "string", "maxLength": 100}, {"type": "number"}]}


def _text_or_number(value: Any, validate_text: core_schema.ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return validate_text(value)
    if not -MAX_VALUE <= value <= MAX_VALUE:
        raise PydanticKnownError("finite_number")
    return value


Label = Annotated[str | float, _TextOrNumber()]


class Series(TypedDict):
    """A named list of numbers."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    name: NotRequired[Annotated[str, Field(max_length=100, description="Name in the legend.")]]
    data: Annotated[list[Number | None], Field(description="One number for each label; null requires `missing`.")]
    x: NotRequired[
        Annotated[
            list[Label],
            Field(max_length=MAX_POINTS, description="Scatter only: one x for each number, instead of the labels."),
        ]
    ]
    type: NotRequired[
        Annotated[Literal["bar", "line"], Field(description="Combo only; by default the last is a line.")]
    ]


class ReferenceLine(TypedDict):
    """A line at a value."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    value: Annotated[Number, Field(description="Value on the axis.")]
    label: NotRequired[Annotated[str, Field(max_length=100, description="Text at the end of the line.")]]
    color: NotRequired[Annotated[Color, Field(description="Color of the line and its label.")]]


Labels = Annotated[list[Label], Field(json_schema_extra={"minItems": 1, "maxItems": MAX_POINTS})]
"""`checks.py` checks the number of labels, which depends on the type."""
AllSeries = Annotated[
    list[Annotated[Series, InlineSchema()]],
    Field(min_length=1, max_length=MAX_SERIES, examples=[[{"name": "2025", "data": [1, 2.5, 3]}]]),
]
ReferenceLines = Annotated[
    list[Annotated[ReferenceLine, InlineSchema()]],
    Field(max_length=MAX_REFERENCE_LINES, examples=[[{"value": 100, "label": "Target"}]]),
]


class _PaletteSchema:
    """Annotation of a field that takes the name of a palette, or a list of colors."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        colors = core_schema.list_schema(handler.generate_schema(Color), min_length=1, max_length=MAX_COLORS)
        return core_schema.no_info_wrap_validator_function(_name_or_colors, colors)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        colors = handler(schema)
        name = {"type": "string", "enum": [*PALETTE_NAMES]}
        return {
            "anyOf": [name, colors],
            "items": colors["items"],
            "maxItems": MAX_COLORS,
            "x-kind": "list",
            "examples": ["ocean", ["#0d6b60", "tomato"]],
        }


def _name_or_colors(value: Any, validate_colors: core_schema.ValidatorFunctionWrapHandler) -> Any:
    only = value[0] if isinstance(value, list) and len(value) == 1 else value  # the shell and queries pass lists
    if only in PALETTE_NAMES:
        return only
    if type(value) is str:
        raise ValueError(f"{quote(value)} is not the name of a palette; {nearest(value, PALETTE_NAMES)}")
    return validate_colors(value)


PaletteField = Annotated[list[str] | PaletteName, _PaletteSchema()]
"""The name of a palette, or a list of 1 to 50 CSS colors."""
