"""Dates, datetimes and times as people write them, returned in ISO 8601."""

import datetime as dt
import re
from collections import deque
from collections.abc import Callable, Sequence
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
_CELL = {
    family: re.compile(rf"^(({day})(?:[Tt ,]+({_TIME})({_ZONE}))?)$", re.MULTILINE) for family, day in _DAY.items()
}
"""A whole cell: the first two of its groups are the cell and its day, the last two its time and its zone."""
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([AaPp])[Mm])?")
_DATES = {family: repeated(day) for family, day in _DAY.items()}
_DATETIMES = {family: repeated(f"{day}[Tt ,]+{_TIME}{_ZONE}") for family, day in _DAY.items()}
_CANONICAL: dict[MomentType, re.Pattern[str]] = {
    "date": _DATES["iso"],
    "datetime": repeated(r"\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?"),
}
_TIMES = repeated(_TIME)
_TIME_CELL = re.compile(f"^{_TIME}$", re.MULTILINE)


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
        return _moments("time", cells, list(map(_clock, cells.contents)), None)
    for family in _DAY:
        for kind, patterns in (("date", _DATES), ("datetime", _DATETIMES)):
            if cells.all_match(patterns[family]):
                return _read_family(cells, family, kind, dates)  # type: ignore[arg-type]
    return None


def parse_each(cells: Cells, kind: MomentType, dates: str) -> dict[str, str]:
    """Return the moments of a column that is declared to be of a type; cells that are none are omitted.

    Each cell may be of another family. Without an option, its own digits decide about day and month.
    """
    joined = "\n".join(text for text in cells.contents if "\n" not in text)
    found: dict[str, str | None] = {}
    if kind == "time":
        found = {text: _clock(text) for text in _TIME_CELL.findall(joined)}
    else:
        for family in _DAY:
            if family != "short" or dates != "auto":
                rows = _CELL[family].findall(joined)
                found |= zip((row[0] for row in rows), _read_rows(rows, family, kind, dates), strict=True)
    return {cell: value for cell, text in cells.trimmed.items() if (value := found.get(text)) is not None}


def has_form(cells: Cells) -> bool:
    """Return whether the cells have the form of moments, of the calendar or not."""
    return any(map(cells.all_match, (_TIMES, *_DATES.values(), *_DATETIMES.values())))


def _read_family(cells: Cells, family: str, kind: MomentType, dates: str) -> Moments | Ambiguous | None:
    if family == "short" and dates == "auto":
        return None
    if family == "iso" and cells.all_match(_CANONICAL[kind]):
        check: Callable[[str], object] = dt.date.fromisoformat if kind == "date" else dt.datetime.fromisoformat
        try:
            deque(map(check, cells.contents), maxlen=0)
        except ValueError:
            return None
        values = (
            cells.trimmed if kind == "date" else {cell: text.replace(" ", "T") for cell, text in cells.trimmed.items()}
        )
        return Moments(kind, values, "ymd")
    rows = _CELL[family].findall(cells.joined)
    order: Order = "ymd"
    if family in ("numeric", "short"):
        found = [match for day in {row[1] for row in rows} if (match := _PARTS[family].fullmatch(day))]
        firsts, seconds = max(int(match["a"]) for match in found), max(int(match["b"]) for match in found)
        if dates == "auto" and (firsts > 12) == (seconds > 12):
            return Ambiguous() if firsts <= 12 else None
        order = dates if dates != "auto" else "dmy" if firsts > 12 else "mdy"  # type: ignore[assignment]
    return _moments(kind, cells, _read_rows(rows, family, kind, order), None if family == "named" else order)


def _moments(kind: MomentType, cells: Cells, values: Sequence[str | None], order: Order | None) -> Moments | None:
    """Return the moments, or None where a cell is not a day of the calendar or a time of day."""
    if None in values:
        return None
    if len(cells.trimmed) == len(values):
        return Moments(kind, dict(zip(cells.trimmed, values, strict=True)), order)  # type: ignore[arg-type]
    known = dict(zip(cells.contents, values, strict=True))
    return Moments(kind, {cell: known[text] for cell, text in cells.trimmed.items()}, order)  # type: ignore[misc]


def _read_rows(rows: Sequence[tuple[str, ...]], family: str, kind: MomentType, order: str) -> list[str | None]:
    """Return the moment of each cell, given by the groups of `_CELL`; each distinct day, time and zone is read once.

    A date among datetimes is its midnight; a datetime among dates is None. The order `auto` decides by each day.
    """
    days = {day: _day(day, family, order) for day in {row[1] for row in rows}}
    if kind == "date":
        return [None if row[-2] else days[row[1]] for row in rows]
    clocks = {text: _clock(text) for text in {row[-2] for row in rows} - {""}} | {"": "00:00:00"}
    zones = {text: _offset(text.strip()) for text in {row[-1] for row in rows} - {""}} | {"": ""}
    found: list[str | None] = []
    for row in rows:
        day, clock = days[row[1]], clocks[row[-2]]
        found.append(f"{day}T{clock}{zones[row[-1]]}" if day and clock else None)
    return found


def _day(text: str, family: str, order: str) -> str | None:
    """Return the ISO 8601 form of a day, or None where the calendar has no such day or its order is in doubt."""
    match = _PARTS[family].fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    if "a" in parts:
        first, second = parts["a"], parts["b"]
        if order == "auto":
            order = "dmy" if int(first) > 12 else "mdy" if int(second) > 12 else ""
        if not order:
            return None
        parts |= {"d": first, "m": second} if order == "dmy" else {"m": first, "d": second}
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
