"""The fields of every request that reads a table."""

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, fields
from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, WithJsonSchema

from mediakit.core.inputs import FILE_SYNONYMS, FileRule, file_of, load_file
from mediakit.core.media import TABLE_FILES
from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule
from mediakit.engines.tables.model import ColumnType, DateOrder, DecimalMark, InputFormat, ReadOptions
from mediakit.engines.tables.reading import Source

_WORKBOOKS = ("xlsx", "xlsm", "xls", "xlsb", "ods")
_DELIMITER_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_TYPES = tuple(name for name in get_args(ColumnType) if name != "json")
_MAY_BE_EMPTY = ("toml", "yaml")
_TYPES_RULE = 'must be auto, text or an object such as {"id": "text"}.'

MAX_SHEET_NAME = 255
"""Characters; other programs than Excel allow more than its 31."""

MAX_TEXT_CHARACTERS = 5_000_000

MAX_SKIP = 10_000


def _check_delimiter(value: str) -> str:
    if len(value) != 1 or value in '"\r\n\\' or value.isalnum():
        raise ValueError("must be one character, and not a letter, a digit, a quote, a backslash or a line break.")
    return value


def _header(value: Any) -> Any:
    """Return a boolean or `auto`; a query string carries the boolean as a word."""
    found = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    if isinstance(found, bool) or (isinstance(found, str) and found == "auto"):
        return found
    raise ValueError(f"must be auto, true or false, got {quote(value)}.")


def name_or_number(value: Any, noun: str, most: int) -> str:
    """Return the name or the number of a sheet or a column as text; a name has at most so many characters.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise ValueError(f"must be the name of a {noun} or its number, got {quote(value)}.")
    return value


def _types(value: Any) -> Any:
    """Return `auto`, `text` or the types by column, which a query string carries as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            raise ValueError(_TYPES_RULE) from None
    if isinstance(value, str) and value in ("auto", "text"):
        return value
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ValueError(_TYPES_RULE)
    for name, kind in value.items():
        if kind not in _TYPES:
            raise ValueError(f'must have one of {", ".join(_TYPES)} for "{name[:80]}", got {str(kind)[:40]!r}.')
    return dict(value)


def _check_rows(value: Any) -> Any:
    """Return rows; what is in them is checked by the reader."""
    if isinstance(value, list | dict):
        return value
    raise ValueError("must be an array of objects or arrays.")


TableFile = Annotated[
    Any, FileRule(partial(load_file, allow_empty=True), TABLE_FILES), FILE_SYNONYMS, Synonyms("df, table, csv")
]
"""A file with a table, which may be empty, as a valid TOML document is.

In Python also a data frame, a list of dicts, or a dict of lists.
"""

Rows = Annotated[
    Any,
    PlainValidator(_check_rows),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"anyOf": [{"type": "object"}, {"type": "array"}]},
            "x-kind": "table",
        }
    ),
]
"""Rows of a table: objects or arrays. In Python also what `TableFile` takes."""

TableText = Annotated[TextInput, TextRule("text"), Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]

Delimiter = Annotated[
    str,
    BeforeValidator(lambda value: _DELIMITER_NAMES.get(value, value) if isinstance(value, str) else value),
    AfterValidator(_check_delimiter),
    Field(json_schema_extra={"maxLength": 9}),
]
"""One character, or the name of one such as tab."""

Header = Annotated[bool | Literal["auto"], PlainValidator(_header), WithJsonSchema({"enum": ["auto", "true", "false"]})]
"""`auto`, or whether the first row names the columns."""

Types = Annotated[
    Literal["auto", "text"] | Mapping[str, ColumnType],
    PlainValidator(_types),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["auto", "text"]},
                {"type": "object", "additionalProperties": {"enum": list(_TYPES)}},
            ],
            "x-kind": "text",
        }
    ),
]
"""`auto`, `text`, or a type by column."""

Sheet = Annotated[
    str | int,
    PlainValidator(lambda value: name_or_number(value, "sheet", MAX_SHEET_NAME)),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_SHEET_NAME}),
]
"""Name or number of a sheet."""


INPUT_TYPES = (
    "text/csv",
    "text/tab-separated-values",
    "application/x-ndjson",
    "application/yaml",
    "application/toml",
    "text/markdown",
    "application/vnd.apache.parquet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
)
"""Media types of raw bodies that are read as tables."""

