"""Which row of the first table is which row of the second."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.tools.data.data_diff.options import DiffOptions
from mediakit.tools.data.data_diff.similarity import Similarity


@dataclass(frozen=True)
class Duplicates:
    """A key that several rows of a table have; the rows of both tables, from 0."""

    key: Any
    rows: list[int]
    rows2: list[int]


@dataclass
class Matching:
    """Pairs of rows, and the rows that only one table has; all numbers from 0, in the order of the tables."""

    pairs: list[tuple[int, int]]
    removed: list[int]
    added: list[int]
    duplicates: list[Duplicates] = field(default_factory=list)
    is_partial: bool = False
    """Whether there were too many rows to match them by similarity."""


Columns = Sequence[Sequence[list[Any]]]
"""The values of each column in both tables."""


def match_by_key(
    keys: Sequence[Hashable], keys2: Sequence[Hashable], columns: Columns, options: DiffOptions
) -> Matching:
    """Match rows by their keys; rows with one key are matched by similarity."""
    if keys == keys2 and len(set(keys)) == len(keys):
        return Matching(list(zip(range(len(keys)), range(len(keys)), strict=True)), [], [])
    places2 = dict(zip(keys2, range(len(keys2)), strict=True))
    if len(places2) == len(keys2) and len(set(keys)) == len(keys):
        return _matching(
            [(row, found) for row, found in enumerate(map(places2.get, keys)) if found is not None],
            len(keys),
            len(keys2),
        )
    return _match_repeated(_grouped(keys), _grouped(keys2), columns, options)


def _match_repeated(
    groups: Mapping[Any, list[int]], groups2: Mapping[Any, list[int]], columns: Columns, options: DiffOptions
) -> Matching:
    similarity = Similarity(columns, options)
    pairs: list[tuple[int, int]] = []
    duplicates = []
    for key, rows in groups.items():
        rows2 = groups2.get(key, [])
        if len(rows) == len(rows2) == 1:
            pairs.append((rows[0], rows2[0]))
            continue
        if len(rows) > 1 or len(rows2) > 1:
            duplicates.append(Duplicates(key, rows, rows2))
        pairs += _match_group(rows, rows2, columns, similarity)
    duplicates += [Duplicates(key, [], rows2) for key, rows2 in groups2.items() if len(rows2) > 1 and key not in groups]
    pairs.sort()
    matching = _matching(pairs, sum(map(len, groups.values())), sum(map(len, groups2.values())))
    matching.duplicates = duplicates
    return matching


def _match_group(rows: list[int], rows2: list[int], columns: Columns, similarity: Similarity) -> list[tuple[int, int]]:
    """Match rows with one key: equal ones first, then the most similar ones, then the others in order."""
    if not rows or not rows2:
        return []
    cells = [tuple(values[row] for values, _ in columns) for row in rows]
    cells2 = [tuple(values[row] for _, values in columns) for row in rows2]
    pairs = _pair_equal(cells, cells2)
    for best in (similarity.best_pairs, _in_order):
        left = sorted(set(range(len(rows))) - {one for one, _ in pairs})
        left2 = sorted(set(range(len(rows2))) - {two for _, two in pairs})
        found = best([rows[place] for place in left], [rows2[place] for place in left2])
        places, places2 = (
            {row: place for place, row in enumerate(rows)},
            {row: place for place, row in enumerate(rows2)},
        )
        pairs += [(places[one], places2[two]) for one, two in found]
    return [(rows[one], rows2[two]) for one, two in pairs]


def _in_order(rows: Sequence[int], rows2: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(rows, rows2, strict=False))


def match_by_content(columns: Columns, options: DiffOptions, counts: tuple[int, int]) -> Matching:
    """Match equal rows, then the most similar ones among those that are left."""
    if not columns:
        return _matching([], *counts)
    cells, cells2 = (list(zip(*(column[side] for column in columns), strict=True)) for side in (0, 1))
    pairs = _pair_equal(cells, cells2)
    matching = _matching(pairs, *counts)
    similarity = Similarity(columns, options)
    if not matching.removed or not matching.added:
        return matching
    if not similarity.is_feasible(matching.removed, matching.added):
        matching.is_partial = True
        return matching
    return _matching(sorted(pairs + similarity.best_pairs(matching.removed, matching.added)), *counts)


def _pair_equal(cells: Sequence[Hashable], cells2: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of equal items as a multiset has them: each item once, in their order."""
    waiting: dict[Hashable, list[int]] = {}
    for place in range(len(cells2) - 1, -1, -1):
        waiting.setdefault(cells2[place], []).append(place)
    take: Callable[[Hashable], list[int] | None] = waiting.get
    return [(place, free.pop()) for place, cell in enumerate(cells) if (free := take(cell))]


def _matching(pairs: list[tuple[int, int]], count: int, count2: int) -> Matching:
    if len(pairs) == count == count2:
        return Matching(pairs, [], [])
    found, found2 = {one for one, _ in pairs}, {two for _, two in pairs}
    return Matching(
        pairs,
        [row for row in range(count) if row not in found],
        [row for row in range(count2) if row not in found2],
    )


def _grouped(keys: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    return groups
