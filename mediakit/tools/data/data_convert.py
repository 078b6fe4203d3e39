"""The tool `data_convert`: a table, or JSON, YAML and TOML of any shape, in another format."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import from_json
from typing_extensions import TypedDict

from mediakit.core.media import extension_of
from mediakit.core.messages import counted, quote, readable_size
from mediakit.core.request import request
from mediakit.core.runtime import runtime
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.display import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import (
    COLUMN_TYPES,
    MAX_COLUMNS,
    MAX_ROWS,
    Column,
    ReadOptions,
    Table,
    missing,
    unique_names,
)
from mediakit.engines.tables.python_tables import adapt_table, frame
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import (
    INPUT_TYPES,
    READING_META,
    Delimiter,
    Rows,
    TableFile,
    TableOptions,
    TableText,
)
from mediakit.engines.tables.writers import MEDIA_TYPES, OutputFormat, WriteOptions, write
from mediakit.engines.tables.writers.values import shown_rows
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.files import FileResult
from mediakit.results.result import Bundle
from mediakit.samples import SALES

if TYPE_CHECKING:
    import pandas as pd

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

    def selected(self, table: Table) -> Table:
        """Return a table with the columns chosen, in their order.

        Raises:
            InvalidInput: There is no such column.
        """
        if self.columns is None:
            return table
        by_name = {column.name: column for column in table.columns}
        picks = [(each, each) if isinstance(each, str) else (each["name"], each["as"]) for each in self.columns]
        for place, (name, _) in enumerate(picks):
            if name not in by_name:
                raise InvalidInput(f"columns[{place}]: {missing(name, table.names)}")
        names = unique_names(renamed for _, renamed in picks)
        return Table([by_name[old].renamed(name) for name, (old, _) in zip(names, picks, strict=True)])

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
    document.tables = {name: request.selected(table) for name, table in document.tables.items()}
    written = write(document, writing)
    table = document.table if len(document.tables) == 1 and not document.is_value else None
    rows: int | None = sum(map(len, document.tables.values()))
    if document.is_value:
        rows = len(document.value) if isinstance(document.value, list) else None
    meta = {"rows": rows, "columns": None if table is None else _columns(table), **document.facts.described()}
    preview = None
    if table is not None:
        head = table.head(MAX_SHOWN_ROWS)
        preview = Preview(_columns(table), shown_rows(head.columns))
    return Converted(written.content, written.is_archive, meta, preview)


def _columns(table: Table) -> list[dict[str, str]]:
    return [
        {"name": column.name, "type": column.type} | ({"unit": column.unit} if column.unit else {})
        for column in table.columns
    ]


MAX_INLINE_BYTES = 5_000_000
"""Size of a file up to which the JSON response has its content as `data` or `text`, too."""

META_SCHEMA: dict[str, Any] = {
    "rows": {
        "type": ["integer", "null"],
        "description": "Number of rows; null for a value that is not a table.",
        "examples": [2],
    },
    "columns": {
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "type": {"type": "string", "enum": list(COLUMN_TYPES)},
                "unit": {
                    "type": "string",
                    "description": "What its cells have beside their number: %, $, EUR, h:mm:ss.",
                },
            },
        },
        "examples": [[{"name": "city", "type": "text"}, {"name": "orders", "type": "integer"}]],
        "description": "Name, type and unit of each column; null unless the input is read as one table.",
    },
    **READING_META,
}

_NUMBER_TYPES = ("integer", "number")


class TableResult(FileResult):
    """A converted table: a file, and its rows as Python values. Iterate over it, or use `len()`, for the rows."""

    preview: Preview | None = None
    """The first rows, as a notebook shows them; None for a value that is not a table."""

    @property
    def encoding(self) -> str:
        """Charset of a text file."""
        return "utf-8" if self._call is None else str(self._call.request.output_encoding)

    def _text(self, errors: str = "strict") -> str | None:
        if super()._text("replace") is None:
            return None
        codec = "utf-8-sig" if self.encoding.lower() in ("utf-8", "utf8") else self.encoding
        return self.content.decode(codec, errors)

    @property
    def data(self) -> Any:
        """The value of a JSON file.

        Raises:
            InvalidInput: The file is not JSON.
        """
        if self.mime_type != "application/json":
            raise InvalidInput(f"data: {self.filename} is not JSON; use .rows, or .content.")
        return from_json(self.content)

    @property
    def columns(self) -> list[dict[str, str]]:
        """Name and type of each column."""
        known: list[dict[str, str]] | None = self.meta["columns"]
        return self._read[0] if known is None else known

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows by column name. Dates and times are ISO 8601 text.

        Raises:
            InvalidInput: The result is not one table.
        """
        return self._read[1]

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
            InvalidInput: The result is not one table.
        """
        columns, rows = self._read
        table = Table(
            [Column(one["name"], one["type"], [row[one["name"]] for row in rows]) for one in columns]  # type: ignore[arg-type]
        )
        return cast("pd.DataFrame", frame(table))

    @cached_property
    def _read(self) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
        """The columns and rows, read again from the request's source: not every format can be read back."""
        if self._call is None:
            raise InvalidInput("rows: only results of a tool's call have rows.")
        request, work = self._call.request, "mediakit.tools.data.data_convert:read_rows"
        read = runtime.run(run_guarded(work, request, returns=Converted, field=request.source.field, guard=TABLE))
        return read.meta["columns"] or [], from_json(read.content)

    def _extra(self) -> dict[str, Any]:
        if len(self.content) > MAX_INLINE_BYTES:
            return {}
        if self.mime_type == "application/json":
            return {"data": self.data}
        return {"text": self.text} if self.is_text else {}

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        return {
            "filename": {"type": "string", "examples": ["cities.json"]},
            "data": {
                "description": "The value of json, up to 5 MB.",
                "examples": [[{"city": "Lisbon", "orders": 12}]],
                "x-optional": True,
            },
            "text": {
                "type": "string",
                "description": "The text of the other text formats, up to 5 MB.",
                "examples": ["city,orders\nLisbon,12\n"],
                "x-optional": True,
            },
            "meta": {"type": "object", "properties": META_SCHEMA},
        }

    def _facts(self) -> str:
        rows, columns = self.meta["rows"], self.meta["columns"]
        if rows is None or columns is None:
            return ""
        return f"{counted(rows, 'row')} × {counted(len(columns), 'column')}"

    def __len__(self) -> int:
        count: int | None = self.meta["rows"]
        return len(self.rows) if count is None else count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _bundle(self) -> Bundle:
        preview = self.preview
        if preview is None and self.meta["columns"] is not None and self._call is not None:  # a server's result
            head = ([row[column["name"]] for column in self.columns] for row in self.rows[:20])
            words = {True: "true", False: "false", None: None}
            cells = [
                [words[each] if each is None or isinstance(each, bool) else str(each) for each in row] for row in head
            ]
            preview = Preview(self.columns, cells)
        if preview is None:
            return super()._bundle()
        columns = [ShownColumn(one["name"], one["type"], one["type"] in _NUMBER_TYPES) for one in preview.columns]
        caption = " · ".join((self.filename, self._facts(), readable_size(len(self.content))))
        return {"text/html": table_html(columns, preview.rows, caption, self.meta["rows"])}, {}


