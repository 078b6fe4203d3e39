"""Rows in chunks: renamed, without missing values, and numbered."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, repeat
from typing import Any

from mediakit.core.inputs import is_missing
from mediakit.core.messages import nearest, quote
from mediakit.errors import InvalidInput, MediakitError


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


class Renaming:
    """Names of columns by their names in the source.

    Args:
        columns: New names by name in the source; other columns keep their names.
        known: Names that columns may have. A first row with one of them is the header of a text file.

    Raises:
        InvalidInput: The mapping is not one of texts, or it gives one name to two columns.
    """

    def __init__(self, columns: Mapping[str, str] | None = None, known: Iterable[str] = ()) -> None:
        given: Any = {} if columns is None else columns
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for pair in given.items() for name in pair):
            raise InvalidInput('columns: must be names of fields by name of column, such as {"Name": "recipient"}.')
        self._columns = dict(given)
        _unique_names((name, column) for column, name in self._columns.items())
        self._known = frozenset([*self._columns, *known])
        self.names = lru_cache(1000)(self._names)
        """Returns the names of the columns of one row or table."""

    def is_header(self, cells: Iterable[Any]) -> bool:
        """Return whether cells of a first row are names of columns."""
        return any(isinstance(cell, str) and cell.strip() in self._known for cell in cells)

    def _names(self, columns: tuple[Any, ...]) -> tuple[str, ...]:
        return _unique_names((self._columns.get(column, column), column) for column in map(str, columns))

    def check(self, columns: Iterable[Any]) -> None:
        """Raise an `InvalidInput` for a name that no column of the source has."""
        known = list(dict.fromkeys(map(str, columns)))
        for name in self._columns:
            if known and name not in known:
                raise InvalidInput(f"columns: no row has a column {quote(name)}; {nearest(name, known)}")


def _unique_names(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the names of pairs of a new name and a name in the source."""
    origin: dict[str, str] = {}
    for name, column in pairs:
        if name in origin:
            if origin[name] == column:
                raise InvalidInput(f"rows: two columns have the name {quote(name)}; names must be unique.")
            both = f"{quote(origin[name])} and {quote(column)}"
            raise InvalidInput(f"columns: {both} have one name, {quote(name)}; names must be unique.")
        origin[name] = column
    return tuple(origin)


CHUNK_ROWS = 1000
"""Most rows of a chunk."""

_NEVER_MISSING = frozenset({str, int, bool})

Pair = tuple[str | None, Any]
"""The name of a row, if it has one, and its values by column or its only value."""


class RowMaker:
    """Builds the rows of a source in order and numbers them from 1."""

    def __init__(self, first: str, renaming: Renaming, *, is_checked: bool = False) -> None:
        self.first = first  # the column for values that are not mappings
        self.count = 0
        """Number of rows built so far."""
        self._renaming = renaming
        self._is_checked = is_checked
        self._seen: dict[str, None] = {}

    def from_columns(self, columns: Sequence[Any], values: Sequence[list[Any]], count: int) -> Iterator[list[Row]]:
        """Iterate over the chunks of a part of a table, which has the values of each column."""
        names = self._names(tuple(columns))
        records: Iterable[tuple[Any, ...]] = zip(*values, strict=True) if values else repeat((), count)
        yield from self._chunks((_present(names, record) for record in records), names)

    def from_texts(self, columns: tuple[str, ...], records: Iterable[Sequence[str]]) -> Iterator[list[Row]]:
        """Iterate over the chunks of records of texts, in which an empty text is missing; a record may be short."""
        names = self._names(columns)
        dicts = ({name: text for name, text in zip(names, record, strict=False) if text} for record in records)
        yield from self._chunks(dicts, names)

    def from_pairs(self, pairs: Sequence[Pair], *, has_shared_columns: bool = False) -> list[Row]:
        """Return the rows of one chunk of records."""
        records = [(name, record_of(value, self.first)) for name, value in pairs]
        if not self._is_checked:
            self._check(column for _, record in records for column in record)
        rows = [self._row(name, record) for name, record in records]
        if not has_shared_columns:
            return rows
        for columns in {row.columns: None for row in rows}:
            self._seen |= dict.fromkeys(columns)
        shared = tuple(self._seen)
        return [row if row.columns == shared else replace(row, columns=shared) for row in rows]

    def _chunks(self, dicts: Iterator[dict[str, Any]], names: tuple[str, ...]) -> Iterator[list[Row]]:
        while part := list(islice(dicts, CHUNK_ROWS)):
            self.count += len(part)
            yield [Row(number, values, names) for number, values in enumerate(part, self.count - len(part) + 1)]

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
        return Row(self.count, _present(names, record.values()), names, name)


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


def _present(names: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    """Return values by name, without missing ones."""
    pairs = zip(names, values, strict=True)
    return {name: value for name, value in pairs if type(value) in _NEVER_MISSING or not is_missing(value)}


Read = Callable[[RowMaker], Iterator[list[Row]]]
"""Reads the rows of a source from its first one, and builds them."""


class RowSource:
    """Rows that are read in chunks."""

    def __init__(
        self,
        read: Read,
        first: str,
        renaming: Renaming,
        *,
        columns: tuple[Any, ...] | None = None,
        total: int | None = None,
        repeatable: bool = False,
        fits_memory: bool = False,
    ) -> None:
        if columns is not None:
            renaming.check(columns)
        self._read = read
        self._first = first
        self._renaming = renaming
        self._readers: list[Generator[list[Row], None, None]] = []
        self.columns = None if columns is None else renaming.names(columns)
        """The columns of all rows, renamed, if they are known before the rows are read."""
        self.total = total
        """Number of rows, if it is known without reading them."""
        self.repeatable = repeatable
        """Whether `chunks` can be called again and returns the same rows."""
        self.fits_memory = fits_memory
        """Whether the rows are in memory, or come from a small file."""

    def chunks(self) -> Iterator[list[Row]]:
        """Read the rows lazily, at most `CHUNK_ROWS` at once. They are numbered from 1.

        Raises:
            InvalidInput: The source is damaged, its columns are invalid, or its rows were read before and are gone.
        """
        if self._readers and not self.repeatable:
            raise InvalidInput("rows: can be read only once; pass a list to read them again.")
        reader = self._chunks(RowMaker(self._first, self._renaming, is_checked=self.columns is not None))
        self._readers.append(reader)
        return reader

    def close(self) -> None:
        """Close open files. Iterators and results of queries belong to the caller and stay open."""
        for reader in self._readers:
            with suppress(ValueError):  # another thread is reading
                reader.close()

    def _chunks(self, maker: RowMaker) -> Generator[list[Row], None, None]:
        try:
            yield from self._read(maker)
        except MediakitError:
            raise
        except Exception as error:
            error.add_note(f"Raised while the rows after row {maker.count} were read.")
            raise
