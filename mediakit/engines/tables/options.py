"""How a source is read: the options that every data tool has, as plain values that travel to a worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.tables.model import MAX_ROWS, ColumnType

InputFormat = Literal["auto", "csv", "json", "jsonl", "excel", "parquet", "yaml", "toml", "markdown"]
DateOrder = Literal["auto", "dmy", "mdy"]
DecimalMark = Literal["auto", ".", ","]


@dataclass(frozen=True)
class ReadOptions:
    """Options of a reader; `field` is the name that error messages begin with."""

    input_format: InputFormat = "auto"
    encoding: str = "auto"
    delimiter: str | None = None
    header: bool | Literal["auto"] = "auto"
    types: Literal["auto", "text"] | Mapping[str, ColumnType] = "auto"
    decimal: DecimalMark = "auto"
    dates: DateOrder = "auto"
    nulls: Sequence[str] | None = None
    sheet: str | None = None
    """Name of a sheet or its number from 1; `*` for all."""
    merged: Literal["first", "fill"] = "first"
    flatten: bool = True
    max_rows: int | None = None
    field: str = "file"

    @property
    def row_limit(self) -> int:
        """The number of rows to read at most."""
        return MAX_ROWS if self.max_rows is None else self.max_rows
