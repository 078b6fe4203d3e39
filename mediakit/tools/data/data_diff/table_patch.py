"""The JSON patch (RFC 6902) that turns the rows of one table, an array of objects, into those of the other."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from mediakit.tools.data.data_diff.json_paths import write_pointer
from mediakit.tools.data.data_diff.options import DiffOptions
from mediakit.tools.data.data_diff.outcome import Operation
from mediakit.tools.data.data_diff.table_diff import TableDiff

MAX_OPERATIONS = 100_000
"""A longer patch is replaced by one that replaces the whole."""


def patch_table(diff: TableDiff, options: DiffOptions) -> list[Operation]:
    """Return the operations: cells and columns first, then rows from the last to the first, then new rows."""
    found = list(islice(_operations(diff, options), MAX_OPERATIONS + 1))
    if len(found) <= MAX_OPERATIONS:
        return found
    return [{"op": "replace", "path": "", "value": list(diff.second.records())}]


def _operations(diff: TableDiff, options: DiffOptions) -> Iterator[Operation]:
    pairs = diff.matching.pairs
    kept = set(diff.kept)
    changes = [set(indexes) for indexes in diff.changes]
    for index in diff.kept:
        yield from _column_operations(diff, *pairs[index])
        yield from _cell_operations(diff, index, changes, options)
    moved = [pair for index, pair in enumerate(pairs) if index not in kept]
    for row in sorted([*diff.matching.removed, *(row for row, _ in moved)], reverse=True):
        yield {"op": "remove", "path": write_pointer([row])}
    names = diff.second.names
    for row2 in sorted([*diff.matching.added, *(row2 for _, row2 in moved)]):
        record = {name: column.values[row2] for name, column in zip(names, diff.second.columns, strict=True)}
        yield {"op": "add", "path": write_pointer([row2]), "value": record}


def _column_operations(diff: TableDiff, row: int, row2: int) -> Iterator[Operation]:
    for column in diff.columns.removed:
        yield {"op": "remove", "path": write_pointer([row, column.name])}
    renamed = {one.name: two.name for one, two in diff.columns.pairs if one.name != two.name}
    if renamed.keys() & set(renamed.values()):  # names are swapped: first to names that no column has
        between = {name: f"\0{name}" for name in renamed}
        yield from _renamings(row, between)
        renamed = {between[name]: new for name, new in renamed.items()}
    yield from _renamings(row, renamed)
    for column in diff.columns.added:
        yield {"op": "add", "path": write_pointer([row, column.name]), "value": column.values[row2]}


def _renamings(row: int, names: Mapping[str, str]) -> Iterator[Operation]:
    for name, new in names.items():
        yield {"op": "move", "from": write_pointer([row, name]), "path": write_pointer([row, new])}


def _cell_operations(
    diff: TableDiff, index: int, changes: Sequence[set[int]], options: DiffOptions
) -> Iterator[Operation]:
    row, row2 = diff.matching.pairs[index]
    for (one, two), changed in zip(diff.columns.pairs, changes, strict=True):
        old, new = one.values[row], two.values[row2]
        if index in changed or (options.is_exact and _differs(old, new)):
            yield {"op": "replace", "path": write_pointer([row, two.name]), "value": new}


def _differs(old: Any, new: Any) -> bool:
    return bool(old != new) or isinstance(old, bool) != isinstance(new, bool)
