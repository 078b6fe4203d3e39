"""Divides a large, regular text into packed cells, and finds the type of a column where it is certain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.columns import moments, numbers
from mediakit.engines.tables.columns.cells import Cells, may_be_typed
from mediakit.engines.tables.columns.numbers import INTEGER_DIGITS
from mediakit.engines.tables.model import MAX_COLUMNS
from mediakit.engines.tables.packed.column import (
    PADDING,
    WORD_BYTES,
    Arrays,
    Bytes,
    Floats,
    Integers,
    Mask,
    PackedCells,
    Places,
    Recognized,
    Rows,
)

_MAX_CHARACTERS = 1_000_000_000
_LONGEST_CELL = 131_072
"""Bytes of the longest cell that the module csv reads."""

_LEAST_WIDTH = 2
_MOST_PADDING = 2
"""Times its own cells that a text may have with those that fill short records."""
_LINE_FEED, _CARRIAGE_RETURN, _QUOTE = b'\n\r"'


@dataclass(frozen=True)
class PackedRecords:
    """The cells of each column of a text, its first record among them."""

    columns: list[PackedCells]
    widths: Places
    """The number of cells that each record has; 0 for a blank line. Shorter ones are filled with empty cells."""

    def head(self, count: int) -> list[list[str]]:
        """Return the cells of the first records."""
        rows = zip(*(cells.part(slice(count)).texts() for cells in self.columns), strict=True)
        return [list(row[:width]) for row, width in zip(rows, self.widths[:count].tolist(), strict=True)]

    def part(self, rows: Rows, width: int) -> list[PackedCells]:
        """Return the cells of these records in the first columns."""
        return [cells.part(rows) for cells in self.columns[:width]]


def split_packed(text: str, delimiter: str, limit: int) -> PackedRecords | None:
    r"""Return the cells of at most so many records of a text; None unless it is regular.

    Quotes must enclose whole cells and be doubled within, or stand in cells that do not begin with one. A line must end
    in `\n` or each in `\r\n`. Nearly all records have the same number of cells, two at least.
    """
    if len(text) > _MAX_CHARACTERS or not delimiter.isascii() or delimiter in ' "\r\n\0':
        return None
    has_returns, has_quotes = "\r" in text, '"' in text
    if has_returns and text.count("\r") != text.count("\r\n"):
        return None
    if has_quotes and ('\\"' in text or f'{delimiter} "' in text):
        return None
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return None
    content = np.frombuffer(encoded + (b"" if encoded.endswith(b"\n") else b"\n") + PADDING, np.uint8)
    return _split(content, delimiter, limit, has_returns=has_returns, has_quotes=has_quotes)


def _split(content: Bytes, delimiter: str, limit: int, *, has_returns: bool, has_quotes: bool) -> PackedRecords | None:
    is_end: Mask = content == ord(delimiter)
    is_end |= content == _LINE_FEED
    ends: Places = np.flatnonzero(is_end).astype(np.int32)
    doubled: Places = np.empty(0, np.int32)
    if has_quotes:
        found = _enclosing(content, is_end, ends)
        if found is None:
            return None
        quotes, doubled = found
        bounds = np.concatenate(([0], np.searchsorted(ends, quotes), [len(ends)]))
        ends = ends[np.repeat(np.arange(len(bounds) - 1) % 2 == 0, np.diff(bounds))]  # not between two quotes
    del is_end
    breaks = np.flatnonzero(content[ends] == _LINE_FEED)[:limit]
    ends = ends[: breaks[-1] + 1]
    widths = np.diff(breaks, prepend=-1).astype(np.int32)
    width = int(widths.max())
    if not _LEAST_WIDTH <= width <= MAX_COLUMNS or width * len(breaks) > _MOST_PADDING * len(ends):
        return None
    lines = ends[breaks]
    if has_returns:
        ends[breaks] -= content[lines - 1] == _CARRIAGE_RETURN
    quoted_cells = np.searchsorted(ends, doubled)
    if len(ends) == width * len(breaks) and (widths == width).all():
        table, quoted = np.ascontiguousarray(ends.reshape(-1, width).T), quoted_cells % width
    else:
        places = np.arange(len(ends)) - np.repeat(breaks - widths + 1, widths)
        table, quoted = np.tile(lines, (width, 1)), places[quoted_cells]
        table[places, np.repeat(np.arange(len(breaks)), widths)] = ends
        widths[(widths == 1) & (ends[breaks] == np.concatenate(([0], lines[:-1] + 1)))] = 0
    cells = _cells(content, table, lines, has_quotes=has_quotes)
    columns = [PackedCells(content, *each, has_doubled_quotes=place in quoted) for place, each in enumerate(cells)]
    return PackedRecords(columns, widths) if max(cells.width for cells in columns) <= _LONGEST_CELL else None


def _enclosing(content: Bytes, is_end: Mask, ends: Places) -> tuple[Places, Places] | None:
    """Return the places of quotes that enclose cells or are in such cells, and of those that another stands before."""
    quotes: Places = np.flatnonzero(content == _QUOTE).astype(np.int32)
    doubled = _doubled(content, is_end, quotes)
    if doubled is not None:
        return quotes, doubled
    first = np.concatenate(([-1], ends))[np.searchsorted(ends, quotes)] + 1
    is_literal = content[first] != _QUOTE
    before, after = content[quotes - 1], content[quotes + 1]
    is_inside = is_literal & ~is_end[quotes + 1] & (after != _CARRIAGE_RETURN) & (after != _QUOTE) & (before != _QUOTE)
    for others in (is_inside, is_literal):
        enclosing = quotes[~others]
        doubled = _doubled(content, is_end, enclosing)
        if doubled is not None and not (np.searchsorted(enclosing, quotes[others]) % 2).any():
            return enclosing, doubled
    return None


def _doubled(content: Bytes, is_end: Mask, quotes: Places) -> Places | None:
    """Return the places of quotes that another one stands before.

    None unless each quote encloses a cell, or is one of two within an enclosed cell.
    """
    if len(quotes) % 2:
        return None
    opening, closing = quotes[::2], quotes[1::2]
    before, after = opening - 1, closing + 1
    is_doubled = (opening > 0) & (content[before] == _QUOTE)
    opens = (opening == 0) | is_end[before] | is_doubled
    is_return = (content[after] == _CARRIAGE_RETURN) & is_end[after + 1]
    closes = is_end[after] | (content[after] == _QUOTE) | is_return
    return opening[is_doubled] if opens.all() and closes.all() else None


def _cells(content: Bytes, ends: Places, lines: Places, *, has_quotes: bool) -> Iterator[tuple[Places, Places]]:
    """Yield the starts and the lengths of the cells of each column, without the quotes around them.

    `ends` has the end of each cell by column and record; cells that a record does not have end with its line.
    """
    starts = np.empty_like(ends)
    starts[1:] = ends[:-1]
    starts[0, 1:] = lines[:-1]
    starts[0, 0] = -1
    starts += 1
    for start, end in zip(starts, ends, strict=True):
        lengths = np.maximum(end - start, 0)
        if has_quotes:
            quotes = ((content[start] == _QUOTE) & (lengths > 0)).astype(np.int32)
            yield start + quotes, lengths - 2 * quotes
        else:
            yield start, lengths


DATE_BYTES, DATETIME_BYTES = 10, 19
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int16)
_FEBRUARY = 2


def are_datetimes(cells: PackedCells) -> bool:
    """Return whether all cells are datetimes to the second, such as 2024-05-31T12:30:00 or with a space for the T."""
    if (cells.lengths != DATETIME_BYTES).any():
        return False
    at = cells.positions()
    fits = _are_days(at) & ((at[10] == ord("T")) | (at[10] == ord(" ")))
    fits &= (at[13] == ord(":")) & (at[16] == ord(":"))
    for first, limit in ((11, 24), (14, 60), (17, 60)):
        number, is_number = _number(at, first, 2)
        fits &= is_number & (number < limit)
    return bool(fits.all())


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
_GROUP = 3


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
    second = positions[1] if len(positions) > 1 else positions[0]
    begins_with_zero = np.where(is_negative, second, positions[0]) == ord("0")
    fits &= ~begins_with_zero | ((whole == 1) & (has_point | ~is_negative))  # 0, 0.5, -0.5; -0 is not an integer
    return Read(fits, np.where(is_negative, -digits, digits), fraction, whole, has_point, is_negative)


_HEAD = 200
"""Cells that `may_be_typed` looks at."""

_MOST_WORDS = 40
"""Distinct words for null, and spellings of booleans."""


def recognize(cells: PackedCells, null_words: frozenset[str], decimal: str) -> Recognized | None:
    """Return the type of a column; None where only `columns.texts` knows."""
    if cells.has_doubled_quotes:
        return None
    head = cells.part(slice(_HEAD)).texts()
    if have_no_type(head, null_words):
        return Recognized("text")
    if cells.width > DATETIME_BYTES + 1:
        return _as_text(cells, null_words)
    return _numbers(cells, null_words, decimal) or _others(cells, null_words)


def have_no_type(cells: Sequence[str], null_words: frozenset[str]) -> bool:
    """Return whether no column with these cells has a type."""
    return not may_be_typed(cells, null_words) or any(_is_text(cell, null_words) for cell in dict.fromkeys(cells))


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
    may_be_grouped = (read.fraction == _GROUP) & (read.whole <= _GROUP) & (np.abs(read.digits) >= 10**_GROUP)
    is_grouped = decimal == "auto" and bool(may_be_grouped[has_point].all())
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
    if (present.lengths == DATE_BYTES).all() and _are_days(present.positions()).all():
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
