"""Rows of tables that are computed as they are read: lazy frames of Polars, Dask, DuckDB and streams of PyArrow.

The order of their rows can differ between two runs of a query, so they are read once.
"""

from collections.abc import Callable, Iterator
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.frames import columns_of, read_frame
from mediakit.batches.sources.making import RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource

BLOCK_ROWS = 20_000
"""Rows that are computed at once, where the library allows it."""

Parts = Callable[[], Iterator[Any]]
"""Returns the parts of a table, as frames of a library that narwhals knows."""


def open_lazy(source: Any, first: str, renaming: Renaming) -> RowSource | None:
    """Return the rows of a table that is computed as it is read; None for other sources."""
    parts = _parts(source)
    if parts is None:
        return None
    columns = _columns(source, first)
    if columns is not None:
        renaming.check(columns)
    return RowSource(
        lambda maker: _read(parts, maker),
        lambda: RowMaker(first, renaming, is_checked=columns is not None),
        columns=None if columns is None else renaming.names(columns),
    )


def _read(parts: Parts, maker: RowMaker) -> Iterator[list[Row]]:
    import narwhals as nw

    for part in parts():
        yield from read_frame(nw.from_native(part, allow_series=True), maker)


def _columns(source: Any, first: str) -> tuple[Any, ...] | None:
    if hasattr(source, "collect_schema"):
        return tuple(source.collect_schema().names())
    if hasattr(source, "schema") and hasattr(source.schema, "names"):
        return tuple(source.schema.names)
    return (first,) if getattr(source, "ndim", 2) == 1 else columns_of(source, first)


def _parts(source: Any) -> Parts | None:
    library = type(source).__module__.split(".")[0].lstrip("_")
    if library == "polars" and hasattr(source, "collect_batches"):
        return lambda: source.collect_batches(chunk_size=BLOCK_ROWS, maintain_order=True)
    if library == "dask" and hasattr(source, "ndim") and hasattr(source, "partitions"):
        return lambda: (source.partitions[place].compute() for place in range(source.npartitions))
    if library == "duckdb":
        return _duckdb_parts(source)
    if library == "pyarrow" and not hasattr(source, "combine_chunks"):
        return _arrow_parts(source)
    return None


def _duckdb_parts(relation: Any) -> Parts | None:
    read = getattr(relation, "to_arrow_reader", None) or getattr(relation, "fetch_arrow_reader", None)
    return (lambda: _tables(read(BLOCK_ROWS))) if read else None


def _arrow_parts(source: Any) -> Parts | None:
    if hasattr(source, "read_next_batch"):
        return lambda: _tables(source)
    if hasattr(source, "to_batches"):  # a data set on disk
        return lambda: _tables(source.to_batches(batch_size=BLOCK_ROWS))
    return (lambda: _tables([source])) if hasattr(source, "column_names") else None


def _tables(batches: Any) -> Iterator[Any]:
    import pyarrow as pa

    return (pa.Table.from_batches([batch]) for batch in batches)
