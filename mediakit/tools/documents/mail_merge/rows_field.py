"""The field `rows`: an array of objects, or a table file. In Python also a data frame."""

import os
from collections.abc import Mapping
from typing import Annotated, Any

import pybase64
from pydantic import GetJsonSchemaHandler, PlainValidator
from pydantic_core import CoreSchema

from mediakit.core.inputs import FileSource, file_schema, is_missing, is_table, load_file
from mediakit.core.media import detect
from mediakit.core.messages import quote
from mediakit.core.parameters import as_text
from mediakit.engines.tables.python_tables import narwhals_frame, rows_of_table
from mediakit.engines.tables.row_files import source_of
from mediakit.engines.templates.data import adapt_data, check_data

MAX_ROWS = 100

_FILES = (bytes, bytearray, memoryview, os.PathLike, FileSource)
"""What is an image in a cell of a Python table."""


def _load(value: Any) -> Any:
    return value if isinstance(value, list) else load_file(value)


class _RowsSchema:
    """JSON Schema of the field in a JSON body."""

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        rows = {"type": "array", "items": {"type": "object"}, "minItems": 1, "maxItems": MAX_ROWS}
        return {
            "anyOf": [rows, file_schema()],
            "examples": [[{"recipient": "Ada Lovelace", "course": "Notes on the Engine"}]],
            "x-kind": "file",
        }


RowsField = Annotated[Any, PlainValidator(_load), _RowsSchema()]
"""Rows as objects, or the content of a table file."""


def check_count(count: int) -> None:
    """Check the number of rows.

    Raises:
        ValueError: There are none, or too many.
    """
    if not count:
        raise ValueError("rows: must have at least one row.")
    if count > MAX_ROWS:
        raise ValueError(f"rows: at most {MAX_ROWS}, got {count}; send them in parts or use mediakit.batch.")


def check_rows(rows: Any) -> None:
    """Check rows that are objects.

    Raises:
        ValueError: There are none, too many, or one is not an object of plain values.
    """
    check_count(len(rows))
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise ValueError(f"rows[{index}]: must be an object, got {quote(row)}.")  # noqa: TRY004  # pydantic turns ValueError into a message
        try:
            check_data(row)
        except ValueError as error:
            raise ValueError(f"rows[{index}]: {error}") from None


def adapt_rows(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a Python call with its table as rows that JSON can hold.

    Dates become text without a time of midnight, missing values null, and images in cells data: URIs or, for a Word
    template, the objects that it takes.
    """
    arguments = dict(values)
    rows = arguments["rows"] = source_of(arguments.get("rows"))
    if is_table(rows) and not isinstance(rows, FileSource):
        rows = _records(rows)
    elif _is_columns(rows):
        rows = (rows_of_table(rows) or (rows, {}))[0]
    if isinstance(rows, list | tuple):
        cell = _object_or_text if arguments.get("file") is not None else _plain
        arguments["rows"] = [
            {str(name): cell(value) for name, value in row.items()} if isinstance(row, Mapping) else row for row in rows
        ]
    if isinstance(arguments.get("data"), Mapping):
        cell = _object_or_text if arguments.get("file") is not None else _plain
        arguments["data"] = {str(name): cell(value) for name, value in arguments["data"].items()}
    return arguments


def _records(table: Any) -> list[dict[str, Any]]:
    import narwhals as nw

    index = getattr(table, "index", None)
    if any(name is not None for name in getattr(index, "names", ())):
        table = table.reset_index()
    native = narwhals_frame(table, "rows")
    native = native.collect() if isinstance(native, nw.LazyFrame) else native
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    return [{str(name): value for name, value in row.items()} for row in frame.iter_rows(named=True)]


def _is_columns(rows: Any) -> bool:
    """Return whether a value is a dictionary of lists, and not one with the content of a file."""
    return isinstance(rows, Mapping) and not isinstance(rows.get("file"), str | bytes)


def _plain(value: Any) -> Any:
    if isinstance(value, _FILES):
        content = load_file(value)
        media = detect(content) or "application/octet-stream"
        return f"data:{media};base64,{pybase64.b64encode(content).decode()}"
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if is_missing(value):
        return None
    return value if isinstance(value, str | bool | int | float) else as_text(value)


def _object_or_text(value: Any) -> Any:
    if isinstance(value, (*_FILES, Mapping, list, tuple)):
        return adapt_data({"data": {"value": value}})["data"]["value"]
    return _plain(value)
