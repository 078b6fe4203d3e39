"""Which rows of two tables belong together: by a key, as equal rows, or by similarity."""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, islice
from typing import Any

from mediakit.tools.data.data_diff.cells import is_close
from mediakit.tools.data.data_diff.request import DataDiffRequest

ROW_NAME = "row"


def row_name(names: Sequence[str]) -> str:
    """Return the name of the row number in the rows added and removed: `row`, or `_row` if a column has that name."""
    name = ROW_NAME
    while name in names:
        name = f"_{name}"
    return name


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
    rows = len(chosen[0].values)
    combined = (
        each for each in combinations(chosen, size) if math.prod(distinct[column.name] for column in each) >= rows
    )
    possible = (each for each in combined if _are_different([column.values[:_HEAD] for column in each]))
    yield from islice((each for each in islice(possible, _MAX_CHECKS) if _is_unique(each)), 5)


def _is_unique(columns: Sequence[Candidate]) -> bool:
    sides = ([column.values for column in columns], [column.values2 for column in columns])
    return all(_are_different([column[:_HEAD] for column in side]) and _are_different(side) for side in sides)


def _are_different(columns: Sequence[list[Any]]) -> bool:
    keys = key_values(columns)
    return len(set(keys)) == len(keys)


def _pairs_rows(columns: Sequence[Candidate]) -> bool:
    """Return whether a row of one table has the key of a row of the other."""
    keys, keys2 = (key_values(side) for side in zip(*((each.values, each.values2) for each in columns), strict=True))
    return keys[0] == keys2[0] or not set(keys).isdisjoint(keys2)


