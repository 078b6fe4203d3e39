"""Splits delimited text whose rows all have one width into packed cells."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mediakit.engines.tables.packed.cells import PADDING, Bytes, Mask, PackedCells, Places

Ends = Places

_MAX_CHARACTERS = 1_000_000_000
_LONGEST_CELL = 131_072
"""Bytes of the longest cell that the module csv reads."""

_LEAST_WIDTH = 2
_LINE_FEED, _CARRIAGE_RETURN, _QUOTE = b'\n\r"'


@dataclass(frozen=True)
class PackedRecords:
    """The cells of each column of a text, its first record among them."""

    columns: list[PackedCells]

    def __len__(self) -> int:
        return len(self.columns[0])

    def head(self, count: int) -> list[list[str]]:
        """Return the cells of the first records."""
        return [list(row) for row in zip(*(cells.part(slice(count)).texts() for cells in self.columns), strict=True)]

    def part(self, rows: slice) -> list[PackedCells]:
        """Return the cells of these records by column."""
        return [cells.part(rows) for cells in self.columns]


def split_packed(text: str, delimiter: str, limit: int) -> PackedRecords | None:
    r"""Return the cells of a text; None unless each record has the same number of them, two at least.

    Quotes must enclose whole cells and be doubled within, and a line must end in `\n` or each in `\r\n`.

    Args:
        text: What to split.
        delimiter: One character.
        limit: The number of records to return at most.
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
    ends: Ends = np.flatnonzero(is_end).astype(np.int32)
    doubled: Ends = np.empty(0, np.int32)
    if has_quotes:
        quotes: Ends = np.flatnonzero(content == _QUOTE).astype(np.int32)
        found = _doubled(content, is_end, quotes)
        if found is None:
            return None
        doubled = found
        ends = _outside(ends, quotes)
    del is_end
    width = int(np.argmax(content[ends] == _LINE_FEED)) + 1
    ends = ends[: limit * width]
    if width < _LEAST_WIDTH or len(ends) % width:
        return None
    table = np.ascontiguousarray(ends.reshape(-1, width).T)
    if not _is_regular(content, table, delimiter):
        return None
    quoted = set(np.unique(np.searchsorted(ends, doubled) % width).tolist())
    cells = _cells(content, table, has_returns=has_returns, has_quotes=has_quotes)
    columns = [PackedCells(content, *each, has_doubled_quotes=place in quoted) for place, each in enumerate(cells)]
    return PackedRecords(columns) if max(cells.width for cells in columns) <= _LONGEST_CELL else None


def _doubled(content: Bytes, is_end: Mask, quotes: Ends) -> Ends | None:
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


def _outside(ends: Ends, quotes: Ends) -> Ends:
    """Return the ends that are not between an opening and a closing quote."""
    bounds = np.concatenate(([0], np.searchsorted(ends, quotes), [len(ends)]))
    is_outside = np.repeat(np.arange(len(bounds) - 1) % 2 == 0, np.diff(bounds))
    outside: Ends = ends[is_outside]
    return outside


def _is_regular(content: Bytes, ends: Ends, delimiter: str) -> bool:
    """Return whether each record ends after the same number of cells."""
    mark = ord(delimiter)
    return bool((content[ends[-1]] == _LINE_FEED).all() and all((content[each] == mark).all() for each in ends[:-1]))


def _cells(content: Bytes, ends: Ends, *, has_returns: bool, has_quotes: bool) -> Iterator[tuple[Ends, Ends]]:
    """Yield the starts and the lengths of the cells of each column, without the quotes around them."""
    starts = np.empty_like(ends)
    starts[1:] = ends[:-1]
    starts[0, 1:] = ends[-1, :-1]
    starts[0, 0] = -1
    starts += 1
    if has_returns:
        ends[-1] -= content[ends[-1] - 1] == _CARRIAGE_RETURN
    for start, end in zip(starts, ends, strict=True):
        lengths = end - start
        if has_quotes:
            quotes = ((content[start] == _QUOTE) & (lengths > 0)).astype(np.int32)
            yield start + quotes, lengths - 2 * quotes
        else:
            yield start, lengths
