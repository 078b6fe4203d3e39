"""The type of a column of packed cells, where it is certain without a look at each cell by itself."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.columns import moments, numbers
from mediakit.engines.tables.columns.cells import Cells, may_be_typed
from mediakit.engines.tables.columns.numbers import INTEGER_DIGITS
from mediakit.engines.tables.model import ColumnType
from mediakit.engines.tables.packed.cells import WORD_BYTES, Arrays, Bytes, Floats, Integers, Mask, PackedCells

DATE_BYTES, DATETIME_BYTES = 10, 19
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int16)
_FEBRUARY = 2


def are_dates(cells: PackedCells) -> bool:
    """Return whether all cells are days of the calendar, such as 2024-05-31."""
    return _have_length(cells, DATE_BYTES) and bool(_are_days(cells.positions()).all())


def are_datetimes(cells: PackedCells) -> bool:
    """Return whether all cells are datetimes to the second, such as 2024-05-31T12:30:00 or with a space for the T."""
    if not _have_length(cells, DATETIME_BYTES):
        return False
    at = cells.positions()
    fits = _are_days(at) & ((at[10] == ord("T")) | (at[10] == ord(" ")))
    fits &= (at[13] == ord(":")) & (at[16] == ord(":"))
    for first, limit in ((11, 24), (14, 60), (17, 60)):
        number, is_number = _number(at, first, 2)
        fits &= is_number & (number < limit)
    return bool(fits.all())


def _have_length(cells: PackedCells, length: int) -> bool:
    return bool((cells.lengths == length).all())


def _are_days(at: Bytes) -> Mask:
    (year, is_year), (month, is_month), (day, is_day) = _number(at, 0, 4), _number(at, 5, 2), _number(at, 8, 2)
    fits = is_year & is_month & is_day & (at[4] == ord("-")) & (at[7] == ord("-"))
    fits &= (year > 0) & (month > 0) & (month < len(_DAYS)) & (day > 0)
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    days = _DAYS[np.where(fits, month, 0)] + ((month == _FEBRUARY) & is_leap)
    found: Mask = fits & (day <= days)
    return found


def _number(at: Bytes, first: int, digits: int) -> tuple[npt.NDArray[np.int16], Mask]:
    """Return the number that these characters are, and whether they are digits."""
    number = np.zeros(at.shape[1], np.int16)
    is_number = np.ones(at.shape[1], np.bool_)
    for characters in at[first : first + digits]:
        value = characters - np.uint8(ord("0"))
        is_number &= value <= 9
        number = number * np.int16(10) + value
    return number, is_number


EXACT_DIGITS = 15
"""Digits of a number whose nearest float is its digits divided by a power of ten (W. D. Clinger, 1990)."""

_MAX_WIDTH = INTEGER_DIGITS + 2
_GROUP, _THOUSAND = 3, 1000


@dataclass(frozen=True)
class Read:
    """What cells are as numbers. Where `fits` is false, the other fields have no meaning."""

    fits: Mask
    """Whether the cell is an integer or a number as `numbers.parse` reads it."""
    digits: Integers
    """The digits as one number, with its sign."""
    fraction: npt.NDArray[np.uint8]
    """The number of digits behind the point."""
    whole: npt.NDArray[np.uint8]
    """The number of digits before the point."""
    has_point: Mask
    is_negative: Mask

    def floats(self) -> Floats:
        """Return the value of each cell as the nearest float."""
        found: Floats = self.digits.astype(np.float64) / np.power(10.0, np.arange(EXACT_DIGITS + 1))[self.fraction]
        return np.where(self.is_negative & (self.digits == 0), -0.0, found)

    def could_be_grouped(self) -> Mask:
        """Return whether each point could stand between thousands."""
        is_grouped: Mask = (self.fraction == _GROUP) & (self.whole <= _GROUP) & (np.abs(self.digits) >= _THOUSAND)
        return is_grouped


def read_numbers(cells: PackedCells) -> Read | None:
    """Return the numbers of cells; None where no column of numbers is that wide."""
    if cells.width > _MAX_WIDTH:
        return None
    positions = cells.positions()
    count = len(cells)
    digits = np.zeros(count, np.int64)
    number_of = np.zeros(count, np.uint8)
    fraction = np.zeros(count, np.uint8)
    points = np.zeros(count, np.uint8)
    is_negative: Mask = positions[0] == ord("-")
    for place, characters in enumerate(positions):
        value = characters - np.uint8(ord("0"))
        is_digit: Mask = value <= 9
        number_of += is_digit
        if place:
            fraction += is_digit & (points > 0)
        points += characters == ord(".")
        digits = np.where(is_digit, digits * 10 + value, digits)
    has_point = points == 1
    whole = number_of - fraction
    fits = (points <= 1) & (number_of + points + is_negative == cells.lengths) & (whole > 0)
    fits &= (number_of <= np.where(has_point, EXACT_DIGITS, INTEGER_DIGITS)) & (~has_point | (fraction > 0))
    fits &= _has_no_leading_zero(positions, is_negative, whole, has_point)
    return Read(fits, np.where(is_negative, -digits, digits), fraction, whole, has_point, is_negative)


def _has_no_leading_zero(positions: Bytes, is_negative: Mask, whole: npt.NDArray[np.uint8], has_point: Mask) -> Mask:
    """Return whether each cell begins with another digit than 0, or is 0, 0.5 or -0.5; -0 is not an integer."""
    second = positions[1] if len(positions) > 1 else positions[0]
    is_zero = np.where(is_negative, second, positions[0]) == ord("0")
    found: Mask = ~is_zero | ((whole == 1) & (has_point | ~is_negative))
    return found


_HEAD = 200
"""Cells that `may_be_typed` looks at."""

_MOST_WORDS = 40
"""Distinct words for null, and spellings of booleans."""


@dataclass
class Recognized:
    """The type of a column, and the arrays of its values."""

    type: ColumnType
    arrays: Arrays = Arrays()  # noqa: RUF009  # it is frozen
    nulls: frozenset[str] = frozenset()
    """Cells as written that are null because the column has a type."""
    examples: tuple[str, ...] = ()
    """A cell with a point that could stand between thousands."""
    mark: Literal["clear", "doubtful"] | None = None
    """Whether a column of numbers with a decimal point leaves no doubt that it is one."""


def recognize(cells: PackedCells, null_words: frozenset[str], decimal: str) -> Recognized | None:
    """Return the type of a column; None where only `columns.texts` knows.

    Args:
        cells: The cells.
        null_words: Cells that are null where the column has a type.
        decimal: The decimal mark, or `auto`.
    """
    if cells.has_doubled_quotes:
        return None
    head = cells.part(slice(_HEAD)).texts()
    if not may_be_typed(head, null_words) or any(_is_text(cell, null_words) for cell in dict.fromkeys(head)):
        return Recognized("text")
    if cells.width > DATETIME_BYTES + 1:
        return _as_text(cells, null_words)
    return _numbers(cells, null_words, decimal) or _others(cells, null_words)


def _is_text(cell: str, null_words: frozenset[str]) -> bool:
    """Return whether no column with this cell has a type."""
    text = cell.strip()
    if not text or text in null_words:
        return False
    if text.casefold() in numbers.BOOLEAN_WORDS or "\n" in cell:
        return False
    one = Cells({cell: text}, frozenset())
    return not (numbers.readings(one) or moments.has_form(one) or numbers.without_units(one))


def _numbers(cells: PackedCells, null_words: frozenset[str], decimal: str) -> Recognized | None:
    read = read_numbers(cells)
    if read is None:
        return None
    nulls = _nulls(cells, ~read.fits, null_words)
    if nulls is None or not read.fits.any():
        return None
    is_null = None if read.fits.all() else ~read.fits
    has_point = read.has_point & read.fits
    if not has_point.any():
        if is_null is not None:
            read.digits[is_null] = 0
        return Recognized("integer", Arrays(is_null, read.digits), nulls)
    if decimal == ",":
        return None
    is_grouped = decimal == "auto" and bool(read.could_be_grouped()[has_point].all())
    floats = read.floats()
    if is_null is not None:
        floats[is_null] = np.nan
    examples = tuple(cells.part(np.flatnonzero(has_point)[:1]).texts())
    arrays = Arrays(is_null, read.digits, floats, has_point)
    return Recognized("number", arrays, nulls, examples, "doubtful" if is_grouped else "clear")


def _nulls(cells: PackedCells, is_other: Mask, null_words: frozenset[str]) -> frozenset[str] | None:
    """Return the distinct cells of these rows if all of them are null, without spaces around them."""
    if not is_other.any():
        return frozenset()
    found: set[str] = set()
    filled = np.flatnonzero(is_other & (cells.lengths > 0))
    if len(filled) < np.count_nonzero(is_other):
        found.add("")
    if len(filled):
        others = _distinct(cells.part(filled))
        if others is None or not others <= null_words:
            return None
        found |= others
    return frozenset(found)


def _distinct(cells: PackedCells) -> set[str] | None:
    """Return the distinct cells if there are few and short ones."""
    if cells.width > WORD_BYTES:
        return None
    _, places = np.unique(cells.words()[:, 0], return_index=True)
    return set(cells.part(places).texts()) if len(places) <= _MOST_WORDS else None


def _others(cells: PackedCells, null_words: frozenset[str]) -> Recognized | None:
    """Return a column of booleans or moments; None where there may be another type."""
    is_null = cells.lengths == 0
    if is_null.all():
        return None
    present = cells if not is_null.any() else cells.part(np.flatnonzero(~is_null))
    nulls = frozenset() if present is cells else frozenset({""})
    mask = None if present is cells else is_null
    if are_dates(present):
        return Recognized("date", Arrays(mask), nulls)
    if are_datetimes(present):
        return Recognized("datetime", Arrays(mask), nulls)
    return _booleans(cells, present, null_words, mask) or _as_text(cells, null_words)


def _booleans(
    cells: PackedCells, present: PackedCells, null_words: frozenset[str], is_null: Mask | None
) -> Recognized | None:
    found = _distinct(present) if present.width <= WORD_BYTES else None
    if not found or found & null_words or any(text != text.strip() for text in found):
        return None
    truths = numbers.parse_booleans(Cells({text: text for text in found}, frozenset()))
    if truths is None:
        return None
    values = np.zeros(len(cells), np.bool_)
    for text, value in truths.items():
        if value:
            values |= cells.equal_to(text)
    nulls = frozenset() if is_null is None else frozenset({""})
    return Recognized("boolean", Arrays(is_null, booleans=values), nulls)


def _as_text(cells: PackedCells, null_words: frozenset[str]) -> Recognized | None:
    """Return a column of text if one of some cells has no type."""
    step = max(1, len(cells) // _HEAD)
    some = dict.fromkeys(cells.part(slice(None, None, step)).texts())
    return Recognized("text") if any(_is_text(cell, null_words) for cell in some) else None
