"""Readings: numbers that explain a line much better than any other number."""

from dataclasses import dataclass

from mediakit.tools.images.code_reader.retail.digits import (
    Digits,
    free_energy,
    log_likelihood_ratio,
    most_likely_digits,
    most_likely_patterns,
    second_energy,
)
from mediakit.tools.images.code_reader.retail.line_fit import MAX_BLUR, MIN_BLUR, Fit, Geometry, refine
from mediakit.tools.images.code_reader.retail.search import find_symbols
from mediakit.tools.images.code_reader.retail.symbol_model import Array, SymbolModel, symbol_model

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


@dataclass(frozen=True, slots=True)
class Reading:
    """The most likely number of a line."""

    digits: Digits
    fit: Fit
    upside_down: bool
    """Whether the line was read from right to left; `fit` is that of the reversed line."""
    margin: float
    """Logarithm of the likelihood relative to the second most likely number."""
    contradiction: float
    """Logarithm of the likelihood of any patterns relative to the number."""

    @property
    def text(self) -> str:
        """The thirteen digits."""
        return self.digits.text

    @property
    def reliable(self) -> bool:
        """Whether the symbol explains the whole line, and neither another number nor other patterns do."""
        return (
            self.fit.explained >= MIN_EXPLAINED
            and self.margin >= MIN_MARGIN
            and self.contradiction <= MAX_CONTRADICTION
            and self.fit.difference < MAX_DIFFERENCE
        )

    def ends(self, width: int) -> tuple[float, float]:
        """Return the positions of the first and the last bar in reading direction, on a line of `width` pixels."""
        left, right = self.fit.geometry.left, self.fit.geometry.right
        return (width - left, width - right) if self.upside_down else (left, right)

    def repeated_on(self, line: Array) -> bool:
        """Return whether another line through the same bars has the same number."""
        ahead = line[::-1] if self.upside_down else line
        other = _fit_digits(ahead, self.fit.geometry, self.fit.blur, self.digits)
        return other is not None and other[1].text == self.text


def read_line(line: Array, span: tuple[float, float], min_module: float) -> Reading | None:
    """Return the most likely number of a line; None if no symbol fits.

    Args:
        line: Gray values along the line.
        span: The approximate ends of the bars, in pixels of the line.
        min_module: The minimum width of a module, in pixels of the line.
    """
    best = _best_free_fit(line, span, min_module)
    if best is None:
        return None
    model = _model(best)
    ahead, back = most_likely_digits(model, best.darkness), most_likely_digits(model, best.darkness[::-1])
    upside_down = back.energy < ahead.energy
    geometry = best.geometry.reversed(len(line)) if upside_down else best.geometry
    digits = back if upside_down else ahead
    found = _fit_digits(line[::-1] if upside_down else line, geometry, best.blur, digits)
    if found is None or found[0].explained < MIN_EXPLAINED:
        return None
    fit, digits = found
    model = _model(fit)
    margin = log_likelihood_ratio(second_energy(model, fit.darkness, digits), digits.energy)
    contradiction = log_likelihood_ratio(digits.energy, free_energy(model, fit.darkness))
    return Reading(digits, fit, upside_down, margin, contradiction)


def _best_free_fit(line: Array, span: tuple[float, float], min_module: float) -> Fit | None:
    """Return the fit of any patterns that explains the line best, in either reading direction."""
    best: Fit | None = None
    for geometry, patterns in find_symbols(line, span, min_module, MAX_GEOMETRIES):
        fit = _fit_freely(line, geometry, patterns)
        if fit and fit.blur < 0.95 * MAX_BLUR and (best is None or fit.explained > best.explained):
            best = fit
    return best if best and best.explained >= MIN_EXPLAINED_FREELY else None


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
