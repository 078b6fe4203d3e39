"""Rows of Series and DataFrames of pandas, Polars and PyArrow."""

from collections.abc import Iterator
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import CHUNK_ROWS, RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource


def open_frame(frame: Any, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a Series or a DataFrame of narwhals, whose data are in memory."""
    columns = columns_of(frame, first)
    renaming.check(columns)
    return RowSource(
        lambda maker: read_frame(frame, maker),
        lambda: RowMaker(first, renaming, is_checked=True),
        columns=renaming.names(columns),
        total=len(frame),
        repeatable=True,
        fits_memory=True,
    )


def read_frame(frame: Any, maker: RowMaker) -> Iterator[list[Row]]:
    """Iterate over the chunks of a Series or a DataFrame of narwhals."""
    columns = columns_of(frame, maker.first)
    for start in range(0, len(frame), CHUNK_ROWS):
        part = frame[start : start + CHUNK_ROWS]
        series = part.iter_columns() if hasattr(part, "iter_columns") else [part]
        yield from maker.from_columns(columns, [each.to_list() for each in series], len(part))


def columns_of(frame: Any, first: str) -> tuple[Any, ...]:
    """Return the columns of a DataFrame; those of a Series are the one for values."""
    return tuple(frame.columns) if hasattr(frame, "columns") else (first,)
