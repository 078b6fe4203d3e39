"""Correlations between columns of numbers, by Pearson and by Spearman."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.tools.data.data_profile.numbers import Floats

MAX_COLUMNS = 20
THRESHOLD = 0.3
"""Correlations up to this, in both directions, are not listed."""

_LEAST_ROWS = 3
Order = npt.NDArray[np.intp]


def correlations(columns: Sequence[tuple[str, Floats]]) -> list[dict[str, Any]]:
    """Return the pairs of columns whose Pearson or Spearman correlation is above the threshold, strongest first.

    Rows in which a value of the pair is null do not count. Spearman ranks equal values by their mean rank.

    Args:
        columns: The name of each column and the value of each of its rows, NaN for null.
    """
    known = [(name, values, ~np.isnan(values)) for name, values in columns[:MAX_COLUMNS]]
    prepared = [(name, values, present, np.argsort(values, kind="stable")) for name, values, present in known]
    whole = {
        name: (_centered(values), _centered(_ranks(values[order], order)))
        for name, values, present, order in prepared
        if present.all() and len(values) >= _LEAST_ROWS
    }
    found = []
    for place, (name, values, present, order) in enumerate(prepared):
        for other, others, also_present, other_order in prepared[place + 1 :]:
            both = present & also_present
            if name in whole and other in whole:
                pearson, spearman = map(_cosine, whole[name], whole[other])
            else:
                pearson = _pearson(values[both], others[both])
                spearman = _pearson(_ranks_of(values, order, both), _ranks_of(others, other_order, both))
            if max(abs(pearson or 0), abs(spearman or 0)) > THRESHOLD:
                found.append({"a": name, "b": other, "pearson": pearson, "spearman": spearman})
    return sorted(found, key=_weakness)


def _weakness(pair: dict[str, Any]) -> float:
    strongest: float = max(abs(pair["pearson"] or 0), abs(pair["spearman"] or 0))
    return -strongest


def _pearson(first: Floats, second: Floats) -> float | None:
    """Return the correlation; None for fewer than three rows or for a column of one value."""
    if len(first) < _LEAST_ROWS:
        return None
    return _cosine(_centered(first), _centered(second))


def _centered(values: Floats) -> Floats:
    """Return values less their mean, of length one; NaN where there is only one value."""
    with np.errstate(all="ignore"):
        centered = values - values.mean()
        centered /= np.abs(centered).max()
        length = float(np.sqrt((centered * centered).sum()))
    unit: Floats = centered / length
    return unit


def _cosine(first: Floats, second: Floats) -> float | None:
    found = float((first * second).sum())
    return round(max(-1.0, min(1.0, found)), 6) if isfinite(found) else None


def _ranks_of(values: Floats, order: Order, wanted: npt.NDArray[np.bool_]) -> Floats:
    """Return the ranks of the wanted rows among themselves."""
    kept = order[wanted[order]]
    ranks = np.empty(len(values), np.float64)
    ranks[kept] = _ordered_ranks(values[kept])
    return ranks[wanted]


def _ranks(ordered: Floats, order: Order) -> Floats:
    ranks = np.empty(len(order), np.float64)
    ranks[order] = _ordered_ranks(ordered)
    return ranks


def _ordered_ranks(ordered: Floats) -> Floats:
    """Return the ranks of values in ascending order; equal ones have their mean rank."""
    if not len(ordered):
        return ordered
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(ordered)]
    return np.repeat((starts + ends + 1) / 2, ends - starts)
