"""Search for the ends of a symbol on a line."""

import numpy as np

from mediakit.tools.images.code_reader.retail.line_fit import Geometry
from mediakit.tools.images.code_reader.retail.symbol_model import CENTERS, MODULES, Array, symbol_model

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

    Args:
        line: Gray values along the line.
        span: The approximate ends of the bars, in pixels of the line.
        min_module: The minimum width of a module, in pixels of the line.
        limit: Maximum number of geometries.
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
        if all(_differ(geometry, other) for other, _ in chosen):
            chosen.append((geometry, pattern))
    return chosen


def _reach(span: tuple[float, float]) -> int:
    """Return the pixels within which a line is normalized: six modules of a symbol that fills `span`."""
    return max(3, round(6 * (span[1] - span[0]) / MODULES))


def _differ(one: Geometry, other: Geometry) -> bool:
    near = 1.3 * one.module
    return abs(one.left - other.left) > near or abs(one.right - other.right) > near


def _ranked(darkness: Array, left: Array, module: Array, bow: Array, limit: int) -> tuple[Array, Array, Array]:
    """Return the geometries that patterns explain best, these patterns, and the unexplained share of the variance.

    Dark quiet zones count as unexplained, because a part of a code resembles a whole one.
    """
    share = CENTERS / MODULES
    middle = left[:, None] + module[:, None] * CENTERS + bow[:, None] * (4 * share * (1 - share))
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
