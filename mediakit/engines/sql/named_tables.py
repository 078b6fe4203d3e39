"""A query as plain values, and its tables with their names in SQL."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Literal

from typing_extensions import TypedDict

from mediakit.engines.tables.columns.texts import check_names
from mediakit.engines.tables.model import Column, ColumnType, Document, ReadOptions, Table, free_name
from mediakit.engines.tables.reading import Source, as_tables, read_source, sample_source
from mediakit.errors import InvalidInput

Format = Literal["json", "csv", "xlsx", "parquet", "markdown"]


@dataclass(frozen=True)
class TableInput:
    """A table to query."""

    source: Source
    options: ReadOptions
    name: str = ""
    """The name in SQL, or that of the file; empty if there is none."""
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    """Types of columns that the source alone does not show."""


@dataclass(frozen=True)
class Query:
    """Tables and a query."""

    tables: Sequence[TableInput]
    sql: str
    parameters: Any
    """A list for `?` and `$1`, an object for `$name`, or None."""
    limit: int
    format: Format
    escape_formulas: bool = False


class QueryColumn(TypedDict):
    """A column in SQL."""

    name: str
    type: str
    """Type in SQL."""


class QueryTable(TypedDict):
    """A table that a query can read."""

    name: str
    rows: int
    columns: list[QueryColumn]


@dataclass(frozen=True)
class Queried:
    """The result of a query."""

    columns: list[QueryColumn]
    rows: bytes
    """The rows as JSON without spaces: an array of objects."""
    row_count: int
    truncated: bool
    tables: list[QueryTable]
    warnings: list[str]
    elapsed_ms: int
    file: bytes | None
    """The rows in the requested format; None for JSON."""


MAX_NAME_LENGTH = 100

FIRST_TABLE = "data"
"""The first table has this name, too."""

_SUFFIXES = (
    *(".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".md", ".markdown"),
    *(".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".parquet"),
)


def table_name(name: str) -> str:
    """Return the name of a file as an identifier: `sales 2024.csv` becomes `sales_2024`; empty if nothing is left."""
    path = PurePath(name)
    stem = path.stem if path.suffix.lower() in _SUFFIXES else path.name
    words = re.sub(r"\W+", "_", unicodedata.normalize("NFC", stem)).strip("_")[:MAX_NAME_LENGTH]
    return f"_{words}" if words[:1].isdigit() else words


@dataclass
class NamedTable:
    """A table, and its names in SQL."""

    name: str
    table: Table
    """The table; its first rows if `text` has all of them."""
    other_names: tuple[str, ...] = ()
    text: str | None = None
    """The rows of a large table as delimited text, without a header."""
    options: ReadOptions = field(default_factory=ReadOptions)
    delimiter: str = ""
    warnings: Sequence[str] = ()
    """Warnings about the first rows."""
    read_whole: Callable[[], None] | None = None
    """Reads the table in place of its first rows."""


def read_tables(query: Query, warnings: list[str]) -> list[NamedTable]:
    """Return the tables of a query; every sheet of a workbook is one.

    Raises:
        InvalidInput: A source cannot be read, or an option names what is not there.
    """
    found: list[NamedTable] = []
    is_single = len(query.tables) == 1
    for item in query.tables:
        prefix = "" if is_single else f"{item.name or item.source.field}: "
        tables = _sampled(item, prefix, warnings) or list(_named(item, _read(item, prefix, warnings)))
        for each in tables:
            each.name = free_name(each.name, _names(found), str.lower)
            each.other_names = tuple(name for name in each.other_names if name.lower() not in _names(found))
            found.append(each)
    chosen: Any = query.tables[0].options.types
    known = list(dict.fromkeys(name for each in found for name in each.table.names))
    check_names(chosen if isinstance(chosen, Mapping) else (), known)
    if FIRST_TABLE not in _names(found):
        found[0].other_names += (FIRST_TABLE,)
    return found


def _names(tables: list[NamedTable]) -> set[str]:
    return {name.lower() for each in tables for name in (each.name, *each.other_names)}


def _sampled(item: TableInput, prefix: str, warnings: list[str]) -> list[NamedTable]:
    """Return the table of a large delimited text by its first rows, if it is regular and no option is about types."""
    options = _options(item)
    if options.types != "auto" or options.decimal != "auto" or options.nulls is not None:
        return []
    if (found := sample_source(item.source, options)) is None:
        return []
    document, text = found
    [named] = _named(item, document)
    named.text, named.options, named.delimiter = text, options, document.facts.delimiter or ""

    def read_whole() -> None:
        named.table, named.text = _read(item, prefix, warnings).table, None

    named.read_whole = read_whole
    named.warnings = [f"{prefix}{warning}" for warning in document.facts.warnings]
    return [named]


def _read(item: TableInput, prefix: str, warnings: list[str]) -> Document:
    document = as_tables(read_source(item.source, _options(item)), item.options)
    for name, table in document.tables.items():
        if not table.columns and item.types:  # a data frame without rows
            document.tables[name] = Table([Column(each, kind, []) for each, kind in item.types.items()])
    tables = {name: table for name, table in document.tables.items() if table.columns}
    if not tables:
        raise InvalidInput(f"{item.options.field}: has no columns.")
    document.tables = tables
    warnings += [f"{prefix}{warning}" for warning in document.facts.warnings]
    return document


def _options(item: TableInput) -> ReadOptions:
    options = replace(item.options, allows_missing_types=True, sheet=item.options.sheet or "*")
    if not item.types or options.types == "text":
        return options
    chosen = options.types if isinstance(options.types, Mapping) else {}
    return replace(options, types={**item.types, **chosen})


def _named(item: TableInput, document: Document) -> Iterator[NamedTable]:
    name = table_name(item.name) or FIRST_TABLE
    if document.facts.input_format != "excel":
        yield NamedTable(name, document.table)
        return
    for place, (sheet, table) in enumerate(document.tables.items()):
        full = f"{name}_{table_name(sheet) or place + 1}"
        yield NamedTable(full, table, () if place or full.lower() == name.lower() else (name,))
