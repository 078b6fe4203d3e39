"""The differences of two tables, as changes of rows and as a patch."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress, count, islice
from operator import ne
from typing import Any

from mediakit.core.messages import quote
from mediakit.engines.tables.model import Column, Table
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import (
    Operation,
    Outcome,
    comparable,
    is_close,
    plain,
    summary,
)
from mediakit.tools.data.data_diff.columns import ColumnPairs, pair_columns, pair_equal_content, pair_matched_content
from mediakit.tools.data.data_diff.request import DataDiffRequest
from mediakit.tools.data.data_diff.rows import (
    MAX_ROWS,
    Candidate,
    Columns,
    Matching,
    find_key,
    in_order,
    key_values,
    match_by_content,
    match_by_key,
    row_name,
)
from mediakit.tools.data.data_diff.tree_diff import write_pointer

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


def diff_tables(first: Table, second: Table, options: DataDiffRequest) -> TableDiff:
    """Compare two tables.

    Raises:
        InvalidInput: An option names a column that does not exist, or a key is not unique with `strict_keys`.
    """
    columns = pair_columns(first, second, options)
    if options.rename is None:
        pair_equal_content(columns)
        place = {name: index for index, name in enumerate(first.names)}
        columns.pairs.sort(key=lambda pair: place[pair[0].name])
    values = [comparable(one, two, options) for one, two in columns.pairs]
    key, is_found = _key(columns, values, options)
    matching = _match(key, columns, values, (len(first), len(second)), options)
    if options.rename is None:
        before = len(columns.pairs)
        pair_matched_content(columns, matching.pairs)
        values += [comparable(one, two, options) for one, two in columns.pairs[before:]]
    changes = _changes(columns, values, matching, options)
    kept = in_order([row2 for _, row2 in matching.pairs])
    place, place2 = ({name: index for index, name in enumerate(table.names)} for table in (first, second))
    pairs = sorted(columns.pairs, key=lambda pair: place[pair[0].name])
    in_place = set(in_order([place2[two.name] for _, two in pairs]))
    moved = [one.name for index, (one, _) in enumerate(pairs) if index not in in_place]
    return TableDiff(first, second, columns, key, is_found, matching, changes, kept, moved)


def _key(columns: ColumnPairs, values: Columns, options: DataDiffRequest) -> tuple[list[str] | None, bool]:
    """Return the names of the key's columns in the first table, and whether they were found."""
    if options.key:
        by_name = {two.name: one.name for one, two in columns.pairs} | {one.name: one.name for one, _ in columns.pairs}
        only_first = {column.name for column in columns.removed}
        for name in options.key:
            if name not in by_name:
                raise InvalidInput(f"key: {quote(name)} is not in {'file2' if name in only_first else 'file'}.")
        return list(dict.fromkeys(by_name[name] for name in options.key)), False
    candidates = [
        Candidate(one.name, "number" if "number" in (one.type, two.type) else one.type, *both)
        for (one, two), both in zip(columns.pairs, values, strict=True)
    ]
    found = list(find_key(candidates))
    return found or None, bool(found)


def _match(
    key: list[str] | None,
    columns: ColumnPairs,
    values: Columns,
    counts: tuple[int, int],
    options: DataDiffRequest,
) -> Matching:
    if key is None:
        return match_by_content(values, options, counts)
    by_name = {pair[0].name: both for pair, both in zip(columns.pairs, values, strict=True)}
    keys, keys2 = (key_values([by_name[name][side] for name in key]) for side in (0, 1))
    for field, found in (("file", keys), ("file2", keys2)) if options.strict_keys else ():
        if len(set(found)) < len(found):
            seen: set[Hashable] = set()
            repeated = next(each for each in found if each in seen or seen.add(each))  # type: ignore[func-returns-value]
            parts = repeated if isinstance(repeated, tuple) else (repeated,)
            shown = ", ".join(f"{name} {str(value)[:80]}" for name, value in zip(key, parts, strict=True))
            raise InvalidInput(f"key: {found.count(repeated):,} rows of {field} have {shown}.")
    return match_by_key(keys, keys2, values, options)


def _changes(
    columns: ColumnPairs,
    values: Columns,
    matching: Matching,
    options: DataDiffRequest,
) -> list[list[int]]:
    rows, rows2 = [row for row, _ in matching.pairs], [row2 for _, row2 in matching.pairs]
    are_whole = [not each or (each[-1] == len(each) - 1 and each == list(range(len(each)))) for each in (rows, rows2)]
    found = []
    for (one, two), both in zip(columns.pairs, values, strict=True):
        cells, cells2 = (
            column if is_whole and len(numbers) == len(column) else [column[row] for row in numbers]
            for column, numbers, is_whole in zip(both, (rows, rows2), are_whole, strict=True)
        )
        different = [] if cells == cells2 else list(compress(count(), map(ne, cells, cells2)))
        if options.is_tolerant and {one.type, two.type} & {*_NUMBERS, "text"}:
            different = [index for index in different if not is_close(cells[index], cells2[index], options)]
        found.append(different)
    return found


MAX_OPERATIONS = 100_000
"""A longer patch is replaced by one that replaces the whole."""


def patch_table(diff: TableDiff, options: DataDiffRequest) -> list[Operation]:
    """Return the operations: cells and columns first, then rows from the last to the first, then new rows."""
    found = list(islice(_operations(diff, options), MAX_OPERATIONS + 1))
    is_too_long = len(found) > MAX_OPERATIONS
    return [{"op": "replace", "path": "", "value": list(diff.second.records())}] if is_too_long else found


