"""Rows of queries: results of SQLAlchemy, and cursors of database drivers (PEP 249)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import CHUNK_ROWS, RowMaker
from mediakit.batches.sources.renaming import Renaming
from mediakit.batches.sources.source import RowSource
from mediakit.errors import InvalidInput

_OTHER_THREAD = "same thread"
"""In the message of SQLite for a connection that is used in another thread than its own."""


def open_query(source: Any, first: str, renaming: Renaming) -> RowSource | None:
    """Return the rows of the result of a query; None if the source is not one.

    A result that the driver does not hold in memory is read in parts, such as one of SQLAlchemy's `stream_results`.

    Raises:
        InvalidInput: A cursor has no result.
    """
    if _is_result(source):
        columns: tuple[str, ...] = tuple(source.keys())
    elif _is_cursor(source):
        columns = _names(source)
    else:
        return None
    renaming.check(columns)
    return RowSource(
        lambda maker: _read(source, columns, maker),
        lambda: RowMaker(first, renaming, is_checked=True),
        columns=renaming.names(columns),
    )


def is_statement(source: Any) -> bool:
    """Return whether a source is a statement of SQLAlchemy that was not executed."""
    return hasattr(source, "compile") and hasattr(source, "selected_columns")


def _is_result(source: Any) -> bool:
    return all(callable(getattr(source, name, None)) for name in ("keys", "mappings", "partitions"))


def _is_cursor(source: Any) -> bool:
    return hasattr(source, "description") and callable(getattr(source, "fetchmany", None))


def _names(cursor: Any) -> tuple[str, ...]:
    if not cursor.description:
        raise InvalidInput("rows: the cursor has no result; execute a SELECT statement first.")
    return tuple(column[0] for column in cursor.description)


def _read(source: Any, columns: tuple[str, ...], maker: RowMaker) -> Iterator[list[Row]]:
    try:
        while rows := source.fetchmany(CHUNK_ROWS):
            yield from _made(rows, columns, maker)
    except Exception as error:
        if _OTHER_THREAD in str(error):
            raise InvalidInput(
                "rows: this SQLite connection can be used only in the thread that opened it. Open it with "
                "check_same_thread=False, or pass all rows at once, such as result.mappings().all()."
            ) from error
        raise


def _made(rows: Sequence[Any], columns: tuple[str, ...], maker: RowMaker) -> Iterator[list[Row]]:
    if isinstance(rows[0], Mapping):
        return iter([maker.from_pairs([(None, row) for row in rows])])
    return maker.from_columns(columns, [list(values) for values in zip(*rows, strict=True)], len(rows))
