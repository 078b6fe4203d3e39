"""A query as plain values, and its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import TypedDict

from mediakit.engines.tables.model import ColumnType
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source

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
