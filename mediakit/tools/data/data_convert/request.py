"""The request of `data_convert`."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from typing_extensions import TypedDict

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.model import MAX_COLUMNS, MAX_ROWS
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Delimiter, Rows, TableFile, TableOptions, TableText
from mediakit.engines.tables.selection import Pick
from mediakit.engines.tables.writers import OutputFormat, WriteOptions

MAX_NAME_LENGTH = 1000
"""Characters of the name of a column."""

VALUE_FORMATS = ("json", "yaml", "toml")
"""Formats that hold values of any shape."""

RenamedColumn = TypedDict("RenamedColumn", {"name": str, "as": str})


def _column(value: object) -> object:
    """Return a name, or an object with two names; a shell writes the object as JSON text."""
    if isinstance(value, str) and value.startswith("{"):
        with suppress(ValueError):
            value = json.loads(value)
    names = list(value.values()) if isinstance(value, dict) and value.keys() == {"name", "as"} else [value]
    if all(isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH for name in names):
        return value
    raise ValueError(f'must be a name, or an object such as {{"name": "qty", "as": "quantity"}}, got {quote(value)}.')


ChosenColumn = Annotated[
    str | RenamedColumn,
    PlainValidator(_column),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH},
                {
                    "type": "object",
                    "required": ["name", "as"],
                    "properties": {"name": {"type": "string"}, "as": {"type": "string"}},
                    "additionalProperties": False,
                },
            ]
        }
    ),
]


@request
class DataConvertRequest(TableOptions):
    """A table, or a value of any shape, and the format that it becomes."""

    file: TableFile | None = None
    """CSV, TSV, JSON, JSON Lines, Excel (XLSX, XLSM, XLSB, XLS), ODS, Parquet, YAML, TOML or Markdown; in Python also a
    data frame, a list of dicts or a dict of lists."""
    to: Annotated[
        OutputFormat,
        Synonyms(
            "format, output, output_format, target, type",
            {
                "xlsx": "excel, xls, workbook, spreadsheet",
                "jsonl": "ndjson, json lines",
                "markdown": "md",
                "yaml": "yml",
            },
        ),
    ] = "json"
    """Format of the result."""
    _: KW_ONLY
    text: TableText | None = None
    """The same as text, in place of a file; at most 5,000,000 characters."""
    rows: Rows | None = None
    """Rows in place of a file: an array of objects or of arrays."""
    columns: (
        Annotated[
            Sequence[ChosenColumn], Field(min_length=1, max_length=MAX_COLUMNS), Synonyms("fields, select, usecols")
        ]
        | None
    ) = None
    """Columns to keep, in this order; `{"name": "qty", "as": "quantity"}` renames one."""
    orient: Literal["rows", "columns", "arrays"] = "rows"
    """Shape of json: an array of objects, an object of arrays, or an array of arrays whose first one has the names."""
    flatten: bool = True
    """Spread nested objects over columns such as a.b, and write arrays as JSON text."""
    output_delimiter: Annotated[Delimiter, Synonyms("output_sep, separator_out")] = ","
    """Character between the cells of csv, or tab."""
    output_encoding: Annotated[str, Field(min_length=1, max_length=40)] = "utf-8"
    """Charset of csv and tsv."""
    output_newline: Literal["lf", "crlf"] = "lf"
    """Line break of csv and tsv."""
    bom: bool = False
    """Begin csv and tsv with a byte order mark, by which Excel recognizes UTF-8."""
    escape_formulas: bool = False
    """Write an apostrophe before cells of csv and tsv that a spreadsheet would run as formulas. It changes the data."""
    indent: Annotated[int, Field(ge=0, le=8)] = 2
    """Spaces per level of json and yaml; 0 writes json on one line."""
    table: Annotated[str, Field(min_length=1, max_length=128)] = "data"
    """Name of the table of sql."""
    max_rows: Annotated[int, Field(ge=1, le=MAX_ROWS), Synonyms("limit, nrows, head")] | None = None
    """Number of rows to read at most; all further rows are omitted."""

    @property
    def source(self) -> Source:
        """What is converted."""
        return self.table_source(self.file, self.text, self.rows)

    @property
    def reading(self) -> ReadOptions:
        """How the source is read."""
        return replace(
            self.read_options(self.source.field, flatten=self.flatten, max_rows=self.max_rows), has_max_rows=True
        )

    @property
    def writing(self) -> WriteOptions:
        """How the file is written."""
        return WriteOptions(
            to=self.to,
            orient=self.orient,
            indent=self.indent,
            delimiter=self.output_delimiter,
            encoding=self.output_encoding,
            newline=self.output_newline,
            bom=self.bom,
            escape_formulas=self.escape_formulas,
            table=self.table,
            title=self.source.stem,
        )

    @property
    def picks(self) -> list[Pick] | None:
        """The columns to keep; None for all."""
        if self.columns is None:
            return None
        return [
            Pick(column, column) if isinstance(column, str) else Pick(column["name"], column["as"])
            for column in self.columns
        ]

    @property
    def keeps_values(self) -> bool:
        """Whether a value of any shape goes through as it is: no option asks for a table."""
        asks_for_table = self.columns or self.max_rows or self.nulls or self.types != "auto" or self.orient != "rows"
        return self.to in VALUE_FORMATS and not asks_for_table

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        self.table_source(self.file, self.text, self.rows)
        if self.orient != "rows" and self.to != "json":
            raise ValueError(f"orient: requires to json, got {self.to}.")
        for name, is_default in (
            ("output_encoding", self.output_encoding == "utf-8"),
            ("bom", not self.bom),
            ("escape_formulas", not self.escape_formulas),
        ):
            if not is_default and self.to not in ("csv", "tsv"):
                raise ValueError(f"{name}: requires to csv or tsv, got {self.to}.")
        return self


@dataclass(frozen=True)
class Preview:
    """The first rows of a table as text."""

    columns: list[dict[str, str]]
    rows: list[list[str | None]]


@dataclass(frozen=True)
class Converted:
    """What a worker returns."""

    content: bytes
    is_archive: bool
    meta: dict[str, Any]
    preview: Preview | None


@dataclass(frozen=True)
class TableRows:
    """The columns and rows of a converted table."""

    columns: list[dict[str, str]]
    rows: bytes
    """JSON: an array of objects."""