def _agreement(names: Sequence[Candidate], columns: Sequence[Candidate]) -> float:
    """Return how many cells of the tables are equal if their rows are matched by these columns, from a sample."""
    keys = key_values([column.values for column in names])
    sample = {keys[row]: row for row in range(0, len(keys), max(1, len(keys) // _SAMPLE))}
    keys2 = key_values([column.values2 for column in names])
    pairs = [(sample[key], row2) for row2, key in enumerate(keys2) if key in sample]
    return float(sum(sum(column.values[row] == column.values2[row2] for row, row2 in pairs) for column in columns))


def in_order(positions: Sequence[int]) -> list[int]:
    """Return the indexes of a longest increasing subsequence of different positions, in ascending order."""
    if all(map(int.__lt__, positions, positions[1:])):
        return list(range(len(positions)))
    tops: list[int] = []
    indexes: list[int] = []
    before: list[int] = []
    for index, position in enumerate(positions):
        place = bisect_left(tops, position)
        before.append(indexes[place - 1] if place else -1)
        tops[place : place + 1] = [position]
        indexes[place : place + 1] = [index]
    found = []
    index = indexes[-1] if indexes else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]


MAX_ROWS = 200_000
"""Rows of both tables together that are matched by similarity."""

_MAX_SIMILAR_CANDIDATES = 3_000_000
"""Shared cells that are looked at."""

_MAX_SHARED = 200
"""Rows with one value in a column from which on the value is too common to find a row by it."""

_MOST_FOR_EACH = 5
"""Candidates that are compared for each row."""

_SIMILARITY_SAMPLE = 20_000
_THRESHOLD = 0.4
"""Share of equal cells, weighted, from which on rows are similar: one of two columns is about enough."""


Columns = Sequence[tuple[list[Any], list[Any]]]
"""The comparable values of each column in both tables."""


class Similarity:
    """How alike rows are: the share of equal cells, each weighted by how many values its column has."""

    def __init__(self, columns: Columns, options: DataDiffRequest) -> None:
        self._columns = columns
        self._options = options
        self._budget = _MAX_SIMILAR_CANDIDATES

    @cached_property
    def weights(self) -> list[float]:
        """The weight of each column: the binary logarithm of the number of its values."""
        return [
            math.log2(1 + len({*first[:_SIMILARITY_SAMPLE], *second[:_SIMILARITY_SAMPLE]}))
            for first, second in self._columns
        ]

    def best_pairs(self, rows: Sequence[int], rows2: Sequence[int]) -> list[tuple[int, int]]:
        """Return pairs of similar rows, the most similar ones first; no row is in two of them."""
        if not rows or not rows2 or len(rows) + len(rows2) > MAX_ROWS:
            return []
        found = []
        total = sum(self.weights)
        for place, candidates in enumerate(self._candidates(rows, rows2)):
            for place2 in candidates:
                row, row2 = rows[place], rows2[place2]
                shared = sum(
                    weight
                    for (first, second), weight in zip(self._columns, self.weights, strict=True)
                    if first[row] == second[row2]
                    or (self._options.is_tolerant and is_close(first[row], second[row2], self._options))
                )
                score = shared / total if total else 0.0
                if score >= _THRESHOLD:
                    found.append((-score, abs(place - place2), place, place2))
        found.sort()
        free, free2 = set(range(len(rows))), set(range(len(rows2)))
        pairs = []
        for _, _, place, place2 in found:
            if place in free and place2 in free2:
                free.discard(place)
                free2.discard(place2)
                pairs.append((rows[place], rows2[place2]))
        return pairs

    def _candidates(self, rows: Sequence[int], rows2: Sequence[int]) -> list[list[int]]:
        """Return the places in `rows2` that share the most with each row, and the one at the same place."""
        votes: list[Counter[int]] = [Counter() for _ in rows]
        budget = max(1, self._budget // (len(rows) * max(1, len(self._columns))))
        limit = min(_MAX_SHARED, budget) if len(rows2) > budget else len(rows2)
        self._budget -= len(rows) * len(self._columns) * limit
        for (first, second), weight in zip(self._columns, self.weights, strict=True):
            owners: dict[Any, list[int]] = {}
            for place2, row2 in enumerate(rows2):
                owners.setdefault(second[row2], []).append(place2)
            for place, row in enumerate(rows):
                shared = owners.get(first[row], ())
                if len(shared) <= limit:
                    for place2 in shared:
                        votes[place][place2] += weight  # type: ignore[assignment]  # a sum of weights
        best = [[place2 for place2, _ in each.most_common(_MOST_FOR_EACH)] for each in votes]
        return [
            [*found, place] if place < len(rows2) and place not in found else found for place, found in enumerate(best)
        ]


_MAX_STEPS = 1_000_000
"""Pairs of elements that are compared for one pair of arrays."""


def common_ends(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int, int]:
    """Return the lengths of the common start and of the common end of two sequences; they do not overlap."""
    most = min(len(first), len(second))
    start = 0
    while start < most and first[start] == second[start]:
        start += 1
    end = 0
    while end < most - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def align(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of equal elements in ascending order.

    Elements that are unique in both are matched first, as patience diff does; the gaps between them are matched
    exactly while they are small.
    """
    start, end = common_ends(first, second)
    pairs = [(place, place) for place in range(start)]
    last, last2 = len(first) - end, len(second) - end
    places, places2 = _unique(first, start, last), _unique(second, start, last2)
    shared = [(place, places2[item]) for item, place in places.items() if item in places2]
    anchors = [shared[index] for index in in_order([place2 for _, place2 in shared])]
    budget = _MAX_STEPS
    place, place2 = start, start
    for anchor, anchor2 in [*anchors, (last, last2)]:
        size = (anchor - place) * (anchor2 - place2)
        if 0 < size <= budget:
            budget -= size
            scores = [bytes(one == two for two in second[place2:anchor2]) for one in first[place:anchor]]
            pairs += [(place + one, place2 + two) for one, two in best_path(scores)]
        if anchor < last:
            pairs.append((anchor, anchor2))
        place, place2 = anchor + 1, anchor2 + 1
    return pairs + [(last + place, last2 + place) for place in range(end)]


def _unique(items: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    """Return the place of each element that occurs once, in ascending order."""
    counts = Counter(items[start:end])
    return {item: place for place, item in enumerate(items[start:end], start) if counts[item] == 1}


def best_path(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return the ascending pairs of rows and columns whose scores have the largest sum; 0 does not pair."""
    height, width = len(scores), len(scores[0])
    best: list[list[float]] = [[0] * (width + 1) for _ in range(height + 1)]  # integers, where the scores are
    for row in range(height - 1, -1, -1):
        for column in range(width - 1, -1, -1):
            score = scores[row][column]
            paired = score + best[row + 1][column + 1] if score else 0
            best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
    found = []
    row = column = 0
    while row < height and column < width and best[row][column] > 0:
        if scores[row][column] and best[row][column] == scores[row][column] + best[row + 1][column + 1]:
            found.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return found


@dataclass(frozen=True)
class Duplicates:
    """A key that several rows of a table have; the rows of both tables, from 0."""

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


def match_by_key(
    keys: Sequence[Hashable], keys2: Sequence[Hashable], columns: Columns, options: DataDiffRequest
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
    groups: dict[Hashable, list[int]] = defaultdict(list)
    groups2: dict[Hashable, list[int]] = defaultdict(list)
    for all_keys, found in ((keys, groups), (keys2, groups2)):
        for row, key in enumerate(all_keys):
            found[key].append(row)
    similarity = Similarity(columns, options)
    pairs: list[tuple[int, int]] = []
    duplicates = []
    for key, rows in groups.items():
        rows2 = groups2.get(key, [])
        if len(rows) == len(rows2) == 1:
            pairs.append((rows[0], rows2[0]))
            continue
        if len(rows) > 1 or len(rows2) > 1:
            duplicates.append(Duplicates(rows, rows2))
        pairs += _match_group(rows, rows2, columns, similarity)
    duplicates += [Duplicates([], rows2) for key, rows2 in groups2.items() if len(rows2) > 1 and key not in groups]
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
    pairs = [(rows[one], rows2[two]) for one, two in _pair_equal(cells, cells2)]
    for match in (similarity.best_pairs, partial(zip, strict=False)):
        found, found2 = {one for one, _ in pairs}, {two for _, two in pairs}
        pairs += match([row for row in rows if row not in found], [row for row in rows2 if row not in found2])
    return pairs


def match_by_content(columns: Columns, options: DataDiffRequest, counts: tuple[int, int]) -> Matching:
    """Match equal rows, then the most similar ones among those that are left."""
    if not columns:
        return _matching([], *counts)
    cells, cells2 = (list(zip(*(column[side] for column in columns), strict=True)) for side in (0, 1))
    pairs = _pair_equal(cells, cells2)
    matching = _matching(pairs, *counts)
    similarity = Similarity(columns, options)
    if not matching.removed or not matching.added:
        return matching
    if len(matching.removed) + len(matching.added) > MAX_ROWS:
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
