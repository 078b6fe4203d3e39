"""Values of a table as fields and texts take them: a table has numbers and dates where a person means words."""

import datetime as dt
from decimal import Decimal
from typing import Any

from mediakit.core.parameters import Kind
from mediakit.core.request import plain

WORDS: frozenset[Kind] = frozenset({"text", "html", "url", "choice", "color"})


def suited(value: Any, kind: Kind) -> Any:
    """Give a value as a field of a kind takes it, where that loses nothing; any other is left for the field to refuse.

    A column of whole numbers with a gap has become one of fractions, and one of article numbers is read as numbers.
    """
    value = plain(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return worded(value) if kind in WORDS else value


def worded(value: Any) -> Any:
    """Write a number or a date as text: without an empty fraction, without an empty time."""
    value = plain(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, dt.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value) if isinstance(value, int | float | Decimal) else value
