"""Dates, datetimes and times as people write them, returned in ISO 8601."""

import datetime as dt
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.tables.columns.cells import Cells, repeated

MomentType = Literal["date", "datetime", "time"]
Order = Literal["ymd", "dmy", "mdy"]

_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}  # fmt: skip
_LONG_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                "november", "december")  # fmt: skip
_MONTH = "(?:" + "|".join([*_LONG_MONTHS, "sept", *_MONTHS]) + ")"
_PIVOT = 69
"""Two-digit years from here on are of the 20th century, as POSIX has it."""

_TIME = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?: ?[AaPp][Mm])?"
_ZONE = r"(?: ?(?:[Zz]|UTC|[-+](?:0\d|1[0-4])(?::?[0-5]\d)?))?"
_DAY = {
    "iso": r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)",
    "slashed": r"(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})",
    "numeric": r"(?P<a>\d{1,2})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<y>\d{4})",
    "short": r"(?P<a>\d{1,2})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<y>\d{2})",
    "named": rf"(?P<d>\d{{1,2}})[- ](?P<m>(?i:{_MONTH}))[- ,.]+(?P<y>\d{{4}})",
}
"""Patterns of a day by family; all cells of a column are of one family."""

_PARTS = {family: re.compile(day) for family, day in _DAY.items()}
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([AaPp])[Mm])?")
_OFFSET = re.compile(r" ?([Zz]|UTC|[-+]\d\d(?::?\d\d)?)$")
_DATES = {family: repeated(day) for family, day in _DAY.items()}
_DATETIMES = {family: repeated(f"{day}[Tt ,]+{_TIME}{_ZONE}") for family, day in _DAY.items()}
_CANONICAL: dict[MomentType, re.Pattern[str]] = {
    "date": _DATES["iso"],
    "datetime": repeated(r"\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?"),
}
_TIMES = repeated(_TIME)


@dataclass(frozen=True)
class Moments:
    """A column of moments: its type, the ISO 8601 text of each cell as written, and the order of day and month."""

    type: MomentType
    values: dict[str, str]
    order: Order | None = None


@dataclass(frozen=True)
class Ambiguous:
    """A column of dates none of which decides whether the day or the month comes first."""


def parse(cells: Cells, dates: str = "auto") -> Moments | Ambiguous | None:
    """Return the moments of a column; None where a cell is none, or the cells are of different kinds."""
    if cells.all_match(_TIMES):
        return _moments("time", {cell: _clock(text) for cell, text in cells.trimmed.items()}, None)
    for family in _DAY:
        for kind, patterns in (("date", _DATES), ("datetime", _DATETIMES)):
            if cells.all_match(patterns[family]):
                return _read_family(cells, family, kind, dates)  # type: ignore[arg-type]
    return None


def has_form(cells: Cells) -> bool:
    """Return whether the cells have the form of moments, of the calendar or not."""
    return any(map(cells.all_match, (_TIMES, *_DATES.values(), *_DATETIMES.values())))


def _read_family(cells: Cells, family: str, kind: MomentType, dates: str) -> Moments | Ambiguous | None:
    if family == "short" and dates == "auto":
        return None
    order: Order = "dmy" if family == "named" else "ymd"
    if family in ("numeric", "short"):
        found = _order(cells, family, dates)
        if found is None:
            firsts, seconds = _leading(cells, family)
            return Ambiguous() if max(firsts + seconds) <= 12 else None
        order = found
    if family == "iso" and cells.all_match(_CANONICAL[kind]):
        return _canonical(cells, kind)
    values = {cell: _moment(text, family, kind, order) for cell, text in cells.trimmed.items()}
    return _moments(kind, values, None if family == "named" else order)


def _canonical(cells: Cells, kind: MomentType) -> Moments | None:
    """Return moments that are written in ISO 8601 already, or None where the calendar has no such day."""
    check: Callable[[str], object] = dt.date.fromisoformat if kind == "date" else dt.datetime.fromisoformat
    try:
        deque(map(check, cells.contents), maxlen=0)
    except ValueError:
        return None
    values = cells.trimmed if kind == "date" else {cell: text.replace(" ", "T") for cell, text in cells.trimmed.items()}
    return Moments(kind, values, "ymd")


def _moments(kind: MomentType, values: dict[str, str | None], order: Order | None) -> Moments | None:
    """Return the moments, or None where a cell is not a day of the calendar or a time of day."""
    known = {cell: value for cell, value in values.items() if value is not None}
    return Moments(kind, known, order) if len(known) == len(values) else None


def _order(cells: Cells, family: str, dates: str) -> Order | None:
    """Return what the option or the cells over 12 decide."""
    if dates in ("dmy", "mdy"):
        return dates  # type: ignore[return-value]
    firsts, seconds = _leading(cells, family)
    if max(firsts) > 12 >= max(seconds):
        return "dmy"
    return "mdy" if max(seconds) > 12 >= max(firsts) else None


def _leading(cells: Cells, family: str) -> tuple[list[int], list[int]]:
    """Return the first and the second number of every date."""
    found = [match for text in cells.contents if (match := _PARTS[family].match(text))]
    return [int(match["a"]) for match in found], [int(match["b"]) for match in found]


def _moment(text: str, family: str, kind: MomentType, order: Order) -> str | None:
    match = _PARTS[family].match(text)
    day = _day(match, order) if match else None
    if day is None or kind == "date" or match is None:
        return day
    rest = text[match.end() :].lstrip("Tt ,")
    zone = _OFFSET.search(rest)
    time = _clock(rest[: zone.start()] if zone else rest)
    return f"{day}T{time}{_offset(zone.group(1)) if zone else ''}" if time else None


def _day(match: re.Match[str], order: Order) -> str | None:
    """Return the ISO 8601 form of a day, or None where the calendar has no such day."""
    parts = match.groupdict()
    if "a" in parts:
        parts |= {"d": parts["a"], "m": parts["b"]} if order == "dmy" else {"m": parts["a"], "d": parts["b"]}
    year, month = int(parts["y"]), _MONTHS.get(parts["m"][:3].lower()) or int(parts["m"])
    if len(parts["y"]) == 2:
        year += 1900 if year >= _PIVOT else 2000
    try:
        return dt.date(year, month, int(parts["d"])).isoformat()
    except ValueError:
        return None


def _clock(text: str) -> str | None:
    """Return a time of day as HH:MM:SS, with its fraction as written."""
    match = _CLOCK.fullmatch(text)
    if not match:
        return None
    hour, minute, second, fraction, half = match.groups()
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half in "pP" else 0)
    return f"{number:02}:{minute}:{second or '00'}" + (f".{fraction}" if fraction else "")


def _offset(text: str) -> str:
    """Return an offset as Z or ±HH:MM."""
    if text in ("Z", "z", "UTC"):
        return "Z"
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}"
