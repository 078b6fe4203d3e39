"""The request of `data_convert`, and the conversion, which runs in a worker: a source in, the bytes of a file out."""

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
from mediakit.display.tables import MAX_SHOWN_ROWS
from mediakit.engines.tables.model import (
    MAX_COLUMNS,
    MAX_ROWS,
    Document,
    ReadOptions,
    Table,
    missing,
    unique_names,
)
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import Delimiter, Rows, TableFile, TableOptions, TableText
from mediakit.engines.tables.writers import OutputFormat, WriteOptions, write
from mediakit.engines.tables.writers.values import as_text
from mediakit.errors import InvalidInput

Pick = tuple[str, str]
"""A column to keep, and the name that it gets."""


def select(table: Table, picks: Sequence[Pick]) -> Table:
    """Return a table with the columns chosen, in their order.

    Raises:
        InvalidInput: There is no such column.
    """
    by_name = {column.name: column for column in table.columns}
    for place, (name, _) in enumerate(picks):
        if name not in by_name:
            raise InvalidInput(f"columns[{place}]: {missing(name, table.names)}")
    names = unique_names(renamed for _, renamed in picks)
    return Table([by_name[old].renamed(name) for name, (old, _) in zip(names, picks, strict=True)])


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
            (column, column) if isinstance(column, str) else (column["name"], column["as"]) for column in self.columns
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


def convert(request: DataConvertRequest) -> Converted:
    """Convert a source to a file.

    Raises:
        InvalidInput: The source cannot be read, or the format cannot hold it.
    """
    return _converted(request, request.writing, keeps_values=request.keeps_values)


def read_rows(request: DataConvertRequest) -> Converted:
    """Return the table as JSON, an array of objects, whatever format the request names.

    Raises:
        InvalidInput: The source is not one table.
    """
    return _converted(request, WriteOptions(to="json", indent=0), keeps_values=False)


def _converted(request: DataConvertRequest, writing: WriteOptions, *, keeps_values: bool) -> Converted:
    document = read_source(request.source, request.reading)
    if not (keeps_values and document.is_value):
        as_tables(document, request.reading)
    if (picks := request.picks) is not None:
        document.tables = {name: select(table, picks) for name, table in document.tables.items()}
    written = write(document, writing)
    table = document.table if len(document.tables) == 1 and not document.is_value else None
    return Converted(
        written.content, written.is_archive, _meta(document, table), None if table is None else _preview(table)
    )


def _meta(document: Document, table: Table | None) -> dict[str, Any]:
    rows: int | None = sum(map(len, document.tables.values()))
    if document.is_value:
        rows = len(document.value) if isinstance(document.value, list) else None
    return {"rows": rows, "columns": None if table is None else _columns(table), **document.facts.described()}


def _columns(table: Table) -> list[dict[str, str]]:
    return [
        {"name": column.name, "type": column.type} | ({"unit": column.unit} if column.unit else {})
        for column in table.columns
    ]


def _preview(table: Table) -> Preview:
    head = table.head(MAX_SHOWN_ROWS)
    columns = [
        [None if value is None else text for value, text in zip(column.values, as_text(column), strict=True)]
        for column in head.columns
    ]
    return Preview(_columns(table), [list(row) for row in zip(*columns, strict=True)])