ARCHIVE = "application/zip"
"""Media type of a file per sheet."""


@tool(
    DataConvertRequest,
    tag="Data",
    raw=dict.fromkeys(INPUT_TYPES, "file"),
    produces={**MEDIA_TYPES, "zip": ARCHIVE},
    errors=[NotConvertible],
    adapt=adapt_table,
    examples=[
        Example("A CSV file as JSON", {"file": SALES}),
        Example("The same as an Excel workbook", {"file": SALES, "to": "xlsx"}),
        Example(
            "Chosen columns of the first rows as Markdown",
            {"file": SALES, "to": "markdown", "columns": ["order", "day", "amount"], "max_rows": 3},
        ),
        Example("YAML as JSON", {"text": "name: Ana\nlangs: [es, en]\n", "input_format": "yaml", "indent": 0}),
    ],
)
async def data_convert(request: DataConvertRequest) -> TableResult:
    """Convert a table, or JSON, YAML and TOML of any shape, to another format.

    Charset, delimiter, header and types are detected. A column gets a type only if all of its cells fit it, so
    identifiers such as 007 and phone numbers stay text. `meta` describes how the input was read, and its `warnings`
    name what is ambiguous or could not be kept. Text never becomes a formula in xlsx; for csv set `escape_formulas`.

    Raises:
        InvalidInput: The input cannot be read, or the format cannot hold it.
        NotConvertible: The conversion took longer than 10 seconds.
    """
    source, work = request.source, "mediakit.tools.data.data_convert:convert"
    converted = await run_guarded(work, request, returns=Converted, field=source.field, guard=TABLE)
    media = ARCHIVE if converted.is_archive else MEDIA_TYPES[request.to]
    result = TableResult(converted.content, media, f"{source.stem}.{extension_of(media)}", converted.meta)
    result.preview = converted.preview
    return result
