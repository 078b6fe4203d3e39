"""The response for two tables."""

from typing import Any

from mediakit.engines.tables.model import Column, Table
from mediakit.tools.data.data_diff.options import DiffOptions
from mediakit.tools.data.data_diff.outcome import Outcome, plain, summary
from mediakit.tools.data.data_diff.row_names import row_name
from mediakit.tools.data.data_diff.similarity import MAX_ROWS
from mediakit.tools.data.data_diff.table_diff import TableDiff
from mediakit.tools.data.data_diff.table_patch import patch_table


def describe(diff: TableDiff, options: DiffOptions) -> Outcome:
    """Return the fields of the response for two tables."""
    columns, matching = diff.columns, diff.matching
    changed = sorted(set().union(*diff.changes))
    counts = summary(
        added=len(matching.added),
        removed=len(matching.removed),
        changed=len(changed),
        moved=diff.moved,
        unchanged=len(matching.pairs) - len(changed),
        columns_added=len(columns.added),
        columns_removed=len(columns.removed),
        columns_renamed=len(_renamed(diff)),
        cells_changed=sum(map(len, diff.changes)),
    )
    limit = options.max_changes
    fields = {
        "same": _is_same(diff, counts, options),
        "mode": "table",
        "summary": counts,
        "added": _rows(diff, 1, matching.added[:limit]),
        "removed": _rows(diff, 0, matching.removed[:limit]),
        "changed": _changed(diff, changed[:limit]),
        "columns": {
            "added": [column.name for column in columns.added],
            "removed": [column.name for column in columns.removed],
            "renamed": _renamed(diff),
            "type_changed": [
                {"column": one.name, "from": one.type, "to": two.type}
                for one, two in columns.pairs
                if one.type != two.type
            ],
            "moved": diff.moved_columns,
        },
        "key": diff.key,
        "key_found": diff.key_found,
        "duplicate_keys": _duplicates(diff, limit),
        "truncated": max(len(matching.added), len(matching.removed), len(changed), len(matching.duplicates)) > limit,
    }
    meta = {
        "rows": len(diff.first),
        "rows2": len(diff.second),
        "columns": _described(diff.first),
        "columns2": _described(diff.second),
        "warnings": _warnings(diff),
    }
    patch = patch_table(diff, options) if options.format == "patch" else []
    return Outcome(fields, meta, patch)


def _is_same(diff: TableDiff, counts: dict[str, int], options: DiffOptions) -> bool:
    differing = ("added", "removed", "changed", "columns_added", "columns_removed")
    if any(counts[name] for name in differing) or diff.columns.guessed:
        return False
    return options.ignore_order or not (diff.moved or diff.moved_columns)


def _renamed(diff: TableDiff) -> list[dict[str, str]]:
    return [{"from": one.name, "to": two.name} for one, two in diff.columns.pairs if one.name != two.name]


def _described(table: Table) -> list[dict[str, str]]:
    return [{"name": column.name, "type": column.type} for column in table.columns]


def _rows(diff: TableDiff, side: int, rows: list[int]) -> list[dict[str, Any]]:
    """Return rows with their numbers, without the columns that are ignored."""
    table = (diff.first, diff.second)[side]
    lone = (diff.columns.removed, diff.columns.added)[side]
    kept = {id(column) for column in (*lone, *(pair[side] for pair in diff.columns.pairs))}
    shown: list[Column] = [column for column in table.columns if id(column) in kept]
    number = row_name(table.names)
    cells = [list(map(plain, column.at(rows))) for column in shown]
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


def _duplicates(diff: TableDiff, limit: int) -> list[dict[str, Any]]:
    """Return the keys that several rows have, with at most as many of their rows as are listed elsewhere."""
    return [
        {
            "key": _plain_key(diff, each.rows[0]) if each.rows else _plain_key(diff, each.rows2[0], 1),
            "rows": [row + 1 for row in each.rows[:limit]],
            "rows2": [row + 1 for row in each.rows2[:limit]],
        }
        for each in diff.matching.duplicates[:limit]
    ]


def _warnings(diff: TableDiff) -> list[str]:
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
    return found
