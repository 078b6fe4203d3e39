"""The most likely digits of a line, by dynamic programming over the twelve positions."""

import math
from dataclasses import dataclass

import numpy as np

from mediakit.tools.images.code_reader.retail.symbol_model import (
    FIRST_DIGIT_SETS,
    MODULES,
    POSITIONS,
    Array,
    SymbolModel,
)

WEIGHTS = (3, 1) * 6
"""Weights of the twelve digits in the check sum; the first digit has weight 1."""

_TENS = np.arange(10)

_PATTERNS = np.concatenate((FIRST_DIGIT_SETS, np.zeros((10, 6), np.int64)), 1)[:, :, None] * 10 + _TENS
"""Pattern by first digit, position and digit."""

_SUMS_BEFORE = [(_TENS[:, None] - weight * _TENS) % 10 for weight in WEIGHTS]
"""Check sum before a digit, by position, check sum after it, and digit."""


@dataclass(frozen=True, slots=True)
class Digits:
    """The thirteen digits of a symbol, and how well they explain a line."""

    text: str
    patterns: Array
    energy: float
    """Sum of squared differences to the line, for darkness from 0 to 1."""


def most_likely_patterns(own: Array, shared: Array) -> tuple[Array, Array]:
    """Return the best pattern at each position without checks, as (lines, 12), and the energies.

    Args:
        own: Energy of each pattern, as (lines, 12, 20).
        shared: Energy shared by adjacent patterns, as (11, 20, 20).
    """
    cost, choices = own[:, 0], []
    for position in range(1, len(POSITIONS)):
        total = cost[:, None, :] + shared[position - 1].T
        choices.append(total.argmin(2))
        cost = total.min(2) + own[:, position]
    lines = np.arange(len(own))
    patterns = [cost.argmin(1)]
    for choice in reversed(choices):
        patterns.append(choice[lines, patterns[-1]])
    return np.stack(patterns[::-1], 1), cost.min(1)


def most_likely_digits(model: SymbolModel, darkness: Array) -> Digits:
    """Return the most likely number with a correct check digit; `darkness` has the samples of the model."""
    own, guards = model.energies(darkness[None])
    best = _search(own, model.shared)
    return Digits(best.text, best.patterns, best.energy + float(guards[0]))


def log_likelihood_ratio(worse: float, better: float) -> float:
    """Return the logarithm of the likelihood ratio of two explanations of a line, from their energies."""
    return MODULES / 2 * math.log(max(worse, 1e-3) / max(better, 1e-3))


def free_energy(model: SymbolModel, darkness: Array) -> float:
    """Return the energy of the most likely patterns, which may belong to no number."""
    own, guards = model.energies(darkness[None])
    return float(most_likely_patterns(own, model.shared)[1][0]) + float(guards[0])


def second_energy(model: SymbolModel, darkness: Array, best: Digits) -> float:
    """Return the energy of the most likely number with a correct check digit except the best."""
    own, guards = model.energies(darkness[None])
    others = np.repeat(own, len(POSITIONS), 0)
    positions = np.arange(len(POSITIONS))
    others[positions, positions, best.patterns] = np.inf
    return _search(others, model.shared).energy + float(guards[0])


def _search(own: Array, shared: Array) -> Digits:
    """Return the best number with a correct check digit over all rows of energies."""
    by_first = own[:, np.arange(12)[None, :, None], _PATTERNS]  # row, first digit, position, digit
    start = np.full((len(own), 10, 10, 10), np.inf, np.float32)
    for digit in range(10):
        start[:, _TENS, (_TENS + WEIGHTS[0] * digit) % 10, digit] = by_first[:, :, 0, digit]
    costs = [start]  # by row, first digit, check sum and last digit
    for position in range(1, 12):
        pair, before = _pair(shared, position), costs[-1]
        reached = before[:, :, :, 0, None] + pair[None, :, None, 0]
        for digit in range(1, 10):
            np.minimum(reached, before[:, :, :, digit, None] + pair[None, :, None, digit], out=reached)
        reached += by_first[:, :, None, position]
        costs.append(reached[:, :, _SUMS_BEFORE[position], _TENS])
    row, first, digit = (int(index) for index in np.unravel_index(costs[-1][:, :, 0].argmin(), (len(own), 10, 10)))
    energy, total, digits = float(costs[-1][row, first, 0, digit]), 0, [digit]
    for position in range(11, 0, -1):
        total = int(_SUMS_BEFORE[position][total, digit])
        digit = int((costs[position - 1][row, first, total] + _pair(shared, position)[first, :, digit]).argmin())
        digits.append(digit)
    digits.reverse()
    return Digits("".join(map(str, (first, *digits))), _PATTERNS[first, np.arange(12), digits], energy)


def _pair(shared: Array, position: int) -> Array:
    """Return the energy that a digit shares with the previous one, by first digit, previous digit and digit."""
    pair: Array = shared[position - 1][_PATTERNS[:, position - 1, :, None], _PATTERNS[:, position, None, :]]
    return pair
