"""The differences between two tables."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import ne
from typing import Any

from mediakit.core.messages import quote
from mediakit.engines.tables.model import Column, Table
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import is_close
from mediakit.tools.data.data_diff.column_pairs import (
    ColumnPairs,
    pair_columns,
    pair_equal_content,
    pair_matched_content,
)
from mediakit.tools.data.data_diff.keys import Candidate, find_key, key_values
from mediakit.tools.data.data_diff.lazy_pairs import LazyPair, Values
from mediakit.tools.data.data_diff.matching import Matching, match_by_content, match_by_key
from mediakit.tools.data.data_diff.moves import in_order
from mediakit.tools.data.data_diff.options import DiffOptions
from mediakit.tools.data.data_diff.packed import packed_differences

_NUMBERS = ("integer", "number")


@dataclass
class TableDiff:
    """Two tables, which of their columns and rows are the same, and which cells differ."""

    first: Table
    second: Table
    columns: ColumnPairs
    key: list[str] | None
    key_found: bool
    matching: Matching
    changes: list[list[int]]
    """For each pair of columns the indexes of the pairs of rows whose cells differ."""
    kept: list[int]
    """Indexes of the pairs of rows that keep their order."""
    moved_columns: list[str]

    @property
    def moved(self) -> int:
        """Number of rows in another order."""
        return len(self.matching.pairs) - len(self.kept)

    def key_of(self, row: int, side: int = 0) -> dict[str, Any] | None:
        """Return the key of a row by the names of the first table; None without a key."""
        if self.key is None:
            return None
        pairs = {pair[0].name: pair[side] for pair in self.columns.pairs}
        return {name: pairs[name].values[row] for name in self.key}


def diff_tables(first: Table, second: Table, options: DiffOptions) -> TableDiff:
    """Compare two tables.

    Raises:
        InvalidInput: An option names a column that does not exist, or a key is not unique with `strict_keys`.
    """
    columns = pair_columns(first, second, options)
    if options.rename is None:
        pair_equal_content(columns)
        columns.sort(first.names)
    values: list[Values] = [LazyPair(one, two, options) for one, two in columns.pairs]
    key, is_found = _key(columns, values, options)
    matching = _match(key, columns, values, (len(first), len(second)), options)
    if options.rename is None:
        before = len(columns.pairs)
        pair_matched_content(columns, matching.pairs)
        values += [LazyPair(one, two, options) for one, two in columns.pairs[before:]]
    changes = _changes(columns, values, matching, options)
    kept = in_order([row2 for _, row2 in matching.pairs])
    return TableDiff(
        first, second, columns, key, is_found, matching, changes, kept, _moved_columns(columns, first, second)
    )


def _key(columns: ColumnPairs, values: Sequence[Values], options: DiffOptions) -> tuple[list[str] | None, bool]:
    """Return the names of the key's columns in the first table, and whether they were found."""
    if options.key:
        return _chosen_key(options.key, columns), False
    candidates = [
        Candidate(one.name, "number" if "number" in (one.type, two.type) else one.type, *both)
        for (one, two), both in zip(columns.pairs, values, strict=True)
    ]
    found = list(find_key(candidates))
    return found or None, bool(found)


def _chosen_key(key: Sequence[str], columns: ColumnPairs) -> list[str]:
    by_name = {two.name: one.name for one, two in columns.pairs} | {one.name: one.name for one, _ in columns.pairs}
    only_first = {column.name for column in columns.removed}
    for name in key:
        if name not in by_name:
            raise InvalidInput(f"key: {quote(name)} is not in {'file2' if name in only_first else 'file'}.")
    return list(dict.fromkeys(by_name[name] for name in key))


def _match(
    key: list[str] | None,
    columns: ColumnPairs,
    values: Sequence[Values],
    counts: tuple[int, int],
    options: DiffOptions,
) -> Matching:
    if key is None:
        return match_by_content(values, options, counts)
    by_name = {pair[0].name: both for pair, both in zip(columns.pairs, values, strict=True)}
    keys, keys2 = (key_values([by_name[name][side] for name in key]) for side in (0, 1))
    if options.strict_keys:
        _check_unique(keys, "file", key)
        _check_unique(keys2, "file2", key)
    return match_by_key(keys, keys2, values, options)


def _check_unique(keys: Sequence[Hashable], field: str, names: Sequence[str]) -> None:
    if len(set(keys)) == len(keys):
        return
    seen: set[Hashable] = set()
    repeated = next(key for key in keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    values = repeated if isinstance(repeated, tuple) else (repeated,)
    shown = ", ".join(f"{name} {str(value)[:80]}" for name, value in zip(names, values, strict=True))
    raise InvalidInput(f"key: {keys.count(repeated):,} rows of {field} have {shown}.")


def _changes(
    columns: ColumnPairs,
    values: Sequence[Values],
    matching: Matching,
    options: DiffOptions,
) -> list[list[int]]:
    rows, rows2 = [row for row, _ in matching.pairs], [row2 for _, row2 in matching.pairs]
    is_whole, is_whole2 = (_is_whole(numbers) for numbers in (rows, rows2))
    found = []
    for (one, two), both in zip(columns.pairs, values, strict=True):
        packed = packed_differences(one, two, rows, rows2) if options.is_exact else None
        if packed is not None:
            found.append(packed)
            continue
        first, second = both
        cells, cells2 = _at(first, rows, is_whole=is_whole), _at(second, rows2, is_whole=is_whole2)
        different = [] if cells == cells2 else list(compress(count(), map(ne, cells, cells2)))
        if options.is_tolerant and {one.type, two.type} & {*_NUMBERS, "text"}:
            different = [index for index in different if not is_close(cells[index], cells2[index], options)]
        found.append(different)
    return found


def _is_whole(rows: Sequence[int]) -> bool:
    """Return whether rows are numbered from 0 without a gap."""
    return not rows or ((rows[0], rows[-1]) == (0, len(rows) - 1) and rows == list(range(len(rows))))


def _at(values: list[Any], rows: Sequence[int], *, is_whole: bool) -> list[Any]:
    return values if is_whole and len(rows) == len(values) else [values[row] for row in rows]


def _moved_columns(columns: ColumnPairs, first: Table, second: Table) -> list[str]:
    """Return the names of the columns in another order."""
    place, place2 = ({column.name: index for index, column in enumerate(table.columns)} for table in (first, second))
    pairs: list[tuple[Column, Column]] = sorted(columns.pairs, key=lambda pair: place[pair[0].name])
    kept = set(in_order([place2[two.name] for _, two in pairs]))
    return [one.name for index, (one, _) in enumerate(pairs) if index not in kept]
