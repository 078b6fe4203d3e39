"""Gradient boosted decision trees.

`load_trees` reads the JSON files that `bench/train_reader.py` writes. Each tree is a list of five columns: for each
split the feature, the threshold, and the left and right successor; then the values of the leaves. A negative successor
`-1 - n` is leaf `n`.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


@dataclass(frozen=True)
class Trees:
    """A model: the nodes of all its trees as columns. Rows whose feature is at most the threshold go left."""

    features: "NDArray[Any]"
    thresholds: "NDArray[Any]"
    successors: "NDArray[Any]"
    """The left and right successor of each node. Those of a leaf are the leaf itself."""
    leaves: "NDArray[Any]"
    """The values of leaves. 0 for splits."""
    is_split: "NDArray[Any]"
    roots: "NDArray[Any]"

    def probabilities(self, rows: "NDArray[Any]") -> list[float]:
        """Return the probability for each row of features: the logistic function of its score."""
        import numpy as np

        result: list[float] = (1 / (1 + np.exp(-self.scores(rows)))).tolist()
        return result

    def scores(self, rows: "NDArray[Any]") -> "NDArray[Any]":
        """Return the sum of the trees' values for each row of features."""
        import numpy as np

        return np.concatenate(
            [self._scores(rows[start : start + ROWS_PER_STEP]) for start in range(0, len(rows), ROWS_PER_STEP)]
        )

    def _scores(self, rows: "NDArray[Any]") -> "NDArray[Any]":
        import numpy as np

        flat = rows.ravel()
        starts = np.repeat(np.arange(len(rows)) * rows.shape[1], len(self.roots))
        nodes = np.tile(self.roots, len(rows))

        def descend(nodes: "NDArray[Any]", starts: "NDArray[Any]", levels: int) -> "NDArray[Any]":
            for _ in range(levels):
                goes_right = flat.take(starts + self.features.take(nodes)) > self.thresholds.take(nodes)
                nodes = self.successors.take(2 * nodes + goes_right)
            return nodes

        nodes = descend(nodes, starts, COMMON_LEVELS)
        unfinished = np.flatnonzero(self.is_split.take(nodes))
        while len(unfinished):
            nodes[unfinished] = below = descend(nodes.take(unfinished), starts.take(unfinished), LEVELS_PER_STEP)
            unfinished = unfinished[self.is_split.take(below)]
        scores: NDArray[Any] = self.leaves.take(nodes).reshape(len(rows), len(self.roots)).sum(axis=1)
        return scores


def load_trees(path: Path, features: Sequence[str]) -> Trees:
    """Load a model for the features that the code computes, in this order.

    Raises:
        ModelSchemaError: The file has another version or other features.
    """
    import numpy as np

    model = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(model, dict) or model.get("version") != FORMAT_VERSION:
        raise ModelSchemaError(f"{path.name}: must be a model file of version {FORMAT_VERSION}. {_HOW_TO_FIX}")
    found = model["features"]
    if len(found) != len(features):
        raise ModelSchemaError(f"{path.name}: must have {len(features)} features, has {len(found)}. {_HOW_TO_FIX}")
    for index, (name, expected) in enumerate(zip(found, features, strict=True)):
        if name != expected:
            raise ModelSchemaError(f'{path.name}: feature {index} must be "{expected}", is "{name}". {_HOW_TO_FIX}')
    nodes: list[tuple[int, float, int, int, float, bool]] = []
    roots = []
    for tree in model["trees"]:
        roots.append(len(nodes))
        nodes += _nodes(tree, len(nodes))
    numbers, thresholds, left, right, leaves, is_split = (np.array(column) for column in zip(*nodes, strict=True))
    successors = np.column_stack([left, right]).ravel()
    return Trees(numbers, thresholds, successors, leaves, is_split, np.array(roots))


_HOW_TO_FIX = "Train the models again with `python -m bench.train_reader FOLDER...`."


def _nodes(tree: Columns, start: int) -> list[tuple[int, float, int, int, float, bool]]:
    """Return the splits of a tree and then its leaves, as the rows from `start` on of the columns of `Trees`."""
    features, thresholds, left, right, leaves = tree
    end = start + len(features)

    def position(successor: int) -> int:
        return start + successor if successor >= 0 else end - 1 - successor

    splits = [
        (feature, threshold, position(low), position(high), 0.0, True)
        for feature, threshold, low, high in zip(features, thresholds, left, right, strict=True)
    ]
    return [*splits, *((0, math.inf, at, at, value, False) for at, value in enumerate(leaves, start=end))]
