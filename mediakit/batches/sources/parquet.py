"""Rows of Parquet files of any size, equal to those of the reader of small files."""

from collections.abc import Callable, Iterator
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource
from mediakit.batches.sources.table_file import TableFile
from mediakit.engines.tables.model import Facts, Table
from mediakit.engines.tables.nested import as_texts, plain_table
from mediakit.engines.tables.row_files import TYPED_OPTIONS, with_plain_decimals
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command

BLOCK_ROWS = 20_000
"""Rows that are decoded at once."""

Blocks = Iterator[list[list[Any]]]
"""Values of each column, for so many rows at once."""


def open_parquet(file: TableFile, first: str, renaming: Renaming) -> RowSource:
    """Return the rows of a Parquet file.

    Raises:
        InvalidInput: The file is damaged.
        MissingPackage: Neither Polars nor pyarrow is installed.
    """
    try:
        columns, total, blocks = _opened(file)
    except ImportError:
        message = "rows: reading Parquet requires Polars or pyarrow."
        raise MissingPackage(message, command=install_command(extra="parquet")) from None
    except Exception as error:  # each library has errors of its own for a damaged file
        raise InvalidInput(f"rows: {file.name} is a damaged Parquet file: {str(error)[:120]}.") from error
    renaming.check(columns)
    return RowSource(
        lambda maker: _read(columns, blocks, maker),
        lambda: RowMaker(first, renaming, is_checked=True),
        columns=renaming.names(columns),
        total=total,
        repeatable=True,
    )


def _opened(file: TableFile) -> tuple[tuple[str, ...], int, Callable[[], Blocks]]:
    try:
        import polars as pl
    except ImportError:
        return _opened_by_arrow(file)
    scan = pl.scan_parquet(file.source if not isinstance(file.source, bytes) else file.open())
    total = int(scan.select(pl.len()).collect().item())

    def blocks() -> Blocks:
        for start in range(0, total, BLOCK_ROWS):
            part = scan.slice(start, BLOCK_ROWS).collect()
            yield [series.to_list() for series in part.iter_columns()]

    return tuple(scan.collect_schema().names()), total, blocks


def _opened_by_arrow(file: TableFile) -> tuple[tuple[str, ...], int, Callable[[], Blocks]]:
    import pyarrow.parquet as pq

    def blocks() -> Blocks:
        with file.open() as content:
            for batch in pq.ParquetFile(content).iter_batches(batch_size=BLOCK_ROWS):
                yield [column.to_pylist() for column in batch.columns]

    with file.open() as content:
        opened = pq.ParquetFile(content)
        return tuple(opened.schema_arrow.names), opened.metadata.num_rows, blocks


def _read(columns: tuple[str, ...], blocks: Callable[[], Blocks], maker: RowMaker) -> Iterator[list[Row]]:
    for values in blocks():
        nested = plain_table(columns, values, TYPED_OPTIONS, Facts())
        table = with_plain_decimals(Table(list(map(as_texts, nested.columns))))
        yield from maker.from_columns(columns, [column.values for column in table.columns], len(table))
