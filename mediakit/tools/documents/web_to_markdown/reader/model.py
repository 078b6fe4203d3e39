"""Boosted decision trees, as `bench/train_reader.py` writes them.

A node is a leaf's number, or a feature, its limit, and where a row goes whose number is at most the limit, and where
others go. A feature below zero is `~feature`, its sides changed, so that a row whose number is unknown goes left.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray


@cache
def trees(name: str) -> tuple[Any, ...]:
    """Load a model."""
    source = files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return tuple(_node(0, tree) for tree in json.loads(source))


def score(model: Sequence[Any], numbers: Sequence[float]) -> float:
    """Add up what the trees say of a row of numbers."""
    total = 0.0
    for tree in model:
        node = tree
        while node.__class__ is tuple:
            feature, limit, first, second = node
            if feature >= 0:
                node = first if numbers[feature] <= limit else second
            else:
                node = first if numbers[~feature] > limit else second
        total += node
    return total


def likelihoods(name: str, rows: Sequence[Sequence[float]]) -> list[float]:
    """Give the probability that a model sees in each of many rows of numbers."""
    import numpy as np

    forest = _forest(name)
    numbers = np.array(rows, dtype=float)
    unknown = np.isnan(numbers)
    numbers[unknown] = np.inf
    both = np.hstack([numbers, np.where(unknown, -np.inf, numbers)])
    known, flat = numbers.shape[1], both.ravel()
    columns = np.where(forest.features >= 0, forest.features, known + ~forest.features)
    starts = np.arange(len(both))[:, None] * both.shape[1]
    at = np.broadcast_to(forest.roots, (len(both), len(forest.roots)))
    for _ in range(forest.depth):
        goes_on = flat.take(starts + columns.take(at)) > forest.limits.take(at)
        at = forest.below.take(2 * at + goes_on)
    likely: list[float] = (1 / (1 + np.exp(-forest.leaves.take(at).sum(axis=1)))).tolist()
    return likely


class _Forest(NamedTuple):
    """A model's nodes one after the other; a leaf is its own successor."""

    features: "NDArray[Any]"
    """Below zero where a row whose number is unknown goes to the first successor."""
    limits: "NDArray[Any]"
    below: "NDArray[Any]"
    """Each node's two successors."""
    leaves: "NDArray[Any]"
    roots: "NDArray[Any]"
    depth: int


@cache
def _forest(name: str) -> _Forest:
    import numpy as np

    nodes: list[tuple[int, float, int, int, float]] = []

    def lay(node: Any) -> tuple[int, int]:
        """Give a node's place and how deep the tree is below it."""
        place = len(nodes)
        nodes.append((0, math.inf, place, place, 0.0))
        if not isinstance(node, tuple):
            nodes[place] = (0, math.inf, place, place, node)
            return place, 0
        feature, limit, first, second = node
        if feature < 0:
            first, second = second, first
        (left, one), (right, other) = lay(first), lay(second)
        nodes[place] = (feature, limit, left, right, 0.0)
        return place, 1 + max(one, other)

    laid = [lay(tree) for tree in trees(name)]
    features, limits, left, right, leaves = (np.array(column) for column in zip(*nodes, strict=True))
    below = np.column_stack([left, right]).ravel()
    roots = np.array([place for place, _ in laid])
    return _Forest(features, limits, below, leaves, roots, max(depth for _, depth in laid))


def _node(index: int, tree: list[list[Any]]) -> Any:
    """Read a node and those below it; an index below zero is the leaf `-1 - index`."""
    features, limits, lefts, rights, unknown_left, leaves = tree
    if index < 0:
        return leaves[-1 - index]
    left, right = _node(lefts[index], tree), _node(rights[index], tree)
    if unknown_left[index]:
        return ~features[index], limits[index], right, left
    return features[index], limits[index], left, right
