"""Statistics of a column of dates, datetimes or times."""

import datetime as dt
from typing import Any

import numpy as np

from mediakit.tools.data.data_profile import dates
from mediakit.tools.data.data_profile.numbers import Floats, histogram
from mediakit.tools.data.data_profile.observed import Observed

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
    labels = [_label(edge, observed.type) for edge in edges]
    return {
        "min": observed.distinct[int(seconds.argmin())],
        "max": observed.distinct[int(seconds.argmax())],
        "histogram": [
            {"from": start, "to": end, "count": count}
            for start, end, count in zip(labels, labels[1:], counts, strict=False)
        ],
        "formats": dates.formats_of(observed.cells, is_uniform=not observed.is_declared),
    }


def _all_seconds(texts: list[str]) -> Floats:
    """Return the seconds since 1970 of each moment."""
    joined = "".join(texts)
    if max(map(len, texts)) <= _LONGEST_WITHOUT_ZONE and "Z" not in joined and "+" not in joined:
        return np.array(texts, "datetime64[s]").astype(np.float64)
    return np.array([_seconds(text) for text in texts], np.float64)


def _seconds(text: str) -> float:
    """Return the seconds since 1970 of a moment in ISO 8601; without a time zone it counts as UTC."""
    moment = dt.datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return (moment - _EPOCH).total_seconds()


def _label(seconds: float, kind: str) -> str:
    moment = (_EPOCH + dt.timedelta(seconds=round(seconds))).replace(tzinfo=None)
    return moment.date().isoformat() if kind == "date" else moment.isoformat()
