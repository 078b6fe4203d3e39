"""Columns of large, regular tables as bytes and positions, whose values are created when they are needed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

WORD_BYTES = 8
PADDING = b"\0" * WORD_BYTES
"""What must follow the text, so that the last cell can be read in words."""

_MASKS = np.array([(1 << 8 * size) - 1 for size in range(WORD_BYTES + 1)], np.uint64).astype("<u8")
"""The mask of a word that has this many bytes of a cell."""

_LINE_FEED = ord("\n")
_WIDE = 6
"""Times the mean length from which on the longest cell makes padding too expensive."""

_PART = 16_384
"""Cells that are converted at once, which keeps the memory for wide cells small."""


class PackedCells:
    """Cells of a column. The text is UTF-8 without NUL characters."""

    def __init__(self, content: Bytes, starts: Places, lengths: Places, *, has_doubled_quotes: bool = False) -> None:
        self._content = content
        self._starts = starts
        self.lengths = lengths
        """Bytes of each cell."""
        self.has_doubled_quotes = has_doubled_quotes
        """Whether quotes in the cells are doubled, as the text has them."""

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def width(self) -> int:
        """Bytes of the longest cell."""
        return int(self.lengths.max(initial=0))

    def part(self, rows: slice | npt.NDArray[np.integer]) -> "PackedCells":
        """Return the cells of these rows."""
        return PackedCells(
            self._content, self._starts[rows], self.lengths[rows], has_doubled_quotes=self.has_doubled_quotes
        )

    def words(self, width: int | None = None) -> Words:
        """Return the bytes of each cell, padded with zeros, as rows of little-endian words of eight bytes.

        Args:
            width: Bytes that each row has room for, at least `width` of the cells.
        """
        count = max(1, -(-(self.width if width is None else width) // WORD_BYTES))
        view: Words = np.ndarray((len(self._content) - WORD_BYTES + 1,), "<u8", self._content, 0, (1,))
        found: Words = np.empty((len(self), count), "<u8")
        last = len(view) - 1
        for place in range(count):
            at = self._starts + np.int32(place * WORD_BYTES) if place else self._starts
            sizes = np.clip(self.lengths - np.int32(place * WORD_BYTES), 0, WORD_BYTES)
            found[:, place] = view[np.minimum(at, last) if place else at] & _MASKS[sizes]
        return found

    def rows(self, width: int | None = None) -> Bytes:
        """Return the bytes of each cell, padded with zeros, as rows of bytes."""
        return self.words(width).view(np.uint8)

    def positions(self) -> Bytes:
        """Return an array of the first byte of each cell, of the second, and so on; zero behind its end."""
        return np.ascontiguousarray(self.rows()[:, : max(1, self.width)].T)

    def texts(self) -> list[str]:
        """Return the cells as texts."""
        if self.has_doubled_quotes:
            return [text.replace('""', '"') for text in self.each_text()]
        found: list[str] = []
        for start in range(0, len(self), _PART):
            found += _joined_texts(self.part(slice(start, start + _PART)))
        return found

    def equal_to(self, text: str) -> Mask:
        """Return whether each cell is this text."""
        wanted = text.encode()
        found: Mask = self.lengths == len(wanted)
        places = np.flatnonzero(found)
        if len(places):
            expected = np.frombuffer(wanted.ljust(-(-len(wanted) // WORD_BYTES) * WORD_BYTES, b"\0"), "<u8")
            found[places] = (self.part(places).words(len(wanted))[:, : len(expected)] == expected).all(axis=1)
        return found

    def each_text(self) -> list[str]:
        """Return the cells as the text has them, one by one."""
        content = memoryview(self._content)  # type: ignore[arg-type]  # an array has a buffer
        pairs = zip(self._starts.tolist(), (self._starts + self.lengths).tolist(), strict=True)
        return [str(content[start:end], "utf-8") for start, end in pairs]


def _joined_texts(cells: PackedCells) -> list[str]:
    """Return cells as texts, by one split where that is possible."""
    if not len(cells) or cells.width > _WIDE * max(WORD_BYTES, int(cells.lengths.mean())):
        return cells.each_text()
    rows = cells.rows(cells.width // WORD_BYTES * WORD_BYTES + WORD_BYTES)
    if (rows == _LINE_FEED).any():
        return cells.each_text()
    rows[:, -1] = _LINE_FEED
    return rows.tobytes().translate(None, b"\0")[:-1].decode().split("\n")


Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = slice | npt.NDArray[np.integer]


@dataclass(frozen=True)
class Arrays:
    """The values of a column of numbers or booleans, and which are null; each None where it does not apply."""

    is_null: Mask | None = None
    """Whether each value is null; None where none is."""
    integers: Integers | None = None
    """The values of integers, and of those numbers that have no point; 0 for null in a column of integers."""
    floats: Floats | None = None
    """The values of numbers as floats, NaN for null."""
    has_point: Mask | None = None
    """Whether a number has a decimal point; one without is an integer."""
    booleans: Mask | None = None

    def part(self, rows: Rows) -> "Arrays":
        """Return the values of some rows."""
        return Arrays(
            None if self.is_null is None else self.is_null[rows],
            None if self.integers is None else self.integers[rows],
            None if self.floats is None else self.floats[rows],
            None if self.has_point is None else self.has_point[rows],
            None if self.booleans is None else self.booleans[rows],
        )
