"""Boosted decision trees, as `bench/train_reader.py` writes them."""

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Tree(NamedTuple):
    """One tree. Node 0 is its root; a child below zero is the leaf `-1 - child`."""

    features: list[int]
    limits: list[float]
    """A number that is at most this goes left."""
    lefts: list[int]
    rights: list[int]
    unknown_left: list[int]
    """Whether an unknown number goes left."""
    leaves: list[float]


@cache
def trees(name: str) -> tuple[Tree, ...]:
    """Load a model."""
    source = files("mediakit.engines.reader").joinpath(f"{name}.json").read_text(encoding="utf-8")
    return tuple(Tree(*tree) for tree in json.loads(source))


def score(model: Sequence[Tree], numbers: Sequence[float]) -> float:
    """Add up what the trees say of a row of numbers."""
    total = 0.0
    for features, limits, lefts, rights, unknown_left, leaves in model:
        node = 0
        while node >= 0:
            number = numbers[features[node]]
            goes_left = number <= limits[node] or (number != number and unknown_left[node])  # noqa: PLR0124  # only NaN is not
            node = lefts[node] if goes_left else rights[node]
        total += leaves[-1 - node]
    return total


def likelihood(model: Sequence[Tree], numbers: Sequence[float]) -> float:
    """Give the probability that the trees see in a row of numbers."""
    return 1 / (1 + math.exp(-score(model, numbers)))
