"""Rows of Python objects: iterables, data frames, tables that are computed as they are read, queries and cursors."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from functools import partial
from pathlib import PurePath
from typing import Any

from mediakit.batches.sources.rows import CHUNK_ROWS, Pair, Renaming, Row, RowMaker, RowSource, columns_of
from mediakit.errors import InvalidInput

CHUNK_SECONDS = 0.5
"""Time after which a chunk of a slow iterable ends early."""

BLOCK_ROWS = 20_000
"""Rows that are computed at once, where the library allows it."""


def open_iterable(source: Iterable[Any], first: str, renaming: Renaming) -> RowSource:
    """Return the rows of an iterable. A dictionary has named rows."""
    is_iterator = isinstance(source, Iterator)
    columns = None
    if isinstance(source, list | tuple) or type(source) is dict:
        columns = columns_of(source.values() if isinstance(source, dict) else source, first)

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        chunk: list[Pair] = []
        deadline = time.monotonic() + CHUNK_SECONDS
        for item in source.items() if isinstance(source, Mapping) else source:
            if isinstance(source, Mapping):
                chunk.append((str(item[0]), item[1]))
            else:
                chunk.append((item.stem if isinstance(item, PurePath) else None, item))
            if len(chunk) == CHUNK_ROWS or time.monotonic() > deadline:
                yield maker.from_pairs(chunk)
                chunk, deadline = [], time.monotonic() + CHUNK_SECONDS
        if chunk:
            yield maker.from_pairs(chunk)

    return RowSource(
        read,
        first,
        renaming,
        columns=columns,
        total=len(source) if isinstance(source, Sized) else None,
        repeatable=not is_iterator,
        fits_memory=isinstance(source, Collection) and not is_iterator,
    )


def open_frame(frame: Any, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a Series or a DataFrame of narwhals, whose data are in memory."""
    return RowSource(
        lambda maker: _frame_rows(frame, maker, first),
        first,
        renaming,
        columns=_frame_columns(frame, first),
        total=len(frame),
        repeatable=True,
        fits_memory=True,
    )


def _frame_rows(frame: Any, maker: RowMaker, first: str) -> Iterator[list[Row]]:
    columns = _frame_columns(frame, first)
    for start in range(0, len(frame), CHUNK_ROWS):
        part = frame[start : start + CHUNK_ROWS]
        series = part.iter_columns() if hasattr(part, "iter_columns") else [part]
        yield from maker.from_columns(columns, [each.to_list() for each in series], len(part))


def _frame_columns(frame: Any, first: str) -> tuple[Any, ...]:
    """Return the columns of a DataFrame; those of a Series are the one for values."""
    return tuple(frame.columns) if hasattr(frame, "columns") else (first,)


def open_lazy(source: Any, first: str, renaming: Renaming) -> RowSource | None:
    """Return the rows of a lazy frame of Polars, Dask or DuckDB or a stream of PyArrow; None for other sources.

    The order of their rows can differ between two runs of a query, so they are read once.
    """
    if (parts := _parts(source)) is None:
        return None

    def read(maker: RowMaker) -> Iterator[list[Row]]:
        import narwhals as nw

        for part in parts():
            yield from _frame_rows(nw.from_native(part, allow_series=True), maker, first)

    if hasattr(source, "collect_schema"):
        columns = tuple(source.collect_schema().names())
    elif hasattr(source, "schema") and hasattr(source.schema, "names"):
        columns = tuple(source.schema.names)
    else:
        columns = (first,) if getattr(source, "ndim", 2) == 1 else _frame_columns(source, first)
    return RowSource(read, first, renaming, columns=columns)


def _parts(source: Any) -> Callable[[], Iterator[Any]] | None:
    """Return what iterates over the parts of a table, as frames of a library that narwhals knows."""
    library = type(source).__module__.split(".")[0].lstrip("_")
    if library == "polars" and hasattr(source, "collect_batches"):
        return lambda: source.collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True)
    if library == "dask" and hasattr(source, "ndim") and hasattr(source, "partitions"):
        return lambda: (source.partitions[place].compute() for place in range(source.npartitions))
    if (batches := _batches(source, library)) is None:
        return None
    import pyarrow as pa

    return lambda: (pa.Table.from_batches([batch]) for batch in batches())


def _batches(source: Any, library: str) -> Callable[[], Any] | None:
    """Return what iterates over the record batches of DuckDB or PyArrow."""
    if library == "duckdb":
        reader = getattr(source, "to_arrow_reader", None) or getattr(source, "fetch_arrow_reader", None)
        return (lambda: reader(BLOCK_ROWS)) if reader else None
    if library != "pyarrow" or hasattr(source, "combine_chunks"):
        return None
    if hasattr(source, "read_next_batch"):
        return lambda: source
    if hasattr(source, "to_batches"):  # a data set on disk
        return lambda: source.to_batches(batch_size=BLOCK_ROWS)
    return (lambda: [source]) if hasattr(source, "column_names") else None


def open_query(source: Any, first: str, renaming: Renaming) -> RowSource | None:
    """Return the rows of a result of SQLAlchemy, or of a cursor of a database driver (PEP 249); None for others.

    A result that the driver does not hold in memory is read in parts, such as one of SQLAlchemy's `stream_results`.

    Raises:
        InvalidInput: A cursor has no result.
    """
    if all(callable(getattr(source, name, None)) for name in ("keys", "mappings", "partitions")):
        columns: tuple[str, ...] = tuple(source.keys())
    elif hasattr(source, "description") and callable(getattr(source, "fetchmany", None)):
        if not source.description:
            raise InvalidInput("rows: the cursor has no result; execute a SELECT statement first.")
        columns = tuple(column[0] for column in source.description)
    else:
        return None

    return RowSource(partial(_fetched, source, columns), first, renaming, columns=columns)


def _fetched(source: Any, columns: tuple[str, ...], maker: RowMaker) -> Iterator[list[Row]]:
    try:
        while rows := source.fetchmany(CHUNK_ROWS):
            if isinstance(rows[0], Mapping):
                yield maker.from_pairs([(None, row) for row in rows])
            else:
                values = [list(column) for column in zip(*rows, strict=True)]
                yield from maker.from_columns(columns, values, len(rows))
    except Exception as error:
        if "same thread" in str(error):  # of SQLite
            raise InvalidInput(
                "rows: this SQLite connection can be used only in the thread that opened it. Open it with "
                "check_same_thread=False, or pass all rows at once, such as result.mappings().all()."
            ) from error
        raise
