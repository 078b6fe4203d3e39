"""Converts a table, a list or a dictionary to rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from mediakit.core.inputs import is_missing, is_table
from mediakit.errors import InvalidInput

NOT_ROWS = str | bytes | bytearray
"""Iterable types that are not accepted as rows."""


@dataclass(frozen=True)
class Row:
    """One row, with the name of its result if the rows have names."""

    number: int
    """Number of the row, from 1."""
    values: Mapping[str, Any]
    """Values by column, without missing values."""
    columns: Sequence[str]
    name: str | None = None

    def replaced(self, changes: Mapping[str, Any], aliases: Callable[[str], Sequence[str]]) -> "Row":
        """Return a row with changed values, without the columns that are other names of the same fields."""
        dropped = {alias for name in changes for alias in aliases(name)}
        kept = {column: value for column, value in self.values.items() if column not in dropped}
        return replace(self, values={**kept, **changes}, columns=tuple(dict.fromkeys([*self.columns, *changes])))


def read(source: Any, first: str) -> list[Row]:
    """Return the rows of a DataFrame, a Series, a list of dictionaries or values, or a dictionary of named rows.

    Args:
        source: The rows.
        first: The column for values that are not dictionaries.

    Raises:
        InvalidInput: The source has another type.
    """
    if isinstance(source, Mapping):
        pairs: Iterable[tuple[str | None, Any]] = ((str(name), row) for name, row in source.items())
    elif is_table(source):
        pairs = ((None, row) for row in _table(source))
    elif isinstance(source, Iterable) and not isinstance(source, NOT_ROWS):
        pairs = ((_stem(row), row) for row in source)
    else:
        raise InvalidInput(
            "rows: must be a DataFrame, a list of dictionaries or values, a dictionary, or the path of a table file, "
            f"got {type(source).__name__}."
        )
    return [_row(number, name, row, first) for number, (name, row) in enumerate(pairs, 1)]


def _table(table: Any) -> Iterator[Any]:
    import narwhals as nw

    native = nw.from_native(table, allow_series=True)
    if isinstance(native, nw.LazyFrame):
        native = native.collect()
    yield from native.to_list() if isinstance(native, nw.Series) else native.iter_rows(named=True)


def _row(number: int, name: str | None, row: Any, first: str) -> Row:
    values = {str(column): value for column, value in row.items()} if isinstance(row, Mapping) else {first: row}
    present = {column: value for column, value in values.items() if not is_missing(value)}
    return Row(number, present, tuple(values), name)


def _stem(row: Any) -> str | None:
    return row.stem if isinstance(row, PurePath) else None
