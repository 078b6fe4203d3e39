"""The fields of every request that reads a table."""

import json
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from mediakit.core.request import request
from mediakit.engines.tables.model import ColumnType
from mediakit.engines.tables.options import DateOrder, DecimalMark, InputFormat, ReadOptions

_WORKBOOKS = ("xlsx", "xlsm", "xls", "xlsb", "ods")
_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_TYPES = tuple(name for name in get_args(ColumnType) if name != "json")


def _input_format(value: Any) -> Any:
    return "excel" if value in _WORKBOOKS else value


def _delimiter(value: Any) -> Any:
    return _DELIMITERS.get(value, value) if isinstance(value, str) else value


def _check_delimiter(value: str) -> str:
    if value in '"\r\n\\' or value.isalnum():
        raise ValueError("must be one character that is no letter, digit, quote, backslash or line break.")
    return value


def _header(value: Any) -> Any:
    return {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value


def _sheet(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _types(value: Any) -> Any:
    """Return the types by column as a dict; a query string and a shell carry them as JSON text."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError('must be auto, text or an object such as {"id": "text"}.') from None


def _check_types(value: Any) -> Any:
    if value in ("auto", "text"):
        return value
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise ValueError('must be auto, text or an object such as {"id": "text"}.')
    for name, kind in value.items():
        if kind not in _TYPES:
            raise ValueError(f"{name[:80]}: must be one of {', '.join(_TYPES)}, got {str(kind)[:40]!r}.")
    return value


Types = Annotated[
    Any,
    BeforeValidator(_types),
    AfterValidator(_check_types),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": ["auto", "text"]},
                {"type": "object", "additionalProperties": {"enum": list(_TYPES)}},
            ],
            "default": "auto",
        }
    ),
]
"""`auto`, `text`, or a type by column."""


@request
class TableOptions:
    """How a table is read. Requests inherit it, so that every data tool reads alike."""

    _: KW_ONLY
    input_format: Annotated[InputFormat, BeforeValidator(_input_format)] = "auto"
    """Format of the input; auto detects it from the content. The extension of a workbook counts as excel."""
    encoding: Annotated[str, Field(min_length=1, max_length=40)] = "auto"
    """Charset of a text file, such as windows-1252; auto detects it."""
    delimiter: (
        Annotated[str, BeforeValidator(_delimiter), Field(min_length=1, max_length=1), AfterValidator(_check_delimiter)]
        | None
    ) = None
    """Character between the cells of a delimited text, or tab; unset: detected."""
    header: Annotated[Literal["auto", "true", "false"], BeforeValidator(_header)] = "auto"
    """Whether the first row names the columns; auto detects it. Without one they are column_1, column_2, ..."""
    types: Types = "auto"
    """Types of the columns: auto detects them, text keeps every cell as written, an object names the type of some."""
    decimal: DecimalMark = "auto"
    """Decimal mark of numbers; auto decides by the column."""
    dates: DateOrder = "auto"
    """Whether 03/04/2024 has the day or the month first; auto decides by the column, which stays text in doubt."""
    nulls: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=50)] | None = None
    """Cells that count as null. Unset: empty cells and, where the rest of the column has a type, NA, NULL and such."""
    sheet: Annotated[str, BeforeValidator(_sheet), Field(min_length=1, max_length=255)] | None = None
    """Name or number, from 1, of the sheet of a workbook; * for all. Unset: the first visible sheet with cells."""
    merged: Literal["first", "fill"] = "first"
    """Merged cells of a workbook: the value stays in the first cell, or fills all of them."""

    def read_options(self, field: str, *, flatten: bool = True, max_rows: int | None = None) -> ReadOptions:
        """Return the options for a reader.

        Args:
            field: The field that errors name.
            flatten: Whether nested objects become columns.
            max_rows: The number of rows to read at most.
        """
        return ReadOptions(
            input_format=self.input_format,
            encoding=self.encoding,
            delimiter=self.delimiter,
            header={"true": True, "false": False}.get(self.header, "auto"),
            types=self.types,
            decimal=self.decimal,
            dates=self.dates,
            nulls=tuple(self.nulls) if self.nulls is not None else None,
            sheet=self.sheet,
            merged=self.merged,
            flatten=flatten,
            max_rows=max_rows,
            field=field,
        )
