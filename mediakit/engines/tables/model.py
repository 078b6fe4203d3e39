"""Tables in memory: named columns of one type each, and what reading a source found out about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

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

    def at(self, rows: Sequence[int]) -> list[Any]:
        """Return the values of these rows, from 0."""
        return [self.values[row] for row in rows]

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
