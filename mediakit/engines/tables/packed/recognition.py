"""The type of a column of packed cells, where it is certain without a look at each cell by itself."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mediakit.engines.tables.columns import booleans, moments
from mediakit.engines.tables.columns import numbers as column_numbers
from mediakit.engines.tables.columns.cells import Cells, may_be_typed
from mediakit.engines.tables.model import ColumnType
from mediakit.engines.tables.packed import moments as packed_moments
from mediakit.engines.tables.packed import numbers
from mediakit.engines.tables.packed.arrays import Arrays
from mediakit.engines.tables.packed.cells import WORD_BYTES, Mask, PackedCells

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
    if cells.width > packed_moments.DATETIME_BYTES + 1:
        return _as_text(cells, null_words)
    return _numbers(cells, null_words, decimal) or _others(cells, null_words)


def _is_text(cell: str, null_words: frozenset[str]) -> bool:
    """Return whether no column with this cell has a type."""
    text = cell.strip()
    if not text or text in null_words:
        return False
    if text.casefold() in booleans.WORDS or "\n" in cell:
        return False
    one = Cells({cell: text}, frozenset())
    return not (column_numbers.readings(one) or moments.has_form(one) or column_numbers.without_units(one))


def _numbers(cells: PackedCells, null_words: frozenset[str], decimal: str) -> Recognized | None:
    read = numbers.read(cells)
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
    if packed_moments.are_dates(present):
        return Recognized("date", Arrays(mask), nulls)
    if packed_moments.are_datetimes(present):
        return Recognized("datetime", Arrays(mask), nulls)
    return _booleans(cells, present, null_words, mask) or _as_text(cells, null_words)


def _booleans(
    cells: PackedCells, present: PackedCells, null_words: frozenset[str], is_null: Mask | None
) -> Recognized | None:
    found = _distinct(present) if present.width <= WORD_BYTES else None
    if not found or found & null_words or any(text != text.strip() for text in found):
        return None
    truths = booleans.parse(Cells({text: text for text in found}, frozenset()))
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
