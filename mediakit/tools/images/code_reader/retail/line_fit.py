"""Fits the model of a symbol to a line of pixels, and searches its ends."""

from dataclasses import dataclass

import numpy as np

from mediakit.tools.images.code_reader.retail.symbol_model import (
    CENTERS,
    DIGIT_SAMPLES,
    MODULES,
    PAD_MODULES,
    Array,
    frequencies,
    gaussian,
    samples,
    spectra,
    symbol_bits,
    symbol_model,
)

MIN_BLUR, MAX_BLUR = 0.3, 1.9
"""Limits for the standard deviation of the blur, in modules."""

MAX_GROWTH = 0.4
"""Limit for the modules by which bars are wider or narrower than specified."""

ROUNDS = 3
"""Steps of Gauss-Newton."""

MAX_INK = -1.0
"""Maximum gray value of ink, relative to paper."""

_WIDTH = MODULES + 2 * PAD_MODULES

_TURNS = 2 * np.pi * frequencies(_WIDTH)

_SHARE = CENTERS / MODULES
_BOW = 4 * _SHARE * (1 - _SHARE)
_LIGHT = np.stack((np.ones_like(CENTERS), _SHARE - 0.5, (_SHARE - 0.5) ** 2), 1)
"""Basis of the brightness of paper along the symbol."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where a symbol is on a line, in pixels of the line."""

    left: float
    module: float
    bow: float = 0.0
    """Shift of the middle to the right, due to perspective or a curved surface."""

    def positions(self) -> Array:
        """Return the position of each sample of the model."""
        positions: Array = self.left + self.module * CENTERS + self.bow * _BOW
        return positions

    def reversed(self, width: int) -> "Geometry":
        """Return the geometry on the reversed line of `width` pixels."""
        return Geometry(width - self.right, self.module, -self.bow)

    @property
    def right(self) -> float:
        """Right edge of the last bar."""
        return self.left + self.module * MODULES


@dataclass(frozen=True, slots=True)
class Fit:
    """A symbol fitted to a line."""

    geometry: Geometry
    blur: float
    """Standard deviation of the blur in modules."""
    growth: float
    """Modules by which bars are wider than specified."""
    darkness: Array
    """The line at the samples of the model, from 0 for paper to 1 for ink."""
    explained: float
    """Share of the variance of the line that the model explains, up to 1."""
    difference: float
    """Root mean square difference of line and model at the digit where it is largest, in units of darkness."""


def sample(line: Array, geometry: Geometry) -> Array:
    """Return the line at the samples of the model."""
    return np.interp(geometry.positions(), np.arange(len(line)) + 0.5, line)


def refine(line: Array, geometry: Geometry, blur: float, patterns: Array) -> Fit | None:
    """Fit geometry, light and blur, which are known roughly, for given patterns; None if the model does not fit."""
    bars, edges = spectra(symbol_bits(patterns))
    for _ in range(ROUNDS):
        light = _fit_light(sample(line, geometry), bars, edges, blur)
        moved = light and _moved(line, geometry, blur, light, (bars, edges))
        if not moved:
            return None
        geometry, blur = moved
    values = sample(line, geometry)
    light = _fit_light(values, bars, edges, blur)
    if not light:
        return None
    ink, paper, contrast, growth = light
    residual = values - paper - contrast * ink
    total = values - values.mean()
    unlike = residual / contrast
    return Fit(
        geometry,
        blur,
        growth,
        darkness=((values - paper) / contrast).astype(np.float32),
        explained=1 - float(residual @ residual) / max(float(total @ total), 1e-6),
        difference=max(float(np.sqrt(np.mean(unlike[each] ** 2))) for each in DIGIT_SAMPLES),
    )


Light = tuple[Array, Array, Array, float]
"""Darkness of each sample according to the model, gray values of paper, of ink relative to it, and growth of bars."""


