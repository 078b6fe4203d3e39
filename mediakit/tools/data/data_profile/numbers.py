"""Statistics of a column of numbers."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.tools.data.data_profile.observed import Observed

QUANTILES = (5, 25, 50, 75, 95)
"""Percentages."""

BINS = 20
MAX_OUTLIERS = 5
OUTLIER_FENCE = 3.0
"""Interquartile ranges beyond the quartiles from which on a value is an outlier."""

Floats = npt.NDArray[np.float64]


def floats_of(observed: Observed) -> Floats | None:
    """Return the value of each row as a float, NaN for null; None where a value is too large for one."""
    try:
        distinct = np.fromiter(map(float, observed.distinct), np.float64, len(observed.distinct))
    except OverflowError:
        return None
    return np.append(distinct, np.nan)[observed.codes]


def number_facts(observed: Observed, floats: Floats | None) -> dict[str, Any]:
    """Return the statistics of a column of numbers.

    The quantiles are interpolated linearly between the two nearest values; the standard deviation is that of a sample.

    Args:
        observed: The column.
        floats: The value of each row, NaN for null.
    """
    if not observed.distinct:
        return {"outliers": {"count": 0, "values": []}, "zeros": 0, "negatives": 0}
    ends = {"min": plain(min(observed.distinct)), "max": plain(max(observed.distinct))}
    if floats is None:
        return ends
    present = floats[~np.isnan(floats)]
    with np.errstate(over="ignore", invalid="ignore"):
        quantiles = [_finite(value) for value in np.quantile(present, np.array(QUANTILES) / 100)]
        mean = _finite(np.mean(present))
        spread = _finite(np.std(present, ddof=1)) if len(present) > 1 else None
    return ends | {
        "mean": mean,
        "median": quantiles[2],
        "std": spread,
        "quantiles": quantiles,
        "zeros": int(np.count_nonzero(present == 0)),
        "negatives": int(np.count_nonzero(present < 0)),
        "histogram": _number_bins(present),
        "outliers": _outliers(observed, quantiles),
    }


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    return value if value is None or isinstance(value, str | int | float | bool) else float(value)


def histogram(values: Floats, weights: npt.NDArray[np.int64] | None = None) -> tuple[list[int], list[float]]:
    """Return the counts and the edges of bins of equal width; of one bin where the values allow no more."""
    low, high = float(values.min()), float(values.max())
    scale = 1.0 if math.isfinite(high - low) else 0.25
    try:
        counts, edges = np.histogram(
            values * scale, BINS if low < high else 1, (low * scale, high * scale), None, weights
        )
    except ValueError:  # the ends are so near that a float cannot divide the space between them
        return [int(len(values) if weights is None else weights.sum())], [low, high]
    if low == high:
        return [int(count) for count in counts], [low, high]
    return [int(count) for count in counts], [low, *(float(edge) for edge in edges[1:-1] / scale), high]


def _number_bins(present: Floats) -> list[dict[str, Any]]:
    counts, edges = histogram(present)
    return [
        {"from": start, "to": end, "count": count} for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]


def _outliers(observed: Observed, quantiles: list[float | None]) -> dict[str, Any]:
    """Return the values beyond the fences, the farthest first. Without a spread of the quartiles there are none."""
    lower, upper = quantiles[1], quantiles[3]
    if lower is None or upper is None or not 0 < upper - lower < math.inf:
        return {"count": 0, "values": []}
    fence = OUTLIER_FENCE * (upper - lower)
    values = np.fromiter(map(float, observed.distinct), np.float64, len(observed.distinct))
    beyond = np.maximum(values - (upper + fence), (lower - fence) - values)
    order = np.argsort(-beyond, kind="stable")[:MAX_OUTLIERS]
    farthest = [plain(observed.distinct[place]) for place in order if beyond[place] > 0]
    return {"count": observed.total(beyond > 0), "values": farthest}


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
