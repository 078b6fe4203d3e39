"""How a source is read: the options that every data tool has, as plain values that travel to a worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.tables.model import MAX_CELLS, MAX_ROWS, ColumnType

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