def _fit_light(values: Array, bars: Array, edges: Array, blur: float) -> Light | None:
    ink, border = samples(np.stack((bars, edges)) * gaussian(_WIDTH, blur), _WIDTH)
    basis = np.concatenate((_LIGHT, ink[:, None] * _LIGHT[:, :2], border[:, None]), 1)
    weights = _solve(basis, values)
    contrast = _LIGHT[:, :2] @ weights[3:5]
    if contrast.max() > MAX_INK:
        return None
    growth = float(np.clip(weights[5] / contrast.mean(), -MAX_GROWTH, MAX_GROWTH))
    return ink + growth * border, _LIGHT @ weights[:3], contrast, growth


def _moved(
    line: Array, geometry: Geometry, blur: float, light: Light, spectrum: tuple[Array, Array]
) -> tuple[Geometry, float] | None:
    """Return geometry and blur after one step of Gauss-Newton; None if the step is too long."""
    ink, _, contrast, growth = light
    blurred = (spectrum[0] + growth * spectrum[1]) * gaussian(_WIDTH, blur)
    slope, wider = samples(np.stack((blurred * 1j * _TURNS, blurred * -(_TURNS**2 * blur))), _WIDTH)
    shift = -contrast * slope / geometry.module
    moves = np.stack((shift, shift * CENTERS, shift * _BOW, contrast * wider), 1)
    basis = np.concatenate((_LIGHT, ink[:, None] * _LIGHT[:, :2], moves), 1)
    left, module, bow, widening = _solve(basis, sample(line, geometry))[5:]
    if abs(module) > 0.1 * geometry.module or abs(left) > 4 * geometry.module:
        return None
    moved = Geometry(geometry.left + float(left), geometry.module + float(module), geometry.bow + float(bow))
    return moved, float(np.clip(blur + np.clip(widening, -0.3, 0.3), MIN_BLUR, MAX_BLUR))


def _solve(basis: Array, values: Array) -> Array:
    gram = basis.T @ basis
    gram.flat[:: len(gram) + 1] *= 1 + 1e-4
    weights: Array = np.linalg.solve(gram, basis.T @ values)
    return weights


SEARCH_BLUR = 0.7
"""Blur of the model during the search, in modules."""

QUIET_ZONES = np.array([-6.5, -5.5, -4.5, -3.5, 98.5, 99.5, 100.5, 101.5])
"""Positions in the quiet zones beyond the model, in modules."""

QUIET_ZONE_WEIGHT = 0.3

MAX_UNEXPLAINED_ROUGHLY, MAX_UNEXPLAINED = 0.75, 0.42
"""Share of the variance of a line that any patterns may leave unexplained, before and after the ends are adjusted."""

CLEAR = (0.4, 0.6)
"""Darkness below which a line is light, and above which it is dark."""

SHIFTS = np.array(
    [(start, stop, bow) for start in (-0.6, 0, 0.6) for stop in (-0.6, 0, 0.6) for bow in (-1.6, -0.8, 0, 0.8, 1.6)]
)
"""Adjustments of both ends and the middle, in modules."""

MAX_ENDS = 10
"""Number of edges that are tested as left end, and as right end."""


def normalized(line: Array, reach: int) -> Array:
    """Return the darkness of a line, from 0 to 1, relative to the lightest and darkest values within `reach` pixels."""
    window = np.lib.stride_tricks.sliding_window_view(np.pad(line, reach, mode="edge"), 2 * reach + 1)
    light, dark = _smooth(window.max(1), reach), _smooth(window.min(1), reach)
    contrast = light - dark
    least = max(4.0, 0.3 * float(np.percentile(contrast, 90)))  # The contrast of a quiet zone is that of its noise.
    darkness: Array = np.clip((light - line) / np.maximum(contrast, least), 0, 1).astype(np.float32)
    return darkness


def count_edges(line: Array, span: tuple[float, float]) -> int:
    """Return the number of changes between light and dark within `span`; weak ones do not count."""
    darkness = normalized(line, _reach(span))[int(span[0]) : int(span[1])]
    clear = darkness[(darkness < CLEAR[0]) | (darkness > CLEAR[1])] > CLEAR[1]
    return int(np.count_nonzero(clear[1:] != clear[:-1]))


