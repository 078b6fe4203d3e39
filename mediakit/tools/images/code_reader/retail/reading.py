"""Reads EAN-13 from the lines of a region by likelihood, and checks readings of other passes."""

from collections.abc import Iterator

import numpy as np
from PIL import Image

from mediakit.tools.images.code_reader.bar_profiles import UprightRegion
from mediakit.tools.images.code_reader.decoder import Detection
from mediakit.tools.images.code_reader.regions import Region
from mediakit.tools.images.code_reader.retail.line_fit import (
    MAX_BLUR,
    MIN_BLUR,
    Fit,
    Geometry,
    count_edges,
    find_symbols,
    refine,
)
from mediakit.tools.images.code_reader.retail.symbol_model import (
    FIRST_DIGIT_SETS,
    MODULES,
    Array,
    Digits,
    SymbolModel,
    energy_of,
    free_energy,
    log_likelihood_ratio,
    most_likely_digits,
    most_likely_patterns,
    second_energy,
    symbol_model,
)

MAX_GEOMETRIES = 3

FREE_ROUNDS = 4
"""Number of times that geometry and patterns are fitted in turn, before a number is fitted."""

MIN_EXPLAINED = 0.91
"""Share of variance that the symbol must explain."""

MIN_EXPLAINED_AT_ONCE = 0.6
"""Share of variance that the first patterns must explain."""

MIN_EXPLAINED_FREELY = 0.8
"""Share of variance that any patterns must explain at first, before a number is fitted."""

MIN_MARGIN = 12.0
"""Logarithm of the likelihood ratio of the best number to the second; it is below 10 for misreads."""

MAX_CONTRADICTION = 3.0
"""Logarithm of the likelihood ratio of any patterns to the number; it is 0 for nearly all numbers that are right, and
large for symbols whose number sets or check digit are wrong."""

MAX_DIFFERENCE = 0.25
"""Root mean square difference between line and symbol within a digit; more is glare or a torn label."""


Reading = tuple[Digits, Fit, bool]
"""The most likely number of a line, its fit, and whether the line was read from right to left, as the fit is."""


def read_line(line: Array, span: tuple[float, float], min_module: float) -> Reading | None:
    """Return the number that alone explains a whole line; None if there is none.

    `span` has the approximate ends of the bars, in pixels of the line, as `min_module` is.
    """
    symbols = find_symbols(line, span, min_module, MAX_GEOMETRIES)
    fits = filter(None, (_fit_freely(line, geometry, patterns) for geometry, patterns in symbols))
    sharp = (each for each in fits if each.blur < 0.95 * MAX_BLUR)
    best = max(sharp, key=lambda each: each.explained, default=None)  # in either reading direction
    if best is None or best.explained < MIN_EXPLAINED_FREELY:
        return None
    model = _model(best)
    ahead, back = most_likely_digits(model, best.darkness), most_likely_digits(model, best.darkness[::-1])
    upside_down = back.energy < ahead.energy
    geometry = best.geometry.reversed(len(line)) if upside_down else best.geometry
    digits = back if upside_down else ahead
    found = _fit_digits(line[::-1] if upside_down else line, geometry, best.blur, digits)
    if found is None or found[0].explained < MIN_EXPLAINED or found[0].difference >= MAX_DIFFERENCE:
        return None
    fit, digits = found
    model = _model(fit)
    margin = log_likelihood_ratio(second_energy(model, fit.darkness, digits), digits.energy)
    contradiction = log_likelihood_ratio(digits.energy, free_energy(model, fit.darkness))
    is_reliable = margin >= MIN_MARGIN and contradiction <= MAX_CONTRADICTION
    return (digits, fit, upside_down) if is_reliable else None


def _fit_freely(line: Array, geometry: Geometry, patterns: Array) -> Fit | None:
    fit, blur = None, 0.7
    for _ in range(FREE_ROUNDS):
        fit = refine(line, geometry, blur, patterns)
        if fit is None or fit.explained < MIN_EXPLAINED_AT_ONCE:
            return None
        geometry, blur = fit.geometry, fit.blur
        model = _model(fit)
        patterns = most_likely_patterns(model.energies(fit.darkness[None])[0], model.shared)[0][0]
    return fit


def _fit_digits(line: Array, geometry: Geometry, blur: float, digits: Digits) -> tuple[Fit, Digits] | None:
    fit = None
    for _ in range(2):
        fit = refine(line, geometry, blur, digits.patterns)
        if fit is None:
            return None
        geometry, blur = fit.geometry, fit.blur
        digits = most_likely_digits(_model(fit), fit.darkness)
    return (fit, digits) if fit else None


def _model(fit: Fit) -> SymbolModel:
    """Return the model for a fit, rounded so that few models are computed."""
    return symbol_model(max(MIN_BLUR, round(fit.blur, 1)), round(fit.growth, 1))


MIN_MODULE_PIXELS = 0.8
"""Minimum width of a module in pixels of the image."""

MARGIN = 0.3
"""Margin on both sides relative to the length of a region; the search for regions misses the ends of blurred codes."""

MIN_EDGES, MAX_EDGES = 12, 85
"""Limits for the edges of a region. A symbol has 60; blur merges bars, and a region may contain half of it, or text."""

FIRST_LINES = (0, 1, 2)
"""Lines that are read first: all rows of a region, and its halves."""

FURTHER_LINES = (4, 5)
"""The two inner quarters of a region."""

OTHER_LINES = {0: (1, 2), 1: (2, 5), 2: (1, 4), 4: (5, 3), 5: (4, 6)}
"""Lines through other rows, or part of the rows, that confirm a reading."""


