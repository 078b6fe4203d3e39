"""The profile of one column."""

from typing import Any

import numpy as np

from mediakit.tools.data.data_profile.moments import moment_facts
from mediakit.tools.data.data_profile.numbers import Floats, number_facts, plain
from mediakit.tools.data.data_profile.observed import Observed

_NOT_KNOWN = dict.fromkeys(
    (
        "min",
        "max",
        "mean",
        "median",
        "std",
        "quantiles",
        "zeros",
        "negatives",
        "min_length",
        "max_length",
        "histogram",
        "outliers",
    )
)


def column_profile(observed: Observed, floats: Floats | None, top: int) -> dict[str, Any]:
    """Return the profile of a column; what its type does not have is None.

    Args:
        observed: The column.
        floats: The value of each row of a column of numbers, NaN for null.
        top: The number of most frequent values to list.
    """
    rows = len(observed.values)
    nulls = rows - observed.count
    return {
        "name": observed.name,
        "type": "text" if observed.type == "json" else observed.type,
        "semantic": observed.semantic,
        "count": observed.count,
        "nulls": nulls,
        "null_pct": round(100 * nulls / rows, 2) if rows else 0.0,
        "distinct": len(observed.distinct),
        "unique": observed.is_unique,
        **_NOT_KNOWN,
        **_facts(observed, floats),
        "top": _top(observed, top),
        "problems": [],
    }


def _facts(observed: Observed, floats: Floats | None) -> dict[str, Any]:
    if observed.is_number:
        return {**number_facts(observed, floats), "formats": []}
    if observed.type in ("date", "datetime", "time"):
        return moment_facts(observed)
    if observed.is_text and observed.distinct:
        lengths = list(map(len, observed.distinct))
        return {"min_length": min(lengths), "max_length": max(lengths), "formats": []}
    return {"formats": []}


def _top(observed: Observed, top: int) -> list[dict[str, Any]]:
    """Return the most frequent values; of equally frequent ones those that come first."""
    places = np.argsort(-observed.counts, kind="stable")[:top]
    return [{"value": plain(observed.distinct[place]), "count": int(observed.counts[place])} for place in places]