def find_symbols(line: Array, span: tuple[float, float], min_module: float, limit: int) -> list[tuple[Geometry, Array]]:
    """Return at most `limit` probable geometries with their patterns, the most likely first.

    `span` has the approximate ends of the bars, in pixels of the line, as `min_module` is.
    """
    length = span[1] - span[0]
    darkness = normalized(line, _reach(span))
    slope = _smooth(np.gradient(darkness), max(1, round(0.3 * length / MODULES)))
    starts = _ends(slope, span[0], length)
    stops = len(line) - _ends(-slope[::-1], len(line) - span[1], length)
    left, right = (each.ravel() for each in np.meshgrid(starts, stops))
    wide = (right - left > max(0.45 * length, min_module * MODULES)) & (right - left < 1.6 * length)
    if not wide.any():
        return []
    left, module = left[wide], (right - left)[wide] / MODULES
    kept, _, unexplained = _ranked(darkness, left, module, np.zeros_like(left), 2 * limit)
    if unexplained[0] > MAX_UNEXPLAINED_ROUGHLY:
        return []
    one, other, bow = SHIFTS.T[:, None, :] * module[kept][None, :, None]
    lefts = (left[kept][:, None] + one).ravel()
    modules = (module[kept][:, None] + (other - one) / MODULES).ravel()
    bows = bow.ravel()
    best, patterns, unexplained = _ranked(darkness, lefts, modules, bows, 40 * limit)
    chosen: list[tuple[Geometry, Array]] = []
    for index, pattern, rest in zip(best, patterns, unexplained, strict=True):
        if rest > MAX_UNEXPLAINED or len(chosen) == limit:
            break
        geometry = Geometry(float(lefts[index]), float(modules[index]), float(bows[index]))
        near = 1.3 * geometry.module
        shifts = ((geometry.left - other.left, geometry.right - other.right) for other, _ in chosen)
        if not any(abs(left_shift) <= near and abs(right_shift) <= near for left_shift, right_shift in shifts):
            chosen.append((geometry, pattern))
    return chosen


def _reach(span: tuple[float, float]) -> int:
    """Return the pixels within which a line is normalized: six modules of a symbol that fills `span`."""
    return max(3, round(6 * (span[1] - span[0]) / MODULES))


def _ranked(darkness: Array, left: Array, module: Array, bow: Array, limit: int) -> tuple[Array, Array, Array]:
    """Return the geometries that patterns explain best, these patterns, and the unexplained share of the variance.

    Dark quiet zones count as unexplained, because a part of a code resembles a whole one.
    """
    middle = left[:, None] + module[:, None] * CENTERS + bow[:, None] * _BOW
    beside = left[:, None] + module[:, None] * QUIET_ZONES
    places = np.arange(len(darkness)) + 0.5
    samples = np.interp(middle, places, darkness).astype(np.float32)
    quiet = np.interp(beside, places, darkness)
    model = symbol_model(SEARCH_BLUR)
    own, rest = model.energies(samples)
    # The energy that neighbors share is small at this blur, and is omitted.
    energy = own.min(2).sum(1) + rest
    unexplained = energy / np.maximum(samples.var(1) * samples.shape[1], 1) + QUIET_ZONE_WEIGHT * (quiet**2).mean(1)
    order = unexplained.argsort()[:limit]
    return order, own[order].argmin(2), unexplained[order]


def _ends(slope: Array, start: float, length: float) -> Array:
    """Return positions near `start` at which darkness rises strongly."""
    peaks = np.flatnonzero((slope[1:-1] > slope[:-2]) & (slope[1:-1] >= slope[2:])) + 1
    strong = 0.25 * np.percentile(slope, 98)
    near = (peaks > start - 0.25 * length) & (peaks < start + 0.4 * length)
    peaks = peaks[near & (slope[peaks] > strong)]
    ends: Array = peaks[:MAX_ENDS].astype(float) + 0.5
    return ends


def _smooth(values: Array, reach: int) -> Array:
    total = np.pad(values, (reach + 1, reach), mode="edge").cumsum(dtype=np.float64)
    smooth: Array = (total[2 * reach + 1 :] - total[: -2 * reach - 1]) / (2 * reach + 1)
    return smooth
