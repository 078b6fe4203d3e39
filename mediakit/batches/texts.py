"""Converts table cells to field values and texts, because tables store some texts as numbers or dates."""

import datetime as dt
from decimal import Decimal
from typing import Any

from mediakit.core.parameters import Kind
from mediakit.core.request import plain

TEXT_KINDS: frozenset[Kind] = frozenset({"text", "html", "url", "choice", "color"})


def convert(value: Any, kind: Kind) -> Any:
    """Convert a value for a field of this kind. Return it unchanged if the conversion would lose information.

    For example, pandas stores integers with missing values as floats, and reads article numbers as integers.
    """
    value = plain(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return as_text(value) if kind in TEXT_KINDS else value


def as_text(value: Any) -> Any:
    """Return a number or a date as text, without `.0` and `00:00:00`. Return other values unchanged."""
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
