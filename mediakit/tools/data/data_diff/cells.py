"""What a comparison finds, as plain values, and when two cells are equal."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from mediakit.engines.tables.columns import numbers
from mediakit.engines.tables.columns.cells import NULL_WORDS, Cells
from mediakit.engines.tables.model import Column
from mediakit.engines.tables.writers.values import full_number
from mediakit.tools.data.data_diff.request import DataDiffRequest

Operation = dict[str, Any]
"""An operation of a JSON patch (RFC 6902)."""


@dataclass
class Outcome:
    """The fields of the response, the meta, and the patch where one was requested."""

    fields: dict[str, Any]
    meta: dict[str, Any]
    patch: list[Operation] = field(default_factory=list)


def plain(value: Any) -> Any:
    """Return a value as the response has it: a number with more digits than a float keeps is text."""
    return full_number(value) if isinstance(value, Decimal) else value


def summary(**counts: int) -> dict[str, int]:
    """Return the counts of the response; those that are not given are 0."""
    names = ("added", "removed", "changed", "moved", "unchanged", "columns_added", "columns_removed")
    return {name: counts.get(name, 0) for name in (*names, "columns_renamed", "cells_changed")}


_NUMBERS = ("integer", "number")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?")
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?")
_FRACTION = re.compile(r"(:\d\d)\.(\d*?)0+(?=Z|[-+]|$)")
_TRUE, _FALSE = "\0true", "\0false"
"""Booleans beside other types: in Python, `True` equals 1."""


def comparable(first: Column, second: Column, options: DataDiffRequest) -> tuple[list[Any], list[Any]]:
    """Return the values of two columns; values of a text and of a typed column are equal if they read alike."""
    kinds: set[str] = {first.type, second.type}
    if kinds <= set(_NUMBERS) or (len(kinds) == 1 and first.type in ("boolean", "date")):
        return first.values, second.values
    map_cell = _moment if kinds <= {"date", "datetime"} else None
    found = [_mapped(column.values, map_cell) if map_cell else _read(column, kinds) for column in (first, second)]
    if options.ignore_case or options.ignore_space:
        found = [_mapped(values, lambda value: folded(value, options)) for values in found]
    return found[0], found[1]


def folded(value: Any, options: DataDiffRequest) -> Any:
    """Return a text without the differences that the options ignore; other values as they are."""
    if not isinstance(value, str):
        return value
    if options.ignore_space:
        value = " ".join(value.split())
    return value.casefold() if options.ignore_case else value


def is_close(first: Any, second: Any, options: DataDiffRequest) -> bool:
    """Return whether two numbers differ by at most a tolerance; calculated with their decimal digits."""
    if any(isinstance(each, bool) or not isinstance(each, int | float | Decimal) for each in (first, second)):
        return False
    one, two = Decimal(repr(first) if isinstance(first, float) else first), Decimal(str(second))
    if not (one.is_finite() and two.is_finite()):
        return False
    allowed = Decimal(str(options.relative_tolerance)) * max(abs(one), abs(two))
    return abs(one - two) <= max(Decimal(str(options.tolerance)), allowed)


def _read(column: Column, kinds: set[str]) -> list[Any]:
    if column.type == "text":
        return _read_texts(column.values, kinds - {"text"}) if len(kinds) > 1 else column.values
    if column.type == "boolean":
        return _mapped(column.values, lambda value: value if value is None else _TRUE if value else _FALSE)
    return _mapped(column.values, _moment) if column.type == "datetime" else column.values


def _read_texts(values: Sequence[Any], kinds: set[str]) -> list[Any]:
    """Return each text as the type of the other column where it is written like one."""
    distinct = {value for value in values if value is not None}
    known: dict[Any, Any] = {None: None, **dict.fromkeys(distinct & NULL_WORDS)}
    if kinds & set(_NUMBERS):
        written = {text: text for text in distinct if _NUMBER.fullmatch(text)}
        known |= numbers.parse(Cells(written, frozenset()), ".") if written else {}
    if "boolean" in kinds:
        truths = {text: numbers.parse_boolean(text) for text in distinct if text.strip() not in ("0", "1")}
        known |= {text: _TRUE if value else _FALSE for text, value in truths.items() if value is not None}
    if kinds & {"date", "datetime", "time"}:
        known |= {text: _moment(text) for text in distinct}
    return [known.get(value, value) for value in values]


def _moment(text: Any) -> Any:
    """Return a moment in one form: a midnight as its date, no zeros at the end of a fraction."""
    if text is None:
        return None
    if day := _MIDNIGHT.fullmatch(text):
        return day[1]
    if text.endswith("+00:00"):
        text = f"{text[:-6]}Z"
    if "." in text:
        text = _FRACTION.sub(lambda match: f"{match[1]}.{match[2]}" if match[2] else match[1], text)
    return text


def _mapped(values: Sequence[Any], function: Callable[[Any], Any]) -> list[Any]:
    """Return the result of a function for each value, calculated once for equal ones."""
    known = {value: function(value) for value in set(values)}
    return [known[value] for value in values]
