"""Writes tables and values in a format by its name."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.tables.model import Document, Table
from mediakit.engines.tables.python_tables import polars_frame
from mediakit.engines.tables.writers import json_yaml_toml, text_formats, values, workbook
from mediakit.engines.tables.writers.workbook import sheet_names
from mediakit.errors import InvalidInput

OutputFormat = Literal["json", "jsonl", "csv", "tsv", "xlsx", "parquet", "yaml", "toml", "markdown", "html", "sql"]

MEDIA_TYPES: dict[str, str] = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "yaml": "application/yaml",
    "toml": "application/toml",
    "markdown": "text/markdown",
    "html": "text/html",
    "sql": "application/sql",
}
"""The media type of each format."""

_TIMESTAMP = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class WriteOptions:
    """Options of a writer."""

    to: OutputFormat
    orient: Literal["rows", "columns", "arrays"] = "rows"
    indent: int = 2
    delimiter: str = ","
    encoding: str = "utf-8"
    newline: Literal["lf", "crlf"] = "lf"
    bom: bool = False
    escape_formulas: bool = False
    table: str = "data"
    title: str = "data"
    """Name of the sheet and of the HTML document."""


@dataclass(frozen=True)
class Written:
    """The bytes of a file; a ZIP archive of files where each of several tables has its own."""

    content: bytes
    is_archive: bool = False


def write(document: Document, options: WriteOptions) -> Written:
    """Return a document as a file.

    Raises:
        InvalidInput: The format cannot hold the document.
    """
    if document.is_value:
        return Written(_value(document, options).encode())
    if len(document.tables) == 1:
        return Written(_one(document, options))
    if options.to == "xlsx":
        return Written(workbook.workbook(document.tables))
    if options.to == "json":
        tables = {
            name: json_yaml_toml.json_table(table, options.orient, options.indent, level=1)
            for name, table in document.tables.items()
        }
        members = [f"{values.encode(name, 0)}: {text}" for name, text in tables.items()]
        return Written(f"{values.enclosed('{}', members, options.indent, 0)}\n".encode())
    if options.to == "yaml":
        value = {name: list(table.records()) for name, table in document.tables.items()}
        return Written(json_yaml_toml.encode_yaml(value, options.indent).encode())
    if options.to in ("csv", "tsv"):
        files = {name: _delimited(table, options) for name, table in document.tables.items()}
        return Written(_archive(files, options.to), is_archive=True)
    raise InvalidInput(f'sheet: "*" goes with json, yaml, xlsx, csv and tsv, not with {options.to}.')


def _value(document: Document, options: WriteOptions) -> str:
    if options.to == "yaml":
        return json_yaml_toml.encode_yaml(document.value, options.indent)
    if options.to == "toml":
        return json_yaml_toml.encode_toml(document.value, document.facts)
    return values.encode(document.value, options.indent) + "\n"


def _one(document: Document, options: WriteOptions) -> bytes:
    table = document.table
    if options.to == "xlsx":
        return workbook.workbook({options.title: table})
    if options.to == "parquet":
        file = io.BytesIO()
        polars_frame(table).write_parquet(file, compression="zstd", statistics=True)
        return file.getvalue()
    if options.to in ("csv", "tsv"):
        return _delimited(table, options)
    if options.to == "json":
        orient = "arrays" if document.is_grid and options.orient == "rows" else options.orient
        text = json_yaml_toml.json_table(table, orient, options.indent, has_names=not document.is_grid)
        text += "\n"
        return text.encode()
    if options.to == "toml":
        return json_yaml_toml.encode_rows(list(table.records()), document.facts).encode()
    return _TEXT_WRITERS[options.to](table, options).encode()


def _delimited(table: Table, options: WriteOptions) -> bytes:
    delimiter = "\t" if options.to == "tsv" else options.delimiter
    newline = "\r\n" if options.newline == "crlf" else "\n"
    text = text_formats.delimited(table, delimiter, newline, escape_formulas=options.escape_formulas)
    text, encoding = f"\ufeff{text}" if options.bom else text, options.encoding
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        character = text[error.start]
        raise InvalidInput(
            f'output_encoding: {encoding} has no "{character}" (U+{ord(character):04X}), as in line {line}; use utf-8.'
        ) from None
    except LookupError:
        raise InvalidInput(f'output_encoding: "{encoding[:40]}" is not known; use a name such as utf-8.') from None


def _archive(files: dict[str, bytes], extension: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in zip(sheet_names(list(files)), files.values(), strict=True):
            entry = zipfile.ZipInfo(f"{name}.{extension}", _TIMESTAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return file.getvalue()


_TEXT_WRITERS: dict[str, Callable[[Table, WriteOptions], str]] = {
    "jsonl": lambda table, _: json_yaml_toml.json_lines(table),
    "yaml": lambda table, options: json_yaml_toml.encode_yaml(list(table.records()), options.indent),
    "markdown": lambda table, _: text_formats.markdown(table),
    "html": lambda table, options: text_formats.html(table, options.title),
    "sql": lambda table, options: text_formats.sql(table, options.table),
}
