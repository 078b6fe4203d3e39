"""Names of columns as the rows have them, and as the batch uses them."""

from collections.abc import Iterable, Mapping
from typing import Any

from mediakit.core.messages import nearest, quote
from mediakit.errors import InvalidInput

_MAX_CACHED = 1000


class Renaming:
    """Names of columns by their names in the source.

    Args:
        columns: New names by name in the source; other columns keep their names.
        known: Names that columns may have. A first row with one of them is the header of a text file.

    Raises:
        InvalidInput: The mapping is not one of texts, or it gives one name to two columns.
    """

    def __init__(self, columns: Mapping[str, str] | None = None, known: Iterable[str] = ()) -> None:
        self._columns = _checked(columns)
        self._known = frozenset([*self._columns, *known])
        self._cache: dict[tuple[Any, ...], tuple[str, ...]] = {}

    def is_header(self, cells: Iterable[Any]) -> bool:
        """Return whether cells of a first row are names of columns."""
        return any(isinstance(cell, str) and cell.strip() in self._known for cell in cells)

    def names(self, columns: tuple[Any, ...]) -> tuple[str, ...]:
        """Return the names of the columns of one row or table.

        Raises:
            InvalidInput: Two columns have one name.
        """
        found = self._cache.get(columns)
        if found is None:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            found = self._cache[columns] = self._renamed([str(column) for column in columns])
        return found

    def check(self, columns: Iterable[Any]) -> None:
        """Refuse a name that no column of the source has.

        Raises:
            InvalidInput: There is no such column.
        """
        known = list(dict.fromkeys(map(str, columns)))
        for name in self._columns:
            if known and name not in known:
                raise InvalidInput(f"columns: no row has a column {quote(name)}; {nearest(name, known)}")

    def _renamed(self, columns: list[str]) -> tuple[str, ...]:
        origin: dict[str, str] = {}
        for column in columns:
            name = self._columns.get(column, column)
            if name in origin:
                raise InvalidInput(_twice(name, origin[name], column))
            origin[name] = column
        return tuple(origin)


def _twice(name: str, first: str, second: str) -> str:
    if first == second:
        return f"rows: two columns have the name {quote(name)}; names must be unique."
    return f"columns: {quote(first)} and {quote(second)} have one name, {quote(name)}; names must be unique."


def _checked(columns: Any) -> dict[str, str]:
    if columns is None:
        return {}
    if not isinstance(columns, Mapping) or not all(isinstance(name, str) for pair in columns.items() for name in pair):
        raise InvalidInput('columns: must be names of fields by name of column, such as {"Name": "recipient"}.')
    origin: dict[str, str] = {}
    for column, name in columns.items():
        if name in origin:
            raise InvalidInput(_twice(name, origin[name], column))
        origin[name] = column
    return dict(columns)
