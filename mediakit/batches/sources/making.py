"""Builds rows from columns and from records, without missing values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import repeat
from pathlib import PurePath
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.renaming import Renaming
from mediakit.core.inputs import is_missing

CHUNK_ROWS = 1000
"""Most rows of a chunk."""

_NEVER_MISSING = frozenset({str, int, bool})

Pair = tuple[str | None, Any]
"""The name of a row, if it has one, and its values by column or its only value."""


class RowMaker:
    """Builds the rows of a source in order and numbers them from 1.

    Args:
        first: The column for values that are not mappings.
        renaming: New names of columns.
        is_checked: Whether the columns that are renamed are known to exist; otherwise the first rows must have them.
    """

    def __init__(self, first: str, renaming: Renaming, *, is_checked: bool = False) -> None:
        self.first = first
        self.count = 0
        """Number of rows built so far."""
        self._renaming = renaming
        self._is_checked = is_checked
        self._seen: dict[str, None] = {}

    def from_columns(self, columns: Sequence[Any], values: Sequence[list[Any]], count: int) -> Iterator[list[Row]]:
        """Iterate over the chunks of a part of a table.

        Args:
            columns: Names of the columns.
            values: Values of each column.
            count: Number of rows.
        """
        names = self._names(tuple(columns))
        cleaned = list(map(_without_missing, values))
        has_missing = any(clean is not column or None in clean for clean, column in zip(cleaned, values, strict=True))
        records: Iterable[tuple[Any, ...]] = zip(*cleaned, strict=True) if cleaned else repeat((), count)
        yield from self._chunks(_dicts(names, records, has_missing=has_missing), names)

    def from_texts(self, columns: tuple[str, ...], records: Iterable[Sequence[str]]) -> Iterator[list[Row]]:
        """Iterate over the chunks of records of texts, in which an empty text is missing; a record may be short."""
        names = self._names(columns)
        dicts = ({name: text for name, text in zip(names, record, strict=False) if text} for record in records)
        yield from self._chunks(dicts, names)

    def from_pairs(self, pairs: Sequence[Pair], *, has_shared_columns: bool = False) -> list[Row]:
        """Return the rows of one chunk of records.

        Args:
            pairs: The name of each row, if it has one, and its values by column or its only value.
            has_shared_columns: Whether each row has the columns of all rows so far, as the rows of a table have.
        """
        records = [(name, record_of(value, self.first)) for name, value in pairs]
        if not self._is_checked:
            self._check(column for _, record in records for column in record)
        rows = [self._row(name, record) for name, record in records]
        return self._with_shared_columns(rows) if has_shared_columns else rows

    def _with_shared_columns(self, rows: list[Row]) -> list[Row]:
        for columns in {row.columns: None for row in rows}:
            self._seen |= dict.fromkeys(columns)
        shared = tuple(self._seen)
        return [row if row.columns == shared else replace(row, columns=shared) for row in rows]

    def _chunks(self, dicts: Iterator[dict[str, Any]], names: tuple[str, ...]) -> Iterator[list[Row]]:
        chunk: list[Row] = []
        for values in dicts:
            self.count += 1
            chunk.append(Row(self.count, values, names))
            if len(chunk) == CHUNK_ROWS:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def _names(self, columns: tuple[Any, ...]) -> tuple[str, ...]:
        if not self._is_checked:
            self._check(columns)
        return self._renaming.names(columns)

    def _check(self, columns: Iterable[Any]) -> None:
        self._renaming.check(columns)
        self._is_checked = True

    def _row(self, name: str | None, record: Mapping[Any, Any]) -> Row:
        self.count += 1
        names = self._renaming.names(tuple(record))
        values = {
            column: value
            for column, value in zip(names, record.values(), strict=True)
            if type(value) in _NEVER_MISSING or not is_missing(value)
        }
        return Row(self.count, values, names, name)


def stem(value: Any) -> str | None:
    """Return the name of a row that is a path."""
    return value.stem if isinstance(value, PurePath) else None


def record_of(value: Any, first: str) -> Mapping[Any, Any]:
    """Return the values of a row by column; a value that is not a mapping is that of the first column."""
    if isinstance(value, Mapping):
        return value
    mapping = getattr(value, "_mapping", None)  # of the rows of SQLAlchemy
    return mapping if isinstance(mapping, Mapping) else {first: value}


def columns_of(records: Iterable[Any], first: str) -> tuple[str, ...]:
    """Return the columns of records that are in memory."""
    found: dict[Any, None] = {}
    for value in records:
        record = record_of(value, first)
        if record.keys() != found.keys():
            found |= dict.fromkeys(record)
    return tuple(map(str, found))


def _dicts(names: tuple[str, ...], records: Iterable[Sequence[Any]], *, has_missing: bool) -> Iterator[dict[str, Any]]:
    if not has_missing:
        return (dict(zip(names, record, strict=True)) for record in records)
    return ({name: value for name, value in zip(names, record, strict=True) if value is not None} for record in records)


def _without_missing(values: list[Any]) -> list[Any]:
    """Return a column with None for its missing values; the column itself if it has no others."""
    kinds = set(map(type, values))
    if kinds <= _NEVER_MISSING | {type(None)}:
        return values
    if kinds <= _NEVER_MISSING | {type(None), float}:
        return [value if value == value else None for value in values]  # noqa: PLR0124  # NaN is not equal to itself
    return [None if is_missing(value) else value for value in values] if any(map(_may_be_missing, kinds)) else values


@cache
def _may_be_missing(kind: type) -> bool:
    """Return whether a value of a type other than None can be missing."""
    return kind.__name__ in ("NAType", "NaTType") or (hasattr(kind, "__float__") and not hasattr(kind, "__len__"))
