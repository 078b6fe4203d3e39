"""Values of any shape as JSON, with all digits of their numbers."""

import datetime as dt
import json
import math
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from mediakit.engines.tables.columns.plain import text_of
from mediakit.engines.tables.writers.numerals import full_number


def encode(value: Any, indent: int, level: int = 0) -> str:
    """Return a value as JSON.

    Args:
        value: Dicts, lists, texts, numbers, booleans and None.
        indent: Spaces per level; 0 writes one line.
        level: The level that the value is at.
    """
    if isinstance(value, str | dt.date | dt.time | dt.timedelta):
        return encode_basestring(text_of(value))
    if isinstance(value, Decimal):
        return full_number(value)
    if isinstance(value, dict):
        items = [f"{encode_basestring(str(key))}: {encode(item, indent, level + 1)}" for key, item in value.items()]
        return _enclosed("{}", items, indent, level)
    if isinstance(value, list | tuple):
        return _enclosed("[]", [encode(item, indent, level + 1) for item in value], indent, level)
    return "null" if isinstance(value, float) and not math.isfinite(value) else json.dumps(value)


def _enclosed(brackets: str, items: list[str], indent: int, level: int) -> str:
    if not items:
        return brackets
    if not indent:
        return f"{brackets[0]}{', '.join(items)}{brackets[1]}"
    inner, outer = "\n" + " " * indent * (level + 1), "\n" + " " * indent * level
    return f"{brackets[0]}{inner}{f',{inner}'.join(items)}{outer}{brackets[1]}"
