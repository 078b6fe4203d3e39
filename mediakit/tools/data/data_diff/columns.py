"""Which columns of two tables belong together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce

from mediakit.engines.tables.model import Column, Table, missing
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import folded
from mediakit.tools.data.data_diff.request import DataDiffRequest
from mediakit.tools.data.data_diff.tree_diff import add_step, compile_paths


@dataclass
class ColumnPairs:
    """Columns that both tables have, and those that only one has."""

    pairs: list[tuple[Column, Column]]
    removed: list[Column]
    added: list[Column]
    guessed: list[tuple[Column, Column]] = field(default_factory=list)
    """The pairs that have equal content but different names, which no option named."""


def pair_columns(first: Table, second: Table, options: DataDiffRequest) -> ColumnPairs:
    """Pair the columns of two tables by name, and those that `rename` names.

    Raises:
        InvalidInput: `rename` or `ignore` names a column that does not exist.
    """
    renamed = dict(options.rename or {})
    for old, new in renamed.items():
        if old not in first.names:
            raise InvalidInput(f"rename: in file, {missing(old, first.names)}")
        if new not in second.names:
            raise InvalidInput(f"rename: in file2, {missing(new, second.names)}")
    if len(set(renamed.values())) < len(renamed):
        raise InvalidInput("rename: two columns must not get the same name.")
    ignored = _ignored(options.ignore, first, second)
    kept = [column for column in first.columns if column.name not in ignored]
    kept2 = [column for column in second.columns if column.name not in ignored]
    by_name = {column.name: column for column in kept2}
    by_folded = {folded(column.name, options): column for column in reversed(kept2)}
    found = ColumnPairs([], [], [])
    claimed = set(renamed.values())
    for column in kept:
        name = renamed.get(column.name, column.name)
        other = by_name.get(name)
        if other is None or (column.name not in renamed and name in claimed):
            other = by_folded.get(folded(name, options)) if column.name not in renamed and name not in claimed else None
        if other is None or other.name not in by_name:
            found.removed.append(column)
            continue
        found.pairs.append((column, by_name.pop(other.name)))
    found.added = [column for column in kept2 if column.name in by_name]
    return found


def pair_equal_content(found: ColumnPairs) -> None:
    """Pair the columns of one table only that have the same values, in any order."""
    counts = {id(column): Counter(column.values) for column in found.added} if found.removed else {}

    def are_equal(column: Column, other: Column) -> bool:
        if len(column.values) != len(other.values):
            return False
        if id(column) not in counts:
            counts[id(column)] = Counter(column.values)
        values = counts[id(column)]
        return column.values == other.values or (len(values) > 1 and values == counts[id(other)])

    _pair(found, are_equal)


def pair_matched_content(found: ColumnPairs, rows: Sequence[tuple[int, int]]) -> None:
    """Pair the columns of one table only that have the same values in all rows that were matched."""
    if not found.removed or not found.added or not rows:
        return

    def are_equal(column: Column, other: Column) -> bool:
        first, second = column.values, other.values
        return all(first[row] == second[row2] for row, row2 in rows) and any(first[row] is not None for row, _ in rows)

    _pair(found, are_equal)


def _pair(found: ColumnPairs, are_equal: Callable[[Column, Column], bool]) -> None:
    """Pair the columns of one table only that have values, of one type, and are equal."""
    for column in list(found.removed):
        if any(value is not None for value in column.values):
            alike = (other for other in found.added if column.type == other.type and are_equal(column, other))
            if (other := next(alike, None)) is not None:
                found.removed.remove(column)
                found.added.remove(other)
                found.pairs.append((column, other))
                found.guessed.append((column, other))


def _ignored(ignore: Sequence[str], first: Table, second: Table) -> set[str]:
    """Return the names of the columns to ignore; a JSON path names those that it leads to in a row."""
    names = list(dict.fromkeys([*first.names, *second.names]))
    found: set[str] = set()
    paths = []
    for entry in ignore:
        if entry in names:
            found.add(entry)
        elif entry.startswith("$"):
            paths.append(entry)
        else:
            raise InvalidInput(f"ignore: {missing(entry, names)}")
    if not paths:
        return found
    pattern = compile_paths(paths)
    places = {name: reduce(add_step, name.split("."), "") for name in names}
    return found | {name for name, place in places.items() if any(map(pattern.fullmatch, (place, f"#0{place}")))}
