"""Integers and numbers with a decimal point in packed cells, digit by digit."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.columns.numbers import INTEGER_DIGITS
from mediakit.engines.tables.packed.arrays import Floats, Integers
from mediakit.engines.tables.packed.cells import Bytes, Mask, PackedCells

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


def read(cells: PackedCells) -> Read | None:
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
