"""Dates and datetimes in ISO 8601 in packed cells."""

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.packed.cells import Bytes, Mask, PackedCells

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
