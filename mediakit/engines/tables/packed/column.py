"""Columns of large, regular tables as bytes and positions, whose values are created when they are needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.model import Column, ColumnType
from mediakit.engines.tables.writers.values import as_json

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

        Each row has room for `width` bytes, at least those of the longest cell.
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
            cells = self.part(slice(start, start + _PART))
            is_wide = cells.width > _WIDE * max(WORD_BYTES, int(cells.lengths.mean()))
            rows = None if is_wide else cells.rows(cells.width // WORD_BYTES * WORD_BYTES + WORD_BYTES)
            if rows is None or (rows == _LINE_FEED).any():
                found += cells.each_text()
            else:  # one split is faster than a text each
                rows[:, -1] = _LINE_FEED
                found += rows.tobytes().translate(None, b"\0")[:-1].decode().split("\n")
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
        return Arrays(**{name: None if array is None else array[rows] for name, array in vars(self).items()})


class PackedColumn(Column):
    """A column with packed cells.

    The cells of integers are canonical, and so are dates; datetimes may have a space for their T.
    """

    def __init__(
        self, name: str, kind: ColumnType, packed: PackedCells, arrays: Arrays, *, keeps_cells: bool = False
    ) -> None:
        self.name, self.type = name, kind
        self.packed = packed
        """The cells as the source has them."""
        self.arrays = arrays
        """The values of numbers and booleans, and which values are null."""
        self.keeps_cells = keeps_cells

    @property
    def row_count(self) -> int:
        """Number of values."""
        return len(self.packed)

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]  # created when it is needed
        """A value per row."""
        arrays = self.arrays
        if arrays.booleans is not None:
            found = list(arrays.booleans.tolist())
        elif arrays.floats is not None and arrays.has_point is not None:
            found = list(arrays.floats.tolist())
            if arrays.integers is not None:
                places = np.flatnonzero(~arrays.has_point)
                for place, value in zip(places.tolist(), arrays.integers[places].tolist(), strict=True):
                    found[place] = value
        elif arrays.integers is not None:
            found = list(arrays.integers.tolist())
        else:
            texts = self.packed.texts()
            found = [text.replace(" ", "T") for text in texts] if self.type == "datetime" else texts
        for place in () if arrays.is_null is None else np.flatnonzero(arrays.is_null).tolist():
            found[place] = None
        return found

    @cached_property
    def cells(self) -> list[Any] | None:  # type: ignore[override]
        """The cells as the source has them."""
        if not self.keeps_cells:
            return None
        is_same = self.type in ("date", "text") and self.arrays.is_null is None
        return self.values if is_same else self.packed.texts()

    def part(self, rows: Rows) -> "PackedColumn":
        """Return a column of some rows."""
        return PackedColumn(
            self.name, self.type, self.packed.part(rows), self.arrays.part(rows), keeps_cells=self.keeps_cells
        )

    def renamed(self, name: str) -> "PackedColumn":
        """Return the column with another name."""
        return PackedColumn(name, self.type, self.packed, self.arrays, keeps_cells=self.keeps_cells)


@dataclass
class Recognized:
    """The type of a column, and the arrays of its values."""

    type: ColumnType
    arrays: Arrays = Arrays()  # it is frozen
    nulls: frozenset[str] = frozenset()
    """Cells as written that are null because the column has a type."""
    examples: tuple[str, ...] = ()
    """A cell with a point that could stand between thousands."""
    mark: Literal["clear", "doubtful"] | None = None
    """Whether a column of numbers with a decimal point leaves no doubt that it is one."""


def text_column(name: str, cells: PackedCells, empty: set[str], *, keeps_cells: bool) -> PackedColumn:
    """Return a column of text in which these texts are null, the empty one among them."""
    is_null: Mask = cells.lengths == 0
    for word in empty - {""}:
        is_null |= cells.equal_to(word)
    return PackedColumn(name, "text", cells, Arrays(is_null if is_null.any() else None), keeps_cells=keeps_cells)


_NULL = np.frombuffer(b"null\0\0\0\0", np.uint8)
_WORDS = np.frombuffer(b"falsetrue\0", np.uint8).reshape(2, 5)
_MAX_WIDTH = 200
"""Bytes of the longest cell of a column that is written like this."""

_LEAST = 1e-4
"""Smaller numbers are written with an exponent."""

_CONTROLS, _QUOTE, _BACKSLASH = 0x20, ord('"'), ord("\\")
_POINT, _ZERO, _SEPARATOR = ord("."), ord("0"), len("2024-05-31")


def json_objects(columns: Sequence[Column], before: Sequence[str], end: str) -> str | None:
    """Return rows as JSON objects one after the other, with these texts before each value; None for a long value."""
    cells = []
    for column in columns:
        written = _written(column) if isinstance(column, PackedColumn) else None
        if written is None:
            texts = as_json(column)
            encoded = np.array([text.encode() for text in texts])
            written = encoded.view(np.uint8).reshape(len(texts), -1)
        if written.shape[1] > _MAX_WIDTH:
            return None
        cells.append(written)
    parts: list[bytes | Bytes] = []
    for text, written in zip(before, cells, strict=True):
        parts += [text.encode(), written]
    parts = [*parts, end.encode()]
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in parts]
    table = np.empty((columns[0].row_count, sum(widths)), np.uint8)
    at = 0
    for part, width in zip(parts, widths, strict=True):
        table[:, at : at + width] = np.frombuffer(part, np.uint8) if isinstance(part, bytes) else part
        at += width
    return table.tobytes().translate(None, b"\0").decode()


def _written(column: PackedColumn) -> Bytes | None:
    """Return the JSON of each value, padded with zeros; None where a value needs more than its bytes."""
    if column.arrays.booleans is not None:
        found: Bytes | None = _WORDS[column.arrays.booleans.astype(np.intp)]
    elif column.packed.width > _MAX_WIDTH or column.packed.has_doubled_quotes:
        return None
    elif column.arrays.floats is not None:
        found = _json_numbers(column)
    elif column.type == "integer":
        found = column.packed.rows()
    else:
        found = _texts(column)
    if found is not None and column.arrays.is_null is not None:
        if found.shape[1] < len(_NULL):
            found = np.pad(found, ((0, 0), (0, len(_NULL) - found.shape[1])))
        found[column.arrays.is_null] = np.pad(_NULL, (0, found.shape[1] - len(_NULL)))
    return found


def _texts(column: PackedColumn) -> Bytes | None:
    """Return texts in quotes; None where a character must be escaped."""
    rows = column.packed.rows()
    needs_escape = (rows == _QUOTE) | (rows == _BACKSLASH) | ((rows < _CONTROLS) & (rows > 0))
    if needs_escape.any():
        return None
    if column.type == "datetime":
        rows[:, _SEPARATOR] = ord("T")
    written = np.zeros((len(rows), rows.shape[1] + 2 * WORD_BYTES), np.uint8)
    written[:, WORD_BYTES - 1] = written[:, -WORD_BYTES] = _QUOTE
    written[:, WORD_BYTES:-WORD_BYTES] = rows
    return written[:, WORD_BYTES - 1 : 1 - WORD_BYTES]


def _json_numbers(column: PackedColumn) -> Bytes | None:
    """Return numbers without zeros at the end of their fraction; None where one has another form as a float."""
    arrays = column.arrays
    if arrays.floats is None or arrays.has_point is None:
        return None
    floats = arrays.floats[arrays.has_point]
    if ((np.abs(floats) < _LEAST) & ((floats != 0) | np.signbit(floats))).any():
        return None
    rows = column.packed.rows()
    is_tail = arrays.has_point.copy()
    for place in range(column.packed.width - 1, -1, -1):
        characters = rows[:, place]
        is_point = is_tail & (characters == _POINT)
        is_cleared = is_point | (is_tail & (characters == _ZERO))
        characters[is_cleared] = 0
        is_tail &= (characters == 0) & ~is_point
    return rows
