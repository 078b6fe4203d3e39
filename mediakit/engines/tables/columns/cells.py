"""The distinct texts of a column, as the readers of types look at them, and single values as text."""

import datetime as dt
import json
import math
import operator
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

ERRORS = frozenset({"#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"})
"""Errors of formulas, as spreadsheets export them."""

NULL_WORDS = frozenset({"NA", "N/A", "n/a", "null", "NULL", "Null", "None", "NaN", "nan", "-"}) | ERRORS
"""Words that are null in a column whose other cells have a type."""

_SPACED_EDGES = tuple(edge for space in " \t\r\N{NO-BREAK SPACE}" for edge in (f"\n{space}", f"{space}\n"))
"""What joined cells have where one begins or ends with white space."""

UNIT = (
    "(?:%|\N{PER MILLE SIGN}|[A-Z]{0,2}[$]|[\u20a0-\u20c0\N{POUND SIGN}\N{YEN SIGN}]|kr|zł|Kč|Ft|lei"
    "|AED|ARS|AUD|BGN|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|GBP|HKD|HUF|IDR|ILS|INR|ISK|JPY|KES|KRW|MXN|MYR|NGN|NOK"
    "|NZD|PEN|PHP|PLN|RON|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|USD|UYU|VND|ZAR)"
)
"""What a number may have before or behind it: a percent sign or a currency."""

_MAYBE_TYPED = re.compile(
    rf"\(?[-+\N{{MINUS SIGN}}]?{UNIT}?\s?[-+.,\N{{MINUS SIGN}}]?\d.*"
    r"|(?i:true|false|yes|no|s[ií]|oui|non|ja|nein)"
)
_SAMPLE = 50


@dataclass
class Cells:
    """The distinct cells of a column that are neither empty nor null, trimmed."""

    trimmed: dict[str, str]
    """Cell as written to cell without the space around it."""
    nulls: frozenset[str]
    """Cells as written that count as null where the column has a type."""
    contents: list[str] = field(init=False)
    """The trimmed cells."""
    joined: str = field(init=False)
    """The trimmed cells, each ended by a line feed; empty where a cell has one itself."""

    def __post_init__(self) -> None:
        is_trimmed = all(map(operator.is_, self.trimmed, self.trimmed.values()))
        self.contents = list(self.trimmed if is_trimmed else dict.fromkeys(self.trimmed.values()))
        joined = "\n".join([*self.contents, ""])
        self.joined = joined if joined.count("\n") == len(self.contents) else ""

    @classmethod
    def of(cls, values: Iterable[str], null_words: frozenset[str] = NULL_WORDS) -> "Cells":
        """Collect the distinct cells of a column."""
        distinct = dict.fromkeys(values)
        joined = "\n".join(["", *distinct, ""])
        if not any(edge in joined for edge in _SPACED_EDGES):
            nulls = distinct.keys() & null_words | distinct.keys() & {""}
            for null in nulls:
                del distinct[null]
            return cls(dict(zip(distinct, distinct, strict=True)), frozenset(nulls))
        trimmed = {cell: cell.strip() for cell in distinct}
        nulls = {cell for cell, text in trimmed.items() if not text or text in null_words}
        return cls({cell: text for cell, text in trimmed.items() if cell not in nulls}, frozenset(nulls))

    def all_match(self, pattern: re.Pattern[str]) -> bool:
        """Return whether every cell, ended by a line feed, matches a pattern that repeats over the joined cells."""
        return bool(self.joined) and pattern.fullmatch(self.joined) is not None


def may_be_typed(values: Sequence[str], null_words: frozenset[str] = NULL_WORDS) -> bool:
    """Return whether the first cells of a column leave it open that it has a type; one text is enough against it."""
    some = map(str.strip, dict.fromkeys(values[: _SAMPLE * 4]))
    first = [text for text in some if text and text not in null_words]
    return all(map(_MAYBE_TYPED.fullmatch, first[:_SAMPLE]))


def repeated(cell: str) -> re.Pattern[str]:
    """Compile the pattern of a cell for `Cells.all_match`."""
    return re.compile(rf"(?:(?:{cell})\n)++")


def text_of(value: Any) -> str:
    """Return a value as the text that a cell of it would hold."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if isinstance(value, int | float | Decimal):
        is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
        return str(int(value) if is_whole else value)
    if isinstance(value, dt.date | dt.time):
        is_day = isinstance(value, dt.datetime) and value.tzinfo is None and value.time() == dt.time()
        return (value.date() if isinstance(value, dt.datetime) and is_day else value).isoformat()
    return json.dumps(value, ensure_ascii=False, default=text_of)


def duration_text(value: dt.timedelta) -> str:
    """Return a duration as 37:45:00, with hours beyond 24 and a sign below zero, as spreadsheets and SQL write it."""
    microseconds = abs(value) // dt.timedelta(microseconds=1)
    seconds, fraction = divmod(microseconds, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    text = f"{hour:02}:{minute:02}:{second:02}" + (f".{fraction:06}".rstrip("0") if fraction else "")
    return f"-{text}" if value < dt.timedelta(0) else text


def shortest_float32(value: float) -> float:
    """Return the number with the fewest digits that is the same as a float of 32 bits: 0.1, not 0.10000000149."""
    if not math.isfinite(value):
        return value
    for digits in range(6, 10):
        short = float(f"{value:.{digits}g}")
        if struct.unpack("f", struct.pack("f", short))[0] == value:
            return short
    return value


def iso_of(value: Any, kind: str) -> str:
    """Return a moment in ISO 8601; a date among datetimes is its midnight."""
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if kind == "datetime" and not isinstance(value, dt.datetime):
        return f"{value.isoformat()}T00:00:00"
    return str(value.isoformat())
