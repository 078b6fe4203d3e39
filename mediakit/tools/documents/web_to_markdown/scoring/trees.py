"""Gradient boosted decision trees.

`load_trees` reads the JSON files that `bench/train_reader.py` writes. Each tree is a list of five columns: for each
split the feature, the threshold, and the left and right successor; then the values of the leaves. A negative successor
`-1 - n` is leaf `n`.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT_VERSION = 2
"""Version of the model files."""

COMMON_LEVELS = 5
"""Levels of splits that are evaluated for all rows and trees. Most rows reach a leaf a few levels below."""

LEVELS_PER_STEP = 3
"""Levels that are evaluated before the rows that reached a leaf are omitted."""

ROWS_PER_STEP = 128
"""Rows that are evaluated together. The arrays of more rows do not fit in the cache of a processor core."""

Columns = list[list[Any]]
"""A tree as in a model file."""


class ModelSchemaError(RuntimeError):
    """A model file does not have the features that the code computes."""


class Split(NamedTuple):
    """An inner node of a tree. Rows whose feature is at most the threshold go left."""

    feature: int
    threshold: float
    left: "Node"
    right: "Node"


Node = Split | float
"""A split, or the value of a leaf."""


@dataclass(frozen=True)
class Trees:
    """A model: the sum of its trees."""

    roots: tuple[Node, ...]

    def score(self, row: Sequence[float]) -> float:
        """Return the sum of the trees' values for a row of features."""
        total = 0.0
        for root in self.roots:
            node = root
            while isinstance(node, Split):
                node = node.left if row[node.feature] <= node.threshold else node.right
            total += node
        return total

    def probabilities(self, rows: "Sequence[Sequence[float]] | NDArray[Any]") -> list[float]:
        """Return the probability for each of many rows: the logistic function of its score."""
        import numpy as np

        numbers = np.asarray(rows, dtype=float)
        parts = [numbers[start : start + ROWS_PER_STEP] for start in range(0, len(numbers), ROWS_PER_STEP)]
        scores = np.concatenate([self._scores(part) for part in parts])
        result: list[float] = (1 / (1 + np.exp(-scores))).tolist()
        return result

    def _scores(self, numbers: "NDArray[Any]") -> "NDArray[Any]":
        """Return the sum of the trees' values for each row."""
        import numpy as np

        table = self._table
        flat = numbers.ravel()
        starts = np.repeat(np.arange(len(numbers)) * numbers.shape[1], len(table.roots))
        nodes = np.tile(table.roots, len(numbers))

        def descend(nodes: "NDArray[Any]", starts: "NDArray[Any]", levels: int) -> "NDArray[Any]":
            for _ in range(levels):
                goes_right = flat.take(starts + table.features.take(nodes)) > table.thresholds.take(nodes)
                nodes = table.successors.take(2 * nodes + goes_right)
            return nodes

        nodes = descend(nodes, starts, COMMON_LEVELS)
        unfinished = np.flatnonzero(table.is_split.take(nodes))
        while len(unfinished):
            nodes[unfinished] = below = descend(nodes.take(unfinished), starts.take(unfinished), LEVELS_PER_STEP)
            unfinished = unfinished[table.is_split.take(below)]
        scores: NDArray[Any] = table.leaves.take(nodes).reshape(len(numbers), len(table.roots)).sum(axis=1)
        return scores

    @cached_property
    def _table(self) -> "_NodeTable":
        return _node_table(self.roots)


def load_trees(path: Path, features: Sequence[str]) -> Trees:
    """Load a model.

    Args:
        path: The model file.
        features: The names of the features that the code computes, in order.

    Raises:
        ModelSchemaError: The file has another version or other features.
    """
    model = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(model, dict) or model.get("version") != FORMAT_VERSION:
        raise ModelSchemaError(f"{path.name}: must be a model file of version {FORMAT_VERSION}. {_HOW_TO_FIX}")
    _check_features(path.name, model["features"], features)
    return Trees(tuple(_node(0, tree) for tree in model["trees"]))


_HOW_TO_FIX = "Train the models again with `python -m bench.train_reader FOLDER...`."


def _check_features(name: str, found: Sequence[str], expected: Sequence[str]) -> None:
    if len(found) != len(expected):
        raise ModelSchemaError(f"{name}: must have {len(expected)} features, has {len(found)}. {_HOW_TO_FIX}")
    for index, (feature, expected_feature) in enumerate(zip(found, expected, strict=True)):
        if feature != expected_feature:
            raise ModelSchemaError(
                f'{name}: feature {index} must be "{expected_feature}", is "{feature}". {_HOW_TO_FIX}'
            )


def dump_trees(trees: Sequence[Columns], features: Sequence[str]) -> str:
    """Return the contents of a model file."""
    model = {"version": FORMAT_VERSION, "features": list(features), "trees": trees}
    return json.dumps(model, separators=(",", ":"))


def _node(index: int, tree: Columns) -> Node:
    features, thresholds, left, right, leaves = tree
    if index < 0 or not features:
        return float(leaves[-1 - index if index < 0 else 0])
    return Split(features[index], thresholds[index], _node(left[index], tree), _node(right[index], tree))


class _NodeTable(NamedTuple):
    """The nodes of all trees as columns. The successors of a leaf are the leaf itself."""

    features: "NDArray[Any]"
    thresholds: "NDArray[Any]"
    successors: "NDArray[Any]"
    """The left and right successor of each node."""
    leaves: "NDArray[Any]"
    """The values of leaves. 0 for splits."""
    is_split: "NDArray[Any]"
    roots: "NDArray[Any]"


def _node_table(trees: Sequence[Node]) -> _NodeTable:
    import numpy as np

    rows: list[tuple[int, float, int, int, float]] = []

    def add(node: Node) -> int:
        """Add a node and those below it. Returns its index."""
        index = len(rows)
        rows.append((0, math.inf, index, index, 0.0))
        if not isinstance(node, Split):
            rows[index] = (0, math.inf, index, index, node)
            return index
        left, right = add(node.left), add(node.right)
        rows[index] = (node.feature, node.threshold, left, right, 0.0)
        return index

    roots = np.array([add(tree) for tree in trees])
    features, thresholds, left, right, leaves = (np.array(column) for column in zip(*rows, strict=True))
    successors = np.column_stack([left, right]).ravel()
    is_split = left != np.arange(len(rows))
    return _NodeTable(features, thresholds, successors, leaves, is_split, roots)
