"""Converts table cells to field values and texts, because tables store some texts as numbers or dates."""

import datetime as dt
from contextlib import suppress
from decimal import Decimal
from typing import Any

from mediakit.core.parameters import Kind, Parameter
from mediakit.core.request import plain
from mediakit.errors import InvalidInput

PARSED_KINDS: frozenset[Kind] = frozenset({"integer", "number", "boolean", "list", "object"})
"""Kinds whose values can be written as text in a table."""

TEXT_KINDS: frozenset[Kind] = frozenset({"text", "html", "url", "choice", "color"})


def convert(value: Any, parameter: Parameter) -> Any:
    """Convert a value for a field. Return it unchanged if it does not fit, or if the conversion would lose information.

    For example, pandas stores integers with missing values as floats, and reads article numbers as integers.
    """
    value = plain(value)
    if isinstance(value, str) and parameter.kind in PARSED_KINDS:
        with suppress(InvalidInput):
            return parameter.parse(value)
        return value
    if parameter.kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return as_text(value) if parameter.kind in TEXT_KINDS else value


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
