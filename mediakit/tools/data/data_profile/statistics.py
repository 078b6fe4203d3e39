"""Statistics of columns, and of rows as a whole: counts, quantiles, correlations, duplicates, keys."""

import datetime as dt
import math
from collections.abc import Sequence
from itertools import combinations
from math import isfinite, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.tools.data.data_profile import semantics
from mediakit.tools.data.data_profile.column_values import Observed, names_identifier

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
    """Return the statistics of a column of numbers, given the value of each row as a float, NaN for null.

    The quantiles are interpolated linearly between the two nearest values; the standard deviation is that of a sample.
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
        "histogram": _bins(*histogram(present)),
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


def _bins(counts: list[int], edges: Sequence[float | str]) -> list[dict[str, Any]]:
    ends = zip(edges, edges[1:], counts, strict=False)
    return [{"from": start, "to": end, "count": count} for start, end, count in ends]


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


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LONGEST_WITHOUT_ZONE = 19
"""Characters of a moment to the second."""


def moment_facts(observed: Observed) -> dict[str, Any]:
    """Return the first and the last moment, the histogram and the formats that the cells are written in."""
    if not observed.distinct:
        return {"formats": []}
    if observed.type == "time":
        return {"min": min(observed.distinct), "max": max(observed.distinct), "formats": []}
    seconds = _all_seconds(observed.distinct)
    counts, edges = histogram(seconds, observed.counts)
    moments = [(_EPOCH + dt.timedelta(seconds=round(edge))).replace(tzinfo=None) for edge in edges]
    labels = [(each.date() if observed.type == "date" else each).isoformat() for each in moments]
    return {
        "min": observed.distinct[int(seconds.argmin())],
        "max": observed.distinct[int(seconds.argmax())],
        "histogram": _bins(counts, labels),
        "formats": semantics.formats_of(observed.cells, is_uniform=not observed.is_declared),
    }


def _all_seconds(texts: list[str]) -> Floats:
    """Return the seconds since 1970 of each moment."""
    joined = "".join(texts)
    if max(map(len, texts)) <= _LONGEST_WITHOUT_ZONE and "Z" not in joined and "+" not in joined:
        return np.array(texts, "datetime64[s]").astype(np.float64)
    moments = map(dt.datetime.fromisoformat, texts)  # without a time zone they count as UTC
    utc = (each if each.tzinfo else each.replace(tzinfo=dt.UTC) for each in moments)
    return np.array([(each - _EPOCH).total_seconds() for each in utc], np.float64)


_NOT_KNOWN = dict.fromkeys(
    "min max mean median std quantiles zeros negatives min_length max_length histogram outliers".split()
)


def column_profile(observed: Observed, floats: Floats | None, top: int) -> dict[str, Any]:
    """Return the profile of a column, with its most frequent values; what its type does not have is None."""
    rows = len(observed.values)
    nulls = rows - observed.count
    places = np.argsort(-observed.counts, kind="stable")[:top]
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
        "top": [{"value": plain(observed.distinct[place]), "count": int(observed.counts[place])} for place in places],
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


MAX_COLUMNS = 20
THRESHOLD = 0.3
"""Correlations up to this, in both directions, are not listed."""

_LEAST_ROWS = 3
Order = npt.NDArray[np.intp]


def correlations(columns: Sequence[tuple[str, Floats]]) -> list[dict[str, Any]]:
    """Return the pairs of columns whose Pearson or Spearman correlation is above the threshold, strongest first.

    Rows in which a value of the pair is null, NaN here, do not count. Spearman ranks equal values by their mean rank.
    """
    known = [(name, values, ~np.isnan(values)) for name, values in columns[:MAX_COLUMNS]]
    prepared = [(name, values, present, np.argsort(values, kind="stable")) for name, values, present in known]
    whole = {
        name: (_centered(values), _centered(_ranks_of(values, order, present)))
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
    return sorted(found, key=lambda pair: -max(abs(pair["pearson"] or 0), abs(pair["spearman"] or 0)))


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


def _ordered_ranks(ordered: Floats) -> Floats:
    """Return the ranks of values in ascending order; equal ones have their mean rank."""
    if not len(ordered):
        return ordered
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(ordered)]
    return np.repeat((starts + ends + 1) / 2, ends - starts)


_MOST_CODES = 2**62


def _codes_of_rows(columns: Sequence[Observed], rows: int) -> npt.NDArray[np.int64]:
    """Return a number for each of the first rows that is equal where the rows are equal in these columns."""
    found, count = np.zeros(rows, np.int64), 1
    for column in columns:
        values = len(column.distinct) + 1
        if count * values > _MOST_CODES:
            distinct, found = np.unique(found, return_inverse=True)
            count = len(distinct)
        found = found * values + column.codes[:rows] + 1
        count *= values
    return found


def duplicate_rows(columns: Sequence[Observed]) -> list[int]:
    """Return the places of the rows that are equal to an earlier one in all columns."""
    if not columns or any(column.is_unique and column.count == len(column.values) for column in columns):
        return []
    rows = len(columns[0].values)
    _, first_places = np.unique(_codes_of_rows(columns, rows), return_index=True)
    is_repeated = np.ones(rows, np.bool_)
    is_repeated[first_places] = False
    return np.flatnonzero(is_repeated).tolist()


def empty_rows(columns: Sequence[Observed]) -> int:
    """Return the number of rows without any value."""
    return int(np.count_nonzero(np.logical_and.reduce([column.codes < 0 for column in columns]))) if columns else 0


def has_repeats(columns: Sequence[Observed], rows: int) -> bool:
    """Return whether one of the first rows is equal to an earlier one in these columns."""
    return len(np.unique(_codes_of_rows(columns, rows))) < rows


def sample_rows(columns: Sequence[Observed], count: int) -> list[dict[str, Any]]:
    """Return the first rows by column name."""
    rows = zip(*(column.values[:count] for column in columns), strict=True)
    names = [column.name for column in columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in rows]


MAX_KEY_COLUMNS = 3
"""Columns of a key."""

MAX_CANDIDATES = 20
_MOST_COMBINED = 24
"""Columns that are combined: those with the most distinct values."""

_FIRST_ROWS = 2000
"""Rows by which most sets are ruled out."""


def key_candidates(columns: Sequence[Observed], duplicates: int) -> list[list[str]]:
    """Return the names of the smallest sets of columns without nulls in which no two rows are equal."""
    rows = len(columns[0].values) if columns else 0
    full = [column for column in columns if column.count == rows]
    if not rows or duplicates:
        return []
    single = [[column] for column in full if column.is_unique]
    single.sort(key=lambda found: (not names_identifier(found[0].words), found[0].type == "number"))
    found = single or _combined(full, rows)
    return [[column.name for column in columns] for columns in found[:MAX_CANDIDATES]]


def _combined(full: Sequence[Observed], rows: int) -> list[list[Observed]]:
    varied = sorted(full, key=lambda column: -len(column.distinct))[:_MOST_COMBINED]
    pool = [column for column in full if column in varied and len(column.distinct) > 1]
    for size in range(2, MAX_KEY_COLUMNS + 1):
        sets = (some for some in combinations(pool, size) if prod(len(column.distinct) for column in some) >= rows)
        few = min(rows, _FIRST_ROWS)
        found = [list(some) for some in sets if not has_repeats(some, few) and not has_repeats(some, rows)]
        if found:
            return found
    return []