_TEXT: Mapping[str, Any] = {"type": ["string", "null"], "examples": [None]}
READING_META: Mapping[str, Mapping[str, Any]] = {
    "input_format": {"type": "string", "examples": ["csv"]},
    "encoding": {**_TEXT, "examples": ["utf-8"]},
    "delimiter": {**_TEXT, "examples": [","]},
    "decimal": _TEXT,
    "date_order": {"type": ["string", "null"], "enum": ["ymd", "dmy", "mdy", None], "examples": [None]},
    "sheet": _TEXT,
    "sheets": {"type": ["array", "null"], "items": {"type": "string"}, "examples": [None]},
    "skipped_lines": {"type": "integer", "description": "Lines above the table.", "examples": [0]},
    "warnings": {"type": "array", "items": {"type": "string"}, "examples": [[]]},
}
"""The schema of `Facts.described`."""


@request
class TableOptions:
    """How a table is read. Requests inherit it, so that every data tool reads alike."""

    _: KW_ONLY
    input_format: Annotated[
        InputFormat,
        BeforeValidator(lambda value: "excel" if isinstance(value, str) and value in _WORKBOOKS else value),
        Synonyms("file_type, file_format, input_type", {"excel": "xlsx, xls, ods, workbook", "jsonl": "ndjson"}),
    ] = "auto"
    """Format of the input; auto detects it from the content. The extension of a workbook counts as excel."""
    encoding: Annotated[str, Field(min_length=1, max_length=40), Synonyms("charset, codec")] = "auto"
    """Charset of a text file, such as windows-1252; auto detects it."""
    delimiter: Annotated[Delimiter | None, Synonyms("sep, separator")] = None
    """Character between the cells of a delimited text, or tab; unset: detected."""
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP), Synonyms("skiprows, skip_rows, skip_lines")] | None = None
    """Lines of a text or rows of a sheet above the table; unset: titles and blank lines are found and skipped."""
    header: Annotated[Header, Synonyms("has_header, headers")] = "auto"
    """Whether the first row names the columns; auto detects it. Without one they are column_1, column_2, ..."""
    types: Annotated[Types, Synonyms("dtypes, dtype, schema")] = "auto"
    """Types of the columns: auto detects them, text keeps every cell as written, an object names the type of some."""
    decimal: Annotated[DecimalMark, Synonyms("decimal_mark, decimal_separator")] = "auto"
    """Decimal mark of numbers; auto decides by the column."""
    dates: Annotated[DateOrder, Synonyms("date_format, dayfirst, date_order")] = "auto"
    """Whether 03/04/2024 has the day or the month first; auto decides by the column, which stays text in doubt."""
    nulls: (
        Annotated[
            list[Annotated[str, Field(max_length=100)]],
            Field(max_length=50),
            Synonyms("na_values, null_values, missing"),
        ]
        | None
    ) = None
    """Cells that count as null. Unset: empty cells and, where the rest of the column has a type, NA, NULL and such."""
    sheet: Annotated[Sheet | None, Synonyms("sheet_name, worksheet, tab")] = None
    """Name or number, from 1, of the sheet of a workbook; * for all. Unset: the first visible sheet with cells."""
    merged: Literal["first", "fill"] = "first"
    """Merged cells of a workbook: the value stays in the first cell, or fills all of them."""

    def table_source(self, file: Any, text: TextInput | None, rows: Any, suffix: str = "") -> Source:
        """Return the only source of a table, of fields whose names end with a suffix, where there are several tables.

        Raises:
            ValueError: There is none, or more than one.
        """
        given = {name: value for name, value in (("file", file), ("text", text), ("rows", rows)) if value is not None}
        if len(given) != 1:
            found = ", ".join(f"{name}{suffix}" for name in given) or "none"
            names = f"file{suffix}, text{suffix} and rows{suffix}"
            raise ValueError(f"file{suffix}: exactly one of {names} is required, got {found}.")
        ((field, value),) = given.items()
        if field != "file":
            return Source(field, value)
        content = file_of(value)
        if not content and self.input_format not in _MAY_BE_EMPTY:
            raise ValueError(f"file{suffix}: must not be empty.")
        return Source(field, content, content.name)

    def read_options(self, field: str, *, flatten: bool = True, max_rows: int | None = None) -> ReadOptions:
        """Return the options for a reader; `field` is the one that errors name."""
        values = {each.name: getattr(self, each.name) for each in fields(TableOptions)}
        nulls = None if self.nulls is None else tuple(self.nulls)
        sheet = None if self.sheet is None else str(self.sheet)
        changed = {"nulls": nulls, "sheet": sheet, "flatten": flatten, "max_rows": max_rows, "field": field}
        return ReadOptions(**{**values, **changed})
