"""Rows of packed columns as JSON, without an object per cell.

Each row is written into an array as wide as the longest row, and the zeros between its parts are removed at once.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.model import Column
from mediakit.engines.tables.packed.cells import WORD_BYTES, Bytes
from mediakit.engines.tables.packed.column import PackedColumn
from mediakit.engines.tables.writers.values import as_json

_NULL = np.frombuffer(b"null\0\0\0\0", np.uint8)
_WORDS = np.frombuffer(b"falsetrue\0", np.uint8).reshape(2, 5)
_MAX_WIDTH = 200
"""Bytes of the longest cell of a column that is written like this."""

_LEAST = 1e-4
"""Smaller numbers are written with an exponent."""

_CONTROLS, _QUOTE, _BACKSLASH = 0x20, ord('"'), ord("\\")
_POINT, _ZERO, _SEPARATOR = ord("."), ord("0"), len("2024-05-31")


def json_objects(columns: Sequence[Column], before: Sequence[str], end: str) -> str | None:
    """Return rows as JSON objects one after the other; None where a value is too long.

    Args:
        columns: The columns of some rows.
        before: What is written before the value of each column.
        end: What is written behind each row.
    """
    cells = []
    for column in columns:
        written = _written(column) if isinstance(column, PackedColumn) else None
        if written is None:
            written = _padded(as_json(column))
        if written.shape[1] > _MAX_WIDTH:
            return None
        cells.append(written)
    parts: list[bytes | Bytes] = []
    for text, written in zip(before, cells, strict=True):
        parts += [text.encode(), written]
    return _joined([*parts, end.encode()], columns[0].row_count)


def _joined(parts: Sequence[bytes | Bytes], rows: int) -> str:
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in parts]
    table = np.empty((rows, sum(widths)), np.uint8)
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
        found = _numbers(column)
    elif column.type == "integer":
        found = column.packed.rows()
    else:
        found = _texts(column)
    if found is not None and column.arrays.is_null is not None:
        found = _with_nulls(found, column.arrays.is_null)
    return found


def _padded(texts: list[str]) -> Bytes:
    encoded = np.array([text.encode() for text in texts])
    return encoded.view(np.uint8).reshape(len(texts), -1)


def _with_nulls(written: Bytes, is_null: npt.NDArray[np.bool_]) -> Bytes:
    if written.shape[1] < len(_NULL):
        written = np.pad(written, ((0, 0), (0, len(_NULL) - written.shape[1])))
    written[is_null] = np.pad(_NULL, (0, written.shape[1] - len(_NULL)))
    return written


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


def _numbers(column: PackedColumn) -> Bytes | None:
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
