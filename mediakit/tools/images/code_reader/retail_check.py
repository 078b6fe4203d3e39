"""Check of EAN-13 and UPC-A readings: whether the bars on their lines belong to another number.

Blur and low resolution can change a few bars so that many scan lines and passes return the same wrong number with a
correct check digit. The model of a symbol then fits these lines badly, and fits them much better with another number.
"""

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.bar_profiles import UprightRegion
from mediakit.tools.images.code_reader.bar_regions import Region
from mediakit.tools.images.code_reader.detection import Detection
from mediakit.tools.images.code_reader.retail.digits import log_likelihood_ratio, most_likely_digits
from mediakit.tools.images.code_reader.retail.line_fit import MAX_BLUR, Fit, Geometry, refine
from mediakit.tools.images.code_reader.retail.symbol_model import (
    FIRST_DIGIT_SETS,
    MODULES,
    Array,
    SymbolModel,
    symbol_model,
)

CHECKED = frozenset({"EAN13", "UPCA"})
"""Symbologies of the model."""

DIGITS = 13
"""Length of a reading without an add-on; that of UPC-A starts with 0."""

LINES = (0, 1, 2)
"""All rows of the region of a reading, and its halves."""

START_BLURS = (0.5, 1.0)
"""Standard deviations in modules from which the blur is fitted."""

MIN_EXPLAINED_AT_ONCE = 0.9
"""Share of variance above which a reading is right without further checks; wrong readings explain at most 0.85."""

MIN_EXPLAINED = 0.5
"""Share of variance below which the symbol is not where the model expects it, so that nothing follows."""

MIN_MARGIN = 12.0
"""Logarithm of the likelihood ratio of another number to the reading, from which a line contradicts the reading."""

MIN_CONTRADICTIONS = 2
"""Lines that must contradict a reading."""


def is_contradicted(gray: Image.Image, detection: Detection) -> bool:
    """Return whether a reading is wrong: several lines at its position show another number, and none shows this one.

    Args:
        gray: The whole image.
        detection: A reading in pixels of the image; readings of other symbologies are never contradicted.
    """
    if detection.format not in CHECKED or len(detection.text) != DIGITS or detection.width < 1:
        return False
    upright = UprightRegion(gray, Region.around(detection.quad))
    left, right = upright.span
    patterns = _patterns(detection.text)
    contradictions = 0
    for index in LINES:
        fit = _best_fit(upright.lines[index], Geometry(left, (right - left) / MODULES), patterns)
        if fit is None:
            continue
        if fit.explained >= MIN_EXPLAINED_AT_ONCE:
            return False
        agrees, margin = _compare(fit, detection.text, patterns)
        if agrees:
            return False
        contradictions += margin >= MIN_MARGIN and fit.explained >= MIN_EXPLAINED and fit.blur < 0.95 * MAX_BLUR
    return contradictions >= MIN_CONTRADICTIONS


def _patterns(text: str) -> Array:
    """Return the patterns of thirteen digits at the twelve positions of a symbol."""
    digits = np.array([int(digit) for digit in text])
    sets = np.concatenate((FIRST_DIGIT_SETS[digits[0]], np.zeros(6, np.int64)))
    patterns: Array = sets * 10 + digits[1:]
    return patterns


def _best_fit(line: Array, geometry: Geometry, patterns: Array) -> Fit | None:
    best: Fit | None = None
    for blur in START_BLURS:
        fit = refine(line, geometry, blur, patterns)
        if fit and (best is None or fit.explained > best.explained):
            best = fit
        if best and best.explained >= MIN_EXPLAINED_AT_ONCE:
            break
    return best


def _compare(fit: Fit, text: str, patterns: Array) -> tuple[bool, float]:
    """Return whether a number is the most likely one, and the logarithm of the likelihood ratio of the most likely."""
    model = symbol_model(round(fit.blur, 1), round(fit.growth, 1))
    best = most_likely_digits(model, fit.darkness)
    energy = _energy(model, fit.darkness, patterns)
    return best.text == text, log_likelihood_ratio(energy, best.energy)


def _energy(model: SymbolModel, darkness: Array, patterns: Array) -> float:
    """Return the sum of squared differences of a line to a number, as `Digits.energy`."""
    own, guards = model.energies(darkness[None])
    positions = np.arange(len(patterns))
    shared = model.shared[positions[:-1], patterns[:-1], patterns[1:]]
    return float(own[0, positions, patterns].sum() + shared.sum() + guards[0])
