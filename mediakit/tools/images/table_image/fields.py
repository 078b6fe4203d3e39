"""The field types of a table image: columns and footnotes."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, NotRequired

from pydantic import (
    AfterValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
)
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

from mediakit.core.fields import Color
from mediakit.core.messages import quote
from mediakit.core.request import CONFIG
from mediakit.engines.drawing.number_format import is_number_format

MAX_COLUMNS, MAX_FOOTNOTES = 30, 20
MAX_NAME_LENGTH = 1000
"""Characters of the name of a column."""

Align = Literal["auto", "left", "center", "right"]


def _check_format(text: str) -> str:
    if not is_number_format(text):
        raise ValueError('must be a number format such as ",.1f", "$,.2f", ".0%", ".3s" or "{,.1f} kg".')
    return text


NumberFormat = Annotated[str, Field(max_length=40), AfterValidator(_check_format)]
Affix = Annotated[str, Field(max_length=20)]


class ColorScaleOptions(TypedDict):
    """Background colors of the cells of a column, by their numbers."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    colors: NotRequired[
        Annotated[
            list[Color],
            Field(min_length=2, max_length=3, description="From low to high; by default tints of the accent."),
        ]
    ]
    domain: NotRequired[
        Annotated[
            list[float],
            Field(min_length=2, max_length=2, description="Numbers of the first and the last color."),
        ]
    ]
    midpoint: NotRequired[Annotated[float, Field(description="Number of the middle color.")]]


class ScaleField:
    """Annotation of a color scale: an object, its colors, or true for default colors."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the object, which the other forms are converted to."""
        return core_schema.no_info_before_validator_function(self._as_object, handler(source))

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return all forms."""
        colors = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3}
        return {"anyOf": [{"type": "boolean"}, colors, handler.resolve_ref_schema(handler(_schema))]}

    def _as_object(self, value: Any) -> Any:
        if isinstance(value, bool):
            return {} if value else None
        return {"colors": list(value)} if isinstance(value, list | tuple) else value


class ColumnOptions(TypedDict):
    """A column of the image, and how it looks."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH, description="Name in the table.")]
    label: NotRequired[Annotated[str, Field(max_length=200, description="Header; by default the name.")]]
    align: NotRequired[Annotated[Align, Field(description="auto: numbers right, all else left.")]]
    number_format: NotRequired[Annotated[NumberFormat, Field(description="Format of this column's numbers.")]]
    width_pct: NotRequired[Annotated[float, Field(ge=1, le=100, description="Width in percent of the table.")]]
    color_scale: NotRequired[
        Annotated[
            ColorScaleOptions | None,
            ScaleField(),
            Field(description="Colors by number: true, 2 or 3 colors from low to high, or an object."),
        ]
    ]
    bar: NotRequired[Annotated[bool, Field(description="Draw a bar beside each number.")]]
    bold: NotRequired[Annotated[bool, Field(description="Write the column in bold.")]]
    sparkline: NotRequired[Annotated[bool, Field(description="Draw lists of numbers as a line.")]]
    unit: NotRequired[Annotated[str, Field(max_length=60, description="Unit below the header.")]]
    prefix: NotRequired[Annotated[Affix, Field(description="Text before each number.")]]
    suffix: NotRequired[Annotated[Affix, Field(description="Text after each number.")]]
    spanner: NotRequired[Annotated[str, Field(max_length=200, description="Header above neighboring columns.")]]


class Footnote(TypedDict):
    """A note below the table, with a mark at a header or a cell."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    text: Annotated[str, Field(min_length=1, max_length=300, description="The note.")]
    column: NotRequired[Annotated[str, Field(max_length=MAX_NAME_LENGTH, description="Column that has the mark.")]]
    row: NotRequired[Annotated[int, Field(ge=1, le=200, description="Row, from 1, whose cell has the mark.")]]


class TextOr:
    """Annotation of an item that is a text, or an object in which that text is the first member."""

    def __init__(self, kind: Any, member: str, text: Any) -> None:
        self.kind = kind
        self.member = member
        self.text = text

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the object, which a text is converted to."""
        objects = handler.generate_schema(self.kind)
        return core_schema.no_info_before_validator_function(self._as_object, objects)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return both alternatives."""
        described = handler.resolve_ref_schema(handler(schema))
        text = {"type": "string", **TypeAdapter(self.text).json_schema()}
        return {"anyOf": [text, described]}

    def _as_object(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("{"):  # a line of a form or an argument of the shell
            with suppress(ValueError):
                value = json.loads(value)
        if isinstance(value, str):
            return {self.member: value}
        if isinstance(value, Mapping):
            return dict(value)
        raise ValueError(f'must be a text, or an object with "{self.member}", got {quote(value)}.')


ColumnField = Annotated[
    str | ColumnOptions,
    TextOr(ColumnOptions, "name", Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]),
]
FootnoteField = Annotated[str | Footnote, TextOr(Footnote, "text", Annotated[str, Field(min_length=1, max_length=300)])]
