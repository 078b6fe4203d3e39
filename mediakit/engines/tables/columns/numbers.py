"""Integers, numbers and booleans as people write them: decimal marks, grouped thousands, units, words."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from mediakit.engines.tables.columns.cells import UNIT, Cells, repeated

Mark = Literal[".", ","]

INTEGER_DIGITS = 18
"""Longer integers are identifiers: they stay text."""

_FLOAT_DIGITS = 15
"""Significant digits that a float always keeps."""

_SIGN = "[-+\N{MINUS SIGN}]?"
_WHOLE = rf"(?:0|[1-9]\d{{0,{INTEGER_DIGITS - 1}}})"
_NARROW = "[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}]"

_INTEGERS = repeated(rf"0|{_SIGN}[1-9]\d{{0,{INTEGER_DIGITS - 1}}}")


def _pattern(mark: str, group: str) -> re.Pattern[str]:
    """Compile the pattern of a number with this decimal mark and this mark between thousands."""
    grouped = rf"[1-9]\d{{0,2}}(?:(?:{group}\d{{3}})+|(?:{_NARROW}\d{{3}})+)(?:{mark}\d+)?"
    spaced = rf"[1-9]\d{{0,2}}(?: \d{{3}})+{mark}\d+"
    scientific = rf"(?:\d+{mark}\d+[eE][-+]?\d+|\d+[eE][-+]\d+)"
    return repeated(rf"{_SIGN}(?:{_WHOLE}(?:{mark}\d+)?|{mark}\d+|{grouped}|{spaced}|{scientific})")


_READINGS: dict[Mark, re.Pattern[str]] = {".": _pattern(r"\.", ","), ",": _pattern(",", r"\.")}
_SPACES = " '\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_DROPPED: dict[Mark, Mapping[int, int | None]] = {
    ".": str.maketrans("\N{MINUS SIGN}", "-", f"+,{_SPACES}"),
    ",": str.maketrans("\N{MINUS SIGN},", "-.", f"+.{_SPACES}"),
}
_SIMPLE = repeated(r"-?[1-9]\d*|0|-?\d+\.\d+(?:[eE][-+]\d\d?)?|-?\d[eE][-+]\d\d?")
_NEGATIVE = re.compile("^[-\N{MINUS SIGN}]", re.MULTILINE)
_PLUS = re.compile(r"^\+([^\n]*)", re.MULTILINE)
_PHONE_DIGITS = 7
_GAP = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]?"
_WITH_UNIT = re.compile(
    rf"(?P<open>\()?(?P<sign>{_SIGN})(?P<before>{UNIT})?{_GAP}(?P<inner_sign>{_SIGN})"
    rf"(?P<number>[\d.,](?:[\d.,{_NARROW[1:-1]} ]*[\d])?){_GAP}(?P<after>{UNIT})?(?P<close>\))?"
)
_HAS_MARK = re.compile("[.,]")
_WHOLE_NUMBER = re.compile(r"-?\d+")


def readings(cells: Cells, decimal: str = "auto") -> list[Mark]:
    """Return the decimal marks under which every cell of a column is a number."""
    wanted: tuple[Mark, ...] = (".", ",") if decimal == "auto" else (decimal,)  # type: ignore[assignment]
    return [mark for mark in wanted if cells.all_match(_READINGS[mark])]


def may_be_phones(cells: Cells) -> bool:
    """Return whether a plus sign may begin a phone number: it has as many digits, and no cell is below zero."""
    if "+" not in cells.joined or _NEGATIVE.search(cells.joined):
        return False
    return any(match[1].count(",") + match[1].count(".") < 3 and sum(map(str.isdigit, match[1])) >= _PHONE_DIGITS
               for match in _PLUS.finditer(cells.joined))  # fmt: skip


def without_units(cells: Cells) -> tuple[str, Cells] | None:
    """Return the unit that all cells of a column have, and the cells without it: a currency or a percent sign.

    The unit stands before or after the number. A number in brackets is negative, as accountants write it.
    """
    units: set[str] = set()
    plain: dict[str, str] = {}
    for cell, text in cells.trimmed.items():
        match = _WITH_UNIT.fullmatch(text)
        if (
            not match
            or bool(match["before"]) == bool(match["after"])
            or (match["open"] is None) != (match["close"] is None)
        ):
            return None
        sign = match["sign"] or match["inner_sign"]
        if (match["sign"] and match["inner_sign"]) or (sign and match["open"]):
            return None
        units.add(match["before"] or match["after"])
        if len(units) > 1:
            return None
        plain[cell] = ("-" if match["open"] else sign) + match["number"]
    return (units.pop(), Cells(plain, cells.nulls)) if units else None


def is_integral(cells: Cells) -> bool:
    """Return whether every cell is an integer without marks."""
    return cells.all_match(_INTEGERS)


def clear_mark(cells: Cells, fitting: list[Mark]) -> Mark | None:
    """Return the decimal mark of a column that leaves no doubt about it; None where it has no mark, or either fits."""
    if len(fitting) != 1 or not _HAS_MARK.search(cells.joined):
        return None
    return fitting[0]


def parse(cells: Cells, mark: Mark) -> dict[str, Any]:
    """Return the value of every cell, by the cell as written."""
    if mark == "." and cells.all_match(_SIMPLE):
        return {cell: _simple(text) for cell, text in cells.trimmed.items()}
    dropped = _DROPPED[mark]
    return {cell: _value(text.translate(dropped)) for cell, text in cells.trimmed.items()}


def _simple(text: str) -> int | float | Decimal | None:
    """Return the value of digits with at most a decimal point."""
    if "." not in text and "-" not in text[1:] and "+" not in text:
        return int(text)
    number = float(text)
    return number if len(text) <= _FLOAT_DIGITS or repr(number) == text else _value(text)


def _value(text: str) -> int | float | Decimal | None:
    """Return an `int` where the text has no fraction, a `Decimal` where a float would lose digits, else a `float`."""
    if _WHOLE_NUMBER.fullmatch(text) and text != "-0":
        return int(text)
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return None
    if len(text) > _FLOAT_DIGITS:
        exact = Decimal(text)
        if exact != Decimal(repr(number)):
            return exact
    return number


_BOOLEAN_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("sí", "no"),
    ("si", "no"),
    ("oui", "non"),
    ("ja", "nein"),
)
BOOLEAN_WORDS = frozenset(word for pair in _BOOLEAN_PAIRS for word in pair)
TRUE_WORDS = frozenset(yes for yes, _ in _BOOLEAN_PAIRS)
_MOST_SPELLINGS = 12
"""Distinct cells of a column of booleans: each of two words in a few forms of capitals."""


def parse_booleans(cells: Cells) -> dict[str, bool] | None:
    """Return the value of each cell; None where the cells are not the two words of a pair.

    `true` or `false` may stand alone; the other words need their counterpart, for `no` is also a country.
    """
    if len(cells.trimmed) > _MOST_SPELLINGS:
        return None
    words = {text.casefold() for text in cells.contents}
    for yes, no in _BOOLEAN_PAIRS:
        if words == {yes, no} or (yes == "true" and words and words <= {yes, no}):
            return {cell: text.casefold() == yes for cell, text in cells.trimmed.items()}
    return None


def parse_boolean(text: str) -> bool | None:
    """Return the value of one cell of a column that is declared to be boolean."""
    word = text.strip().casefold()
    if word == "1" or any(word == yes for yes, _ in _BOOLEAN_PAIRS):
        return True
    return False if word == "0" or any(word == no for _, no in _BOOLEAN_PAIRS) else None
