"""Reads a source of any kind. Foreign bytes are parsed in a worker: see `guarded`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from mediakit.engines.charsets import decode
from mediakit.engines.tables.kinds import Kind, binary_kind, foreign_kind, text_kind
from mediakit.engines.tables.model import Document, Facts
from mediakit.engines.tables.nested import tabled
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.readers.delimited import read_delimited, tabulate
from mediakit.errors import InvalidInput


@dataclass(frozen=True)
class Source:
    """What a request reads: a file, a text or rows."""

    field: str
    """Name of the field: `file`, `text` or `rows`."""
    value: Any
    name: str = ""
    """Name of the file."""

    @property
    def stem(self) -> str:
        """The file's name without its extension, or `data`."""
        return PurePath(self.name).stem or "data"


def read_source(source: Source, options: ReadOptions) -> Document:
    """Read the source of a request.

    Raises:
        InvalidInput: It is not of the kind, damaged, or too large.
    """
    if source.field == "file":
        document = read_file(bytes(source.value), source.name, options)
    elif source.field == "text":
        document = read_text(source.value, options)
    else:
        document = read_rows(source.value, options)
    return _cut(document, options)


def _cut(document: Document, options: ReadOptions) -> Document:
    """Return a document with the rows wanted; more were read to decide the types."""
    if options.max_rows is not None:
        document.tables = {name: table.head(options.max_rows) for name, table in document.tables.items()}
    return document


def read_file(content: bytes, name: str, options: ReadOptions) -> Document:
    """Read a file; its name decides only between kinds of text that look alike.

    Raises:
        InvalidInput: The file is not of the kind, damaged, or too large.
    """
    kind = binary_kind(content) if options.input_format == "auto" else options.input_format
    if kind == "parquet":
        return _read_parquet(content, options)
    if kind == "excel":
        return _read_workbook(content, options)
    if kind == "toml":
        return _read_toml(content, options)
    _refuse_foreign(content, options)
    text, encoding = decode(content, options.encoding, options.field)
    return _read_decoded(text, content, name, encoding, options)


def read_text(text: str, options: ReadOptions) -> Document:
    """Read a text.

    Raises:
        InvalidInput: The text is not of the kind, or too large.
    """
    if options.input_format in ("excel", "parquet"):
        raise InvalidInput(f"input_format: {options.input_format} is not a text; send it as file.")
    return _read_decoded(text.removeprefix("\ufeff"), None, "", None, options)


def read_rows(rows: Any, options: ReadOptions) -> Document:
    """Read rows: an array of objects or arrays, or an object of arrays.

    Raises:
        InvalidInput: The rows are not a table, or too large.
    """
    facts = Facts(input_format="rows")
    return Document(facts, {"data": tabled(rows, options, facts)})


def as_tables(document: Document, options: ReadOptions) -> Document:
    """Return a document whose value, if it has one, is read as a table.

    Raises:
        InvalidInput: The value is not a table, or too large.
    """
    if document.is_value:
        document.tables = {"data": tabled(document.value, options, document.facts)}
        document.is_value = False
    return _cut(document, options)


def _read_decoded(text: str, content: bytes | None, name: str, encoding: str | None, options: ReadOptions) -> Document:
    kind: Kind = text_kind(text, name) if options.input_format == "auto" else options.input_format
    if kind == "toml":
        return _read_toml(text.encode() if content is None else content, options)
    facts = Facts(input_format=kind, encoding=encoding)
    return _TEXT_READERS[kind](text, options, facts)


def _read_csv(text: str, options: ReadOptions, facts: Facts) -> Document:
    if "\0" in text:
        raise InvalidInput(f"{options.field}: is not a text; it has NUL characters.")
    return Document(facts, {"data": read_delimited(text, options, facts)})


def _read_json(text: str, options: ReadOptions, facts: Facts) -> Document:
    from mediakit.engines.tables.readers.json_text import read_json

    return Document(facts, value=read_json(text, options.field), is_value=True)


def _read_json_lines(text: str, options: ReadOptions, facts: Facts) -> Document:
    from mediakit.engines.tables.readers.json_text import read_json_lines

    return Document(facts, {"data": tabled(read_json_lines(text, options.field), options, facts)})


def _read_yaml(text: str, options: ReadOptions, facts: Facts) -> Document:
    from mediakit.engines.tables.readers.yaml_text import read_yaml

    return Document(facts, value=read_yaml(text, options.field, facts), is_value=True)


def _read_markdown(text: str, options: ReadOptions, facts: Facts) -> Document:
    from mediakit.engines.tables.readers.markdown_text import read_markdown

    rows = read_markdown(text, options.field)
    return Document(facts, {"data": tabulate(rows, _headed(options), facts)})


def _headed(options: ReadOptions) -> ReadOptions:
    """Return options under which the first row is the header, as it always is in Markdown."""
    return replace(options, header=True) if options.header == "auto" else options


def _read_toml(content: bytes, options: ReadOptions) -> Document:
    from mediakit.engines.tables.readers.toml_text import read_toml

    facts = Facts(input_format="toml", encoding="utf-8")
    return Document(facts, value=read_toml(content, options.field, facts), is_value=True)


def _read_parquet(content: bytes, options: ReadOptions) -> Document:
    from mediakit.engines.tables.readers.parquet import read_parquet

    facts = Facts(input_format="parquet")
    return Document(facts, {"data": read_parquet(content, options, facts)})


def _read_workbook(content: bytes, options: ReadOptions) -> Document:
    from mediakit.engines.tables.readers.workbook import read_workbook

    _refuse_foreign(content, options)
    return read_workbook(content, options, Facts(input_format="excel"))


def _refuse_foreign(content: bytes, options: ReadOptions) -> None:
    found = foreign_kind(content)
    if found:
        raise InvalidInput(
            f"{options.field}: must be a table (CSV, JSON, Excel, ODS, Parquet, YAML, TOML, Markdown), got {found}."
        )


_TEXT_READERS: dict[Kind, Callable[[str, ReadOptions, Facts], Document]] = {
    "csv": _read_csv,
    "json": _read_json,
    "jsonl": _read_json_lines,
    "yaml": _read_yaml,
    "markdown": _read_markdown,
}
