"""The request of `table_image`, with the field types of columns and footnotes."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import BeforeValidator, Field, TypeAdapter, WithJsonSchema, model_validator
from typing_extensions import TypedDict

from mediakit.core.fields import Color, Language, ValidatedAs
from mediakit.core.messages import quote
from mediakit.core.request import CONFIG, request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.drawing.number_format import NumberFormat
from mediakit.engines.tables.model import ReadOptions
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions
from mediakit.tools.images.table_image.theme import ThemeName

MAX_COLUMNS, MAX_FOOTNOTES = 30, 20
MAX_NAME_LENGTH = 1000
"""Characters of the name of a column."""

Align = Literal["auto", "left", "center", "right"]


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


def _scale(value: Any) -> Any:
    """Return a color scale as an object: `true` for default colors, or its colors."""
    if isinstance(value, bool):
        return {} if value else None
    return {"colors": list(value)} if isinstance(value, list | tuple) else value


_COLORS_SCHEMA = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3}
ScaleField = Annotated[
    ColorScaleOptions | None,
    BeforeValidator(_scale),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, _COLORS_SCHEMA, TypeAdapter(ColorScaleOptions).json_schema()]}),
]


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
            ScaleField, Field(description="Colors by number: true, 2 or 3 colors from low to high, or an object.")
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


def _object_with(member: str) -> BeforeValidator:
    """Return the validator of an item that is an object, or the text of one of its members."""

    def as_object(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("{"):  # a line of a form or an argument of the shell
            with suppress(ValueError):
                value = json.loads(value)
        if isinstance(value, str):
            return {member: value}
        if isinstance(value, Mapping):
            return dict(value)
        raise ValueError(f'must be a text, or an object with "{member}", got {quote(value)}.')

    return BeforeValidator(as_object)


def _text_or(kind: Any, max_length: int) -> WithJsonSchema:
    """Return the JSON Schema of a text, or an object."""
    text = {"type": "string", "minLength": 1, "maxLength": max_length}
    return WithJsonSchema({"anyOf": [text, TypeAdapter(kind).json_schema()]})


ColumnField = Annotated[
    str | ColumnOptions,
    ValidatedAs(Annotated[ColumnOptions, _object_with("name")]),
    _text_or(ColumnOptions, MAX_NAME_LENGTH),
]
FootnoteField = Annotated[
    str | Footnote, ValidatedAs(Annotated[Footnote, _object_with("text")]), _text_or(Footnote, 300)
]


MAX_ROWS, MAX_TABLE_ROWS = 200, 100_000
"""Rows of the image, and of the table."""

Format = Literal["png", "svg", "webp", "pdf", "html"]


@request
class TableImageRequest(TableOptions):
    """A table, and how it looks."""

    file: TableFile | None = None
    """The table as a file: CSV, TSV, JSON, Excel, ODS, Parquet, YAML, TOML or Markdown; in Python also a data frame, a
    list of dicts or a dict of lists."""
    _: KW_ONLY
    rows: Rows | None = None
    """Rows in place of a file: an array of objects or of arrays. `max_rows` of them are shown."""
    columns: (
        Annotated[
            Sequence[ColumnField], Field(min_length=1, max_length=MAX_COLUMNS), Synonyms("fields, select, usecols")
        ]
        | None
    ) = None
    """Columns to show, in this order: names, or objects with a name and how the column looks. Default: all."""
    title: Annotated[str, Field(max_length=200), Synonyms("heading, header_text, caption")] | None = None
    """Title above the table."""
    subtitle: Annotated[str, Field(max_length=200)] | None = None
    """Text below the title."""
    source: Annotated[str, Field(max_length=200), Synonyms("source_note, credit")] | None = None
    """Origin of the data, below the table."""
    footnotes: Annotated[Sequence[FootnoteField], Field(max_length=MAX_FOOTNOTES)] | None = None
    """Notes below the table: texts, or objects with text, column and row, which mark a header or a cell."""
    number_format: NumberFormat | None = None
    """Format of numbers, in the syntax of d3-format and Python: `,.1f`, `$,.2f`, `.0%`, `.3s`, `.3g`, or `{,.1f} kg`.
    `<.3f` writes numbers that would be zero as `<0.001`."""
    lang: Language = "en"
    """Language of decimal marks, dates and the words of the table."""
    theme: Annotated[ThemeName, Synonyms("style, look")] = "light"
    """Look of the table."""
    accent: Annotated[Color, Synonyms("color, colour, highlight")] = "#2563eb"
    """Color of bars, lines and headings of groups."""
    group_by: Annotated[str, Field(min_length=1, max_length=1000), Synonyms("group, groupby, groups")] | None = None
    """Column whose values become headings above their rows."""
    total: Annotated[Literal["none", "sum", "mean"], Synonyms("totals, sum, summary, footer")] = "none"
    """Last row with the sum or the mean of each column of numbers, over all rows."""
    max_rows: Annotated[int, Field(ge=1, le=MAX_ROWS), Synonyms("limit, head, nrows, top")] = 50
    """Number of rows to show; a line below the table counts the rest."""
    width: Annotated[int, Field(ge=200, le=3840), Synonyms("w, size")] | None = None
    """Width in CSS pixels. Default: what the content needs, at most 1600."""
    format: Annotated[Format, Synonyms("type, extension, output_format, image_format")] = "png"
    """File format."""
    device_scale_factor: Annotated[int, Field(ge=1, le=3), Synonyms("scale, dpr, dpi, pixel_ratio, retina")] = 2
    """Pixels of png and webp in a CSS pixel."""

    @property
    def table(self) -> Source:
        """The source of the rows."""
        return self.table_source(self.file, None, self.rows)

    @property
    def reading(self) -> ReadOptions:
        """How the source is read: with one row more than allowed, which shows that there are too many."""
        return self.read_options(self.table.field, max_rows=MAX_TABLE_ROWS + 1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name, value in (("rows", self.rows), ("file", self.file)) if value is not None]
        if len(given) != 1:
            raise ValueError(f"rows: exactly one of rows and file is required, got {' and '.join(given) or 'none'}.")
        self.table_source(self.file, None, self.rows)
        columns: list[Any] = list(self.columns or ())
        total = sum(column.get("width_pct", 0) for column in columns)
        if total > 100:
            raise ValueError(f"columns: width_pct must be at most 100 in all, got {total:g}.")
        return self


@request
class ImageCall(TableImageRequest):
    """Arguments of calls that return an image, for type checkers."""

    _: KW_ONLY
    format: Literal["png", "svg", "webp"] = "png"


@request
class PdfCall(TableImageRequest):
    """Arguments of calls that return a PDF, for type checkers."""

    _: KW_ONLY
    format: Literal["pdf"]


@request
class PageCall(TableImageRequest):
    """Arguments of calls that return an HTML page, for type checkers."""

    _: KW_ONLY
    format: Literal["html"]