def _operations(diff: TableDiff, options: DataDiffRequest) -> Iterator[Operation]:
    pairs = diff.matching.pairs
    kept = set(diff.kept)
    changes = [set(indexes) for indexes in diff.changes]
    for index in diff.kept:
        row, row2 = pairs[index]
        yield from _column_operations(diff, row, row2)
        for (one, two), changed in zip(diff.columns.pairs, changes, strict=True):
            old, new = one.values[row], two.values[row2]
            is_other = old != new or isinstance(old, bool) != isinstance(new, bool)
            if index in changed or (options.is_exact and is_other):
                yield {"op": "replace", "path": write_pointer([row, two.name]), "value": new}
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


def describe(diff: TableDiff, options: DataDiffRequest) -> Outcome:
    """Return the fields of the response for two tables."""
    columns, matching = diff.columns, diff.matching
    changed = sorted(set().union(*diff.changes))
    renamed = [{"from": one.name, "to": two.name} for one, two in columns.pairs if one.name != two.name]
    counts = summary(
        added=len(matching.added),
        removed=len(matching.removed),
        changed=len(changed),
        moved=diff.moved,
        unchanged=len(matching.pairs) - len(changed),
        columns_added=len(columns.added),
        columns_removed=len(columns.removed),
        columns_renamed=len(renamed),
        cells_changed=sum(map(len, diff.changes)),
    )
    limit = options.max_changes
    differing = ("added", "removed", "changed", "columns_added", "columns_removed")
    is_different = columns.guessed or any(counts[name] for name in differing)
    fields = {
        "same": not is_different and (options.ignore_order or not (diff.moved or diff.moved_columns)),
        "mode": "table",
        "summary": counts,
        "added": _rows(diff, 1, matching.added[:limit]),
        "removed": _rows(diff, 0, matching.removed[:limit]),
        "changed": _changed(diff, changed[:limit]),
        "columns": {
            "added": [column.name for column in columns.added],
            "removed": [column.name for column in columns.removed],
            "renamed": renamed,
            "type_changed": [
                {"column": one.name, "from": one.type, "to": two.type}
                for one, two in columns.pairs
                if one.type != two.type
            ],
            "moved": diff.moved_columns,
        },
        "key": diff.key,
        "key_found": diff.key_found,
        "duplicate_keys": [
            {
                "key": _plain_key(diff, each.rows[0]) if each.rows else _plain_key(diff, each.rows2[0], 1),
                "rows": [row + 1 for row in each.rows[:limit]],
                "rows2": [row + 1 for row in each.rows2[:limit]],
            }
            for each in diff.matching.duplicates[:limit]
        ],
        "truncated": max(len(matching.added), len(matching.removed), len(changed), len(matching.duplicates)) > limit,
    }
    found = [
        f'Columns "{one.name}" and "{two.name}" have equal content and are compared as one that was renamed.'
        for one, two in diff.columns.guessed
    ]
    repeated = len(diff.matching.duplicates)
    if repeated:
        subject = "1 key stands" if repeated == 1 else f"{repeated:,} keys stand"
        found.append(f"{subject} in more than one row; such rows are matched by similarity.")
    if diff.matching.is_partial:
        found.append(
            f"Without a key, more than {MAX_ROWS:,} rows are not matched by similarity; they are listed as added and "
            "removed. Set key."
        )
    if not diff.columns.pairs and diff.first.columns and diff.second.columns:
        found.append("The tables have no column in common.")
    meta = {
        "rows": len(diff.first),
        "rows2": len(diff.second),
        "columns": _described(diff.first),
        "columns2": _described(diff.second),
        "warnings": found,
    }
    patch = patch_table(diff, options) if options.format == "patch" else []
    return Outcome(fields, meta, patch)


def _described(table: Table) -> list[dict[str, str]]:
    return [{"name": column.name, "type": column.type} for column in table.columns]


def _rows(diff: TableDiff, side: int, rows: list[int]) -> list[dict[str, Any]]:
    """Return rows with their numbers, without the columns that are ignored."""
    table = (diff.first, diff.second)[side]
    lone = (diff.columns.removed, diff.columns.added)[side]
    kept = {id(column) for column in (*lone, *(pair[side] for pair in diff.columns.pairs))}
    shown: list[Column] = [column for column in table.columns if id(column) in kept]
    number = row_name(table.names)
    cells = [[plain(column.values[row]) for row in rows] for column in shown]
    names = [column.name for column in shown]
    found = zip(*cells, strict=True) if shown else ([] for _ in rows)
    return [{number: row + 1, **dict(zip(names, values, strict=True))} for row, values in zip(rows, found, strict=True)]


def _changed(diff: TableDiff, chosen: list[int]) -> list[dict[str, Any]]:
    cells: dict[int, dict[str, Any]] = {index: {} for index in chosen}
    last = chosen[-1] if chosen else -1
    for (one, two), indexes in zip(diff.columns.pairs, diff.changes, strict=True):
        for index in indexes:
            if index > last:
                break
            row, row2 = diff.matching.pairs[index]
            cells[index][one.name] = {"from": plain(one.values[row]), "to": plain(two.values[row2])}
    found = []
    for index, changes in cells.items():
        row, row2 = diff.matching.pairs[index]
        found.append({"key": _plain_key(diff, row), "row": row + 1, "row2": row2 + 1, "changes": changes})
    return found


def _plain_key(diff: TableDiff, row: int, side: int = 0) -> dict[str, Any] | None:
    key = diff.key_of(row, side)
    return None if key is None else {name: plain(value) for name, value in key.items()}
