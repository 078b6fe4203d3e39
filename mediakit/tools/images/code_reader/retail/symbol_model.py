"""The appearance of an EAN-13 symbol under blur: the response of each digit at each position (GS1, 5.2.1)."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

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

_SET_A = ("0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011")

_GUARD_BARS = np.array([0, 2, 46, 48, 92, 94])

SET_A = np.array([[int(bit) for bit in bits] for bits in _SET_A])
SET_C = 1 - SET_A
SET_B = SET_C[:, ::-1]
LEFT, RIGHT = np.concatenate((SET_A, SET_B)), np.concatenate((SET_C, 1 - SET_B))

FIRST_DIGIT_SETS = np.array(
    [
        [int(bit) for bit in bits]
        for bits in (
            "000000",
            "001011",
            "001101",
            "001110",
            "010011",
            "011001",
            "011100",
            "010101",
            "010110",
            "011010",
        )
    ]
)
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
    """Return the model of a blur and a growth of bars.

    Args:
        blur: Standard deviation of the blur, in modules.
        growth: Modules by which bars are wider than specified.
    """
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
