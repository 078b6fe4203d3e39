"""The geometry, light and blur of a symbol on a line, refined by least squares (Gauss-Newton)."""

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
    """Fit geometry, light and blur for given patterns; None if the model does not fit.

    Args:
        line: Gray values along the line.
        geometry: The approximate geometry.
        blur: The approximate blur, in modules.
        patterns: Pattern at each of the twelve positions.
    """
    bars, edges = spectra(symbol_bits(patterns))
    for _ in range(ROUNDS):
        light = _fit_light(sample(line, geometry), bars, edges, blur)
        moved = light and _moved(line, geometry, blur, light, (bars, edges))
        if not moved:
            return None
        geometry, blur = moved
    values = sample(line, geometry)
    light = _fit_light(values, bars, edges, blur)
    return _fit(values, geometry, blur, light) if light else None


@dataclass(frozen=True, slots=True)
class _Light:
    """Brightness of paper and ink along a symbol."""

    ink: Array
    """Darkness of each sample according to the model, from 0 to 1."""
    paper: Array
    contrast: Array
    """Gray value of ink relative to paper; negative."""
    growth: float


def _fit_light(values: Array, bars: Array, edges: Array, blur: float) -> _Light | None:
    ink, border = samples(np.stack((bars, edges)) * gaussian(_WIDTH, blur), _WIDTH)
    basis = np.concatenate((_LIGHT, ink[:, None] * _LIGHT[:, :2], border[:, None]), 1)
    weights = _solve(basis, values)
    contrast = _LIGHT[:, :2] @ weights[3:5]
    if contrast.max() > MAX_INK:
        return None
    growth = float(np.clip(weights[5] / contrast.mean(), -MAX_GROWTH, MAX_GROWTH))
    return _Light(ink + growth * border, _LIGHT @ weights[:3], contrast, growth)


def _moved(
    line: Array, geometry: Geometry, blur: float, light: _Light, spectrum: tuple[Array, Array]
) -> tuple[Geometry, float] | None:
    """Return geometry and blur after one step of Gauss-Newton; None if the step is too long."""
    blurred = (spectrum[0] + light.growth * spectrum[1]) * gaussian(_WIDTH, blur)
    slope, wider = samples(np.stack((blurred * 1j * _TURNS, blurred * -(_TURNS**2 * blur))), _WIDTH)
    shift = -light.contrast * slope / geometry.module
    moves = np.stack((shift, shift * CENTERS, shift * _BOW, light.contrast * wider), 1)
    basis = np.concatenate((_LIGHT, light.ink[:, None] * _LIGHT[:, :2], moves), 1)
    left, module, bow, widening = _solve(basis, sample(line, geometry))[5:]
    if abs(module) > 0.1 * geometry.module or abs(left) > 4 * geometry.module:
        return None
    moved = Geometry(geometry.left + float(left), geometry.module + float(module), geometry.bow + float(bow))
    return moved, float(np.clip(blur + np.clip(widening, -0.3, 0.3), MIN_BLUR, MAX_BLUR))


def _fit(values: Array, geometry: Geometry, blur: float, light: _Light) -> Fit:
    residual = values - light.paper - light.contrast * light.ink
    total = values - values.mean()
    unlike = residual / light.contrast
    return Fit(
        geometry,
        blur,
        light.growth,
        darkness=((values - light.paper) / light.contrast).astype(np.float32),
        explained=1 - float(residual @ residual) / max(float(total @ total), 1e-6),
        difference=max(float(np.sqrt(np.mean(unlike[each] ** 2))) for each in DIGIT_SAMPLES),
    )


def _solve(basis: Array, values: Array) -> Array:
    gram = basis.T @ basis
    gram.flat[:: len(gram) + 1] *= 1 + 1e-4
    weights: Array = np.linalg.solve(gram, basis.T @ values)
    return weights
