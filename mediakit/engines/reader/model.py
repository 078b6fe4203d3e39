"""Boosted decision trees, as `bench/train_reader.py` writes them.

A node is a leaf's number, or a feature, its limit, and where a row goes whose number is at most the limit, and where
others go. A feature below zero is `~feature`, its sides changed, so that a row whose number is unknown goes left.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def trees(name: str) -> tuple[Any, ...]:
    """Load a model."""
    source = files("mediakit.engines.reader").joinpath(f"{name}.json").read_text(encoding="utf-8")
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


def likelihood(model: Sequence[Any], numbers: Sequence[float]) -> float:
    """Give the probability that the trees see in a row of numbers."""
    return 1 / (1 + math.exp(-score(model, numbers)))


def _node(index: int, tree: list[list[Any]]) -> Any:
    """Read a node and those below it; an index below zero is the leaf `-1 - index`."""
    features, limits, lefts, rights, unknown_left, leaves = tree
    if index < 0:
        return leaves[-1 - index]
    left, right = _node(lefts[index], tree), _node(rights[index], tree)
    if unknown_left[index]:
        return ~features[index], limits[index], right, left
    return features[index], limits[index], left, right
