"""One value as text, or as JSON with all digits of its numbers."""

import datetime as dt
import json
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.model import Column

_SHORT = 30
"""Digits before or after the decimal point up to which a number is written without an exponent."""

_EXACT = 1e15
"""Whole floats below are exact."""


def number(value: Any) -> str:
    """Return a number of a column, with all of its digits; a whole number has no fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return full_number(value)


def full_number(value: Any) -> str:
    """Return a number with all of its digits; a float keeps its fraction."""
    if isinstance(value, Decimal):
        return f"{value:f}" if -_SHORT < value.adjusted() < _SHORT else str(value)
    return repr(value)


def encode(value: Any, indent: int, level: int = 0) -> str:
    """Return a value of a level as JSON, with so many spaces per level; 0 writes one line."""
    if isinstance(value, str | dt.date | dt.time | dt.timedelta):
        return encode_basestring(text_of(value))
    if isinstance(value, Decimal):
        return full_number(value)
    if isinstance(value, dict):
        items = [f"{encode_basestring(str(key))}: {encode(item, indent, level + 1)}" for key, item in value.items()]
        return enclosed("{}", items, indent, level)
    if isinstance(value, list | tuple):
        return enclosed("[]", [encode(item, indent, level + 1) for item in value], indent, level)
    return "null" if isinstance(value, float) and not math.isfinite(value) else json.dumps(value)


def enclosed(brackets: str, items: list[str], indent: int, level: int) -> str:
    """Return encoded items between brackets, each on its own line if there is an indentation; the list is changed."""
    if not items:
        return brackets
    inner, outer = ("\n" + " " * indent * (level + 1), "\n" + " " * indent * level) if indent else ("", "")
    items[0] = f"{brackets[0]}{inner}{items[0]}"  # the items of a table are long, and joined once
    items[-1] += f"{outer}{brackets[1]}"
    return (f",{inner}" if indent else ", ").join(items)


def as_json(column: Column) -> list[str]:
    """Return the values of a column as JSON."""
    return _texts(column, "null", encode_basestring)


def as_text(column: Column) -> list[str]:
    """Return the values of a column as plain text; null is empty."""
    return _texts(column, "", str)


def shown_rows(columns: Sequence[Column]) -> list[list[str | None]]:
    """Return the rows of columns as plain text, with None for null."""
    cells = [
        [None if value is None else text for value, text in zip(column.values, as_text(column), strict=True)]
        for column in columns
    ]
    return [list(row) for row in zip(*cells, strict=True)]


def _texts(column: Column, null: str, write: Callable[[str], str]) -> list[str]:
    if column.type in ("text", "date", "datetime", "time"):
        return [null if value is None else write(value) for value in column.values]
    if column.type == "boolean":
        words = {None: null, True: "true", False: "false"}
        return [words[value] for value in column.values]
    if column.type == "integer":
        return [null if value is None else str(value) for value in column.values]
    return [
        null if value is None else number(value) if isinstance(value, int | float | Decimal) else encode(value, 0)
        for value in column.values
    ]
