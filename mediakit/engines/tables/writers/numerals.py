"""Numbers as text, with all of their digits."""

from decimal import Decimal
from typing import Any

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
