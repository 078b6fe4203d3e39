"""The key of two tables: the smallest set of columns by which each row of both is unique."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

MAX_KEY_COLUMNS = 10
_MAX_FOUND_COLUMNS = 3
_MAX_CANDIDATES = 12
"""Columns that are combined."""

_MAX_CHECKS = 60
"""Combinations that are checked on all rows."""

_HEAD = 1000
_SAMPLE = 2000


@dataclass(frozen=True)
class Candidate:
    """A column that may be part of a key."""

    name: str
    type: str
    values: list[Any]
    values2: list[Any]


def key_values(columns: Sequence[list[Any]]) -> list[Hashable]:
    """Return the key of each row: the value of one column, or a tuple."""
    return list(columns[0]) if len(columns) == 1 else list(zip(*columns, strict=True))


def find_key(columns: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the names of the smallest unique set of columns that pairs rows of both tables; empty if there is none.

    Columns with nulls and measurements (numbers with fractions) are not keys. Of several sets of one
    size the one is best by which most cells are equal.
    """
    usable = [
        column for column in columns if column.type not in ("number", "boolean") and column.values and column.values2
    ]
    usable = [column for column in usable if None not in column.values and None not in column.values2]
    for size in range(1, _MAX_FOUND_COLUMNS + 1):
        found = [names for names in _unique_sets(usable, size) if _pairs_rows(names)]
        if found:
            best = max(found, key=lambda names: _agreement(names, columns))
            return tuple(column.name for column in best)
    return ()


def _unique_sets(usable: Sequence[Candidate], size: int) -> Iterator[tuple[Candidate, ...]]:
    if size == 1:
        yield from ((column,) for column in usable if _is_unique((column,)))
        return
    distinct = {column.name: len(set(column.values)) for column in usable}
    chosen = sorted(usable, key=lambda column: -distinct[column.name])[:_MAX_CANDIDATES]
    chosen = [column for column in usable if column in chosen and distinct[column.name] > 1]
    if not chosen or len(set(key_values([column.values for column in chosen]))) < len(chosen[0].values):
        return
    possible = (each for each in combinations(chosen, size) if _may_be_unique(each, distinct))
    yield from islice((each for each in islice(possible, _MAX_CHECKS) if _is_unique(each)), 5)


def _may_be_unique(columns: Sequence[Candidate], distinct: Mapping[str, int]) -> bool:
    most = 1
    for column in columns:
        most *= distinct[column.name]
    if most < len(columns[0].values):
        return False
    heads = key_values([column.values[:_HEAD] for column in columns])
    return len(set(heads)) == len(heads)


def _is_unique(columns: Sequence[Candidate]) -> bool:
    for values in ([column.values for column in columns], [column.values2 for column in columns]):
        head = key_values([column[:_HEAD] for column in values])
        if len(set(head)) < len(head):
            return False
        keys = key_values(values)
        if len(set(keys)) < len(keys):
            return False
    return True


def _pairs_rows(columns: Sequence[Candidate]) -> bool:
    """Return whether a row of one table has the key of a row of the other."""
    keys = key_values([column.values for column in columns])
    return not set(keys).isdisjoint(key_values([column.values2 for column in columns]))


def _agreement(names: Sequence[Candidate], columns: Sequence[Candidate]) -> float:
    """Return how many cells of the tables are equal if their rows are matched by these columns, from a sample."""
    keys = key_values([column.values for column in names])
    places2 = {key: row for row, key in enumerate(key_values([column.values2 for column in names]))}
    step = max(1, len(keys) // _SAMPLE)
    pairs = [(row, places2[keys[row]]) for row in range(0, len(keys), step) if keys[row] in places2]
    return float(sum(sum(column.values[row] == column.values2[row2] for row, row2 in pairs) for column in columns))
