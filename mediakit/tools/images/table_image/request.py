"""The request of `table_image`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Color, Language
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.model import ReadOptions
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions
from mediakit.tools.images.table_image.fields import (
    MAX_COLUMNS,
    MAX_FOOTNOTES,
    ColumnField,
    FootnoteField,
    NumberFormat,
)
from mediakit.tools.images.table_image.theme import ThemeName

MAX_ROWS = 200
"""Rows of a table."""

Format = Literal["png", "svg", "webp", "pdf", "html"]


@request
class TableImageRequest(TableOptions):
    """A table, and how it looks."""

    file: TableFile | None = None
    """The table as a file: CSV, TSV, JSON, Excel, ODS, Parquet, YAML, TOML or Markdown; in Python also a data frame, a
    list of dicts or a dict of lists."""
    _: KW_ONLY
    rows: Rows | None = None
    """1 to 200 rows in place of a file: an array of objects or of arrays."""
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
    """Format of numbers, in the syntax of d3-format and Python: `,.1f`, `$,.2f`, `.0%`, `.3s`, or `{,.1f} kg`."""
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
        return self.read_options(self.table.field, max_rows=MAX_ROWS + 1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name, value in (("rows", self.rows), ("file", self.file)) if value is not None]
        if len(given) != 1:
            raise ValueError(f"rows: exactly one of rows and file is required, got {' and '.join(given) or 'none'}.")
        self.table_source(self.file, None, self.rows)
        _check_widths(self.columns)
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


def _check_widths(columns: Any) -> None:
    total = sum(column.get("width_pct", 0) for column in columns or ())
    if total > 100:
        raise ValueError(f"columns: width_pct must be at most 100 in all, got {total:g}.")