def may_be_retail(upright: UprightRegion) -> bool:
    """Return whether a region is long enough for an EAN-13, and has a plausible number of edges."""
    if upright.length < MIN_MODULE_PIXELS * MODULES / 1.6:
        return False
    edges = count_edges(upright.lines[0], upright.span)
    return MIN_EDGES <= edges <= MAX_EDGES


def read(upright: UprightRegion, index: int) -> Iterator[tuple[Detection, str]]:
    """Yield the number of a line, and again for each line that confirms it, with the name of the line."""
    reading = read_line(upright.lines[index], upright.span, MIN_MODULE_PIXELS * upright.magnification)
    if reading is None:
        return
    digits, fit, upside_down = reading
    ends = fit.geometry.left, fit.geometry.right
    first, last = (upright.width - end if upside_down else end for end in ends)
    top, bottom = (1.0, 0.0) if upside_down else (0.0, 1.0)
    quad = upright.back(((first, top), (last, top), (last, bottom), (first, bottom)))
    detection = Detection("EAN13", digits.text, digits.text.encode(), quad, "text", "]E0", "")
    yield detection, f"digits {index}"
    for other in OTHER_LINES[index]:
        line = upright.lines[other]
        repeated = _fit_digits(line[::-1] if upside_down else line, fit.geometry, fit.blur, digits)
        if repeated is not None and repeated[1].text == digits.text:
            yield detection, f"digits {other}"


CHECKED = frozenset({"EAN13", "UPCA"})
"""Symbologies of the model."""

DIGITS = 13
"""Length of a reading without an add-on; that of UPC-A starts with 0."""

LINES = (0, 1, 2)
"""All rows of the region of a reading, and its halves."""

START_BLURS = (0.5, 1.0)
"""Standard deviations in modules from which the blur is fitted."""

CHECK_EXPLAINED_AT_ONCE = 0.9
"""Share of variance above which a reading is right without further checks; wrong readings explain at most 0.85."""

CHECK_EXPLAINED = 0.5
"""Share of variance below which the symbol is not where the model expects it, so that nothing follows."""

CHECK_MARGIN = 12.0
"""Logarithm of the likelihood ratio of another number to the reading, from which a line contradicts the reading."""

UPCE_MODULES, HALF_MODULES = 51, 40
"""Width of a UPC-E, and what is searched beside it for further bars: the other half of an EAN-13."""
SEARCHED_SHARE = 0.8
"""Margin of the region of a UPC-E, relative to its length."""
MIN_BAR_CONTRAST, MIN_ALTERNATIONS = 0.35, 10
"""Contrast of further bars, relative to that of the code, and how often they alternate at least."""

MIN_CONTRADICTIONS = 2
"""Lines that must contradict a reading."""


def is_contradicted(gray: Image.Image, detection: Detection) -> bool:
    """Return whether a reading is wrong: several lines at its position show another number, and none shows this one.

    Readings of other symbologies are never contradicted.
    """
    if detection.format not in CHECKED or len(detection.text) != DIGITS or detection.width < 1:
        return False
    upright = UprightRegion(gray, Region.around(detection.quad))
    left, right = upright.span
    digits = np.array([int(digit) for digit in detection.text])
    patterns: Array = digits[1:] + 10 * np.concatenate((FIRST_DIGIT_SETS[digits[0]], np.zeros(6, np.int64)))
    contradictions = 0
    for index in LINES:
        fit = _best_fit(upright.lines[index], Geometry(left, (right - left) / MODULES), patterns)
        if fit is None:
            continue
        if fit.explained >= CHECK_EXPLAINED_AT_ONCE:
            return False
        model = _model(fit)
        best = most_likely_digits(model, fit.darkness)
        if best.text == detection.text:
            return False
        margin = log_likelihood_ratio(energy_of(model, fit.darkness, patterns), best.energy)
        contradictions += margin >= CHECK_MARGIN and fit.explained >= CHECK_EXPLAINED and fit.blur < 0.95 * MAX_BLUR
    return contradictions >= MIN_CONTRADICTIONS


def has_bars_beside(gray: Image.Image, detection: Detection) -> bool:
    """Return whether bars go on beside a UPC-E: the half of a blurred EAN-13 can look like one."""
    if detection.format != "UPCE" or detection.width < 1:
        return False
    upright = UprightRegion(gray, Region.around(detection.quad), margin=SEARCHED_SHARE)
    left, right = upright.span
    module = (right - left) / UPCE_MODULES
    near, far = 2 * module, HALF_MODULES * module
    for index in LINES:
        line = upright.lines[index]
        least = MIN_BAR_CONTRAST * np.ptp(line[round(left) : round(right)])
        before = line[max(0, round(left - far)) : max(0, round(left - near))]
        after = line[round(right + near) : round(right + far)]
        if max(_alternations(before, least), _alternations(after, least)) < MIN_ALTERNATIONS:
            return False
    return True


def _alternations(line: Array, least: float) -> int:
    """Return how often a line changes from light to dark or back by at least a contrast."""
    count, direction = 0, 0
    extreme = float(line[0]) if len(line) else 0.0
    for value in map(float, line):
        if direction * (value - extreme) > 0:
            extreme = value
        elif abs(value - extreme) >= least:
            count, direction, extreme = count + 1, 1 if value > extreme else -1, value
    return count


def _best_fit(line: Array, geometry: Geometry, patterns: Array) -> Fit | None:
    best: Fit | None = None
    for blur in START_BLURS:
        fit = refine(line, geometry, blur, patterns)
        if fit and (best is None or fit.explained > best.explained):
            best = fit
        if best and best.explained >= CHECK_EXPLAINED_AT_ONCE:
            break
    return best
