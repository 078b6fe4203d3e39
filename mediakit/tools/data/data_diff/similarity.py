"""Rows that are alike: pairs that share most of what distinguishes rows from each other."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from mediakit.tools.data.data_diff.cells import is_close
from mediakit.tools.data.data_diff.options import DiffOptions

MAX_ROWS = 200_000
"""Rows of both tables together that are matched by similarity."""

_MAX_CANDIDATES = 3_000_000
"""Shared cells that are looked at."""

_MAX_SHARED = 200
"""Rows with one value in a column from which on the value is too common to find a row by it."""

_MOST_FOR_EACH = 5
"""Candidates that are compared for each row."""

_SAMPLE = 20_000
_THRESHOLD = 0.4
"""Share of equal cells, weighted, from which on rows are similar: one of two columns is about enough."""


class Similarity:
    """How alike rows are: the share of equal cells, each weighted by how many values its column has."""

    def __init__(self, columns: Sequence[Sequence[list[Any]]], options: DiffOptions) -> None:
        self._columns = columns
        self._options = options
        self._weights: list[float] = []
        self._budget = _MAX_CANDIDATES

    @property
    def weights(self) -> list[float]:
        """The weight of each column: the binary logarithm of the number of its values."""
        if not self._weights:
            self._weights = [
                math.log2(1 + len({*first[:_SAMPLE], *second[:_SAMPLE]})) for first, second in self._columns
            ]
        return self._weights

    def is_feasible(self, rows: Sequence[int], rows2: Sequence[int]) -> bool:
        """Return whether there are few enough rows."""
        return len(rows) + len(rows2) <= MAX_ROWS

    def best_pairs(self, rows: Sequence[int], rows2: Sequence[int]) -> list[tuple[int, int]]:
        """Return pairs of similar rows, the most similar ones first; no row is in two of them."""
        if not rows or not rows2 or not self.is_feasible(rows, rows2):
            return []
        found = []
        for place, candidates in enumerate(self._candidates(rows, rows2)):
            for place2 in candidates:
                score = self._score(rows[place], rows2[place2])
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

    def _score(self, row: int, row2: int) -> float:
        total = sum(self.weights)
        shared = sum(
            weight
            for (first, second), weight in zip(self._columns, self.weights, strict=True)
            if self._is_same(first[row], second[row2])
        )
        return shared / total if total else 0.0

    def _is_same(self, one: Any, two: Any) -> bool:
        return one == two or (self._options.is_tolerant and is_close(one, two, self._options))
