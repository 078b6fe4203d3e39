"""Tables in memory: named columns of one type each, how a source is read, names of columns, and the largest table."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Literal, get_args

from mediakit.core.suggestions import similar
from mediakit.errors import InvalidInput

ColumnType = Literal["text", "integer", "number", "boolean", "date", "datetime", "time", "json"]

COLUMN_TYPES: tuple[str, ...] = get_args(ColumnType)

DURATION = "h:mm:ss"
"""The unit of durations, which are texts because they may have more than 24 hours, or be below zero."""

MAX_ROWS = 1_000_000
MAX_COLUMNS = 2_000
MAX_CELLS = 5_000_000


@dataclass
class Column:
    """A column: its name, its type and a value per row; None is null.

    Integers are `int`, numbers `int`, `float` or `Decimal` (where a float would lose digits), booleans `bool`. Text,
    dates, datetimes and times are `str`, the last three in ISO 8601. Nested values of type `json` are lists and dicts.
    """

    name: str
    type: ColumnType
    values: list[Any]
    cells: list[Any] | None = None
    """The cells as the source has them, if `ReadOptions.keep_cells` asks for them."""
    unit: str | None = None
    """What all cells have beside their number: `%`, a currency; `DURATION` for texts such as 37:45:00."""

    @property
    def row_count(self) -> int:
        """Number of values."""
        return len(self.values)

    def part(self, rows: slice) -> "Column":
        """Return a column of some rows, without the cells of the source."""
        return Column(self.name, self.type, self.values[rows], unit=self.unit)

    def renamed(self, name: str) -> "Column":
        """Return the column with another name, without the cells of the source."""
        return Column(name, self.type, self.values, unit=self.unit)


@dataclass
class Table:
    """Columns of equal length."""

    columns: list[Column]

    @property
    def names(self) -> list[str]:
        """Names of the columns, in order."""
        return [column.name for column in self.columns]

    def __len__(self) -> int:
        return self.columns[0].row_count if self.columns else 0

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows as tuples."""
        return zip(*(column.values for column in self.columns), strict=True)

    def records(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows as dicts by column name."""
        names = self.names
        return (dict(zip(names, row, strict=True)) for row in self.rows())

    def chunks(self, rows: int = 20_000) -> Iterator["Table"]:
        """Iterate over the table in parts of at most so many rows, which writers handle in little memory."""
        for start in range(0, len(self), rows):
            yield Table([column.part(slice(start, start + rows)) for column in self.columns])

    def head(self, count: int) -> "Table":
        """Return the first rows as a table of their own."""
        return Table([column.part(slice(count)) for column in self.columns])


@dataclass
class Facts:
    """What reading found out about a source; each None where the question does not arise."""

    input_format: str = ""
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    date_order: str | None = None
    sheet: str | None = None
    sheets: list[str] | None = None
    skipped_lines: int = 0
    warnings: list[str] = field(default_factory=list)

    def described(self) -> dict[str, Any]:
        """Return what a response says of the source in its meta."""
        names = ("input_format", "encoding", "delimiter", "decimal", "date_order", "sheet", "sheets")
        return {name: getattr(self, name) for name in (*names, "skipped_lines", "warnings")}

    def warn(self, sentence: str) -> None:
        """Add a warning, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


@dataclass
class Document:
    """What a source holds: tables by name (one, unless all sheets of a workbook were read), or a value of any shape."""

    facts: Facts
    tables: dict[str, Table] = field(default_factory=dict)
    value: Any = None
    is_value: bool = False
    is_grid: bool = False
    """Whether the table is the bare grid of a sheet, whose columns have no names."""

    @property
    def table(self) -> Table:
        """The only table."""
        return next(iter(self.tables.values()))


ROWS_FOR_TYPES = 10_000
"""Rows that decide the types of columns even if fewer are wanted."""

InputFormat = Literal["auto", "csv", "json", "jsonl", "excel", "parquet", "yaml", "toml", "markdown"]
DateOrder = Literal["auto", "dmy", "mdy"]
DecimalMark = Literal["auto", ".", ","]


@dataclass(frozen=True)
class ReadOptions:
    """Options of a reader; `field` is the name that error messages begin with."""

    input_format: InputFormat = "auto"
    encoding: str = "auto"
    delimiter: str | None = None
    skip: int | None = None
    """Lines or rows above the table; None to find them."""
    header: bool | Literal["auto"] = "auto"
    types: Literal["auto", "text"] | Mapping[str, ColumnType] = "auto"
    allows_missing_types: bool = False
    """Whether `types` may name columns that the table does not have, as it does where another table has them."""
    decimal: DecimalMark = "auto"
    dates: DateOrder = "auto"
    nulls: Sequence[str] | None = None
    sheet: str | None = None
    """Name of a sheet or its number from 1; `*` for all."""
    merged: Literal["first", "fill"] = "first"
    flatten: bool = True
    max_rows: int | None = None
    has_max_rows: bool = False
    """Whether the caller can set `max_rows`, which errors then name."""
    keep_cells: bool = False
    """Whether the columns keep their cells as the source has them, beside their values."""
    field: str = "file"

    def row_limit(self, columns: int = 1) -> int:
        """Return the number of rows to read at most: with few rows wanted, more of them to decide the types."""
        if self.max_rows is None:
            return MAX_ROWS
        return max(self.max_rows, min(ROWS_FOR_TYPES, MAX_CELLS // max(1, columns)))


def unique_names(names: Iterable[str]) -> list[str]:
    """Return trimmed names, an empty one as `column_2` and a repeated one as `value_2`."""
    return distinct_names([name.strip() for name in names], str)


def distinct_names(names: Sequence[str], key: Callable[[str], str]) -> list[str]:
    """Return names with different keys: the first one of each keeps its form, and so does any later one that can."""
    used = set(map(key, names))
    seen: set[str] = set()
    found: list[str] = []
    numbers: defaultdict[str, Iterator[int]] = defaultdict(partial(count, 2))
    for place, name in enumerate(names, 1):
        wanted = name or f"column_{place}"
        is_kept = name and key(name) not in seen
        found.append(name if is_kept else free_name(wanted, used, key, numbers[wanted]))
        seen.add(key(found[-1]))
        used.add(key(found[-1]))
    return found


def free_name(name: str, taken: Container[str], key: Callable[[str], str], numbers: Iterator[int] | None = None) -> str:
    """Return the name, or the first form of it with one of these numbers, by default from 2, whose key is not taken."""
    found, left = name, numbers or count(2)
    while key(found) in taken:
        found = f"{name}_{next(left)}"
    return found


def numbered_names(count: int) -> list[str]:
    """Return `column_1`, `column_2` and so on."""
    return [f"column_{place}" for place in range(1, count + 1)]


def missing(name: str, known: Sequence[str], noun: str = "column") -> str:
    """Say that there is no such column, with the nearest name or the names that there are."""
    if near := similar(name, known):
        return f'there is no {noun} "{name[:80]}"; did you mean "{near[:80]}"?'
    shown = ", ".join(f'"{each[:40]}"' for each in known[:8])
    return f'there is no {noun} "{name[:80]}"; there are {shown}{", ..." if len(known) > 8 else ""}.'


def check_size(rows: int, columns: int, options: ReadOptions) -> None:
    """Refuse a table that is larger than allowed.

    Raises:
        InvalidInput: It has too many rows, columns or cells; with `max_rows` only the rows wanted count.
    """
    advice = "; set max_rows to read the first ones." if options.has_max_rows else "."
    wanted = rows if options.max_rows is None else min(rows, options.max_rows)
    if options.max_rows is None and rows > MAX_ROWS:
        raise InvalidInput(f"{options.field}: has more than {MAX_ROWS:,} rows{advice}")
    if columns > MAX_COLUMNS:
        raise InvalidInput(f"{options.field}: must have at most {MAX_COLUMNS:,} columns, got {columns:,}.")
    if wanted * columns > MAX_CELLS:
        raise InvalidInput(
            f"{options.field}: must have at most {MAX_CELLS:,} cells, got {wanted:,} rows of {columns:,} columns"
            f"{advice}"
        )
