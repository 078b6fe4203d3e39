"""A model of the EAN-13 symbol: the bars of each digit, and the likelihood of a line."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from barcode.charsets.ean import CODES, LEFT_PATTERN

Array = np.ndarray[Any, np.dtype[Any]]

MODULES = 95
"""Width of the symbol in modules."""

PAD_MODULES = 3
"""Modules of the quiet zone on each side that the model includes."""

SAMPLES_PER_MODULE = 4

POSITIONS = np.array([*range(3, 45, 7), *range(50, 92, 7)])
"""First module of each of the twelve digits."""

PATTERNS = 20
"""Bar patterns at each position: ten of the regular number set, then ten of the other one.

The left half uses sets A and B. The right half uses set C; its other set, the complement of B, appears only when the
symbol is upside down.
"""

_GUARD_BARS = np.array([0, 2, 46, 48, 92, 94])

SET_A, SET_B, SET_C = (np.array([[int(bit) for bit in bits] for bits in CODES[name]]) for name in "ABC")
LEFT, RIGHT = np.concatenate((SET_A, SET_B)), np.concatenate((SET_C, 1 - SET_B))

FIRST_DIGIT_SETS = np.array([[int(name == "B") for name in names] for names in LEFT_PATTERN])
"""Number sets of the left half by first digit: 0 for A, 1 for B."""

CENTERS = (np.arange((MODULES + 2 * PAD_MODULES) * SAMPLES_PER_MODULE) + 0.5) / SAMPLES_PER_MODULE - PAD_MODULES
"""Positions of the samples in modules from the left edge of the first bar."""

REACH_MODULES = 5
"""Modules beside a digit that its blur reaches."""

DIGIT_SAMPLES = [
    slice((start + PAD_MODULES) * SAMPLES_PER_MODULE, (start + PAD_MODULES + 7) * SAMPLES_PER_MODULE)
    for start in POSITIONS
]
"""Samples of each digit."""

_WINDOWS = (POSITIONS[:, None] + PAD_MODULES - REACH_MODULES) * SAMPLES_PER_MODULE + np.arange(
    (7 + 2 * REACH_MODULES) * SAMPLES_PER_MODULE
)
"""Samples that each digit reaches."""

FINE = 2
"""Points per sample at which blur is computed."""


def symbol_bits(patterns: Array | None = None) -> Array:
    """Return the modules of a symbol, 1 for bars, with the given patterns at its twelve positions; None: no digits."""
    bits = np.zeros(MODULES + 2 * PAD_MODULES, np.int64)
    bits[PAD_MODULES + _GUARD_BARS] = 1
    if patterns is not None:
        for index, (start, pattern) in enumerate(zip(POSITIONS + PAD_MODULES, patterns, strict=True)):
            bits[start : start + 7] = (LEFT if index < 6 else RIGHT)[pattern]
    return bits


def spectra(bits: Array) -> tuple[Array, Array]:
    """Return the spectra of the bars, and of their edges, for rows of modules."""
    fine = SAMPLES_PER_MODULE * FINE
    points = bits.repeat(fine, -1)
    edges = np.abs(points - np.roll(points, 1, -1)) * fine
    return np.fft.rfft(points), (np.fft.rfft(edges) + np.fft.rfft(np.roll(edges, -1, -1))) / 4


@lru_cache(maxsize=8)
def frequencies(modules: int) -> Array:
    """Return the frequencies of a spectrum of modules, in cycles per module."""
    return np.fft.rfftfreq(modules * SAMPLES_PER_MODULE * FINE) * SAMPLES_PER_MODULE * FINE


def gaussian(modules: int, blur: float) -> Array:
    """Return the frequency response of a Gaussian blur with a standard deviation of `blur` modules."""
    response: Array = np.exp(-2 * (math.pi * blur * frequencies(modules)) ** 2)
    return response


def samples(spectrum: Array, modules: int) -> Array:
    """Return the samples of a spectrum of modules."""
    points = np.fft.irfft(spectrum, modules * SAMPLES_PER_MODULE * FINE)
    means: Array = np.add.reduce([points[..., first::FINE] for first in range(FINE)]) / FINE
    return means


@dataclass(frozen=True, slots=True)
class SymbolModel:
    """The responses of guard patterns and digits under one blur."""

    guards: Array
    """Darkness of each sample due to the guard patterns alone."""
    templates: Array
    """Darkness that each pattern adds to the samples that it reaches, as (12, samples, 20)."""
    own: Array
    """Energy of each pattern with itself and the guard patterns, as (12, 20)."""
    shared: Array
    """Energy that two patterns at adjacent positions share because of blur, as (11, 20, 20)."""

    def energies(self, lines: Array) -> tuple[Array, Array]:
        """Return the energy of each pattern on each line, as (lines, 12, 20), and that of the guard patterns."""
        matches = np.matmul(lines[:, _WINDOWS].transpose(1, 0, 2), self.templates).transpose(1, 0, 2)
        rest = lines - self.guards
        return self.own - 2 * matches, (rest * rest).sum(1)


@lru_cache(maxsize=128)
def symbol_model(blur: float, growth: float = 0.0) -> SymbolModel:
    """Return the model of a blur, and of bars that are wider than specified, both in modules."""
    left, right = (_responses(np.pad(each, ((0, 0), (REACH_MODULES,) * 2)), blur, growth) for each in (LEFT, RIGHT))
    guards = _responses(symbol_bits()[None], blur, growth)[0]
    sets = np.stack([left] * 6 + [right] * 6)
    own = (sets * sets).sum(2) + 2 * np.matmul(sets, guards[_WINDOWS][:, :, None])[:, :, 0]
    shared = [
        2 * one[:, (apart := int(distance) * SAMPLES_PER_MODULE) :] @ other[:, :-apart].T
        for one, other, distance in zip(sets[:-1], sets[1:], np.diff(POSITIONS), strict=True)
    ]
    return SymbolModel(guards, np.ascontiguousarray(sets.transpose(0, 2, 1)), own, np.stack(shared))


def _responses(bits: Array, blur: float, growth: float) -> Array:
    bars, edges = spectra(bits)
    modules = bits.shape[-1]
    return samples((bars + growth * edges) * gaussian(modules, blur), modules).astype(np.float32)


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
    """Return the best pattern at each position without checks, as (lines, 12), and the energies."""
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


def energy_of(model: SymbolModel, darkness: Array, patterns: Array) -> float:
    """Return the energy of given patterns."""
    own, guards = model.energies(darkness[None])
    positions = np.arange(len(patterns))
    shared = model.shared[positions[:-1], patterns[:-1], patterns[1:]]
    return float(own[0, positions, patterns].sum() + shared.sum() + guards[0])


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
