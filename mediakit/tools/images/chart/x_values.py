"""Labels that are dates, times or numbers, as positions on an axis."""

import datetime as dt
import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from mediakit.core.messages import quote
from mediakit.tools.images.chart.fields import MAX_VALUE

XKind = Literal["number", "year", "time"]

EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001  # times are local to the data
_YEAR = re.compile(r"[12]\d{3}", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_RULE = "must be a date, a time or a number"


class XValues(NamedTuple):
    """Positions on an axis of numbers, years or times."""

    kind: XKind
    values: tuple[float, ...]
    """Numbers; times are seconds since 1970 in the time zone of the data."""


class XError(ValueError):
    """A label that is not a date, time or number; or of another kind than the first label."""

    def __init__(self, index: int, label: str | float, rule: str = _RULE) -> None:
        super().__init__(f"{rule}, got {quote(label)}.")
        self.index = index


def parse_x(labels: Sequence[str | float]) -> XValues:
    """Return labels as positions on an axis.

    Labels are numbers, or dates and times of ISO 8601: `2025-03-31`, `2025-03-31T14:05`, `2025-03`, `2025-Q1`.

    Raises:
        XError: A label is neither a number nor a date or time, or of another kind than the first one.
    """
    if labels and _number(labels[0]) is not None:
        return _parse_numbers(labels)
    return XValues("time", _seconds(_parse_times(labels)))


def is_x(labels: Sequence[str | float]) -> bool:
    """Return whether labels can be positions on an axis."""
    try:
        parse_x(labels)
    except XError:
        return False
    return True


def are_quarters(labels: Iterable[str | float]) -> bool:
    """Return whether labels are quarters, such as `2025-Q1`."""
    texts = [str(label).strip() for label in labels]
    return bool(texts) and all(map(_QUARTER.fullmatch, texts))


def _parse_numbers(labels: Sequence[str | float]) -> XValues:
    found = [_number(label) for label in labels]
    for index, number in enumerate(found):
        if number is None:
            raise XError(index, labels[index], "must be a number like the first label")
    is_year = all(_YEAR.fullmatch(str(label)) for label in labels)
    return XValues("year" if is_year else "number", tuple(number for number in found if number is not None))


def _number(label: str | float) -> float | None:
    if isinstance(label, str) and label.isascii() and label.isdecimal():
        label = float(label)
    elif isinstance(label, str):
        text = label.strip().replace("\N{MINUS SIGN}", "-")
        if not _NUMBER.fullmatch(text):
            return None
        label = float(text)
    return float(label) if math.isfinite(label) and abs(label) <= MAX_VALUE else None


def _parse_times(labels: Sequence[str | float]) -> list[dt.datetime]:
    times = []
    for index, label in enumerate(labels):
        moment = _time(str(label).strip())
        if moment is None:
            raise XError(index, label, "must be a date or a time like the first label" if index else _RULE)
        times.append(moment)
    return times


def _time(text: str) -> dt.datetime | None:
    try:
        if month := _MONTH.fullmatch(text):
            return dt.datetime(int(month[1]), int(month[2]), 1)  # noqa: DTZ001
        if quarter := _QUARTER.fullmatch(text):
            return dt.datetime(int(quarter[1]), int(quarter[2]) * 3 - 2, 1)  # noqa: DTZ001
        return None if _number(text) is not None else dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def _seconds(times: Sequence[dt.datetime]) -> tuple[float, ...]:
    """Return times as seconds since 1970, local to their UTC offset if all have the same one, otherwise in UTC."""
    offsets = [moment.utcoffset() or dt.timedelta() for moment in times]
    is_local = len(set(offsets)) == 1
    return tuple(
        (moment.replace(tzinfo=None) - EPOCH).total_seconds() - (0 if is_local else offset.total_seconds())
        for moment, offset in zip(times, offsets, strict=True)
    )
